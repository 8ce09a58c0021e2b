"""Evaluations that are remembered, and positions shown under their symmetries."""

import numpy as np
import pytest

import zermelo
from search.searching import Counted, search
from search.test_reference import Hashed, positions, visits
from zermelo.search.config import SearchConfig
from zermelo.search.job import Job
from zermelo.search.pool import Pool

GAMES = ["tictactoe", "connect4", "gomoku:size=6,n=4", "othello:size=6"]
CONNECT4 = zermelo.game("connect4")


@pytest.mark.parametrize("name", GAMES)
def test_a_cache_changes_nothing_but_the_number_of_evaluations(name):
    game = zermelo.game(name)
    plain, cached, pool = Counted(game), Counted(game), Pool(game, cached=10_000)
    for position in positions(game, 5):
        for _ in range(2):
            expected = search(game, position, plain)
            assert visits(search(game, position, cached, pool)) == visits(expected)
    assert len(cached.asked) <= len(plain.asked) / 2, "the second search of a position asks nothing"
    assert len(set(cached.asked)) == len(cached.asked)
    assert pool.hit_rate == pytest.approx(1 - len(cached.asked) / len(plain.asked))


@pytest.mark.parametrize("name", GAMES)
def test_a_position_finds_what_was_said_of_its_images(name):
    game = zermelo.game(name)
    evaluator, pool = Counted(game), Pool(game, cached=10_000)
    for position in positions(game, 4):
        first = search(game, position, evaluator, pool, symmetry="canonical", simulations=0)
        asked = len(evaluator.asked)
        for k, symmetry in enumerate(game.symmetries):
            image = position.transformed(k)
            hit = search(game, image, evaluator, pool, symmetry="canonical", simulations=0)
            direct = search(game, image, evaluator, symmetry="canonical", simulations=0)
            assert hit.evaluation == direct.evaluation == first.evaluation
            assert hit.priors.tolist() == direct.priors.tolist()
            assert sorted(hit.priors) == pytest.approx(sorted(first.priors))
            if len({position.transformed(j) for j in range(len(game.symmetries))}) < len(game.symmetries):
                continue  # it is an image of itself: which of two answers is its own is open
            moved = {symmetry.actions[a]: p for a, p in zip(first.actions, first.priors, strict=True)}
            assert dict(zip(hit.actions.tolist(), hit.priors, strict=True)) == pytest.approx(moved)
        assert len(evaluator.asked) == asked + len(game.symmetries), "only the direct ones asked"


def test_a_small_cache_forgets_and_stays_right():
    evaluator, pool = Counted(CONNECT4), Pool(CONNECT4, cached=16)
    for position in positions(CONNECT4, 6):
        plain = search(CONNECT4, position, Hashed(CONNECT4), symmetry="canonical")
        assert visits(search(CONNECT4, position, evaluator, pool, symmetry="canonical")) == visits(plain)
    assert len(evaluator.asked) > 16


def test_evaluators_do_not_see_each_others_answers_and_new_weights_are_asked_again():
    pool, start = Pool(CONNECT4, cached=50_000), CONNECT4.position()
    first, second = Hashed(CONNECT4), Counted(CONNECT4)
    search(CONNECT4, start, first, pool)
    search(CONNECT4, start, second, pool)
    asked = len(second.asked)
    assert asked > 100
    search(CONNECT4, start, second, pool)
    assert len(second.asked) == asked
    pool.forget(second)
    search(CONNECT4, start, second, pool)
    assert len(second.asked) == 2 * asked


def test_a_pool_does_not_keep_every_evaluator_it_ever_saw():
    pool = Pool(CONNECT4, cached=100)
    for _ in range(60):
        search(CONNECT4, CONNECT4.position(), Hashed(CONNECT4), pool, simulations=1)
    assert len(pool._evaluators) <= 16


@pytest.mark.parametrize("first", ["none", "canonical", "random", "mean"])
@pytest.mark.parametrize("second", ["none", "canonical", "mean"])
def test_answers_under_one_symmetry_are_not_those_under_another(first, second):
    evaluator, pool, position = Hashed(CONNECT4), Pool(CONNECT4, cached=10_000), CONNECT4.position("4 3 1")
    search(CONNECT4, position, evaluator, pool, symmetry=first)
    found = search(CONNECT4, position, evaluator, pool, symmetry=second)
    assert visits(found) == visits(search(CONNECT4, position, evaluator, symmetry=second))


