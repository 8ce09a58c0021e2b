"""Zermelo: AlphaZero for the computer you have.

>>> import zermelo as zm
>>> position = zm.game("connect4").position("4 4 3")
>>> position.legal_actions
(0, 1, 2, 3, 4, 5, 6)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.api import gymnasium_env, train
    from zermelo.arena.grading import grade
    from zermelo.arena.match import match
    from zermelo.arena.tournament import tournament
    from zermelo.errors import ZermeloError
    from zermelo.games.adapters.pettingzoo import pettingzoo_env
    from zermelo.games.adapters.python import PythonGame
    from zermelo.games.base import CompiledGame, Encoding, Game, parameter
    from zermelo.games.board import Board, Symmetry
    from zermelo.games.contract import check
    from zermelo.games.position import Position
    from zermelo.games.registry import game, register
    from zermelo.learning.callbacks import Callback
    from zermelo.learning.trained import load
    from zermelo.players.analysis import analyse
    from zermelo.players.registry import player, register_player

__version__ = "0.1.0"

_HOMES = {
    "Board": "games.board",
    "Callback": "learning.callbacks",
    "CompiledGame": "games.base",
    "Encoding": "games.base",
    "Game": "games.base",
    "Position": "games.position",
    "PythonGame": "games.adapters.python",
    "Symmetry": "games.board",
    "ZermeloError": "errors",
    "analyse": "players.analysis",
    "check": "games.contract",
    "game": "games.registry",
    "grade": "arena.grading",
    "gymnasium_env": "api",
    "load": "learning.trained",
    "parameter": "games.base",
    "pettingzoo_env": "games.adapters.pettingzoo",
    "match": "arena.match",
    "player": "players.registry",
    "register": "games.registry",
    "register_player": "players.registry",
    "tournament": "arena.tournament",
    "train": "api",
}

__all__ = [
    "Board",
    "Callback",
    "CompiledGame",
    "Encoding",
    "Game",
    "Position",
    "PythonGame",
    "Symmetry",
    "ZermeloError",
    "analyse",
    "check",
    "game",
    "grade",
    "gymnasium_env",
    "load",
    "match",
    "parameter",
    "pettingzoo_env",
    "player",
    "register",
    "register_player",
    "tournament",
    "train",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import zermelo` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module `zermelo` has no attribute `{name}`")
    return getattr(import_module(f"zermelo.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
