"""Positions of random games, the same for the same seed."""

import random


def random_positions(game, count, seed, low=0, high=None):
    """Unfinished positions of `low` to `high` random moves from the start."""
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        plies = chance.randint(low, game.max_length - 1 if high is None else high)
        position = game.position()
        while len(position.moves) < plies and not position.is_over:
            position = position.play(chance.choice(position.legal_actions))
        if not position.is_over and len(position.moves) == plies:
            found.append(position)
    return found
