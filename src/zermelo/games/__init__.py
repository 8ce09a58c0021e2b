"""Games: rules and nothing else. What a game file needs is imported from here."""

from zermelo.games.adapters.python import PythonGame
from zermelo.games.array_game import ArrayGame, State, array
from zermelo.games.array_rules import scratch
from zermelo.games.base import CompiledGame, Encoding, Game, parameter
from zermelo.games.board import Board, Symmetry
from zermelo.games.position import Position

__all__ = [
    "ArrayGame",
    "Board",
    "CompiledGame",
    "Encoding",
    "Game",
    "Position",
    "PythonGame",
    "State",
    "Symmetry",
    "array",
    "parameter",
    "scratch",
]
