"""How long it takes to begin: one JSON line for each figure, the best of a few tries.

python benchmarks/start.py
"""

import json
import os
import subprocess
import sys
import tempfile
import time


def told(figure, value, target):
    print(
        json.dumps({"figure": figure, "value": value, "target": target, "reached": value <= target}),
        flush=True,
    )


def seconds(tries, *words, fresh=False, **options):
    """Of a command; with `fresh`, every time with caches that are empty."""
    best = float("inf")
    for _ in range(tries):
        with tempfile.TemporaryDirectory() as empty:
            places = {**os.environ, **({"NUMBA_CACHE_DIR": empty, "ZERMELO_CACHE": empty} if fresh else {})}
            begin = time.perf_counter()
            subprocess.run([sys.executable, *words], check=True, capture_output=True, env=places, **options)
            best = min(best, time.perf_counter() - begin)
    return best


def main():
    move = ["-m", "zermelo", "play", "connect4", "--side", "second"]
    told("import", seconds(10, "-c", "import zermelo"), 0.5)
    told("help", seconds(10, "-m", "zermelo", "--help"), 0.3)
    told("first move, caches empty", seconds(2, *move, fresh=True, input=b"quit\n"), 30.0)
    told("first move", seconds(3, *move, input=b"quit\n"), 2.0)
    told("first check, caches empty", seconds(2, "-m", "zermelo", "check", "connect4", fresh=True), 30.0)


if __name__ == "__main__":
    main()
