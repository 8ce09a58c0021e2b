"""Where games begin, and the chance of their moves: by seed and number alone."""

from __future__ import annotations

from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.search import rng


def random_opening(game: Game, plies: int, seed: int, number: int) -> Position | None:
    """A position after random moves, not over; opening k of a seed is always the same. None if random
    games do not last that long."""
    for attempt in range(1000):
        stream = rng.new_stream(seed, (number << 10) | attempt)
        position = game.position()
        for _ in range(plies):
            word = rng.next_word(stream)
            position = position.play(position.legal_actions[int(word) % len(position.legal_actions)])
            if position.is_over:
                break
        else:
            return position
    return None


def seed_of(seed: int, game: int, ply: int) -> int:
    """A seed for one move, that depends on these three alone."""
    return int(rng.new_stream(rng.new_stream(seed, game)[0] >> 1, ply)[0] >> 1)
