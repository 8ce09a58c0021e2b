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
from zermelo.games.abi import Words
from zermelo.games.base import Game
from zermelo.search.keys import key_hash
from zermelo.search.tree import NONE, SYMMETRIES

_WAYS = 4
_SYMMETRIES = len(SYMMETRIES)
ASKED, FOUND = 0, 1


class Cache(NamedTuple):
    """Answers in the orientation of their key."""

    keys: Words  # [places, words], all that the evaluator's planes are made from
    owner: Words  # [places], who said it, or NONE
    logits: NDArray[np.float32]  # [places, actions], of legal actions
    values: NDArray[np.float32]  # [places]
    counts: Words  # [2], how often it was asked, how often it knew


def new_cache(game: Game, places: int, context: bool) -> Cache:
    """Room for at least so many answers; none at all for 0. `context`: whether context words matter."""
    if places > 0:
        places = max(_WAYS, 1 << (places - 1).bit_length())
    return Cache(
        keys=np.empty((places, game.state_words if context else game.key_words), np.int64),
        owner=np.full(places, NONE, np.int64),
        logits=np.empty((places, game.num_actions), np.float32),
        values=np.empty(places, np.float32),
        counts=np.zeros(2, np.int64),
    )


@internal
def owner_of(evaluator: int, symmetry: int) -> int:
    """What is said of a position depends on who says it, and on how it is shown."""
    return evaluator * _SYMMETRIES + symmetry


@internal
def find(cache: Cache, key: Words, owner: int) -> int:
    """The place of an answer, or NONE."""
    begin = key_hash(key, cache.keys.shape[1]) & (cache.owner.size - _WAYS)
    for place in range(begin, begin + _WAYS):
        equal = cache.owner[place] == owner
        for i in range(cache.keys.shape[1]):
            equal &= cache.keys[place, i] == key[i]
        if equal:
            return int(place)
    return NONE


@internal
def place_for(cache: Cache, key: Words, owner: int) -> int:
    """Where to write the answer for this key, which is entered: where it is already (several trees may
    have asked at once), else an empty place, else another's."""
    begin = key_hash(key, cache.keys.shape[1]) & (cache.owner.size - _WAYS)
    chosen = find(cache, key, owner)
    if chosen != NONE:
        return chosen
    chosen = begin + (cache.counts[ASKED] & (_WAYS - 1))
    for place in range(begin, begin + _WAYS):
        if cache.owner[place] == NONE:
            chosen = place
            break
    cache.owner[chosen] = owner
    for i in range(cache.keys.shape[1]):
        cache.keys[chosen, i] = key[i]
    return int(chosen)


@compiled
def forget(cache: Cache, evaluator: int) -> None:
    """Drop what this evaluator said."""
    for place in range(cache.owner.size):
        if cache.owner[place] != NONE and cache.owner[place] // _SYMMETRIES == evaluator:
            cache.owner[place] = NONE
