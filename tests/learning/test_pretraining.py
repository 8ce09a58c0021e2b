"""Learning from people's games: figures are true, what is interrupted goes on, self-play follows."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import zermelo
from learning.amateurs import put, random_position, stacked
from zermelo.errors import BadParameter, RunError
from zermelo.learning.archive import Archive
from zermelo.learning.callbacks import Callback
from zermelo.learning.config import completed
from zermelo.learning.limits import Limits
from zermelo.learning.pretraining import HeldOut
from zermelo.learning.run import Run
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.model import read_model, untrained, write_model

GAME = zermelo.game("connect:rows=4,cols=5")
QUICK = {
    "network.blocks": "1",
    "network.filters": "8",
    "rounds.games": "8",
    "selfplay.parallel": "8",
    "selfplay.search.simulations": "4",
    "learner.batch": "64",
    "watch.share": "0",
    "start.epochs": "4",
    "start.kept": "60",
}


def quick(records, **changes):
    return completed({"game": GAME.name, "start": {"records": records}}, {**QUICK, **changes})


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """A file of games by a simple rule."""
    path = tmp_path_factory.mktemp("people") / "games"
    return put(path, [stacked(GAME, seed) for seed in range(150)])


class Epochs(Callback):
    """Keeps the epochs, and presses Ctrl-C after one of them."""

    def __init__(self, last=None):
        self.seen, self.last = [], last

    def epoch_ends(self, run, epoch):
        self.seen.append(epoch)
        if epoch.epoch == self.last:
            raise KeyboardInterrupt


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.fixture(scope="module")
def learnt(records, tmp_path_factory):
    """A run that has learnt from people and played two rounds, and its epochs."""
    run, epochs = Run(tmp_path_factory.mktemp("run") / "run", quick(records)), Epochs()
    rounds = list(run.train(Limits(rounds=2), [epochs]))
    return run, epochs.seen, rounds


def test_moves_of_games_that_were_held_out_are_foretold(learnt):
    run, (before, *epochs), _ = learnt
    assert before.epoch == before.steps == 0
    assert before.held_out.accuracy < 0.4
    assert max(one.held_out.accuracy for one in epochs) > 0.6, "four moves of five are by the rule"
    games = run.manifest["start"]["people"]["games"]
    assert epochs[-1].held_out.games == round(0.1 * games) > 5
    assert epochs[-1].positions == sum(1 for _ in epochs) * epochs[0].positions


def loss_at_the_start(run):
    """Of the network that self-play began with, in the games that were held out."""
    archive = Archive.read(run.config.start.records, GAME)
    held = archive.split(run.config.start.held_out, 15_000, run.config.seed)[1]
    network = OnnxEvaluator.of(read_model(run.directory.version(0)))
    return HeldOut(archive, held, run.encoding).measure(network, run.config.learner.value_weight).loss


def test_self_play_begins_with_the_best_weights_and_without_random_playouts(learnt):
    run, epochs, (first, second) = learnt
    assert run.config.selfplay.warm_games > 0
    assert (first.games, first.network_share > 0) == (8, True)
    told = read_model(run.directory.best).provenance["start"]
    best = min(epochs, key=lambda one: one.held_out.loss)
    assert told["people"]["best"]["epoch"] == best.epoch
    assert told["people"]["best"]["held_out_accuracy"] == best.held_out.accuracy
    assert loss_at_the_start(run) == pytest.approx(best.held_out.loss, abs=1e-5)
    assert second.positions == sum(run.manifest["round_positions"]), "people's are not counted"


def test_positions_of_people_leave_the_window_when_self_play_has_taught_as_many(learnt):
    run, _, rounds = learnt
    assert run.kept == 60
    for done in rounds:
        assert done.window <= done.positions + (60 if done.positions < 60 else 0)
    config = quick(run.config.start.records, **{"start.kept": "5000", "replay.merge": "false"})
    one = Run(run.directory.path.with_name("more"), config)
    (done,) = one.train(Limits(rounds=1))
    assert one.kept > 1000, "all there are of games that are not held out"
    assert done.window == one.kept + done.positions
    again = Run(one.directory.path, config)
    assert len(again.replay) == one.kept + done.positions
    assert same(again.replay.latest(9999), one.replay.latest(9999))


def test_what_epochs_measure_is_written_down(learnt):
    run, epochs, _ = learnt
    lines = [json.loads(line) for line in (run.directory.path / "measures.jsonl").read_text().splitlines()]
    told = [line for line in lines if line["what"] == "pretraining"]
    assert [line["epoch"] for line in told] == [one.epoch for one in epochs]
    assert [line["held_out_accuracy"] for line in told] == [one.held_out.accuracy for one in epochs]
    seconds = [line["seconds"] for line in told]
    assert seconds == sorted(seconds)
    assert 0 < seconds[-1] < run.manifest["seconds"], "it counts as time of the run"


def test_an_interrupted_run_goes_on_at_its_epoch_as_if_it_had_not_been(records, learnt, tmp_path):
    whole, epochs, _ = learnt
    for last in (0, 2, None):
        run, some = Run(tmp_path / "run", quick(records)), Epochs(last)
        try:
            list(run.train(Limits(rounds=2), [some]))
        except KeyboardInterrupt:
            assert some.seen[-1].epoch == last
    assert [one.epoch for one in some.seen] == [3, 4]
    assert some.seen == epochs[3:]
    assert same(run.model().weights, whole.model().weights)


def test_games_that_have_changed_meanwhile_are_refused_and_not_needed_afterwards(records, tmp_path):
    file = tmp_path / "games.jsonl"
    text = Path(records[0]).read_text()
    file.write_text(text)
    config = quick([str(file)])
    with pytest.raises(KeyboardInterrupt):
        list(Run(tmp_path / "run", config).train(Limits(rounds=1), [Epochs(1)]))
    file.write_text("".join(text.splitlines(keepends=True)[:-3]))
    with pytest.raises(RunError, match="have changed since"):
        list(Run(tmp_path / "run", config).train(Limits(rounds=1)))
    file.write_text(text)
    list(Run(tmp_path / "run", config).train(Limits(rounds=1)))
    file.unlink()
    assert [done.round for done in Run(tmp_path / "run", config).train(Limits(rounds=2))] == [2]


def test_it_ends_when_games_are_foretold_no_better(tmp_path):
    """Moves that nobody can foretell, learnt by heart."""
    random = put(tmp_path / "games", [random_position(GAME, seed) for seed in range(40)])
    changes = {"start.epochs": "60", "start.patience": "2", "start.held_out": "0.5", "learner.rate": "0.02"}
    run, epochs = Run(tmp_path / "run", quick(random, **changes)), Epochs()
    list(run.train(Limits(rounds=1), [epochs]))
    losses = [one.held_out.loss for one in epochs.seen]
    assert len(losses) < 61
    assert np.argmin(losses) == len(losses) - 3
    assert [one.best for one in epochs.seen[-3:]] == [True, False, False]
    assert loss_at_the_start(run) == pytest.approx(min(losses), abs=1e-5)


def test_it_takes_no_more_than_its_share_of_the_time(records, tmp_path):
    config = quick(records, **{"start.epochs": "100000", "start.patience": "100000", "start.share": "0.2"})
    run, epochs = Run(tmp_path / "run", config), Epochs()
    list(run.train(Limits(cpu_seconds=3.0), [epochs]))
    spent = run.manifest["start"]["people"]["cpu_seconds"]
    assert 0.5 < spent < 1.8
    assert run.manifest["rounds"] > 0


def test_games_without_a_result_teach_moves(tmp_path):
    cut = [stacked(GAME, seed).before for seed in range(60)]
    path = put(tmp_path / "games", cut)
    run, epochs = Run(tmp_path / "run", quick(path)), Epochs()
    (done,) = run.train(Limits(rounds=1), [epochs])
    assert epochs.seen[-1].value_loss == 0
    assert epochs.seen[-1].held_out.accuracy > epochs.seen[0].held_out.accuracy
    assert run.kept == 0
    assert np.isfinite(done.value_loss)


@pytest.mark.parametrize("augment", [True, False])
def test_positions_are_shown_under_symmetries_or_as_they_are(records, tmp_path, augment):
    run = Run(tmp_path / "run", quick(records, **{"replay.augment": str(augment).lower()}))
    seen, step = set(), run.learner.step

    def watched(sample, progress):
        seen.update(planes.tobytes() for planes in sample.planes)
        return step(sample, progress)

    run.learner.step = watched
    with pytest.raises(KeyboardInterrupt):
        list(run.train(Limits(rounds=1), [Epochs(4)]))
    archive = Archive.read(records, GAME)
    shown = archive.replay(np.arange(len(archive)), run.encoding).window().in_order(10_000)
    known = {planes.tobytes() for sample in shown for planes in sample.planes}
    assert seen <= known if not augment else len(seen - known) > 100


def test_figures_are_those_of_a_slow_count():
    archive = Archive(GAME)
    for seed in range(12):
        position = random_position(GAME, seed)
        archive.add(position.moves, position.returns if seed % 3 else None)
    model = untrained(GAME, completed({"game": GAME.name}, QUICK).network, seed=5)
    network = OnnxEvaluator(model.architecture, Shape.of(GAME, model.encoding), model.weights)
    found = HeldOut(archive, np.arange(12), model.encoding).measure(network, value_weight=2.0)
    right, named, errors, entropies = [], [], [], []
    for seed in range(12):
        end = random_position(GAME, seed)
        position = GAME.position()
        for move in end.moves:
            logits, (value,) = network(position.planes(model.encoding)[None])
            chances = {action: np.exp(float(logits[0, action])) for action in position.legal_actions}
            entropies.append(-np.log(chances[move] / sum(chances.values())))
            if len(chances) > 1:
                right.append(max(chances, key=chances.get) == move)
            if seed % 3:
                result = end.returns[position.mover]
                errors.append((value - result) ** 2)
                if result:
                    named.append(np.sign(value) == result)
            position = position.play(move)
    assert len(right) < len(entropies), "a forced move is no choice"
    assert found.accuracy == pytest.approx(np.mean(right))
    assert found.winners == pytest.approx(np.mean(named))
    assert found.squared_error == pytest.approx(np.mean(errors), abs=1e-5)
    assert found.loss == pytest.approx(np.mean(entropies) + 2 * np.mean(errors), abs=1e-4)


def test_another_network_can_be_what_learning_from_people_begins_with(records, tmp_path):
    model = untrained(GAME, quick(records).network, quick(records).encoding, seed=9)
    write_model(model, tmp_path / "given.safetensors")
    values = {
        "game": GAME.name,
        "start": {"records": records, "model": str(tmp_path / "given.safetensors")},
    }
    run, epochs = Run(tmp_path / "run", completed(values, QUICK)), Epochs(0)
    with pytest.raises(KeyboardInterrupt):
        list(run.train(Limits(rounds=1), [epochs]))
    assert same(run.learner.weights(), model.weights)
    assert {"model", "people"} <= run.manifest["start"].keys()


@pytest.mark.parametrize(
    ("key", "value"),
    [("held_out", "0"), ("held_out", "0.6"), ("epochs", "0"), ("share", "0"), ("kept", "-1")],
)
def test_values_that_make_no_sense_are_told(key, value):
    with pytest.raises(BadParameter, match=rf"`start\.{key}` \(={value}"):
        quick([], **{f"start.{key}": value})


PROGRAM = """
import sys
from pathlib import Path
from learning.test_pretraining import quick
from zermelo.learning.callbacks import Callback
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
class Told(Callback):
    def epoch_ends(self, run, epoch):
        print(epoch.epoch, flush=True)
config = quick(sys.argv[2:], **{"start.epochs": "12", "start.patience": "12"})
list(Run(Path(sys.argv[1]), config).train(Limits(rounds=1), [Told()]))
"""


@pytest.mark.slow
def test_sigkill_costs_the_epoch_that_was_not_over(records, tmp_path):
    source = Path(zermelo.__file__).parents[1]
    path = f"{Path(__file__).parent.parent}{os.pathsep}{source}"
    seen = -1
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tmp_path / "run"), *records], stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        assert int(process.stdout.readline()) == seen + 1
        assert int(process.stdout.readline()) == seen + 2
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        known = json.loads((tmp_path / "run" / "manifest.json").read_text())["start"]["people"]
        assert known["last"]["epoch"] >= seen + 2
        seen = known["last"]["epoch"]
