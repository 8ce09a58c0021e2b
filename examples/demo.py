"""What `make demo` shows: every built-in game is checked, then played at random."""

from __future__ import annotations

import random
import subprocess
import sys

import zermelo

GAMES = ("tictactoe", "connect4", "gomoku:size=9", "othello:size=6", "examples/kalah.py")


def random_game(name: str) -> zermelo.Position:
    """The last position of a game of random moves."""
    position = zermelo.game(name).position()
    while not position.is_over:
        position = position.play(random.choice(position.legal_actions))  # noqa: S311
    return position


def main() -> None:
    """Check each game, then show a random one of it."""
    print("Zermelo checks the rules of its games, then plays them at random.\n")
    for name in GAMES:
        code = subprocess.call([sys.executable, "-m", "zermelo", "check", name, "--games", "200"])
        if code:
            raise SystemExit(code)
        position = random_game(name)
        assert position.returns is not None
        result = {1.0: "the first player (X) wins", -1.0: "the second player (O) wins", 0.0: "a draw"}
        print(f"\nA random game, {len(position.moves)} moves; {result[position.returns[0]]}:")
        print(f"{position}\n")
    print("Next: .venv/bin/zermelo games, or write a game of your own with .venv/bin/zermelo new mygame")


if __name__ == "__main__":
    main()
