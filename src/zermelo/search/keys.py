"""Keys of positions: as numbers for tables, and the least of those of a position's images."""

from __future__ import annotations

import numpy as np

from zermelo.compilation import internal
from zermelo.games import abi
from zermelo.games.abi import Rules, Words
from zermelo.search import rng
from zermelo.search.tree import Scratch


@internal
def key_hash(state: Words, words: int) -> int:
    """A number from 0 to 2**62 - 1 that depends on every bit of the first words."""
    word = np.uint64(0)
    for i in range(words):
        word = rng.mix(word + np.uint64(state[i]) + rng.GAMMA)
    return np.int64(word >> np.uint64(2))  # type: ignore[return-value]


@internal
def least_image(rules: Rules, state: Words, words: int, scratch: Scratch) -> int:
    """The symmetry under which the first words of the state are least; the image is left in
    `scratch.least`. Or a status."""
    least = 0
    for i in range(rules.state_words):
        scratch.least[i] = state[i]
    for k in range(1, scratch.images.shape[0]):
        status = abi.transform(rules, state, k, scratch.image)
        if status < 0:
            return min(status, abi.FAILED)
        order = 0
        for i in range(words):
            if order == 0 and scratch.image[i] != scratch.least[i]:
                order = -1 if scratch.image[i] < scratch.least[i] else 1
        if order < 0:
            least = k
            for i in range(rules.state_words):
                scratch.least[i] = scratch.image[i]
    return least
