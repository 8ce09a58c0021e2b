"""Counting: lines of play and positions, the classic proof that rules are right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.compilation import compiled, copy_words
from zermelo.errors import BadParameter
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, OVER, Rules, Words
from zermelo.games.base import Game


class Perft(NamedTuple):
    """`nodes` lines of play have exactly this many moves; `ended` games were over at or before that."""

    nodes: int
    ended: int


_MOVES_PER_CALL = 2_000_000  # so that Ctrl-C is heard


class _Walk(NamedTuple):
    """Where a walk through all lines of play stands."""

    states: Words  # [depth + 1, state_words]
    actions: Words  # [depth, num_actions]
    width: Words  # [depth], legal actions
    tried: Words  # [depth], how many of them were played
    ply: Words  # [1], -1 at the end
    counts: Words  # [2]: lines of full depth, games ended


@compiled
def _walk_on(rules: Rules, walk: _Walk, most: int) -> int:
    """Make up to `most` moves of the walk; a status, OVER when all lines are walked."""
    depth = walk.width.size
    ply = walk.ply[0]
    for _ in range(most):
        while ply >= 0 and walk.tried[ply] == walk.width[ply]:
            ply -= 1
        if ply < 0:
            break
        copy_words(walk.states[ply], walk.states[ply + 1])
        status = abi.play(rules, walk.states[ply + 1], walk.actions[ply, walk.tried[ply]])
        walk.tried[ply] += 1
        if status < 0:
            return min(status, FAILED)
        if status == OVER:
            walk.counts[1] += 1
        if ply + 1 == depth:
            walk.counts[0] += 1
        elif status != OVER:
            ply += 1
            walk.tried[ply] = 0
            walk.width[ply] = abi.legal(rules, walk.states[ply], walk.actions[ply])
            if walk.width[ply] < 0:
                return min(int(walk.width[ply]), FAILED)
    walk.ply[0] = ply
    return OVER if ply < 0 else GOING


def perft(game: Game, depth: int) -> Perft:
    """Count the lines of play of exactly `depth` moves, and the games that end within them."""
    if depth < 0:
        raise BadParameter(f"`depth` (={depth}) must not be negative")
    start = game.position()
    if depth == 0 or start.is_over:
        return Perft(int(depth == 0), int(start.is_over))
    rows = min(depth, game.max_length + 1)  # no line is longer
    walk = _Walk(
        states=np.zeros((rows + 1, game.state_words), np.int64),
        actions=np.empty((rows, game.num_actions), np.int64),
        width=np.zeros(rows, np.int64),
        tried=np.zeros(rows, np.int64),
        ply=np.zeros(1, np.int64),
        counts=np.zeros(2, np.int64),
    )
    walk.states[0] = start.state
    walk.width[0] = len(start.legal_actions)
    walk.actions[0, : walk.width[0]] = start.legal_actions
    status = GOING
    while status == GOING:
        status = _walk_on(game.rules(), walk, _MOVES_PER_CALL)
    if status < 0:
        raise game.failure(status, walk.states[max(int(walk.ply[0]), 0)])
    return Perft(int(walk.counts[0]), int(walk.counts[1]))


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
