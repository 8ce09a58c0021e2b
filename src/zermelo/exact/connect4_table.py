"""The memory of the Connect 4 search: bounds of scores, one 64-bit word each.

A key times an odd constant is a bijection of 64-bit words: its top bits choose a bucket of four, the
rest is stored and compared, so that no entry is ever taken for another. From the lowest bit, an entry
has the lower bound (7 bits), the upper bound (7), the logarithm of the work behind them (6), and then
the rest of the key. For its 44 bits to suffice there are at least 2**20 buckets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from zermelo.compilation import JIT_ENABLED, inlined
from zermelo.games.abi import Words

BUCKET = 4
LEAST_LOG_BUCKETS = 20
OFFSET = 64  # added to a bound, so that it is positive and an entry never 0
NO_BOUNDS = (127 << 7) | 1
WORK_SHIFT = 14
BOUNDS_MASK = (1 << WORK_SHIFT) - 1
ENTRY_BITS = 20
ENTRY_MASK = (1 << ENTRY_BITS) - 1
HASH = np.int64(-0x61C8864680B583EB)  # 2**64 / golden ratio


def _prefetch() -> Callable[[Words, int], None]:
    """A hint that `table[index]` will be read soon; nothing where Numba is off."""
    if not JIT_ENABLED:
        return lambda table, index: None

    def hint(_context: Any, table: Any, index: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), ir.IntType(8).as_pointer())
            number = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
            function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
                builder.module, kind, "llvm.prefetch.p0i8"
            )
            builder.call(function, [pointer, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.none(table, types.int64), generate

    made: Any = intrinsic(hint)
    return made  # type: ignore[no-any-return]


prefetch = _prefetch()


@inlined
def bucket(key: int, log_buckets: int) -> int:
    """Where the bucket of a key begins."""
    return BUCKET * (((key * HASH) >> (64 - log_buckets)) & ((np.int64(1) << log_buckets) - 1))  # type: ignore[return-value]


@inlined
def find(table: Words, log_buckets: int, key: int) -> int:
    """The bounds stored for this key, NO_BOUNDS if there are none."""
    place = bucket(key, log_buckets)
    tag = ((key * HASH) << log_buckets) >> ENTRY_BITS
    for i in range(BUCKET):
        entry = table[place + i]
        if entry >> ENTRY_BITS == tag and entry & 127 != 0:
            return entry & BOUNDS_MASK  # type: ignore[no-any-return]
    return NO_BOUNDS


@inlined
def lower(bounds: int) -> int:
    return (bounds & 127) - OFFSET


@inlined
def upper(bounds: int) -> int:
    return ((bounds >> 7) & 127) - OFFSET


@inlined
def keep(table: Words, log_buckets: int, key: int, bound: int, is_lower: bool, work: int) -> None:
    """Store a bound that took `work` nodes, beside the other one if that is there.

    The last place of a bucket is free for all, the others are for those who worked at least as much
    as the present holder.
    """
    place = bucket(key, log_buckets)
    shifted = (key * HASH) << log_buckets
    tag = shifted >> ENTRY_BITS
    effort = np.int64(0)
    while work > 1:
        work >>= 1
        effort += 1
    target, least, bounds = BUCKET - 1, effort + 1, NO_BOUNDS
    for i in range(BUCKET):
        entry = table[place + i]
        if entry == 0:
            target = i
            break
        if entry >> ENTRY_BITS == tag:
            target, bounds = i, entry & BOUNDS_MASK
            break
        holder = (entry >> WORK_SHIFT) & 63
        if i < BUCKET - 1 and holder < least:
            target, least = i, holder
    shift = 0 if is_lower else 7
    bounds = (bounds & ~(127 << shift)) | ((bound + OFFSET) << shift)
    table[place + target] = (shifted & ~ENTRY_MASK) | (effort << WORK_SHIFT) | bounds
