"""Every figure of this kind that the docs quote, measured here: `make bench`.

Prints one JSON line for each; the machine may be shared, so each is the best of a few tries.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TARGETS = {
    "connect4": {
        "random_games_per_second": 1_000_000,
        "simulations_per_second": 600_000,
        "uct_simulations_per_second": 400_000,
    },
    "othello": {"random_moves_per_second": 2_000_000, "uct_simulations_per_second": 30_000},
    "gomoku": {"random_moves_per_second": 3_000_000},
}


def told(name, value, target, better):
    reached = value >= target if better == "more" else value <= target
    print(json.dumps({"figure": name, "value": value, "target": target, "reached": reached}), flush=True)


def zermelo(*words, **options):
    command = [sys.executable, "-m", "zermelo", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def seconds(*command, tries=5):
    best = float("inf")
    for _ in range(tries):
        begin = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        best = min(best, time.perf_counter() - begin)
    return best


def main():
    for game, targets in TARGETS.items():
        runs = [json.loads(zermelo("bench", game, "--json")) for _ in range(3)]
        for figure, target in targets.items():
            told(f"{game} {figure}", max(run[figure] for run in runs), target, "more")
    told("seconds to import zermelo", seconds(sys.executable, "-c", "import zermelo"), 0.5, "less")
    told("seconds for zermelo --help", seconds(sys.executable, "-m", "zermelo", "--help"), 0.3, "less")
    with tempfile.TemporaryDirectory() as empty:
        begin = time.perf_counter()
        zermelo("check", "connect4", env={"NUMBA_CACHE_DIR": empty})
        told("seconds of a first check of connect4", time.perf_counter() - begin, 30.0, "less")
    with tempfile.TemporaryDirectory() as empty:
        begin = time.perf_counter()
        places = {**os.environ, "NUMBA_CACHE_DIR": empty, "ZERMELO_CACHE": empty}
        zermelo("play", "connect4", "--side", "second", input="quit\n", env=places)
        told(
            "seconds to a first move in connect4, all caches gone",
            time.perf_counter() - begin,
            30.0,
            "less",
        )

    for name in ("search", "alphabeta", "solver"):
        subprocess.run([sys.executable, Path(__file__).parent / f"{name}.py"], check=True)


if __name__ == "__main__":
    main()
