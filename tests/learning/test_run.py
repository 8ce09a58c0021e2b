"""Runs that are stopped, killed, damaged, and go on."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import zermelo
from zermelo.errors import RunError, TrainingError
from zermelo.learning.callbacks import Callback
from zermelo.learning.config import completed
from zermelo.learning.learner import ThreadCount
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.network.model import read_model

QUICK = {
    "rounds.games": "16",
    "selfplay.parallel": "16",
    "network.blocks": "1",
    "network.filters": "8",
    "network.policy_filters": "2",
    "network.value_filters": "1",
    "network.value_hidden": "8",
    "selfplay.search.simulations": "4",
    "learner.batch": "32",
    "replay.window": "300",
    "watch.graded": "0",
}


def quick(game="tictactoe", **changes):
    return completed({"game": game}, {**QUICK, **changes})


def trained(directory, games, config=None):
    """Stopped after so many games, of a run that could go on much longer."""
    run, rounds = Run(directory, config or quick()), []
    if run.manifest["games"] < games:
        for done in run.train(Limits(games=4000)):
            rounds.append(done)
            if done.games >= games:
                break
    return run, rounds


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_run_that_is_stopped_goes_on_as_if_it_had_not(tmp_path):
    whole, _ = trained(tmp_path / "whole", 64)
    for games in (16, 48, 64):
        stopped, _ = trained(tmp_path / "stopped", games)
    for name, weights in whole.learner.weights().items():
        assert (weights == stopped.learner.weights()[name]).all(), name
    games = [lines(tmp_path / name / "games.jsonl") for name in ("whole", "stopped")]
    assert games[0] == games[1]
    assert len({game["number"] for game in games[0]}) == 64, "none is there twice"
    assert [line["games"] for line in lines(tmp_path / "stopped" / "metrics.jsonl")] == [16, 32, 48, 64]


def test_the_model_of_a_run_plays(tmp_path):
    run, rounds = trained(tmp_path / "run", 32)
    assert [one.round for one in rounds] == [1, 2]
    model = read_model(tmp_path / "run" / "best.safetensors")
    assert model.game == "tictactoe"
    assert model.provenance["games"] == 32
    player = zermelo.player(f"az:model={tmp_path / 'run'},sims=4")
    assert zermelo.match(run.game, player, zermelo.player("random"), games=6).games == 6


def test_old_positions_leave_the_window_and_stay_away_after_going_on(tmp_path):
    run, _ = trained(tmp_path / "run", 160)
    again = Run(tmp_path / "run", quick())
    assert run.replay.added > 300
    assert len(again.replay) == len(run.replay) == 300
    before, after = run.replay.latest(300), again.replay.latest(300)
    assert all((before[name] == after[name]).all() for name in before)
    assert len(list((tmp_path / "run").glob("state-*"))) == 1


PROGRAM = """
import sys
from pathlib import Path
from learning.test_run import quick
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
for done in Run(Path(sys.argv[1]), quick()).train(Limits(games=4000)):
    print(done.round, flush=True)
