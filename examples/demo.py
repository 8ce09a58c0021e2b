"""What `make demo` shows: Tic-Tac-Toe is learnt from its rules, until it is proven to make no mistake."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import zermelo
from zermelo.arena.mistakes import every_position, mistakes
from zermelo.network.model import read_model, untrained, write_model

RUN = Path("runs/demo")
TRAIN = f"train tictactoe --run {RUN} --mistakes 0 --minutes 5".split()
SIMULATIONS = 50


def main() -> None:
    """Learn, and count the mistakes in every position there is."""
    print("Zermelo learns Tic-Tac-Toe by playing against itself, from its rules alone.\n")
    if code := subprocess.call([sys.executable, "-m", "zermelo", *TRAIN]):
        raise SystemExit(code)
    game = zermelo.game("tictactoe")
    positions = every_position(game)
    model = read_model(RUN / "best.safetensors")
    with TemporaryDirectory() as directory:
        before = Path(directory) / "untrained.safetensors"
        write_model(untrained(game, model.architecture), before)
        print(f"\nMistakes in all {len(positions):,} positions with a move to make, by an exact solver:")
        for name, path in (("before", before), ("after", RUN)):
            for sims in (0, SIMULATIONS):
                found = mistakes(zermelo.player(f"az:model={path},sims={sims}"), positions)
                how = f"with {sims} simulations" if sims else "the network alone"
                print(f"  {name:6} learning, {how:20} {found.results:5,} mistakes")
    minutes, games = model.provenance["seconds"] / 60, model.provenance["games"]
    print(f"\nThat took {minutes:.1f} minutes and {games:,} games.")
    print(f"Play it:  .venv/bin/zermelo play tictactoe --against az:model={RUN}")
    print("Or train another: .venv/bin/zermelo games shows them, .venv/bin/zermelo new mygame begins one.")


if __name__ == "__main__":
    main()
