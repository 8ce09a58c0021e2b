"""How fast self-play is where the rules are Python, beside the same of another checkout.

    python benchmarks/python_rules.py [--against CHECKOUT] [--seconds 6] [--turns 3] [GAME ...]

Self-play with an evaluator that costs nothing, 32 simulations for each move, in processor time of one
core. Checkouts take turns in processes of their own; a figure is the best of all turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

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


def elsewhere(checkout: Path, name: str, seconds: float) -> float:
    """The same by the sources of a checkout, in a process of its own."""
    command = [sys.executable, __file__, "--one", name, "--seconds", str(seconds)]
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
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one, given.seconds)))
        return
    checkouts = [ROOT] + ([given.against.resolve()] if given.against else [])
    for name in given.games:
        best = [0.0] * len(checkouts)
        for _ in range(given.turns):
            for i, checkout in enumerate(checkouts):
                best[i] = max(best[i], elsewhere(checkout, name, given.seconds))
        told = f"{name:42} {best[0]:9,.0f} simulations per second"
        print(told + (f", {best[1]:9,.0f} before: {best[0] / best[1]:.2f} times" if given.against else ""))


if __name__ == "__main__":
    main()
