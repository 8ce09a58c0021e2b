"""Games: rules and nothing else. What a game file needs is imported from here."""

from zermelo.games.adapters.python import PythonGame
from zermelo.games.base import CompiledGame, Encoding, Game, parameter
from zermelo.games.board import Board, Symmetry
from zermelo.games.position import Position

__all__ = [
    "Board",
    "CompiledGame",
    "Encoding",
    "Game",
    "Position",
    "PythonGame",
    "Symmetry",
    "parameter",
]
