"""Evaluations that were made before: an answer for each position and evaluator, whichever tree asked.

Keys are those of positions; where symmetries are used, the least key of all images, so that a position
finds what was said of its mirror image. Four places for each hash; a new answer takes the place of an
old one when all are taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled, internal
from zermelo.games import abi
from zermelo.games.abi import Rules, Words
from zermelo.games.base import Game
from zermelo.search.expansion import key_hash
from zermelo.search.tree import NONE, Scratch

_WAYS = 4
ASKED, FOUND = 0, 1


class Cache(NamedTuple):
    """Answers in the orientation of their key."""

    keys: Words  # [places, key_words]
    evaluator: Words  # [places], its number, or NONE
    logits: NDArray[np.float32]  # [places, actions], of legal actions
    values: NDArray[np.float32]  # [places]
    counts: Words  # [2], how often it was asked, how often it knew


def new_cache(game: Game, places: int) -> Cache:
    """Room for at least so many answers; none at all for 0."""
    if places > 0:
        places = max(_WAYS, 1 << (places - 1).bit_length())
    return Cache(
        keys=np.empty((places, game.key_words), np.int64),
        evaluator=np.full(places, NONE, np.int64),
        logits=np.empty((places, game.num_actions), np.float32),
        values=np.empty(places, np.float32),
        counts=np.zeros(2, np.int64),
    )


@internal
def least_image(rules: Rules, state: Words, scratch: Scratch) -> int:
    """The symmetry under which the key of the state is least; the image is left in `scratch.least`.
    Or a status."""
    least = 0
    for i in range(rules.state_words):
        scratch.least[i] = state[i]
    for k in range(1, scratch.images.shape[0]):
        status = abi.transform(rules, state, k, scratch.image)
        if status < 0:
            return min(status, abi.FAILED)
        order = 0
        for i in range(rules.key_words):
            if order == 0 and scratch.image[i] != scratch.least[i]:
                order = -1 if scratch.image[i] < scratch.least[i] else 1
        if order < 0:
            least = k
            for i in range(rules.state_words):
                scratch.least[i] = scratch.image[i]
    return least


@internal
def find(rules: Rules, cache: Cache, key: Words, evaluator: int) -> int:
    """The place of an answer, or NONE."""
    begin = key_hash(key, rules.key_words) & (cache.evaluator.size - _WAYS)
    for place in range(begin, begin + _WAYS):
        equal = cache.evaluator[place] == evaluator
        for i in range(rules.key_words):
            equal &= cache.keys[place, i] == key[i]
        if equal:
            return place
    return NONE


@internal
def place_for(rules: Rules, cache: Cache, key: Words, evaluator: int) -> int:
    """Where to write the answer for this key, which is entered: an empty place, or another's."""
    begin = key_hash(key, rules.key_words) & (cache.evaluator.size - _WAYS)
    chosen = begin + (cache.counts[ASKED] & (_WAYS - 1))
    for place in range(begin, begin + _WAYS):
        if cache.evaluator[place] == NONE:
            chosen = place
            break
    cache.evaluator[chosen] = evaluator
    for i in range(rules.key_words):
        cache.keys[chosen, i] = key[i]
    return int(chosen)


@compiled
def forget(cache: Cache, evaluator: int) -> None:
    """Drop what this evaluator said."""
    for place in range(cache.evaluator.size):
        if cache.evaluator[place] == evaluator:
            cache.evaluator[place] = NONE
