"""Players that do not think."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.games.position import Position
from zermelo.players.base import Player, going_on
from zermelo.search import rng


class RandomPlayer(Player):
    """Plays any legal move, all equally likely."""

    kind = "random"
    keeps_time = True

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        moves = []
        for position, seed in zip(positions, seeds, strict=True):
            legal = going_on(position).legal_actions
            moves.append(legal[int(rng.new_stream(seed)[0]) % len(legal)])
        return moves
