"""Counting: lines of play and positions, the classic proof that rules are right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.compilation import compiled, copy_words
from zermelo.games import abi
from zermelo.games.abi import FAILED, OVER, Rules, Words
from zermelo.games.base import Game


class Perft(NamedTuple):
    """`nodes` lines of play have exactly this many moves; `ended` games were over at or before that."""

    nodes: int
    ended: int


@compiled
def _perft(
    rules: Rules,
    depth: int,
    states: Words,  # [depth + 1, state_words]; the first is where to begin
    actions: Words,  # [depth, num_actions]
    width: Words,  # [depth]
    tried: Words,  # [depth]
    counts: Words,  # [2]: lines of that length, games ended
) -> int:
    """Walk all lines of `depth` moves; a status."""
    ply = 0
    tried[0] = 0
    width[0] = abi.legal(rules, states[0], actions[0])
    while ply >= 0:
        if width[ply] < 0:
            return width[ply]  # type: ignore[no-any-return]
        if tried[ply] == width[ply]:
            ply -= 1
            continue
        copy_words(states[ply], states[ply + 1])
        status = abi.play(rules, states[ply + 1], actions[ply, tried[ply]])
        tried[ply] += 1
        if status < 0:
            copy_words(states[ply], states[0])
            return min(status, FAILED)
        if status == OVER:
            counts[1] += 1
        if ply + 1 == depth:
            counts[0] += 1
        elif status != OVER:
            ply += 1
            tried[ply] = 0
            width[ply] = abi.legal(rules, states[ply], actions[ply])
    return 0


def perft(game: Game, depth: int) -> Perft:
    """Count the lines of play of exactly `depth` moves, and the games that end within them."""
    start = game.position()
    if depth == 0 or start.is_over:
        return Perft(int(depth == 0), int(start.is_over))
    states = np.zeros((depth + 1, game.state_words), np.int64)
    states[0] = start.state
    actions = np.empty((depth, game.num_actions), np.int64)
    width, tried, counts = (np.zeros(size, np.int64) for size in (depth, depth, 2))
    status = _perft(game.rules(), depth, states, actions, width, tried, counts)
    if status < 0:
        raise game.failure(status, states[0])
    return Perft(int(counts[0]), int(counts[1]))


@compiled
def _successors(rules: Rules, states: Words, actions: Words, children: Words) -> int:
    """Write the children of all states one after another; their number, or a status."""
    count = 0
    for i in range(states.shape[0]):
        width = abi.legal(rules, states[i], actions)
        if width < 0:
            return width
        for j in range(width):
            copy_words(states[i], children[count])
            status = abi.play(rules, children[count], actions[j])
            if status < 0:
                return min(status, FAILED)
            count += 1
    return count


def positions(game: Game, depth: int) -> list[int]:
    """How many different positions there are after 0, 1, ... `depth` moves."""
    rules = game.rules()
    actions = np.empty(game.num_actions, np.int64)
    layer = game.position().state[None]
    counts = [1]
    for _ in range(depth):
        found: dict[bytes, Words] = {}
        for part in np.array_split(layer, -(-len(layer) // 4096)):
            children = np.zeros((len(part) * game.num_actions, game.state_words), np.int64)
            count = _successors(rules, part, actions, children)
            if count < 0:
                raise game.failure(count, part[0])
            for child in children[:count]:
                found.setdefault(child[: game.key_words].tobytes(), child.copy())
        counts.append(len(found))
        if not found:
            break
        layer = np.array(list(found.values()))
    return counts
