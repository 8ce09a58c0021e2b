"""How ratings rise from version to version: a straight line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from zermelo.arena.ratings import NORMAL_95, Ratings
from zermelo.errors import BadParameter


@dataclass(frozen=True)
class Trend:
    """The line nearest to the ratings, by least squares."""

    start: float
    """Its rating at version 0."""
    per_version: float
    """How much it rises from one version to the next."""
    interval: tuple[float, float]
    """95 % of the rise, by the uncertainty of the ratings alone, not by their distance from the line."""

    def at(self, version: float) -> float:
        return self.start + self.per_version * version


def trend(ratings: Ratings, versions: Mapping[str, int]) -> Trend:
    """The rise of the players that are versions; `versions` gives the number of each."""
    x = np.array(list(versions.values()), np.float64)  # [versions]
    if len(set(x)) < 2:
        raise BadParameter("a rise is between two different versions or more")
    y = np.array([ratings.rating(name) for name in versions])
    away = (x - x.mean()) / np.square(x - x.mean()).sum()
    weights = np.zeros(len(ratings.names))
    for name, weight in zip(versions, away, strict=True):
        weights[ratings.names.index(name)] = weight
    rise = float(away @ y)
    half = NORMAL_95 * ratings.error_of(weights)
    return Trend(float(y.mean() - rise * x.mean()), rise, (rise - half, rise + half))
