"""What happens along the way of a run."""

import json

import numpy as np
import pytest

from learning.test_run import lines, quick
from zermelo.errors import UnknownName
from zermelo.learning.callbacks import Callback, Changes, Games, Strength, TensorBoard, Versions
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.network.model import read_model


def watched(directory, callbacks, rounds=2, **changes):
    run = Run(directory, quick(**changes))
    return run, list(run.train(Limits(rounds=rounds), callbacks))


def test_a_callback_of_ones_own_hears_everything_in_order(tmp_path):
    heard = []

    class Mine(Callback):
        def begins(self, run):
            heard.append("begins")

        def game_ends(self, run, game):
            heard.append("game")
            assert game.is_over

        def round_ends(self, run, done):
            heard.append(f"round {done.round}")
            assert run.manifest["rounds"] == done.round, "it is on disk already"
            run.measure("mine", {"number": 7})

        def ends(self, run):
            heard.append("ends")

    watched(tmp_path / "run", [Mine()])
    assert heard == ["begins", *["game"] * 16, "round 1", *["game"] * 16, "round 2", "ends"]
    assert [line["number"] for line in lines(tmp_path / "run" / "measures.jsonl")] == [7, 7]


def test_callbacks_change_nothing_of_what_is_learnt(tmp_path):
    plain, _ = watched(tmp_path / "plain", [])
    strength = {"watch.games": "2", "watch.against": '["random"]', "watch.simulations": "4"}
    seen, _ = watched(tmp_path / "seen", [Strength(), Versions(1), Changes(), Games()], **strength)
    for name, value in plain.learner.weights().items():
        assert (value == seen.learner.weights()[name]).all()


def test_versions_are_kept_and_play(tmp_path):
    run, _ = watched(tmp_path / "run", [Versions(2)], rounds=5)
    assert [path.stem for path in sorted((tmp_path / "run" / "versions").iterdir())] == ["000002", "000004"]
    assert read_model(run.directory.version(4)).provenance["rounds"] == 4


def test_changes_are_the_lengths_of_steps_over_the_length_of_the_weights(tmp_path):
    run = Run(tmp_path / "run", quick())
    before = run.learner.weights()
    list(run.train(Limits(rounds=1), [Changes()]))
    after = run.learner.weights()
    names = [name for name in before if name.endswith(".weight")]
    first, second = (np.concatenate([w[name].ravel() for name in names]) for w in (before, after))
    (found,) = lines(tmp_path / "run" / "measures.jsonl")
    assert found["round"] == 1
    assert (
        found["moved_in_all"]
        == found["moved"]
        == pytest.approx(np.linalg.norm(second - first) / np.linalg.norm(first), rel=1e-4)
    )


def test_some_games_are_kept(tmp_path):
    games = Games(every=5)
    watched(tmp_path / "run", [games], rounds=1)
    assert games.kept
    assert all(game.number % 5 == 0 for game in games.kept)


def test_strength_is_measured_and_can_end_a_run(tmp_path):
    changes = {
        "watch.games": "4", "watch.against": '["random"]', "watch.simulations": "30", "watch.graded": "10",
        "watch.share": "1.0",
    }  # fmt: skip
    run = Run(tmp_path / "run", quick(**changes))
    rounds = list(run.train(Limits(score=0.5, rounds=5), [Strength()]))
    assert len(rounds) == 1, "random loses at once"
    (found,) = lines(tmp_path / "run" / "measures.jsonl")
    assert found["score"] == found["against"]["random"] >= 0.5
    assert 0 <= found["mistakes"] <= found["mistakes_alone"] <= 1
    assert run.manifest["measured"]["score"] == found["score"]


def test_what_saves_time_is_said_once(tmp_path):
    """Each measuring has another number of simulations."""
    run, _ = watched(
        tmp_path / "run",
        [],
        rounds=1,
        **{"watch.against": '["uct:sims=20000"]', "watch.games": "2", "watch.simulations": "5000"},
    )
    said = []
    strength = Strength([], said.append)
    for seconds in (0.5, 0.8, 1.2):
        strength.measure(run, seconds)
    assert len(said) == 1
    assert said[0].startswith("to save time, strength is measured with fewer simulations, such as az:")


def test_an_unknown_player_to_be_measured_against_is_told_before_anything_is_played(tmp_path):
    run = Run(tmp_path / "run", quick(**{"watch.against": '["deepblue"]'}))
    with pytest.raises(UnknownName, match="deepblue"):
        next(run.train(Limits(rounds=1), [Strength()]))


def test_what_was_measured_beyond_the_manifest_is_cut_off(tmp_path):
    watched(tmp_path / "run", [Changes()], rounds=1)
    path = tmp_path / "run" / "measures.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"half a li')
    Run(tmp_path / "run", quick())
    assert path.read_bytes() == whole
    assert json.loads(whole)["what"] == "changes"


@pytest.mark.skipif(not TensorBoard.is_installed(), reason="TensorBoard is not installed")
def test_tensorboard_gets_the_metrics(tmp_path):
    watched(tmp_path / "run", [TensorBoard()])
    assert list((tmp_path / "run" / "tensorboard").glob("events*"))
