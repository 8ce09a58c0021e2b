"""How fast alpha-beta is, on one core: one JSON line for each figure.

    python benchmarks/alphabeta.py

Each search begins with an empty table; the machine may be shared, so each figure is the best of five.
"""

import json
import time

import zermelo
from zermelo.search.alphabeta import AlphaBeta

SEARCHES = [
    ("connect4", "", 10, 0.5),
    ("connect4", "", 14, None),
    ("othello", "", 8, None),
    ("othello", "d3 c3 c4 e3 d2 c5 b4 d1 f4 f3", 8, None),
    ("gomoku", "h8 h9 g8 i8 g9 g10", 4, None),
]
TRIES = 5


def best_of(game, moves, depth):
    best, nodes = float("inf"), 0
    for _ in range(TRIES):
        searcher, position = AlphaBeta(game), game.position(moves)
        begin = time.perf_counter()
        nodes = searcher.search(position, depth).nodes
        best = min(best, time.perf_counter() - begin)
    return best, nodes


def main():
    for name, moves, depth, target in SEARCHES:
        seconds, nodes = best_of(zermelo.game(name), moves, depth)
        where = f"{name} after {moves}" if moves else name
        figure = {"figure": f"seconds for {where}, depth {depth}", "value": round(seconds, 4)}
        if target is not None:
            figure |= {"target": target, "reached": seconds <= target}
        figure |= {"moves": nodes, "moves_per_second": round(nodes / seconds)}
        print(json.dumps(figure), flush=True)


if __name__ == "__main__":
    main()
