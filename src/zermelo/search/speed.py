"""How fast the tree is by itself, measured."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from zermelo.games.base import CompiledGame, Game
from zermelo.games.position import Position
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS, Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool

TREES, SIMULATIONS, ROUNDS = 256, 100, 3
_TRIAL = 16
"""Simulations that tell how fast a game is, roughly."""
_SHORTEST = 0.01
"""Seconds of a search."""


def _best(game: Game, slots: int, job: Job, seconds: float) -> float:
    """Simulations per second of `job` in so many trees: the best of a few rounds after everything is
    compiled. All rounds end after `seconds`, so a slow game makes one, of as many simulations as fit."""
    slots = min(slots, _fitting(game, job, seconds))
    jobs = [replace(job, position=unlike(job.position, number), number=number) for number in range(slots)]
    pool, best = Pool(game, slots), 0.0
    _search(pool, jobs, _SHORTEST)  # takes the memory for all trees
    end = time.monotonic() + max(seconds, _SHORTEST)
    for attempt in range(ROUNDS):
        game.forget()
        jobs = [replace(job, seed=attempt) for job in jobs]
        begin = time.perf_counter()
        simulations = _search(pool, jobs, end - time.monotonic())
        passed, is_over = time.perf_counter() - begin, time.monotonic() > end - _SHORTEST
        if attempt == 0 or not is_over:  # a later round that was cut short has seen shallow trees only
            best = max(best, simulations / passed)
        if is_over:
            break
    return best


def unlike(position: Position, number: int) -> Position:
    """Where tree `number` of a measurement begins: at the position; in plain Python, which remembers the
    moves of equal trees, after up to eight random moves of its own."""
    if isinstance(position.game, CompiledGame):
        return position
    random = np.random.default_rng(number)
    for _ in range(number % 9):
        after = position.play(int(random.choice(position.legal_actions)))
        if after.is_over:
            break
        position = after
    return position


def _search(pool: Pool, jobs: list[Job], seconds: float) -> int:
    """Search all trees, at most for so long; the simulations that were made."""
    end = time.monotonic() + seconds
    results = pool.search([replace(job, deadline=end) for job in jobs])
    return sum(result.simulations for result in results)


def _fitting(game: Game, job: Job, seconds: float) -> int:
    """How many trees may be searched in lock-step so that each gets a few simulations in time. Compiles
    what the measurement needs."""
    pool, job = Pool(game), replace(job, config=job.config.but(simulations=_TRIAL))
    pool.search([job])
    game.forget()
    begin = time.perf_counter()
    pool.search([job])
    each = (time.perf_counter() - begin) / _TRIAL
    return max(1, int(seconds / 8 / each))


def simulations_per_second(game: Game, variant: str = "puct", seconds: float = 2.0) -> float:
    """With an evaluator that knows nothing: 256 trees of 100 simulations in lock-step, planes written."""
    config = SearchConfig(variant, SIMULATIONS, proofs=False)
    return _best(game, TREES, Job(game.position(), config, Uniform(game.num_actions)), seconds)


def uct_simulations_per_second(game: Game, simulations: int = 20_000, seconds: float = 2.0) -> float:
    """One tree of UCT with one random game for each simulation."""
    config = SearchConfig("uct", simulations, 1.41, proofs=False)
    return _best(game, 1, Job(game.position(), config, ROLLOUTS), seconds)