"""


def killed(directory, seconds):
    """Begin or go on with a run, and kill it so long after its first round."""
    paths = Path(__file__).parent.parent, Path(zermelo.__file__).parent.parent
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(directory)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
    )
    process.stdout.readline()
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def kill_and_go_on(directory, times):
    chance, seen, waiting = random.Random(5), 0, set()
    for _ in range(times):
        killed(directory, chance.uniform(0.0, 0.5))
        manifest = json.loads((directory / "manifest.json").read_text())
        assert manifest["rounds"] > seen, "rounds that were finished are kept"
        seen = manifest["rounds"]
        run = Run(directory, quick())
        assert run.manifest == manifest
        assert run.learner.steps == lines(directory / "metrics.jsonl")[-1]["steps"]
        numbers = [game["number"] for game in lines(directory / "games.jsonl")]
        assert len(numbers) == len(set(numbers)) == manifest["games"], "none is lost, none is there twice"
        waiting |= {one.number for one in run._ended}
    trained(directory, manifest["games"] + 5 * 16)
    numbers = [game["number"] for game in lines(directory / "games.jsonl")]
    assert waiting <= set(numbers), "games that had ended are there, also those of rounds that had not"
    assert len(numbers) == len(set(numbers))
    losses = [line["policy_loss"] for line in lines(directory / "metrics.jsonl")]
    assert np.mean(losses[-3:]) < np.mean(losses[:3]), "the curve goes on"


def test_a_run_survives_sigkill(tmp_path):
    kill_and_go_on(tmp_path / "run", 2)


@pytest.mark.slow
def test_a_run_survives_sigkill_at_twenty_moments(tmp_path):
    kill_and_go_on(tmp_path / "run", 20)


def test_another_configuration_is_refused_with_the_difference(tmp_path):
    trained(tmp_path / "run", 16)
    with pytest.raises(RunError, match=r"another configuration \(learner.rate: 0.002, not 0.5\)"):
        Run(tmp_path / "run", quick(**{"learner.rate": "0.5"}))
    with pytest.raises(RunError, match="game: tictactoe, not connect4"):
        Run(tmp_path / "run", quick("connect4"))


def test_the_configuration_may_change_until_something_is_played(tmp_path):
    """A run that was refused for want of time says which setting to change."""
    Run(tmp_path / "run", quick())
    run = Run(tmp_path / "run", quick(**{"learner.rate": "0.5"}))
    assert "rate = 0.5" in (tmp_path / "run" / "config.toml").read_text()
    assert run.learner.config.rate == 0.5
    list(run.train(Limits(rounds=1)))
    with pytest.raises(RunError, match="another configuration"):
        Run(tmp_path / "run", quick())


def test_threads_are_chosen_after_pretraining_too(tmp_path):
    run = Run(tmp_path / "run", quick())
    run.learner.threads = chosen = ThreadCount(2)
    run.begin_with(run.learner.weights())
    assert run.learner.threads is chosen


def test_a_directory_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(RunError, match="is not empty, and is no run"):
        Run(tmp_path, quick())
    assert (tmp_path / "letters.txt").read_text() == "dear"


@pytest.mark.parametrize(
    "name", ["manifest.json", "state-000001.safetensors", "positions/000001.safetensors"]
)
def test_a_damaged_file_is_named_and_nothing_is_destroyed(tmp_path, name):
    trained(tmp_path / "run", 16)
    path = tmp_path / "run" / name
    path.write_bytes(path.read_bytes()[:20])
    before = {one: one.read_bytes() for one in (tmp_path / "run").rglob("*") if one.is_file()}
    with pytest.raises(RunError, match=name.rsplit("/")[-1].replace(".", r"\.")):
        Run(tmp_path / "run", quick())
    assert before == {one: one.read_bytes() for one in (tmp_path / "run").rglob("*") if one.is_file()}


def test_a_manifest_that_contradicts_itself_is_refused(tmp_path):
    trained(tmp_path / "run", 16)
    path = tmp_path / "run" / "manifest.json"
    good = json.loads(path.read_text())
    for name, value in (("bytes", {}), ("round_positions", []), ("rounds", "one"), ("format", "other")):
        path.write_text(json.dumps({**good, name: value}))
        with pytest.raises(RunError, match=rf"manifest\.json cannot be used: `{name}` is"):
            Run(tmp_path / "run", quick())


def test_a_file_that_has_lost_lines_is_refused(tmp_path):
    trained(tmp_path / "run", 16)
    (tmp_path / "run" / "games.jsonl").write_text("")
    with pytest.raises(RunError, match=r"games\.jsonl"):
        Run(tmp_path / "run", quick())


def test_what_kills_leave_behind_goes(tmp_path):
    trained(tmp_path / "run", 16)
    left = [
        tmp_path / "run" / name
        for name in ("state-000000.safetensors", ".x.5.part", "candidate.safetensors")
    ]
    for path in left:
        path.write_text("")
    Run(tmp_path / "run", quick())
    assert not any(path.exists() for path in left)


def test_positions_that_have_left_the_window_are_not_kept(tmp_path):
    run, rounds = trained(tmp_path / "run", 160)
    kept = sorted(int(path.stem) for path in (tmp_path / "run" / "positions").iterdir())
    assert kept == list(range(kept[0], len(rounds) + 1))
    taught = run.manifest["round_positions"]
    assert sum(taught[kept[0] :]) < 300 <= sum(taught[kept[0] - 1 :])


def test_a_configuration_that_somebody_put_there_is_left_alone(tmp_path):
    (tmp_path / "config.toml").write_text("mine = 1\n")
    with pytest.raises(RunError, match="is not empty"):
        Run(tmp_path, quick())
    assert (tmp_path / "config.toml").read_text() == "mine = 1\n"


def test_a_network_that_was_not_written_before_a_kill_is_written_when_the_run_is_opened(tmp_path):
    trained(tmp_path / "run", 16)
    best = tmp_path / "run" / "best.safetensors"
    old = best.read_bytes()
    trained(tmp_path / "run", 32)
    new = read_model(best)
    for there in (old, None):
        best.unlink() if there is None else best.write_bytes(there)
        Run(tmp_path / "run", quick())
        written = read_model(best)
        assert written.provenance["rounds"] == new.provenance["rounds"] == 2
        assert all((written.weights[name] == new.weights[name]).all() for name in new.weights)


def test_two_processes_do_not_train_one_run(tmp_path):
    rounds = Run(tmp_path / "run", quick()).train(Limits(games=4000))
    next(rounds)
    with pytest.raises(RunError, match="is being trained by another process"):
        next(Run(tmp_path / "run", quick()).train(Limits(games=4000)))
    rounds.close()
    next(Run(tmp_path / "run", quick()).train(Limits(games=4000)))


class Interrupts(Callback):
    """Ctrl-C, or worse, after some games."""

    def __init__(self, games):
        self.games = games

    def game_ends(self, run, game):
        self.games -= 1
        if self.games == 0:
            raise KeyboardInterrupt


def test_games_that_had_ended_are_kept_when_a_round_is_interrupted(tmp_path):
    run = Run(tmp_path / "run", quick())
    with pytest.raises(KeyboardInterrupt):
        list(run.train(Limits(games=32), [Interrupts(21)]))
    assert run.manifest["games"] == 16
    ended = {one.number: list(one.position.move_names) for one in run._ended}
    under_way = {number: one.position.moves for number, one in run.source.selfplay.under_way.items()}
    assert len(ended) == 5
    again = Run(tmp_path / "run", quick())
    assert {one.number: list(one.position.move_names) for one in again._ended} == ended
    assert {
        number: one.position.moves for number, one in again.source.selfplay.under_way.items()
    } == under_way
    for one in again.source.selfplay.under_way.values():
        assert len(one.lessons) <= len(one.position.moves), "no lesson is there whose move was not played"
    list(again.train(Limits(games=32)))
    games = {game["number"]: game["moves"] for game in lines(tmp_path / "run" / "games.jsonl")}
    assert len(games) == 32
    assert all(games[number] == moves for number, moves in ended.items())


def test_an_iteration_of_fixed_size_that_takes_too_long_is_put_aside_and_its_time_counts(tmp_path):
    config = quick(**{"rounds.games": "100000", "rounds.whole": "true"})
    run = Run(tmp_path / "run", config)
    assert list(run.train(Limits(seconds=1.0))) == []
    assert len(run._ended) > 5
    assert 1.0 <= run.manifest["seconds"] < 3.0
    again = Run(tmp_path / "run", config)
    assert len(again._ended) == len(run._ended)
    assert Limits(seconds=1.0).are_reached(again.manifest)
    assert list(again.train(Limits(seconds=1.0))) == []
    assert again.manifest["seconds"] < run.manifest["seconds"] + 0.5, "there was no time left"


def test_a_network_that_has_diverged_is_not_written(tmp_path):
    wild = {"learner.rate": "1e30", "learner.clip": "0", "learner.warm_up": "0", "rounds.steps": "1"}
    run = Run(tmp_path / "run", quick(**wild))
    with pytest.raises(
        TrainingError, match=r"diverged in round 1; begin a new run with a lower `learner\.rate`"
    ):
        next(run.train(Limits(rounds=1)))
    assert Run(tmp_path / "run", quick(**wild)).manifest["rounds"] == 0
    assert not (tmp_path / "run" / "best.safetensors").exists()


def test_what_was_measured_otherwise_does_not_count(tmp_path):
    run, _ = trained(tmp_path / "run", 16)
    run.measure("strength", {"score": 1.0})
    assert Run(tmp_path / "run", quick()).manifest["measured"]["score"] == 1.0
    other = quick(**{"watch.against": '["perfect"]'})
    assert Run(tmp_path / "run", other).manifest["measured"] == {}
    assert Run(tmp_path / "run", other).config.watch.against == ("perfect",)
