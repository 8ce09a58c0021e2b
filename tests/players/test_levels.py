"""The dial from a beginner to full strength."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import zermelo
from network.networks import SMALL, trained
from search.test_decision import result
from zermelo.errors import BadParameter
from zermelo.network.model import write_model
from zermelo.players.levels import LEVELS, Level, overlooked


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "connect4.safetensors"
    write_model(trained("connect4", SMALL), path)
    return path


def test_each_level_is_at_least_as_careful_as_the_one_below():
    assert len(LEVELS) == 10
    for low, high in pairwise(LEVELS):
        assert low != high
        assert low.sims <= high.sims
        assert low.temperature >= high.temperature
        assert low.oversights >= high.oversights


def test_the_page_tells_what_each_level_does():
    page = Path("docs/play.md").read_text()
    rows = [line.strip("|").split("|") for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    assert [(int(number), int(sims)) for number, sims, _ in rows] == [
        (number, level.sims) for number, level in enumerate(LEVELS, 1)
    ]
    for (*_, words), level in zip(rows, LEVELS, strict=True):
        assert (f"{level.oversights:.0%}".replace("%", " %") in words) == (level.oversights > 0)
    assert LEVELS[-1] == Level(zermelo.player("az").sims)


@pytest.mark.parametrize("level", [1, 6, 8, 10])
def test_a_level_says_how_much_is_searched(model, level):
    player = zermelo.player(f"az:model={model},level={level}")
    assert zermelo.player(player.name) == player
    (searched,) = player.search([zermelo.game("connect4").position("4 4 3")], [0])
    assert searched.simulations == LEVELS[level - 1].sims


def test_high_levels_always_move_alike_and_low_ones_do_not(model):
    some = [zermelo.game("connect4").position("4 4 3 3")] * 60
    moves = {
        level: Counter(zermelo.player(f"az:model={model},level={level}").choose(some, range(60)))
        for level in (1, 6, 7)
    }
    assert len(moves[1]) > 3
    assert len(moves[6]) == len(moves[7]) == 1


@pytest.mark.parametrize(
    ("game", "moves", "won"), [("connect4", "4 1 4 1 4 1", "4"), ("examples/nim.py", "3 3 3 3 3 3 1", "2")]
)
def test_a_win_at_once_is_never_overlooked(game, moves, won):
    """In games with plain Python rules neither, whose moves a search without simulations does not try."""
    position = zermelo.game(game).position(moves)
    count = len(position.legal_actions)
    actions = np.array(position.legal_actions, np.int32)
    seen = result([0] * count, [0.0] * count, priors=[1 / count] * count)
    seen = seen._replace(position=position, actions=actions)
    random = np.random.default_rng(0)
    assert {position.name(overlooked(seen, random)) for _ in range(50)} == {won}


def test_what_looks_natural_is_drawn_by_the_fourth_root_of_its_probability():
    seen = result([0, 0, 0], [0.0, 0.0, 0.0], priors=[0.81, 0.16, 0.01])
    random = np.random.default_rng(0)
    moves = Counter(overlooked(seen, random) for _ in range(4000))
    roots = np.array([0.81, 0.16, 0.01]) ** 0.25
    assert [moves[i] / 4000 for i in range(3)] == pytest.approx(roots / roots.sum(), abs=0.03)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("level=11", "must be from 1 to 10"),
        ("level=-1", "must be from 1 to 10"),
        ("level=3,time=1", "give it alone"),
        ("level=3,sims=50", "give it alone"),
        ("level=3,temperature=1", "give it alone"),
    ],
)
def test_wrong_levels_are_refused(words, message):
    with pytest.raises(BadParameter, match=message):
        zermelo.player(f"az:{words}")
