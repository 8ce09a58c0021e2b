"""Bits of 64-bit words, as single machine instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from zermelo.compilation import JIT_ENABLED, inlined


def _word(value: int) -> int:
    return int(value) & 0xFFFF_FFFF_FFFF_FFFF


if JIT_ENABLED:

    @intrinsic  # type: ignore[untyped-decorator]
    def popcount(_context: Any, word: Any) -> tuple[Any, Callable[..., Any]]:
        """Number of bits set."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest(_context: Any, word: Any) -> tuple[Any, Callable[..., Any]]:
        """Index of the lowest bit set; 64 for the empty word."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            from llvmlite import ir

            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), generate

else:

    def popcount(word: int) -> int:
        return _word(word).bit_count()

    def lowest(word: int) -> int:
        value = _word(word)
        return (value & -value).bit_length() - 1 if value else 64


@inlined
def bit(index: int) -> int:
    """The word with this one bit set."""
    return np.int64(1) << np.int64(index)  # type: ignore[return-value]
