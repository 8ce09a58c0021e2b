"""Random numbers for kernels: SplitMix64, one word of state, passed as an argument.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). A stream is made
from a seed and a number, so that stream g of seed s depends on (s, g) alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled, inlined
from zermelo.games.abi import Words

Stream = NDArray[np.uint64]

WORD = 2**64 - 1
"""All bits of a word: seeds may be any whole number, these bits of it count."""
GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@inlined
def mix(word: np.uint64) -> np.uint64:
    """A bijection of 64-bit words in which every bit depends on every other."""
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@inlined
def next_word(stream: Stream) -> np.uint64:
    stream[0] += GAMMA
    return mix(stream[0])


@inlined
def scaled(word: np.uint64, bound: int) -> int:
    """A random word as a whole number from 0 to `bound` - 1; the bias is below bound / 2**32."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32))  # type: ignore[return-value]


@inlined
def uniform(stream: Stream) -> float:
    """A number in [0, 1)."""
    return np.float64(next_word(stream) >> np.uint64(11)) * 2.0**-53


@inlined
def set_stream(stream: Stream, seed: int, number: int) -> None:
    """Put `stream` at the beginning of this stream of this seed."""
    stream[0] = mix(mix(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)


@compiled
def set_streams(streams: Stream, places: Words, seeds: Stream, numbers: Words) -> None:
    """The same for several at once."""
    for i in range(places.size):
        set_stream(streams[places[i] : places[i] + 1], seeds[i], numbers[i])


def new_stream(seed: int, number: int = 0) -> Stream:
    stream = np.zeros(1, np.uint64)
    set_stream(stream, np.uint64(int(seed) & WORD), np.uint64(int(number) & WORD))  # type: ignore[arg-type]
    return stream
