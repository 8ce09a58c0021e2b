"""The ratings of seed 002, by its own equations 50 to 64 (its sections 2.1 and 2.2).

Its scale has e where the usual one has 10: 400 points are odds of e to one. docs/ratings.md says where the
text is unclear.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from zermelo.errors import BadParameter

SCALE = 400.0
"""Points for a natural logarithm of odds."""
UNTRAINED = 100.0
"""The rating of the untrained network (2.1.1)."""
THETA = 1.3
"""How many times as often as it loses a new version has to win (1.5.3)."""
INCREASE = 408.0
"""The average increase per version that the text reports (2.2)."""


def expected_score(rating: float, opponent: float) -> float:
    """Equation 50: the chance E to win."""
    distance = (opponent - rating) / SCALE
    return 1 / (1 + math.exp(distance)) if distance < 700 else 0.0


def updated(rating: float, opponent: float, score: float, k: float) -> float:
    """Equation 51: the rating after games with this score W; K says how far it moves."""
    return rating + k * (_share(score) - expected_score(rating, opponent))


def score(wins: float, draws: float, losses: float) -> float:
    """Equations 52 and 56, in numbers or shares of games; by 55 and 57 the opponent's is what is left."""
    if min(wins, draws, losses) < 0 or not wins + draws + losses:
        raise BadParameter(f"{wins} wins, {draws} draws and {losses} losses are not the results of games")
    return (wins + draws / 2) / (wins + draws + losses)


def rating(score: float, opponent: float = 0.0) -> float:
    """Equation 53: the rating of a player with this score against one of known rating. Without bounds: it
    is infinite for a player who won or lost everything."""
    if _share(score) in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return opponent - math.log((1 - score) / score) * SCALE


def chained(scores: Sequence[float], first: float = UNTRAINED) -> list[float]:
    """Equation 53 along the versions, each with its score against the one before, whose rating is known."""
    found = [first]
    for one in scores:
        found.append(rating(one, found[-1]))
    return found


def is_accepted(wins: float, losses: float, theta: float = THETA) -> bool:
    """Equation 58: whether a new version becomes the best one."""
    return wins >= losses * _positive(theta)


def least_score(theta: float = THETA) -> float:
    """Equations 60 to 62: the least score of a version that was accepted, if no game is drawn."""
    return _positive(theta) / (1 + theta)


def least_increase(theta: float = THETA) -> float:
    """Equations 54 and 63: by how much an accepted version is rated higher, at least."""
    return rating(least_score(theta))


def theta(increase: float) -> float:
    """Equation 64: the threshold that an increase in rating amounts to."""
    return 1 / math.exp(-increase / SCALE)


def _share(score: float) -> float:
    if not 0 <= score <= 1:
        raise BadParameter(f"`score` (={score}) must be from 0 to 1")
    return score


def _positive(theta: float) -> float:
    if not theta > 0:
        raise BadParameter(f"`theta` (={theta}) must be above 0")
    return theta
