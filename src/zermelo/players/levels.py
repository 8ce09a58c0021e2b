"""A dial from a beginner to full strength, for players with a network.

Fewer simulations make a network weaker, but no beginner: it never forgets what it knows. So lower levels
search nothing and draw their moves, and the lowest now and then overlook things as people do: they see a
win that lies before them, and else play what looks natural, whatever it allows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.search.result import SearchResult

_NATURAL = 4.0
"""The temperature of what looks natural: the fourth root of the network's probabilities."""


@dataclass(frozen=True)
class Level:
    """How a step of the dial plays."""

    sims: int
    temperature: float = 0.0
    oversights: float = 0.0
    """The share of moves that are made without looking."""


LEVELS = (
    Level(0, 1.0, 0.7),
    Level(0, 1.0, 0.4),
    Level(0, 1.0, 0.2),
    Level(0, 1.0),
    Level(0, 0.5),
    Level(0),
    Level(8),
    Level(30),
    Level(110),
    Level(400),
)
"""From 1 up; the last is what the player does by itself."""


def overlooked(result: SearchResult, random: np.random.Generator) -> int:
    """A move that is made without looking: a win at once if there is one, else what looks natural."""
    mover = result.position.mover
    for action in result.actions.tolist():
        returns = result.position.play(action).returns
        if returns is not None and returns[mover] > 0:
            return int(action)
    weights = result.priors ** (1 / _NATURAL)
    return int(random.choice(result.actions, p=weights / weights.sum()))
