"""A pool that searches one half of its slots while the other half is evaluated."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing

import numpy as np
import pytest

import zermelo
from search.test_reference import Hashed, positions, visits
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.decision import decide
from zermelo.search.evaluator import NOTHING, ROLLOUTS, Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool

CONNECT4 = zermelo.game("connect4")
START = CONNECT4.position()


def first_untried(N, Q, P, own, total):
    return np.argmin(N)


CONFIGS = {
    "puct": SearchConfig(noise=0.25, first_play=float("nan")),
    "gumbel": SearchConfig("gumbel", gumbel_noise=True),
    "several leaves": SearchConfig(leaves=5),
    "canonical": SearchConfig("omc", symmetry="canonical"),
    "mean": SearchConfig("pbbm", symmetry="mean", proofs=False),
    "graph": SearchConfig(graph=True),
    "own": SearchConfig(Selection(first_untried)),
}


def equal(one, other):
    """Whether two results are the same to the bit."""
    return all(np.array_equal(getattr(one, name), getattr(other, name), name == "values")
               for name in one._fields)  # fmt: skip


def jobs_of(config, evaluator, count=23):
    """Searches of all lengths, some of none at all."""
    return [
        Job(position, config.but(simulations=(60, 3, 25, 0, 41)[i % 5]), evaluator, seed=1, number=i)
        for i, position in enumerate(positions(CONNECT4, count, seed=2))
    ]


@pytest.mark.parametrize("cached", [0, 5000])
@pytest.mark.parametrize("name", CONFIGS)
def test_what_is_found_is_the_same(name, cached):
    if cached and name in ("several leaves", "mean"):
        pytest.skip("depends on what others had evaluated before, and on its rounding, in every pool")
    jobs = jobs_of(CONFIGS[name], Hashed(CONNECT4))
    expected = Pool(CONNECT4, 6, cached=cached).search(jobs)
    for slots in (1, 2, 7, 40):
        found = Pool(CONNECT4, slots, cached=cached, overlapping=True).search(jobs)
        assert all(map(equal, found, expected))


def test_players_of_all_kinds_share_such_a_pool():
    one, two = Hashed(CONNECT4), Uniform(7)
    configs = [config.but(simulations=30) for config in CONFIGS.values()]
    jobs = [
        Job(START, config, evaluator, number=number)
        for number, config in enumerate(configs)
        for evaluator in (one, two, ROLLOUTS, NOTHING)
    ]
    found = Pool(CONNECT4, 5, overlapping=True).search(jobs)
    assert all(map(equal, found, Pool(CONNECT4, 5).search(jobs)))


def test_a_tree_goes_on_in_either_half():
    evaluator = Hashed(CONNECT4)

    def games(overlapping):
        pool = Pool(CONNECT4, 5, overlapping=overlapping)
        for number in range(5):
            pool.add(
                Job(START, SearchConfig(simulations=20), evaluator, number=number, reuse=True, tag=number)
            )
        found = {}
        for job, result in pool.run():
            found[job.tag, len(job.position.moves)] = visits(result)
            after = job.position.play((job.tag + decide(result)) % 7)
            if len(after.moves) < 6:
                pool.add(Job(after, job.config, evaluator, number=job.number, reuse=True, tag=job.tag))
        return found

    assert games(True) == games(False)


def test_trees_grow_while_an_evaluation_is_under_way():
    config = SearchConfig(simulations=6000, leaves=64, graph=True)
    jobs = [Job(p, config, Hashed(CONNECT4)) for p in positions(CONNECT4, 3)]
    found = Pool(CONNECT4, 3, overlapping=True).search(jobs)
    assert all(map(equal, found, Pool(CONNECT4, 3).search(jobs)))


def test_searches_end_in_the_same_order_each_time():
    def order():
        evaluator, pool = Sleepy(), Pool(CONNECT4, 8, overlapping=True)
        for job in jobs_of(SearchConfig("gumbel"), evaluator):
            pool.add(job)
        return [job.number for job, _ in pool.run()]

    assert order() == order()


class Sleepy:
    """Takes its time, now more and now less, and sees whether others ask meanwhile."""

    def __init__(self, longest=0.002):
        self.longest, self.random, self.threads = longest, np.random.default_rng(), set()
        self.asked, self.under_way = 0, False

    def __call__(self, planes):
        assert not self.under_way
        self.under_way = True
        self.threads.add(threading.current_thread())
        before = planes.copy()
        time.sleep(self.random.random() * self.longest)
        assert np.array_equal(planes, before), "the planes were overwritten"
        self.asked, self.under_way = self.asked + 1, False
        return np.zeros((len(planes), 7), np.float32), np.zeros(len(planes), np.float32)


def test_one_thread_asks_and_it_ends_with_the_run():
    evaluator = Sleepy()
    Pool(CONNECT4, 4, overlapping=True).search(jobs_of(SearchConfig(), evaluator))
    (thread,) = evaluator.threads
    assert thread is not threading.main_thread()
    assert not thread.is_alive()


def works_again(pool):
    jobs = jobs_of(SearchConfig(noise=0.25), Hashed(CONNECT4))
    return all(map(equal, pool.search(jobs), Pool(CONNECT4).search(jobs)))


def test_an_error_of_an_evaluator_is_that_of_the_pool():
    class Failing(Sleepy):
        def __call__(self, planes):
            if self.asked == 20:
                raise ZeroDivisionError("no answer")
            return super().__call__(planes)

    evaluator, pool = Failing(), Pool(CONNECT4, 6, overlapping=True)
    with pytest.raises(ZeroDivisionError, match="no answer"):
        pool.search(jobs_of(SearchConfig(), evaluator))
    assert not any(thread.is_alive() for thread in evaluator.threads)
    assert works_again(pool)


@pytest.mark.parametrize("by", ["close", "clear", "both"])
def test_a_run_that_is_given_up_waits_for_its_evaluation(by):
    evaluator, pool = Sleepy(0.02), Pool(CONNECT4, 6, overlapping=True)
    for job in jobs_of(SearchConfig(), evaluator):
        pool.add(job)
    with closing(pool.run()) as running:
        next(running)
        next(running)
        if by != "close":
            pool.clear()
            assert not evaluator.under_way
        if by == "clear":
            assert not list(running)
    assert not evaluator.under_way
    assert not any(thread.is_alive() for thread in evaluator.threads)
    assert works_again(pool)


def test_ctrl_c_waits_for_the_evaluation():
    evaluator, pool = Sleepy(0.05), Pool(CONNECT4, 6, overlapping=True)
    pool.search(jobs_of(SearchConfig(simulations=1), Uniform(7)))
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        pool.search([Job(START, SearchConfig(simulations=10**6), evaluator, number=i) for i in range(6)])
    assert evaluator.asked > 0
    assert not evaluator.under_way
    assert not any(thread.is_alive() for thread in evaluator.threads)
    assert works_again(pool)


def test_a_program_ends_though_a_run_does_not():
    code = """
import zermelo
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool

game = zermelo.game("tictactoe")
pool = Pool(game, 4, overlapping=True)
for number in range(8):
    pool.add(Job(game.position(), SearchConfig(simulations=5), Uniform(9), number=number))
running = pool.run()
next(running)
print("the end")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "the end\n", "")
