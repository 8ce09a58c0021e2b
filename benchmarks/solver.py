"""How fast the exact solvers are: one JSON line for each figure.

    python benchmarks/solver.py            about a minute
    python benchmarks/solver.py --empty    the empty Connect 4 board too, without the book

Every Connect 4 position of the first figures gets a solver that knows nothing yet. Positions are of
random games with a fixed seed, unfinished and without a win in one move.
"""

import argparse
import json
import random
import time

import zermelo
from zermelo.exact import Connect4Solver, GenericSolver, Outcome

CONNECT4 = zermelo.game("connect4")
OTHELLO6 = zermelo.game("othello:size=6")


def random_positions(game, count, low, high, seed):
    chance, found = random.Random(seed), []
    while len(found) < count:
        plies, position = chance.randint(low, high), game.position()
        while len(position.moves) < plies and not position.is_over:
            position = position.play(chance.choice(position.legal_actions))
        if position.is_over or any(position.play(action).is_over for action in position.legal_actions):
            continue
        found.append(position)
    return found


def tell(figure, **values):
    print(json.dumps({"figure": figure, **values}), flush=True)


def timed(call):
    begin = time.perf_counter()
    result = call()
    return result, time.perf_counter() - begin


def connect4(figure, positions, fresh, most_seconds):
    """Mean time of one position; with `fresh` the table is emptied before each."""
    solver = Connect4Solver(CONNECT4)
    seconds, nodes = [], 0
    for position in positions:
        if fresh:
            solver._table[:] = 0
        before = solver.searched
        seconds.append(timed(lambda position=position: solver.score(position))[1])
        nodes += solver.searched - before
        if sum(seconds) > most_seconds:
            break
    total = sum(seconds)
    tell(
        figure,
        positions=len(seconds),
        mean_ms=round(1000 * total / len(seconds), 2),
        max_ms=round(1000 * max(seconds), 2),
        nodes_per_second=round(nodes / total),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--empty", action="store_true", help="also solve the empty board")
    options = parser.parse_args()
    Connect4Solver(CONNECT4, megabytes=32).score(CONNECT4.position("444444121711"))  # compiles
    connect4("connect4, 15 to 38 plies", random_positions(CONNECT4, 200, 15, 38, 1), True, 30)
    connect4("connect4, 15 plies", random_positions(CONNECT4, 50, 15, 15, 2), True, 30)
    for plies in (12, 10, 8):
        positions = random_positions(CONNECT4, 20, plies, plies, plies)
        connect4(f"connect4, {plies} plies", positions, True, 20)
    for empties in (12, 14):
        chosen = random_positions(OTHELLO6, 10, 32 - empties, 32 - empties, empties)
        seconds = [timed(lambda p=p: GenericSolver(OTHELLO6).solve(p))[1] for p in chosen]
        tell(f"othello:size=6, {empties} empty", positions=10, mean_ms=round(100 * sum(seconds), 1))
    if options.empty:
        solver = Connect4Solver(CONNECT4)
        outcome, seconds = timed(lambda: solver.solve(CONNECT4.position()))
        assert outcome == Outcome(1, 41)
        rate = round(solver.searched / seconds)
        tell("connect4, empty", seconds=round(seconds, 1), nodes=solver.searched, nodes_per_second=rate)


if __name__ == "__main__":
    main()
