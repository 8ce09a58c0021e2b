"""Make the Connect 4 book that ships: every position of up to PLIES plies that is not won at once.

    python benchmarks/connect4_book.py --plies 3 [--minutes 10] [--out FILE]

Goes on where an earlier call stopped, and writes the file after every position.
"""

import argparse
import time
from pathlib import Path

import zermelo
from zermelo.exact.book import SHIPPED, Book, write_records
from zermelo.exact.connect4 import Connect4Solver
from zermelo.files import replace_file


class GrowingBook(Book):
    """A book that writes its file sorted, so that the same positions give the same bytes."""

    def add(self, rows, cols, key, score):
        self._scores[rows, cols, key] = score
        entries = sorted((*place, score) for place, score in self._scores.items())
        replace_file(self.path, write_records(entries))


def layers(game, plies):
    """The positions after 0, 1, ... plies; of mirror images, the first."""
    layer = {game.position().key: game.position()}
    for _ in range(plies + 1):
        yield list(layer.values())
        following = {}
        for position in layer.values():
            for action in position.legal_actions:
                child = position.play(action)
                if child.transformed(1).key not in following:
                    following.setdefault(child.key, child)
        layer = following


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--plies", type=int, required=True)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args()
    game = zermelo.game("connect4")
    book = GrowingBook(options.out, shipped=None)
    solver = Connect4Solver(game, megabytes=256, book=book, book_seconds=0.0)
    begin = time.perf_counter()
    for plies, layer in enumerate(layers(game, options.plies)):
        for number, position in enumerate(layer, 1):
            score = solver.score(position)
            seconds = time.perf_counter() - begin
            moves = "".join(position.move_names)
            print(f"{plies} plies {number}/{len(layer)} {moves} {score} {seconds:.0f} s", flush=True)
            if seconds > 60 * options.minutes:
                return


if __name__ == "__main__":
    main()
