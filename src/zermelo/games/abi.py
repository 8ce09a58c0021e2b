"""The one form in which every kernel sees every game.

A game is a handful of C functions over a flat `int64` state vector, most often compiled from
Python by Numba. They all get the game's `params` vector first, so that one compilation serves every
board size. `Rules` holds their addresses beside the parameters and sizes; it is an ordinary argument
of a kernel, so that one cached kernel serves every game, a user's own included:

    start(params, state) -> status               write the first position
    mover(params, state) -> player               whose turn it is; anything once the game is over
    legal(params, state, actions) -> count       legal actions, ascending; none once it is over
    play(params, state, action) -> status        make the move in place; refuse, unchanged, if illegal
    returns(params, state, returns) -> status    if OVER, the result of each player in [-1, 1]
    encode(params, state, planes) -> status      write every input of the network
    transform(params, state, k, image) -> status write the position under symmetry k

A game may have two more functions, which are no rules:

    heuristic(params, state) -> value            how good an unfinished position is for the player to
                                                 move, -1 to 1, from its key words alone
    threats(params, state, player, missing, actions) -> count
                                                 the actions by which `player`, if it were to move in an
                                                 unfinished position, would win at once (`missing` 1: just
                                                 these), or might come to threaten that (`missing` 2). For
                                                 games in which players take turns, and a threat is stopped
                                                 by nothing but taking the action oneself

The vectors are bare pointers: index them, nothing else (no slices, no length), which makes a call
a matter of a few registers. Statuses: GOING, OVER, and the negative ILLEGAL and FAILED; a negative
count is a status too. A state has key words first (all that decides the future: equal keys are
equal positions) and then context words (last move, history), which only encodings read.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.extending import intrinsic
from numpy.typing import NDArray

from zermelo.compilation import JIT_ENABLED, compile_failure, inlined
from zermelo.errors import RulesError

Words: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Planes: TypeAlias = NDArray[np.float32]

GOING = 0
OVER = 1
ILLEGAL = -1
FAILED = -2

_WORDS = types.CPointer(types.int64)  # type: ignore[no-untyped-call]
_FLOATS = types.CPointer(types.float64)  # type: ignore[no-untyped-call]
_PLANES = types.CPointer(types.float32)  # type: ignore[no-untyped-call]
_INT = types.int64

SIGNATURES = {
    "start": _INT(_WORDS, _WORDS),
    "mover": _INT(_WORDS, _WORDS),
    "legal": _INT(_WORDS, _WORDS, _WORDS),
    "play": _INT(_WORDS, _WORDS, _INT),
    "returns": _INT(_WORDS, _WORDS, _FLOATS),
    "encode": _INT(_WORDS, _WORDS, _PLANES),
    "transform": _INT(_WORDS, _WORDS, _INT, _WORDS),
    "heuristic": types.float64(_WORDS, _WORDS),
    "threats": _INT(_WORDS, _WORDS, _INT, _INT, _WORDS),
}


class Kernels(NamedTuple):
    """The functions of a game, as Numba compiles them; they are called through `Rules`."""

    start: Callable[[Words, Words], int]
    mover: Callable[[Words, Words], int]
    legal: Callable[[Words, Words, Words], int]
    play: Callable[[Words, Words, int], int]
    returns: Callable[[Words, Words, Floats], int]
    transform: Callable[[Words, Words, int, Words], int]
    heuristic: Callable[[Words, Words], float] | None = None
    threats: Callable[[Words, Words, int, int, Words], int] | None = None


class Rules(NamedTuple):
    """A game as kernels see it. The roles are addresses (Python functions where Numba is off)."""

    params: Words
    state_words: int
    key_words: int
    num_actions: int
    num_players: int
    num_inputs: int
    start: Any
    mover: Any
    legal: Any
    play: Any
    returns: Any
    encode: Any
    transform: Any
    threats: Any
    """0 where a game does not tell them."""


def address(function: Any, role: str) -> Any:
    """Where a function of this role lies: compiled now if need be, or the callback that it is; 0 for
    threats that a game does not tell."""
    if function is None and role == "threats":
        return 0
    if not JIT_ENABLED and isinstance(function, FunctionType):
        return function
    if not isinstance(function, Dispatcher):
        return ctypes.cast(function, ctypes.c_void_p).value
    signature = SIGNATURES[role]
    if signature.args not in function.overloads:
        try:
            function.compile(signature)
        except NumbaError as error:
            place, reason = compile_failure(function, error)
            raise RulesError(
                f"`{role}` does not compile ({place}): {reason} "
                "Vectors can only be indexed, not sliced or measured. --debug shows more"
            ) from error
    compiled: Any = function.overloads[signature.args]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)


def foreign_call(signature: Any) -> Any:
    """A function for kernels that calls the machine code at an address, given as its first argument."""
    if not JIT_ENABLED:
        real = signature.return_type is types.float64
        return partial(
            _interpreted_call, float if real else int, ctypes.c_double if real else ctypes.c_int64
        )

    @intrinsic
    def call(_context: Any, address: Any, *arguments: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            value_type = context.get_value_type
            function = ir.FunctionType(
                value_type(signature.return_type), [value_type(t) for t in signature.args]
            )
            unpacked = cgutils.unpack_tuple(builder, values[1])  # type: ignore[no-untyped-call]
            given = zip(unpacked, arguments, signature.args, strict=True)
            passed = [
                context.make_array(source)(context, builder, value).data
                if isinstance(source, types.Array)
                else context.cast(builder, value, source, target)
                for value, source, target in given
            ]
            return builder.call(builder.inttoptr(values[0], function.as_pointer()), passed)

        packed = types.StarArgTuple.from_types(arguments)  # type: ignore[no-untyped-call]
        return signature.return_type(types.int64, packed), generate

    return call


def _interpreted_call(kind: Any, c_kind: Any, function: Any, *arguments: Any) -> Any:
    """The same without compilation: `function` is a Python function, or the address of a callback."""
    if callable(function):
        return kind(function(*arguments))
    prototype = ctypes.CFUNCTYPE(c_kind, *[ctypes.c_int64] * len(arguments))
    plain = (a.ctypes.data if isinstance(a, np.ndarray) else int(a) for a in arguments)
    return kind(prototype(int(function))(*plain))


_call_start = foreign_call(SIGNATURES["start"])
_call_mover = foreign_call(SIGNATURES["mover"])
_call_legal = foreign_call(SIGNATURES["legal"])
_call_play = foreign_call(SIGNATURES["play"])
_call_returns = foreign_call(SIGNATURES["returns"])
_call_encode = foreign_call(SIGNATURES["encode"])
_call_transform = foreign_call(SIGNATURES["transform"])
_call_threats = foreign_call(SIGNATURES["threats"])
_call_heuristic = foreign_call(SIGNATURES["heuristic"])


@inlined
def start(rules: Rules, state: Words) -> int:
    return int(_call_start(rules.start, rules.params, state))


@inlined
def mover(rules: Rules, state: Words) -> int:
    return int(_call_mover(rules.mover, rules.params, state))


@inlined
def legal(rules: Rules, state: Words, actions: Words) -> int:
    return int(_call_legal(rules.legal, rules.params, state, actions))


@inlined
def play(rules: Rules, state: Words, action: int) -> int:
    return int(_call_play(rules.play, rules.params, state, int(action)))


@inlined
def returns(rules: Rules, state: Words, result: Floats) -> int:
    return int(_call_returns(rules.returns, rules.params, state, result))


@inlined
def encode(rules: Rules, state: Words, planes: Planes) -> int:
    return int(_call_encode(rules.encode, rules.params, state, planes))


@inlined
def transform(rules: Rules, state: Words, k: int, image: Words) -> int:
    return int(_call_transform(rules.transform, rules.params, state, k, image))


@inlined
def threats(rules: Rules, state: Words, player: int, missing: int, actions: Words) -> int:
    """Only for games that tell them."""
    return int(_call_threats(rules.threats, rules.params, state, int(player), int(missing), actions))


@inlined
def heuristic(rules: Rules, function: Any, state: Words) -> float:
    """What the heuristic at this address says of a position that is not over."""
    return float(_call_heuristic(function, rules.params, state))
