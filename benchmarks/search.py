"""What the tree costs by itself, on one core: one JSON line for each figure.

    python benchmarks/search.py

256 trees of 100 simulations in lock-step with an evaluator that knows nothing, planes written. Each
figure is the best of a few rounds; where two things are compared, rounds of both take turns.
"""

import json
import time

import zermelo
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS, Uniform
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.tree import VARIANTS, new_tree, node_bytes

ROUNDS = 12
PLAIN = SearchConfig(simulations=100, proofs=False)


def told(figure, value, target=None, reached=None):
    line = {"figure": figure, "value": round(value, 3)}
    print(json.dumps(line | ({"target": target, "reached": bool(reached)} if target else {})), flush=True)


def rate(pool, config, seed):
    """Simulations per second of one round."""
    evaluator, start = Uniform(pool.game.num_actions), pool.game.position()
    jobs = [Job(start, config, evaluator, seed=seed, number=i) for i in range(256)]
    begin = time.perf_counter()
    results = pool.search(jobs)
    return sum(result.simulations for result in results) / (time.perf_counter() - begin)


def best_rates(game, configs):
    """Of each configuration, the best of rounds that take turns."""
    pools = [Pool(game, 256) for _ in configs]
    for pool, config in zip(pools, configs, strict=True):
        rate(pool, config, 0)
    rounds = [
        [rate(pool, config, seed) for pool, config in zip(pools, configs, strict=True)]
        for seed in range(ROUNDS)
    ]
    return [max(column) for column in zip(*rounds, strict=True)]


def variants():
    for name in ("connect4", "othello", "gomoku"):
        game = zermelo.game(name)
        found = dict(zip(VARIANTS, best_rates(game, [PLAIN.but(variant=v) for v in VARIANTS]), strict=True))
        target = 600_000 if name == "connect4" else None
        told(f"{name}: simulations per second, puct", found["puct"], target, found["puct"] >= 600_000)
        ratio = min(found.values()) / found["puct"]
        told(f"{name}: slowest variant over puct", ratio, 0.5, ratio >= 0.5)


def options():
    game = zermelo.game("connect4")
    configs = {
        "proofs": PLAIN.but(proofs=True, lookahead=0),
        "proofs and a look ahead": PLAIN.but(proofs=True, lookahead=1),
        "graph": PLAIN.but(graph=True),
        "canonical symmetry": PLAIN.but(symmetry="canonical"),
    }
    plain, *others = best_rates(game, [PLAIN, *configs.values()])
    for name, found in zip(configs, others, strict=True):
        cost = plain / found - 1
        told(f"connect4: cost of {name}, as a share of the time without", cost)


def virtual_loss():
    """Time inside the tree's own kernels, evaluation and all that is around left out."""
    game, best = zermelo.game("connect4"), {1: float("inf"), 8: float("inf")}
    pools = {leaves: Pool(game, 256) for leaves in best}
    for pool in pools.values():
        pool._run_slots, pool._finish = Timed(pool._run_slots), Timed(pool._finish)
    for seed in range(ROUNDS + 1):
        for leaves, pool in pools.items():
            pool._run_slots.seconds = pool._finish.seconds = 0.0
            rate(pool, PLAIN.but(leaves=leaves), seed)
            if seed > 0:
                best[leaves] = min(best[leaves], pool._run_slots.seconds + pool._finish.seconds)
    cost = best[8] / best[1] - 1
    told("connect4: cost of 8 leaves at a time, inside the tree alone", cost, 0.2, cost <= 0.2)


class Timed:
    """A kernel, and the time spent in it."""

    def __init__(self, kernel):
        self.kernel, self.seconds = kernel, 0.0

    def __call__(self, *arguments):
        begin = time.perf_counter()
        result = self.kernel(*arguments)
        self.seconds += time.perf_counter() - begin
        return result


def uct():
    for name, target in (("connect4", 400_000), ("othello", 30_000)):
        game, best = zermelo.game(name), 0.0
        pool = Pool(game)
        for seed in range(6):
            config = SearchConfig("uct", 20_000, 1.41, proofs=False)
            begin = time.perf_counter()
            pool.search([Job(game.position(), config, ROLLOUTS, seed=seed)])
            best = max(best, 20_000 / (time.perf_counter() - begin))
        told(f"{name}: UCT simulations per second, one random game each", best, target, best >= target)


def match():
    game, player = zermelo.game("connect4"), zermelo.player("uct:sims=200")
    best = max(100 / zermelo.match(game, player, player, games=100, seed=s).seconds for s in range(4))
    told("connect4: games per second, uct:sims=200 against itself", best, 50, best >= 50)


def main():
    size = node_bytes(new_tree(zermelo.game("connect4"), 2, 100))
    told("connect4: bytes of a node with its edges", size, 300, size <= 300)
    variants()
    virtual_loss()
    options()
    uct()
    match()


if __name__ == "__main__":
    main()
