"""Runs that begin with the weights of another network."""

import shutil

import numpy as np
import pytest

import zermelo
from zermelo.errors import ModelError
from zermelo.learning.config import completed
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.network.architecture import Architecture
from zermelo.network.model import read_model, untrained, write_model
from zermelo.network.shipped import shipped_model

SMALL = {
    "network.blocks": "1",
    "network.filters": "8",
    "rounds.games": "4",
    "selfplay.parallel": "4",
    "selfplay.search.simulations": "2",
    "watch.games": "0",
}
SEEN = completed({"game": "gomoku:size=5"}, {}).encoding
OTHER = next(name for name in zermelo.game("gomoku:size=5").encodings if name != SEEN)


def quick(game, model="", **changes):
    return completed({"game": game, "start": {"model": str(model)}}, {**SMALL, **changes})


@pytest.fixture
def given(tmp_path):
    """The network of Gomoku on 5x5, of the architecture that runs here have."""
    game = zermelo.game("gomoku:size=5")
    model = untrained(game, quick(game.name).network, SEEN, seed=7)
    path = tmp_path / "given.safetensors"
    write_model(model, path)
    return path, model


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def test_a_larger_board_begins_with_the_weights_of_a_smaller_one(tmp_path, given):
    path, model = given
    run = Run(tmp_path / "run", quick("gomoku:size=7", path))
    assert same(run.model().weights, model.weights), "the average plays"
    assert run.learner.steps == 0
    assert not any(run.learner.optimiser.moments.values())
    (done,) = run.train(Limits(rounds=1))
    assert done.games == 4, "no games by random playouts: the network knows something"
    told = read_model(run.directory.best).provenance["start"]
    assert (told["model"], told["game"]) == (str(path), "gomoku:size=5")


def test_the_other_network_is_not_needed_again(tmp_path, given):
    path, model = given
    config = quick("gomoku:size=5", path)
    Run(tmp_path / "run", config)
    path.unlink()
    run = Run(tmp_path / "run", config)
    assert same(run.model().weights, model.weights), "also before the first round is over"
    list(run.train(Limits(rounds=1)))
    again = Run(tmp_path / "run", config)
    assert same(again.model().weights, run.model().weights)
    assert again.manifest["start"]["game"] == "gomoku:size=5"


def test_the_directory_of_a_run_and_a_network_that_ships_can_be_named(tmp_path, given):
    path, model = given
    directory = tmp_path / "other"
    directory.mkdir()
    shutil.copy(path, directory / "best.safetensors")
    assert same(Run(tmp_path / "one", quick("gomoku:size=5", directory)).model().weights, model.weights)
    shipped = read_model(shipped_model(zermelo.game("tictactoe")))
    changes = {f"network.{key}": f"{value}" for key, value in vars(shipped.architecture).items()}
    changes |= {key: text.lower() for key, text in changes.items() if text in ("True", "False")}
    run = Run(tmp_path / "two", completed({"game": "tictactoe", "start": {"model": "tictactoe"}}, changes))
    assert same(run.model().weights, shipped.weights)


@pytest.mark.parametrize(
    ("game", "changes", "why"),
    [
        ("gomoku:size=7", {"network.filters": "16"}, "--set network.filters=8"),
        ("gomoku:size=7", {"network.pooling": "true"}, "--set network.pooling=false"),
        ("othello:size=6", {}, "is for gomoku:size=5, and cannot begin othello:size=6"),
        ("gomoku:size=5", {"encoding": OTHER}, f"not {OTHER}; --set encoding={SEEN}"),
    ],
)
def test_what_does_not_fit_is_told_with_what_to_do(tmp_path, given, game, changes, why):
    with pytest.raises(ModelError, match=why):
        Run(tmp_path / "run", quick(game, given[0], **changes))
    assert not (tmp_path / "run").exists(), "nothing is left behind that would be another run"


def test_heads_that_depend_on_the_board_are_named(tmp_path):
    game = zermelo.game("gomoku:size=5")
    path = tmp_path / "dense.safetensors"
    write_model(untrained(game, Architecture.preset("tiny"), SEEN), path)
    with pytest.raises(ModelError, match=r"policy\.logits\.weight is \(25, 50\).*network\.per_cell=true"):
        Run(tmp_path / "run", quick("gomoku:size=7", path))


def test_a_name_that_is_nothing(tmp_path):
    with pytest.raises(ModelError, match=r"there is no network at nobody.*gomoku8"):
        Run(tmp_path / "run", quick("gomoku:size=5", "nobody"))
