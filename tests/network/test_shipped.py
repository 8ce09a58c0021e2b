"""The networks in the package: each is whole, small, fits its game, and says where it comes from."""

from dataclasses import replace
from pathlib import Path

import pytest

import zermelo
from zermelo.learning.config import TrainConfig, WatchConfig, build, completed, differences, read_toml
from zermelo.learning.start import Start
from zermelo.network.model import read_model
from zermelo.network.shipped import NAMES, shipped_model, shipped_models

MEGABYTE = 1_000_000


def test_games_are_named_as_they_name_themselves():
    assert [zermelo.game(name).name for name in NAMES] == list(NAMES)


@pytest.mark.parametrize("name", shipped_models())
def test_a_network_that_ships(name):
    game = zermelo.game(name)
    path = shipped_model(game)
    assert path.stat().st_size < 3 * MEGABYTE
    model = read_model(path)
    model.check(game, path)
    known = {"configuration", "commit", "machine", "seconds", "cpu_seconds", "positions", "games"}
    assert known <= set(model.provenance)
    assert model.provenance["configuration"]["game"] == name
    assert model.results, "it was graded"
    (move,) = zermelo.player("az:sims=8").choose([game.position()], [0])
    assert move in game.position().legal_actions


def what_decides(config):
    """Without what is measured along the way; and one ply is how far searches look ahead unless something
    else is said, which a file may do or not."""
    search = config.selfplay.search
    search = search.but(lookahead=1 if search.lookahead is None else search.lookahead)
    return replace(config, selfplay=replace(config.selfplay, search=search), watch=WatchConfig())


@pytest.mark.parametrize("name", shipped_models())
def test_its_file_of_configuration_makes_it_again(name):
    path = shipped_model(zermelo.game(name))
    known = build(TrainConfig, read_model(path).provenance["configuration"])
    written = completed(read_toml(Path(f"configs/shipped/{path.stem}.toml").read_text()), {})
    assert differences(*map(what_decides, (known, written))) == []


def test_those_that_ship():
    assert set(shipped_models()) == set(NAMES)


def test_the_network_of_gomoku_began_as_one_of_the_small_board():
    game = zermelo.game("gomoku")
    model = read_model(shipped_model(game))
    path = "configs/shipped/gomoku15-start.safetensors"
    start = Start.read(path, game, model.encoding, model.architecture)
    assert model.provenance["start"]["sha256"] == start.known["sha256"]


def test_the_network_of_tictactoe_errs_nowhere():
    found = zermelo.grade(zermelo.game("tictactoe"), zermelo.player("az:sims=0"))
    assert (found.total.mistakes.positions, found.total.mistakes.results) == (4520, 0)
