"""Heuristics: how good a position looks, as a game, a compiled function or any Python function says."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numba.core.dispatcher import Dispatcher

from zermelo.compilation import JIT_ENABLED, compiled
from zermelo.errors import BadParameter, EvaluatorError
from zermelo.games import abi
from zermelo.games.abi import FAILED, Words
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.naming import name_of

Heuristic: TypeAlias = Callable[..., float]
"""A function of a `Position`, or a compiled one of (params, state): the value of an unfinished position
for the player to move, -1 to 1. It may look at nothing that equal positions do not share."""


@compiled
def unknown(params: Words, state: Words) -> float:
    """The heuristic of a game that has none."""
    return 0.0


class HeuristicCall:
    """A heuristic as kernels call it: the address of a C function, and what to raise if it fails."""

    def __init__(self, game: Game, function: Heuristic | None) -> None:
        self._game = game
        self._function = function
        self._own = function is None or function is game.kernels.heuristic
        self._error: BaseException | None = None
        self._kernel: Any = self._as_kernel()
        self.address = abi.address(self._kernel, "heuristic")

    def _as_kernel(self) -> Any:
        function = self._function
        if function is None:
            return unknown
        if self._own or isinstance(function, Dispatcher):
            return function
        if not callable(function):
            raise BadParameter(f"a heuristic is a function, not {function!r}")
        if not _takes_vectors(function):
            return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_int64)(self._look)
        if JIT_ENABLED:
            raise BadParameter(
                f"the heuristic {name_of(function)} takes two arguments, so it must be compiled: decorate "
                "it with `zermelo.compilation.compiled`, or write one that takes a Position"
            )
        return function

    def _look(self, _params: int, pointer: int) -> float:
        """Show a position to a Python function; exceptions wait until the kernel has returned."""
        words = (ctypes.c_int64 * self._game.state_words).from_address(pointer)
        try:
            assert self._function is not None
            return float(self._function(Position(self._game, np.array(words, np.int64))))
        except BaseException as error:
            self._error = error
            return float(FAILED)

    def failure(self, value: float, state: Words) -> BaseException:
        """What to raise for a value outside -1 to 1, given for this state."""
        error, self._error = self._error, None
        if error is not None:
            return error
        if self._own and value == FAILED:
            return self._game.failure(FAILED, state)
        return EvaluatorError(
            f"the heuristic {name_of(self._function)} gave {value:g} in {self._game.name}; "
            "it must give a number from -1 to 1"
        )


def _takes_vectors(function: Heuristic) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a builtin that does not tell
        return False
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return len(needed) == 2
