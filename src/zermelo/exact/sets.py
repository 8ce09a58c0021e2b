"""Position sets that ship: positions of a game with the score of every move.

A set is a text file; `benchmarks/position_sets.py` makes them. What follows # is a comment. Every other
line is a position: its moves in one word, with commas where moves have several letters, the score of
the position, and the score of every legal move, as in

    44532261 3 -4 3 . 1 0 -7 -2

In Connect there is a score for each column, and a full one has a dot. `score.py` tells what scores
mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zermelo.errors import UnknownName, listed
from zermelo.exact.graded import Graded
from zermelo.exact.score import outcome_of, score_of
from zermelo.games.base import Game
from zermelo.games.connect import Connect
from zermelo.games.position import Position
from zermelo.naming import did_you_mean

DATA = Path(__file__).parent / "data" / "sets"
FULL = "."

SETS: dict[str, tuple[str, ...]] = {
    "connect4": (
        "begin-easy",
        "middle-easy",
        "end-easy",
        "begin-medium",
        "middle-medium",
        "begin-hard",
        "plies-10-16",
    ),
    "othello:size=6": ("endgames",),
}
"""The sets of each game that has some; in the last, some move changes the result in every position."""


def set_file(game: str, name: str, directory: Path = DATA) -> Path:
    return directory / game.replace(":size=", "") / f"{name}.txt"


def shipped(game: Game, name: str) -> list[Graded]:
    """The positions of a set, graded."""
    names = SETS.get(game.name, ())
    if name not in names:
        hint = did_you_mean(name, names)
        raise UnknownName(f"{game.name} has no set `{name}`.{hint} There are: {listed(names) or 'none'}")
    return [read_line(game, line) for line in lines_of(set_file(game.name, name).read_text())]


def lines_of(text: str) -> list[str]:
    """The lines that are positions."""
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def write_line(graded: Graded) -> str:
    position, game = graded.position, graded.position.game
    played = len(position.moves)
    scores = {a: str(score_of(game, played, outcome)) for a, outcome in graded.outcomes.items()}
    every = [scores.get(action, FULL) for action in places(position)]
    return " ".join([moves_of(position), str(score_of(game, played, graded.best)), *every])


def moves_of(position: Position) -> str:
    """The moves that led to a position, in one word."""
    names = position.move_names
    return ("" if all(len(name) == 1 for name in names) else ",").join(names)


def read_line(game: Game, line: str) -> Graded:
    """The opposite of `write_line`: what it says is believed."""
    moves, _, *scores = line.split()
    columns = isinstance(game, Connect) and game.cols < 10  # no need to parse, which takes twice as long
    position = game.position([int(digit) - 1 for digit in moves] if columns else moves)
    pairs = zip(places(position), scores, strict=True)
    played = len(position.moves)
    return Graded(position, {a: outcome_of(game, played, int(s)) for a, s in pairs if s != FULL})


def places(position: Position) -> Sequence[int]:
    """The actions that have a place in a line."""
    if isinstance(position.game, Connect):
        return range(position.game.num_actions)
    return position.legal_actions
