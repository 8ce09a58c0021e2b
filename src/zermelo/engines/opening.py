"""The opening of Swap2: three stones that favour nobody, and the better side of those of others."""

from __future__ import annotations

import time

import numpy as np

from zermelo.games.position import Position
from zermelo.players.tree import TreePlayer

_CANDIDATES = 8


def balanced_stones(player: TreePlayer, position: Position, seed: int, seconds: float) -> tuple[int, ...]:
    """Of some random openings near the middle of an empty board, the one whose value is nearest to 0."""
    board = position.game.board
    assert board is not None
    random, end = np.random.default_rng(seed), time.monotonic() + seconds
    low, high = board.rows // 2 - 2, board.rows // 2 + 3
    near = [row * board.cols + col for row in range(low, high) for col in range(low, high)]
    best: tuple[float, tuple[int, ...]] | None = None
    for _ in range(_CANDIDATES):
        stones = tuple(random.choice(near, 3, replace=False).tolist())
        opened = position.play_all(stones)
        if opened.is_over:
            continue
        (result,) = player.search([opened], [seed], seconds / _CANDIDATES)
        best = min(best or (2.0, stones), (abs(result.value), stones))
        if time.monotonic() >= end:
            break
    assert best is not None
    return best[1]


def wants_to_swap(player: TreePlayer, position: Position, seed: int, seconds: float) -> tuple[bool, int]:
    """Whether the side that is not to move is better, and the move if it is not."""
    (result,) = player.search([position], [seed], seconds)
    return result.value < 0, player.decide(result, seed)
