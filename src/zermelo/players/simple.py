"""Players that do not think."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.search import rng


class RandomPlayer(Player):
    """Any legal move, all equally likely."""

    kind = "random"

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        moves = []
        for position, seed in zip(positions, seeds, strict=True):
            word = int(rng.new_stream(seed)[0])
            moves.append(position.legal_actions[word % len(position.legal_actions)])
        return moves
