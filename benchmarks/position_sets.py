"""Make the position sets that ship, or the first positions of some of them.

    python benchmarks/position_sets.py                                   all of them
    python benchmarks/position_sets.py end-easy --count 5 --out /tmp     the first five of one

Positions come from games of random moves in which nobody overlooks a win in one move, nor moves so that
the other player can win at once if that can be helped. Game k of a seed is always the same, and
positions stand in the order of their games, so the first n of a set are always the same, too. Every move
is scored by the exact solvers. A call that was stopped goes on where it was.
"""

import argparse
import time
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path

import zermelo
from zermelo.exact import Connect4Solver, GenericSolver
from zermelo.exact.graded import Graded
from zermelo.exact.sets import DATA, lines_of, moves_of, set_file, write_line
from zermelo.files import replace_file
from zermelo.search import rng

SEED = 1988
CONNECT4, OTHELLO6 = zermelo.game("connect4"), zermelo.game("othello:size=6")
EVER = 10**9
ANY = (0, EVER)


@dataclass(frozen=True)
class Recipe:
    """A set: how many stones are placed, how far the end is under perfect play, how many positions."""

    game: zermelo.Game
    placed: tuple[int, int]
    to_the_end: tuple[int, int] = ANY
    telling: bool = False
    """Whether some move must change the result."""
    size: int = 1000

    def header(self, name):
        low, high = self.to_the_end
        said = f"{self.placed[0]} to {self.placed[1]} stones placed"
        if self.to_the_end != ANY:
            far = f"{low} or more" if high == EVER else f"{low} to {high}"
            said += f", {far} moves to the end under perfect play"
        if self.telling:
            said += ", not every move keeps the result"
        column = "column (. is full)" if self.game == CONNECT4 else "legal move"
        return (
            f"# {self.game.name} {name}: {said}\n"
            f"# seed {SEED}, python benchmarks/position_sets.py {name}\n"
            f"# moves, score of the position, score of each {column}\n"
        )


EASY, MEDIUM, HARD = (0, 13), (14, 27), (28, EVER)
RECIPES = {
    "end-easy": Recipe(CONNECT4, (29, 40), EASY),
    "middle-easy": Recipe(CONNECT4, (15, 28), EASY),
    "middle-medium": Recipe(CONNECT4, (15, 28), MEDIUM),
    "begin-easy": Recipe(CONNECT4, (8, 14), EASY),
    "begin-medium": Recipe(CONNECT4, (8, 14), MEDIUM),
    "begin-hard": Recipe(CONNECT4, (8, 14), HARD, size=200),
    "plies-10-16": Recipe(CONNECT4, (10, 16), telling=True),
    "endgames": Recipe(OTHELLO6, (16, 20), telling=True, size=200),
}


def stones(position):
    return sum(cell != 0 for cell in position.game.cells(position))


def wins_at_once(position):
    for action in position.legal_actions:
        returns = position.play(action).returns
        if returns is not None and returns[position.mover] > 0:
            return True
    return False


@cache
def candidate(game, placed, number):
    """The position of game `number`, if it comes to one with a choice to make."""
    stream = rng.new_stream(SEED + placed[0], number)
    position = game.position()
    wanted = stones(position) + placed[0] + int(rng.next_word(stream)) % (placed[1] - placed[0] + 1)
    while not position.is_over and stones(position) < wanted:
        if wins_at_once(position):
            return None
        children = [position.play(action) for action in position.legal_actions]
        careful = [child for child in children if child.is_over or not wins_at_once(child)] or children
        position = careful[int(rng.next_word(stream)) % len(careful)]
    return position if len(position.legal_actions) > 1 else None


@cache
def connect4_solver():
    return Connect4Solver(CONNECT4, megabytes=256)


@cache
def ends_within(placed, number, plies):
    """Of a position of Connect 4; asked by every set that it may belong to."""
    return connect4_solver().ends_within(candidate(CONNECT4, placed, number), plies)


def graded(recipe, position, number):
    """The position with the outcome of every move, if it belongs to the set."""
    low, high = recipe.to_the_end
    if high < EVER and not ends_within(recipe.placed, number, high):
        return None
    if low > 0 and ends_within(recipe.placed, number, low - 1):
        return None
    solver = connect4_solver() if recipe.game == CONNECT4 else GenericSolver(recipe.game)
    found = Graded(position, solver.outcomes(position))
    return found if found.is_telling or not recipe.telling else None


def make(name, recipe, size, directory):
    """Write a set, position after position."""
    path = set_file(recipe.game.name, name, directory)
    before = lines_of(path.read_text()) if path.exists() else []
    if len(before) >= size:
        return
    lines, seen, begin = [], set(), time.perf_counter()
    for number in count():
        if len(lines) == size:
            return
        position = candidate(recipe.game, recipe.placed, number)
        if position is None or position.key in seen:
            continue
        if len(lines) < len(before):  # an earlier call has solved it, or did not want it
            line = before[len(lines)]
            if line.split()[0] != moves_of(position):
                continue
        else:
            found = graded(recipe, position, number)
            if found is None:
                continue
            line = write_line(found)
        seen |= {position.transformed(k).key for k in range(len(recipe.game.symmetries))}
        lines.append(line)
        if len(lines) > len(before):
            replace_file(path, (recipe.header(name) + "".join(f"{line}\n" for line in lines)).encode())
            seconds = time.perf_counter() - begin
            print(f"{name} {len(lines)} of {size}, game {number}, {seconds:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {' '.join(RECIPES)}")
    parser.add_argument("--count", type=int, help="how many positions; all unless given")
    parser.add_argument("--out", type=Path, default=DATA, help="a directory; the package unless given")
    options = parser.parse_args()
    if unknown := set(options.names) - set(RECIPES):
        parser.error(f"there is no set {' '.join(sorted(unknown))}; there are {' '.join(RECIPES)}")
    for name in options.names or RECIPES:
        make(name, RECIPES[name], options.count or RECIPES[name].size, options.out)


if __name__ == "__main__":
    main()
