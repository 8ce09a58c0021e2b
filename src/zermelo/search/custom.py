"""Selection by a function of one's own, with numbers of one's own on every edge.

    def ucb1_tuned(N, Q, P, own, total):       # arrays over the moves that may be chosen
        ...
        return index

    SearchConfig(variant=Selection(ucb1_tuned))

The function is compiled, or (`compile=False`) called as the Python it is: the same source does for both.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numba
import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from zermelo.compilation import JIT_ENABLED, compile_failure
from zermelo.errors import BadParameter
from zermelo.games.abi import Floats
from zermelo.naming import name_of

_jit: Any = numba.njit
_DOUBLES = ctypes.POINTER(ctypes.c_double)
_SELECT = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, *[_DOUBLES] * 4)
_UPDATE = ctypes.CFUNCTYPE(ctypes.c_int64, _DOUBLES, _DOUBLES)
_FLOATS = types.CPointer(types.float64)  # type: ignore[no-untyped-call]
_ARRAY: Any = types.float64[::1]
_TABLE: Any = types.float64[:, ::1]


def _nothing(own: Floats, value: float) -> None:
    """An update that keeps nothing."""


@dataclass(frozen=True)
class Selection:
    """How to choose a move inside the tree.

    `choose(N, Q, P, own, total)` gets an entry for each move that has no proof: visits, mean value for
    the player to move (NaN where a move is not yet tried), prior (at the root with its noise), and
    `own[i, j]`, the `numbers` numbers that every edge keeps, 0 at first. `total` is 1 + all visits of the
    node. It returns an index. `update(own, value)` may change an edge's numbers each time a value is
    added to it.
    """

    choose: Callable[[Floats, Floats, Floats, Floats, int], int]
    update: Callable[[Floats, float], None] = _nothing
    numbers: int = 0
    compile: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.numbers <= 64:
            raise BadParameter(f"`numbers` (={self.numbers}) must be from 0 to 64")
        if self.update is not _nothing and self.numbers == 0:
            raise BadParameter("`update` has nothing to change: `numbers` is 0")

    @property
    def name(self) -> str:
        return name_of(self.choose)

    def failure(self) -> BaseException:
        """What to raise when one of the functions failed, or `choose` gave no index of a move."""
        wrong = BadParameter(
            f"the selection function {self.name} failed, or chose a move that is not there"
        )
        error = self._errors[0] if self._errors else wrong
        self._errors.clear()
        return error

    @cached_property
    def _errors(self) -> list[BaseException]:
        """What the functions raised: an exception cannot pass through compiled code."""
        return []

    @cached_property
    def addresses(self) -> tuple[Any, Any]:
        """`choose` and `update` as kernels call them."""
        if not JIT_ENABLED:
            return self._select_arrays, self._update_arrays
        if not self.compile:
            select, update = (ctypes.cast(f, ctypes.c_void_p).value for f in self._callbacks)
            return select, update
        select, update = (f.address for f in self._compiled)
        return select, update

    # As Python.

    def _select_arrays(self, width: int, total: int, N: Floats, Q: Floats, P: Floats, own: Floats) -> int:
        try:
            mine = own[: width * self.numbers].reshape(width, self.numbers)
            return int(self.choose(N[:width], Q[:width], P[:width], mine, int(total)))
        except BaseException as error:
            self._errors.append(error)
            return -1

    def _update_arrays(self, own: Floats, value: Floats) -> int:
        try:
            self.update(own[: self.numbers], float(value[0]))
        except BaseException as error:
            self._errors.append(error)
            return -1
        return 0

    @cached_property
    def _callbacks(self) -> tuple[Any, Any]:
        def select(width: int, total: int, *pointers: Any) -> int:
            lengths = (width, width, width, max(1, width * self.numbers))
            arrays = [np.ctypeslib.as_array(p, (n,)) for p, n in zip(pointers, lengths, strict=True)]
            return self._select_arrays(width, total, *arrays)

        def update(own: Any, value: Any) -> int:
            return self._update_arrays(
                np.ctypeslib.as_array(own, (self.numbers,)), np.ctypeslib.as_array(value, (1,))
            )

        return _SELECT(select), _UPDATE(update)

    # As machine code.

    @cached_property
    def _compiled(self) -> tuple[Any, Any]:
        numbers = self.numbers
        choose = _dispatcher(self.choose, *[_ARRAY] * 3, _TABLE, types.int64)
        update = _dispatcher(self.update, _ARRAY, types.float64)
        index = choose.overloads[choose.signatures[-1]].signature.return_type
        if not isinstance(index, types.Number | types.Boolean):
            raise BadParameter(
                f"{self.name} must return the index of a move; it returns {index.name.split('(')[0]}"
            )

        @numba.cfunc(types.int64(types.int64, types.int64, *[_FLOATS] * 4))
        def select(width, total, N, Q, P, own):  # type: ignore[no-untyped-def]
            try:
                return choose(
                    carray(N, width),
                    carray(Q, width),
                    carray(P, width),
                    carray(own, (width, numbers)),
                    total,
                )
            except Exception:
                return -1

        @numba.cfunc(types.int64(_FLOATS, _FLOATS))
        def keep(own, value):  # type: ignore[no-untyped-def]
            try:
                update(carray(own, numbers), value[0])
            except Exception:
                return -1
            return 0

        return select, keep


def _dispatcher(function: Any, *arguments: Any) -> Any:
    """The function, compiled for these types by itself, so that an error is about its own lines."""
    dispatcher = function if isinstance(function, Dispatcher) else _jit(function)
    try:
        dispatcher.compile(arguments)
    except (NumbaError, UnsupportedBytecodeError, TypeError) as error:
        place, reason = compile_failure(dispatcher, error)
        raise BadParameter(
            f"{name_of(function)} does not compile ({place}): {reason} "
            "compile=False runs it as plain Python"
        ) from error
    return dispatcher
