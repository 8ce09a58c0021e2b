"""The same searches with Numba switched off: the kernels are ordinary Python too."""

from without_jit import agreed

CODE = """
import numpy as np
import zermelo
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool

def value(planes):
    flat = planes.reshape(len(planes), -1)
    ramp = (1 + np.arange(flat.shape[1])) % 17
    values = (flat @ ramp) % 7 / 3.5 - 1
    return values[:, None] * (1 + ramp[:actions]) % 3, values

def least_visits(N, Q, P, own, total):
    best = 0
    for i in range(len(N)):
        if N[i] + own[i, 0] < N[best] + own[best, 0]:
            best = i
    return best

def add_value(own, value):
    own[0] += value

own = Selection(least_visits, add_value, numbers=1)
for name in ("tictactoe", "connect4", "gomoku:size=6,n=4", "othello:size=6", "examples/kalah.py"):
    game = zermelo.game(name)
    actions = game.num_actions
    start = game.position()
    start = start.play(start.legal_actions[0])
    jobs = [
        Job(start, SearchConfig(variant, 16, graph=graph and game.acyclic, symmetry=symmetry, noise=0.25,
                         gumbel_noise=True, leaves=leaves), evaluator, seed=3, number=i)
        for i, (variant, graph, symmetry, leaves, evaluator) in enumerate([
            ("puct", False, "none", 1, value), ("puct", True, "canonical", 4, value),
            ("gumbel", False, "random", 1, value), ("gumbel", True, "mean", 3, value),
            ("uct", False, "none", 1, ROLLOUTS), ("uct", True, "none", 1, ROLLOUTS),
            ("omc", False, "none", 1, ROLLOUTS), ("pbbm", True, "none", 1, ROLLOUTS),
            (own, False, "none", 1, ROLLOUTS)])
    ]
    jobs.append(Job(start, SearchConfig("puct", 16, chains=50), value, seed=3, number=len(jobs)))
    pool = Pool(game, 5, cached=500)
    for result in pool.search(jobs):
        print(name, result.visits.tolist(), result.proofs.tolist(), result.own.round(6).tolist())
    print(round(pool.hit_rate, 6))
    again = [Job(start, SearchConfig("uct", 30), ROLLOUTS, reuse=True)]
    (before,) = pool.search(again)
    position = start.play_all(before.line[:2])
    if not position.is_over:
        (after,) = pool.search([Job(position, SearchConfig("uct", 30), ROLLOUTS, reuse=True)])
        print(after.visits.tolist())
"""


def test_interpreted_searches_agree_with_compiled_ones():
    assert len(agreed(CODE)) >= 5 * 10
