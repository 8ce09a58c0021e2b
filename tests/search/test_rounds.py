"""Searches that are looked at, added and stopped between the batches of a pool."""

import numpy as np

import zermelo as zm
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool

GAME = zm.game("connect4")
START = GAME.position()
EVALUATOR = Uniform(GAME.num_actions)


def job(simulations, moves="", seed=0):
    return Job(GAME.position(moves), SearchConfig(simulations=simulations), EVALUATOR, seed)


def rounds(pool):
    found = {}
    while pool.is_busy:
        found |= {id(job): result for job, result in pool.round()}
    return found


def test_searches_by_rounds_are_those_of_a_run():
    jobs = [job(50), job(80, "4"), job(20, "4 4")]
    expected = Pool(GAME, 2).search(jobs)
    pool = Pool(GAME, 2)
    for one in jobs:
        pool.add(one)
    found = rounds(pool)
    for one, result in zip(jobs, expected, strict=True):
        assert np.array_equal(found[id(one)].visits, result.visits)


def test_a_search_is_looked_at_while_it_goes_on_which_changes_nothing():
    pool, one = Pool(GAME, 1), job(60)
    pool.add(one)
    assert pool.look(one) is None, "it waits"
    seen = []
    while pool.is_busy:
        ended = pool.round()
        if not ended:
            result, lines = pool.look(one)
            seen.append(result.simulations)
            assert set(lines) <= set(result.actions.tolist())
    assert seen == sorted(seen)
    assert seen[-1] > seen[0]
    (expected,) = Pool(GAME, 1).search([job(60)])
    assert np.array_equal(ended[0][1].visits, expected.visits)


def test_lines_follow_the_most_visited_moves():
    pool, one = Pool(GAME, 1), job(200)
    pool.add(one)
    (result,) = rounds(pool).values()
    _, lines = pool.look(one)
    best = int(result.actions[result.visits.argmax()])
    assert (best, *lines[best])[:2] == result.line[:2]


def test_a_search_that_is_stopped_tells_what_it_has_found_and_one_that_waits_is_forgotten():
    pool = Pool(GAME, 1)
    first, second = job(10**6), job(10**6, "4")
    pool.add(first)
    pool.add(second)
    for _ in range(5):
        pool.round()
    pool.stop(second)
    pool.stop(first)
    found = rounds(pool)
    assert list(found) == [id(first)]
    assert 0 < found[id(first)].simulations < 100
