"""How fast the tree is by itself, measured."""

from __future__ import annotations

import time

import numpy as np

from zermelo.games.base import CompiledGame, Game
from zermelo.games.position import Position
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS, Evaluator, Inside, Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool

TREES, SIMULATIONS, ROUNDS = 256, 100, 3


def _best(game: Game, slots: int, config: SearchConfig, evaluator: Evaluator | Inside) -> float:
    """Simulations per second, the best of a few rounds after everything is compiled; of a slow game, of
    as many as fit into two seconds."""
    pool = Pool(game, slots)
    roots = [_root(game, i) for i in range(slots)]
    pool.search([Job(roots[0], config.but(simulations=2), evaluator)])
    best, end = 0.0, time.perf_counter() + 2.0
    for attempt in range(ROUNDS):
        game.forget()
        jobs = [Job(root, config, evaluator, seed=attempt, number=i) for i, root in enumerate(roots)]
        begin = time.perf_counter()
        results = pool.search(jobs)
        now = time.perf_counter()
        best = max(best, sum(result.simulations for result in results) / (now - begin))
        if now > end:
            break
    return best


def _root(game: Game, number: int) -> Position:
    """Where a tree begins: at the start; in plain Python, which remembers the moves of equal trees, after
    up to eight random moves of its own."""
    position = game.position()
    if isinstance(game, CompiledGame):
        return position
    random = np.random.default_rng(number)
    for _ in range(number % 9):
        after = position.play(int(random.choice(position.legal_actions)))
        if after.is_over:
            break
        position = after
    return position


def simulations_per_second(game: Game, variant: str = "puct") -> float:
    """With an evaluator that knows nothing: 256 trees of 100 simulations in lock-step, planes written."""
    config = SearchConfig(variant, SIMULATIONS, proofs=False)
    return _best(game, TREES, config, Uniform(game.num_actions))


def uct_simulations_per_second(game: Game, simulations: int = 20_000) -> float:
    """One tree of UCT with one random game for each simulation."""
    return _best(game, 1, SearchConfig("uct", simulations, 1.41, proofs=False), ROLLOUTS)
