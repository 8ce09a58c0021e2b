from itertools import pairwise

import numpy as np
import pytest

import zermelo
from search.test_reference import Hashed
from zermelo.errors import BadParameter
from zermelo.learning.selfplay import SelfplayConfig, play
from zermelo.search.config import SearchConfig
from zermelo.search.pool import Pool

CONNECT4 = zermelo.game("connect4")
QUICK = SelfplayConfig(SearchConfig("gumbel", 8, gumbel_noise=True))
DRAWN = SelfplayConfig(SearchConfig("puct", 12, noise=0.25), drawn_plies=6)


def games(config, count=12, slots=5, seed=3, first=0, game=CONNECT4, evaluator=None):
    evaluator = evaluator or Hashed(game)
    return {one.number: one for one in play(Pool(game, slots), evaluator, config, seed, first, count)}


@pytest.mark.parametrize("config", [QUICK, DRAWN], ids=["gumbel", "puct"])
def test_game_g_of_a_seed_is_the_same_whoever_plays_beside_it(config):
    together = {number: one.position.moves for number, one in games(config).items()}
    assert sorted(together) == list(range(12))
    for slots in (1, 12):
        again = games(config, slots=slots)
        assert {number: one.position.moves for number, one in again.items()} == together
    later = games(config, count=4, first=8)
    assert {number: one.position.moves for number, one in later.items()} == {
        number: moves for number, moves in together.items() if number >= 8
    }
    assert games(config, seed=4)[0].position.moves != together[0]


@pytest.mark.parametrize("config", [QUICK, DRAWN], ids=["gumbel", "puct"])
def test_games_differ_from_each_other(config):
    played = [one.position.moves for one in games(config).values()]
    assert len(set(played)) == len(played)


def test_every_searched_position_of_a_game_is_a_lesson():
    for one in games(QUICK).values():
        assert one.position.is_over
        opening = len(one.position.moves) - len(one.lessons)
        assert 0 <= opening <= QUICK.random_plies
        walk = CONNECT4.position(one.position.moves[:opening])
        for taught, (action, _) in zip(
            one.lessons, pairwise([*one.position.moves[opening:], None]), strict=True
        ):
            assert (taught.state == walk.state).all()
            assert tuple(taught.actions.tolist()) == walk.legal_actions
            assert taught.policy.sum() == pytest.approx(1)
            walk = walk.play(action)


def test_some_games_begin_with_random_moves():
    config = SelfplayConfig(SearchConfig("gumbel", 2, gumbel_noise=True), random_share=0.5, random_plies=4)
    openings = [len(one.position.moves) - len(one.lessons) for one in games(config, 200, 64).values()]
    assert 60 < np.count_nonzero(openings) < 140
    assert set(openings) == {0, 1, 2, 3, 4}


def test_a_game_of_ones_own_plays_itself():
    kalah = zermelo.game("examples/kalah.py:houses=3,seeds=2")
    assert len(games(QUICK, 4, game=kalah)) == 4


def test_wrong_numbers_are_named():
    with pytest.raises(BadParameter, match="random_share"):
        SelfplayConfig(random_share=1.5)
    with pytest.raises(BadParameter, match="random_plies"):
        SelfplayConfig(random_plies=-1)
