"""Every speed that the docs quote, measured here: `make bench`. Prints a JSON line for each.

`zermelo reproduce ID --keep` measures one figure and writes it down; `quote.py` puts it into the docs.
"""

import subprocess
import sys
from pathlib import Path


def main():
    for game in ("connect4", "othello", "gomoku"):
        subprocess.run([sys.executable, "-m", "zermelo", "bench", game, "--json"], check=True)
    for name in ("start", "templates", "search", "alphabeta", "solver"):
        subprocess.run([sys.executable, Path(__file__).parent / f"{name}.py"], check=True)


if __name__ == "__main__":
    main()