@pytest.mark.parametrize("encoding", CONNECT4.encodings)
def test_an_encoding_that_shows_the_last_move_is_remembered_with_it(encoding):
    evaluator, pool = Hashed(CONNECT4), Pool(CONNECT4, encoding=encoding, cached=10_000)
    for moves in ("1 2 3 4", "3 2 1 4", "3 4 1 2", "1 4 3 2"):  # one position, four last moves
        plain = search(CONNECT4, CONNECT4.position(moves), evaluator, Pool(CONNECT4, encoding=encoding))
        assert visits(search(CONNECT4, CONNECT4.position(moves), evaluator, pool)) == visits(plain)


def test_a_position_that_many_trees_ask_for_at_once_takes_one_place():
    pool, evaluator = Pool(CONNECT4, slots=8, cached=64), Hashed(CONNECT4)
    pool.search([Job(CONNECT4.position(), SearchConfig(simulations=0), evaluator) for _ in range(8)])
    assert (pool._cache.owner >= 0).sum() == 1


@pytest.mark.parametrize("name", GAMES)
def test_the_mean_of_all_symmetries_is_that(name):
    game = zermelo.game(name)
    evaluator = Hashed(game)
    for position in positions(game, 3):
        logits, values = np.zeros(game.num_actions), []
        for k, symmetry in enumerate(game.symmetries):
            answer, value = evaluator.position(position.transformed(k))
            logits += answer[list(symmetry.actions)] / len(game.symmetries)
            values.append(value)
        legal = list(position.legal_actions)
        priors = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
        result = search(game, position, evaluator, symmetry="mean", simulations=0)
        assert result.evaluation == pytest.approx(np.mean(values), abs=1e-6)
        assert result.priors == pytest.approx(priors, abs=1e-6)


@pytest.mark.parametrize("name", GAMES)
def test_equal_positions_are_searched_equally_under_every_symmetry(name):
    game = zermelo.game(name)
    evaluator, position = Hashed(game), positions(game, 1)[0]
    base = search(game, position, evaluator, symmetry="mean", simulations=0)
    for k, symmetry in enumerate(game.symmetries):
        image = search(game, position.transformed(k), evaluator, symmetry="mean", simulations=0)
        moved = {symmetry.actions[a]: p for a, p in zip(base.actions, base.priors, strict=True)}
        assert dict(zip(image.actions.tolist(), image.priors, strict=True)) == pytest.approx(moved)


def test_a_random_symmetry_is_each_of_them_in_turn():
    game = zermelo.game("tictactoe")
    position = game.position("1 2 6")
    expected = {evaluator_value(game, position.transformed(k)) for k in range(8)}
    found = set()
    for number in range(200):
        config = SearchConfig(simulations=0, symmetry="random")
        (result,) = Pool(game).search([Job(position, config, Hashed(game), number=number)])
        found.add(result.evaluation)
        again = Pool(game).search([Job(position, config, Hashed(game), number=number)])[0]
        assert again.evaluation == result.evaluation
    assert found == expected
    assert len(expected) == 8


def evaluator_value(game, position):
    return Hashed(game).position(position)[1]


def test_several_leaves_and_symmetries_go_together():
    config = {"symmetry": "mean", "leaves": 8, "simulations": 200}
    result = search(CONNECT4, CONNECT4.position(), Hashed(CONNECT4), **config)
    assert result.visits.sum() == 200
    assert result.priors == pytest.approx(result.priors[::-1])  # the board is its own mirror image


def test_the_hit_rate_is_told_for_each_stretch_by_itself():
    evaluator, pool = Counted(CONNECT4), Pool(CONNECT4, cached=10_000)
    search(CONNECT4, CONNECT4.position(), evaluator, pool)
    first = pool.take_hit_rate()
    assert pool.hit_rate == 0
    search(CONNECT4, CONNECT4.position(), evaluator, pool)
    assert first < pool.take_hit_rate() == 1
