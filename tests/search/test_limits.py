"""Limits of a search, and what becomes of one that cannot be made."""

import math
import os
import signal
import threading
import time

import numpy as np
import pytest

import zermelo
from search.searching import search
from search.test_reference import Hashed, visits
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.tree import node_bytes

CONNECT4 = zermelo.game("connect4")


def press_ctrl_c(seconds):
    """A while from now, when everything is compiled and loaded."""
    search(CONNECT4, CONNECT4.position(), ROLLOUTS)
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_search_that_goes_on_until_then():
    player = zermelo.player("uct:time=inf")
    press_ctrl_c(0.5)
    begin = time.monotonic()
    (result,) = player.search([CONNECT4.position()], [0])
    assert 0.3 < time.monotonic() - begin < 5.0
    assert result.visits.sum() == result.simulations > 1000
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_is_an_error_elsewhere_and_the_pool_works_again():
    pool = Pool(CONNECT4)
    press_ctrl_c(0.3)
    with pytest.raises(KeyboardInterrupt):
        pool.search([Job(CONNECT4.position(), SearchConfig("uct", 10**9), ROLLOUTS)])
    assert search(CONNECT4, CONNECT4.position(), ROLLOUTS, pool).visits.sum() == 150


def test_a_tree_that_fills_its_memory_ends_the_search():
    pool = Pool(CONNECT4, megabytes=4)
    result = search(CONNECT4, CONNECT4.position(), ROLLOUTS, pool, simulations=10**9)
    assert 10_000 < result.simulations < 20_000
    assert node_bytes(pool._tree) * pool._tree.node.size <= 4 * 2**20


def test_a_time_limit_that_has_passed_is_an_error():
    job = Job(CONNECT4.position(), SearchConfig(), ROLLOUTS, deadline=time.monotonic() - 1)
    with pytest.raises(BadParameter, match="has passed before it began"):
        Pool(CONNECT4).search([job])


def test_a_pool_works_on_after_an_evaluator_failed():
    evaluator, pool = Hashed(CONNECT4), Pool(CONNECT4, slots=2)
    jobs = [Job(CONNECT4.position(), SearchConfig(simulations=30), evaluator, number=i) for i in range(3)]
    expected = [visits(result) for result in Pool(CONNECT4, slots=2).search(jobs)]

    def fails(planes):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pool.search([Job(CONNECT4.position(), SearchConfig(), fails), *jobs])
    assert [visits(result) for result in pool.search(jobs)] == expected


def test_a_pool_refuses_positions_of_another_game():
    for other in ("tictactoe", "connect:rows=4,cols=4"):
        with pytest.raises(UnsuitableGame, match="this pool is for connect4"):
            search(CONNECT4, zermelo.game(other).position(), ROLLOUTS)


def test_a_search_that_is_refused_leaves_nothing_behind():
    pool = Pool(CONNECT4)
    over = CONNECT4.position("1 2 1 2 1 2 1")
    jobs = [Job(p, SearchConfig("uct", 300), ROLLOUTS) for p in (CONNECT4.position("4"), over)]
    with pytest.raises(BadParameter, match="the game is over"):
        pool.search(jobs)
    (result,) = pool.search([Job(CONNECT4.position("1 1 1"), SearchConfig("uct", 50), ROLLOUTS)])
    assert result.position == CONNECT4.position("1 1 1")
    assert result.simulations == 50


def test_one_job_twice_is_two_searches_and_keeps_its_tag():
    job = Job(CONNECT4.position(), SearchConfig("uct", 20), ROLLOUTS, tag="mine")
    results = Pool(CONNECT4).search([job, job])
    assert [result.simulations for result in results] == [20, 20]
    assert job.tag == "mine"


def test_a_pool_that_runs_does_not_search_besides():
    pool = Pool(CONNECT4)
    job = Job(CONNECT4.position(), SearchConfig("uct", 20), ROLLOUTS)
    pool.add(job)
    with pytest.raises(BadParameter, match="under way"):
        pool.search([job])
    assert len(list(pool.run())) == 1


def test_ctrl_c_is_forgotten_after_the_search_that_it_ended():
    pool = Pool(CONNECT4)
    endless = Job(CONNECT4.position(), SearchConfig("uct", 10**9), ROLLOUTS, until_interrupted=True)
    press_ctrl_c(0.3)
    pool.search([endless])
    pool.add(Job(CONNECT4.position(), SearchConfig("uct", 10_000), ROLLOUTS, until_interrupted=True))
    ((_, result),) = pool.run()
    assert result.simulations == 10_000


def test_numbers_of_ones_own_count_as_memory():
    def least_visits(N, Q, P, own, total):
        return N.argmin()

    def keep_last(own, value):
        own[0] = value

    pool, start = Pool(CONNECT4, megabytes=4), CONNECT4.position()
    own = Selection(least_visits, keep_last, numbers=64)
    result = search(CONNECT4, start, ROLLOUTS, pool, simulations=10**9, variant=own)
    assert node_bytes(pool._tree) * pool._tree.node.size <= 4 * 2**20
    assert result.simulations > 100
    with pytest.raises(BadParameter, match="megabytes"):
        Pool(CONNECT4, megabytes=0)


def test_a_timed_player_has_its_time_for_every_position():
    player = zermelo.player("uct:time=0.05")
    player.choose([CONNECT4.position()], [0])
    begin = time.monotonic()
    results = player.search(
        [CONNECT4.position(), CONNECT4.position("4"), CONNECT4.position("4 4")], [0, 1, 2]
    )
    assert time.monotonic() - begin > 0.14
    assert min(result.simulations for result in results) > 1000
    assert player.one_game_at_a_time
    assert zermelo.player("uct:time=1e-9").choose([CONNECT4.position()], [0])


def test_no_positions_no_moves():
    assert zermelo.player("uct").choose([], []) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("noise_alpha", math.inf), ("exploration", math.inf), ("value_scale", math.nan), ("first_play", 2.0)],
)
def test_numbers_without_end_are_refused(name, value):
    with pytest.raises(BadParameter, match=name):
        SearchConfig(**{name: value})


@pytest.mark.parametrize("parameters", ["variant=gumbel,time=1", "temperature=inf", "temperature=nan"])
def test_parameters_that_do_not_go_together_are_refused(parameters):
    with pytest.raises(BadParameter, match=r"gumbel|temperature"):
        zermelo.player(f"uct:{parameters}")


def test_illegal_moves_may_have_no_logit_at_all():
    position = CONNECT4.position("1 1 1 1 1 1")

    def masked(planes):
        logits = np.zeros((len(planes), 7), np.float32)
        logits[:, 0] = -np.inf
        return logits, np.zeros(len(planes), np.float32)

    result = search(CONNECT4, position, masked, simulations=0)
    assert result.priors == pytest.approx(np.full(6, 1 / 6))
    result = search(CONNECT4, CONNECT4.position(), masked, simulations=60)
    assert result.priors[0] == 0
