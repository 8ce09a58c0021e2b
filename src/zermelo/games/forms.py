"""One game asked in different ways: `check` compares what they say.

The rules are asked directly, so a state need not be one that occurs in a game. That makes it possible to
exchange the players of a state, to follow a game in plain Python beside the compiled one, and to run
compiled rules as Python, where an index outside an array is an error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import RulesError
from zermelo.games import abi
from zermelo.games.abi import OVER, Words
from zermelo.games.adapters.python import PythonGame
from zermelo.games.array_game import ArrayGame
from zermelo.games.base import Game
from zermelo.games.position import Position


class Facts(NamedTuple):
    """What the rules say of one state."""

    mover: int
    legal: tuple[int, ...]
    returns: tuple[float, ...] | None


class Form(ABC):
    """Rules that can be asked about states of their own."""

    @abstractmethod
    def start(self) -> Any:
        """The first state."""

    @abstractmethod
    def facts(self, state: Any) -> Facts:
        """Who moves, the legal actions in ascending order, and the result."""

    @abstractmethod
    def play(self, state: Any, action: int) -> Any:
        """The state after an action."""

    @abstractmethod
    def cells(self, state: Any) -> Sequence[int] | None:
        """The values of the cells, for games with a board."""


class PlainForm(Form):
    """The methods of a game in plain Python."""

    def __init__(self, game: PythonGame) -> None:
        self._game = game

    def start(self) -> Any:
        return self._game.start()

    def facts(self, state: Any) -> Facts:
        returns = self._game.returns(state)
        if returns is not None:
            return Facts(0, (), tuple(map(float, returns)))
        return Facts(int(self._game.mover(state)), tuple(sorted(map(int, self._game.legal(state)))), None)

    def play(self, state: Any, action: int) -> Any:
        return self._game.play(state, action)

    def cells(self, state: Any) -> Sequence[int] | None:
        return self._game.cells_of(state) if self._game.board is not None else None

    def swapped(self, state: Words) -> Any:
        """The state behind a vector, with the players exchanged."""
        return self._game.swapped(self._game.state_of(Position(self._game, state)))


class ArrayForm(Form):
    """The functions of an `ArrayGame`, compiled or as Python."""

    def __init__(self, game: ArrayGame, compiled: bool) -> None:
        self._game = game
        machine = None if compiled else game.interpreted
        self._functions = {**machine.kernels._asdict(), "encode": machine.encode} if machine else {}

    def start(self) -> Words:
        words = np.zeros(self._game.state_words, np.int64)
        self._call("start", words)
        return words

    def facts(self, state: Words) -> Facts:
        actions, result = np.zeros(self._game.num_actions, np.int64), np.zeros(self._game.num_players)
        if self._call("returns", state, result) == OVER:
            return Facts(0, (), tuple(result.tolist()))
        count = self._call("legal", state, actions)
        return Facts(int(self._call("mover", state)), tuple(actions[:count].tolist()), None)

    def answers(self, state: Words, k: int, over: bool) -> dict[str, NDArray[Any]]:
        """What `encode`, `transform` by symmetry k, and before the end `heuristic` say."""
        planes, image = np.full(self._game.encoding().size, np.nan, np.float32), np.zeros_like(state)
        self._call("encode", state, planes)
        self._call("transform", state, k, image)
        answers: dict[str, NDArray[Any]] = {"encode": planes, "transform": image}
        heuristic = self._game.kernels.heuristic
        if heuristic is not None and not over:
            where = () if self._functions else (abi.address(heuristic, "heuristic"),)
            answers["heuristic"] = np.array([self._call("heuristic", *where, state)], float)
        return answers

    def play(self, state: Words, action: int) -> Words:
        words = state.copy()
        if self._call("play", words, action) < 0:
            raise RulesError(f"`play` refuses the legal action {action}")
        return words

    def cells(self, state: Words) -> Sequence[int]:
        return self._game.cells(Position(self._game, state))

    def swapped(self, state: Words) -> Words:
        """The state with the players exchanged."""
        return self._game.swapped_words(state)

    def _call(self, role: str, *arguments: Any) -> Any:
        if not self._functions:
            return getattr(abi, role)(self._game.rules(), *arguments)
        with np.errstate(all="ignore"):
            return self._functions[role](self._game.params, *arguments)


def sides_of(game: Game) -> PlainForm | ArrayForm | None:
    """The rules to ask with players exchanged, of a game that says it is the same for both."""
    if game.side_symmetry is None:
        return None
    if isinstance(game, PythonGame):
        return PlainForm(game)
    return ArrayForm(game, compiled=True) if isinstance(game, ArrayGame) else None


def plain_form(game: Game) -> PlainForm | None:
    """The plain rules that a compiled game names, with the same parameters."""
    if not isinstance(game, ArrayGame) or game.plain is None:
        return None
    plain = game.plain_game()
    if (plain.num_actions, plain.num_players) != (game.num_actions, game.num_players):
        raise RulesError(
            f"{plain.name} has {plain.num_actions} actions and {game.name} has {game.num_actions}, though "
            "they should be the same game"
        )
    return PlainForm(plain)
