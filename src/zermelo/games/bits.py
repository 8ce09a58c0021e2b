"""Bits of 64-bit words, as single machine instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from zermelo.compilation import JIT_ENABLED, inlined


def _instruction(emit: Callable[[Any, Any], Any], python: Callable[[int], int]) -> Callable[[int], int]:
    """A function of one word that kernels execute as an instruction; `python` where Numba is off."""
    if not JIT_ENABLED:
        return lambda word: python(int(word) & 0xFFFF_FFFF_FFFF_FFFF)

    def instruction(_context: Any, word: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return types.int64(types.int64), generate

    made: Any = intrinsic(instruction)
    return made  # type: ignore[no-any-return]


def _no_constant() -> Any:
    return ir.Constant(ir.IntType(1), 0)


popcount = _instruction(lambda builder, word: builder.ctpop(word), int.bit_count)
"""Number of bits set."""

lowest = _instruction(
    lambda builder, word: builder.cttz(word, _no_constant()),
    lambda word: (word & -word).bit_length() - 1 if word else 64,
)
"""Index of the lowest bit set; 64 for the empty word."""


@inlined
def bit(index: int) -> int:
    """The word with this one bit set."""
    return np.int64(1) << np.int64(index)  # type: ignore[return-value]
