"""How fast self-play is where the rules are Python, beside the same of another checkout.

    python benchmarks/python_rules.py [--against CHECKOUT] [--seconds 6] [--turns 3] [GAME ...]

Self-play with an evaluator that costs nothing, 32 simulations for each move, in processor time of one
core; and how much of it is spent in the search, but outside the methods that the game's author wrote.
Checkouts take turns in processes of their own; a figure is the best of all turns.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GAMES = [
    "examples/kalah.py",
    "examples/draughts.py",
    "openspiel:breakthrough(rows=6,columns=6)",
    "pettingzoo:connect_four_v3",
]


def measure(name: str, seconds: float) -> float:
    """Simulations of self-play per second of processor time."""
    import zermelo
    from zermelo.learning.selfplay import Selfplay, SelfplayConfig
    from zermelo.search.evaluator import Uniform
    from zermelo.search.pool import Pool

    game = zermelo.game(name)
    config = SelfplayConfig(parallel=32)
    playing = Selfplay(Pool(game, config.parallel, cached=config.cached), config, seed=1)
    evaluator = Uniform(game.num_actions)
    for _ in playing.play(evaluator, games=config.parallel):  # compiles, and fills what is kept
        break
    begin, moves = time.process_time(), 0
    before = sum(len(one.lessons) for one in playing.under_way.values())
    for one in playing.play(evaluator):
        moves += len(one.lessons)
        if time.process_time() - begin > seconds:
            break
    moves += sum(len(one.lessons) for one in playing.under_way.values()) - before
    return moves * config.search.simulations / (time.process_time() - begin)


def measure_between(name: str, seconds: float) -> float:
    """Microseconds of one simulation that are spent in kernels and callbacks, but neither in the methods of
    the game nor in watching them."""
    import zermelo
    from zermelo.search import pool

    inside, calls = {"rules": 0.0, "kernels": 0.0, "nothing": 0.0}, {"rules": 0, "kernels": 0, "nothing": 0}

    def timed(function: Any, what: str) -> Any:
        def call(*arguments: Any) -> Any:
            calls[what] += 1
            begin = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                inside[what] += time.perf_counter() - begin

        return call

    nothing, begin = timed(lambda *_arguments: None, "nothing"), time.perf_counter()
    for _ in range(100_000):
        nothing(1, 2)
    watching = (time.perf_counter() - begin - inside["nothing"]) / calls["nothing"]

    family: Any = type(zermelo.game(name))
    for method in {"play", "legal", "mover", "returns", "encode", "key"} & vars(family).keys():
        setattr(family, method, timed(getattr(family, method), "rules"))
    fixed: Any = pool.Fixed
    pool.Fixed = lambda kernel: timed(fixed(kernel), "kernels")  # type: ignore[assignment, misc]
    begin = time.process_time()
    simulations = measure(name, seconds) * (time.process_time() - begin)
    return 1e6 * (inside["kernels"] - inside["rules"] - watching * calls["rules"]) / simulations


def elsewhere(checkout: Path, name: str, seconds: float, what: str) -> float:
    """The same by the sources of a checkout, in a process of its own."""
    command = [sys.executable, __file__, what, name, "--seconds", str(seconds)]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    done = subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, check=True
    )
    return float(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--between", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one, given.seconds)))
        return
    if given.between:
        print(json.dumps(measure_between(given.between, given.seconds)))
        return
    checkouts = [ROOT] + ([given.against.resolve()] if given.against else [])
    for name in given.games:
        speed, between = [0.0] * len(checkouts), [math.inf] * len(checkouts)
        for _ in range(given.turns):
            for i, checkout in enumerate(checkouts):
                speed[i] = max(speed[i], elsewhere(checkout, name, given.seconds, "--one"))
                between[i] = min(between[i], elsewhere(checkout, name, given.seconds, "--between"))
        print(f"{name}: {speed[0]:,.0f} simulations per second, {between[0]:.1f} us between", end="")
        if given.against:
            print(
                f"; before: {speed[1]:,.0f} and {between[1]:.1f} us, so {speed[0] / speed[1]:.2f} and "
                f"{between[1] / between[0]:.2f} times as fast",
                end="",
            )
        print(flush=True)


if __name__ == "__main__":
    main()
