"""Ratings: one number for each player, from the results of all games together.

The model is that of Bradley and Terry (1952): i is expected to have the share 1 / (1 + exp(t_j - t_i)) of
the points against j. A draw is half a win and half a loss, and the strengths t are those of greatest
likelihood; docs/ratings.md says why, and how intervals come about.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter, listed

Array = NDArray[np.float64]

USUAL = 400 / math.log(10)
"""Points for a natural logarithm of odds: 400 points are ten to one."""
NORMAL_95 = 1.959964
_STEPS = 200
_LONGEST_STEP = 2.0
_SMALL = 1e-10


@dataclass(frozen=True, eq=False)
class Ratings:
    """What the players are worth on a scale, with the anchor at its own rating."""

    names: tuple[str, ...]
    strengths: Array  # [players], natural logarithms of odds, 0 on average
    covariance: Array  # [players, players], of the strengths
    anchor: str
    anchor_rating: float = 0.0
    scale: float = USUAL

    def anchored(self, name: str, rating: float) -> Ratings:
        """The same with another anchor."""
        self._index(name)
        if not math.isfinite(rating):
            raise BadParameter(f"the rating of the anchor (={rating}) must be a finite number")
        return replace(self, anchor=name, anchor_rating=rating)

    def on(self, scale: float) -> Ratings:
        """The same on another scale; the anchor keeps its rating."""
        return replace(self, scale=scale)

    def rating(self, name: str) -> float:
        return self.anchor_rating + self.difference(name, self.anchor)

    def difference(self, a: str, b: str) -> float:
        """By how much A is rated higher than B."""
        return float(self.scale * (self.strengths[self._index(a)] - self.strengths[self._index(b)]))

    def error(self, a: str, b: str) -> float:
        """The standard error of their difference."""
        weights = np.zeros(len(self.names))
        weights[self._index(a)] += 1
        weights[self._index(b)] -= 1
        return self.error_of(weights)

    def error_of(self, weights: Array) -> float:
        """The standard error of a weighted sum of ratings whose weights add up to 0."""
        return self.scale * math.sqrt(max(0.0, float(weights @ self.covariance @ weights)))

    def interval(self, name: str) -> tuple[float, float]:
        """95 % of the rating, if the anchor's is right: that of the difference to it."""
        half = NORMAL_95 * self.error(name, self.anchor)
        return self.rating(name) - half, self.rating(name) + half

    def superiority(self, a: str, b: str) -> float:
        """How likely it is that A is stronger than B."""
        error = self.error(a, b)
        return 0.5 * (1 + math.erf(self.difference(a, b) / (error * math.sqrt(2)))) if error else 0.5

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise BadParameter(f"`{name}` has not played; there are: {listed(self.names)}")
        return self.names.index(name)


def rate(names: Sequence[str], wins: Array, draws: Array, prior: float = 1.0) -> Ratings:
    """Ratings of greatest likelihood, the first player being the anchor.

    `wins[i, j]` is how often i won against j, and `draws[i, j]`, which is `draws[j, i]`, how often they
    drew. `prior` is a number of drawn games that are added for each player, divided among its opponents as
    its games are; with 0, a player who won everything has no finite rating.
    """
    wins, draws = np.asarray(wins, np.float64), np.asarray(draws, np.float64)
    _check(names, wins, draws, prior)
    games = wins + wins.T + draws  # [players, players]
    each = games.sum(1)
    _check_connected(names, wins + draws if prior == 0 else games)
    added = prior * games * (1 / each[:, None] + 1 / each[None, :]) / 2
    strengths = _strengths(wins + (draws + added) / 2, games + added)
    return Ratings(tuple(names), strengths, _covariance(strengths, games, added, draws), names[0])


def _check(names: Sequence[str], wins: Array, draws: Array, prior: float) -> None:
    count = len(names)
    if count < 2:
        raise BadParameter(f"ratings are of two players or more, not of {count}")
    if len(set(names)) < count:
        twice = next(name for name in names if list(names).count(name) > 1)
        raise BadParameter(f"`{twice}` is there twice; give players different names")
    if wins.shape != (count, count) or draws.shape != (count, count):
        raise BadParameter(f"`wins` {wins.shape} and `draws` {draws.shape} must be {(count, count)}")
    both = np.stack([wins, draws])
    if not np.isfinite(both).all() or (both < 0).any() or np.diagonal(both, axis1=1, axis2=2).any():
        raise BadParameter("`wins` and `draws` must not be negative, and nobody plays against himself")
    if (draws != draws.T).any():
        raise BadParameter("`draws` must be symmetric: a draw of i and j is one of j and i")
    if not 0 <= prior < math.inf:
        raise BadParameter(f"`prior` (={prior}) must not be negative")


def _check_connected(names: Sequence[str], scored: Array) -> None:
    """Each player must be reached from each other over games in which points were made (Ford, 1957)."""
    for reach, had in ((_reached(scored), "losses"), (_reached(scored.T), "wins")):
        if reach.all():
            continue
        some = listed(name for name, there in zip(names, reach, strict=True) if there)
        others = listed(name for name, there in zip(names, reach, strict=True) if not there)
        if _reached(scored + scored.T).all():
            raise BadParameter(
                f"without a prior there is no finite rating: {some} had nothing but {had} against {others}"
            )
        raise BadParameter(
            f"{some} never met {others}, not even through others, so they cannot be compared; let some of "
            "them play each other"
        )


def _reached(scored: Array) -> NDArray[np.bool_]:
    """Which players can be reached from the first, along games in which the earlier one made points."""
    reach = np.zeros(len(scored), bool)
    reach[0] = True
    for _ in range(len(scored)):
        reach = reach | (scored[reach] > 0).any(0)
    return reach


def _laplacian(weights: Array) -> Array:
    return np.diag(weights.sum(1)) - weights


def _chances(strengths: Array) -> Array:
    return np.asarray(0.5 * (1 + np.tanh((strengths[:, None] - strengths[None, :]) / 2)))


def _strengths(points: Array, games: Array) -> Array:
    """Newton's method; the likelihood is concave, and steps are held back where it is flat."""
    strengths = np.zeros(len(points))
    for _ in range(_STEPS):
        p = _chances(strengths)
        slope = (points - games * p).sum(1)
        step = np.linalg.solve(_laplacian(games * p * p.T) + 1 / len(points), slope)
        largest = float(np.abs(step).max())
        strengths = strengths + step * min(1.0, _LONGEST_STEP / max(largest, _SMALL))
        if largest < _SMALL:
            break
    return np.asarray(strengths - strengths.mean())


def _covariance(strengths: Array, games: Array, added: Array, draws: Array) -> Array:
    """H^-1 J H^-1: H is Fisher's information, J the variance of the slope of the likelihood.

    They are equal without draws. The points of a game vary by p (1 - p) - d / 4 if it is drawn with the
    chance d, so draws make J smaller than H. A draw takes a point's half from each side: d cannot be more
    than 2 p or 2 (1 - p).
    """
    p = _chances(strengths)
    variance = p * p.T
    most = 2 * games * np.minimum(p, p.T)
    J = _laplacian((games + added) * variance - np.minimum(draws, most) / 4)
    mean = np.full_like(J, 1 / len(J))
    inverse = np.linalg.inv(_laplacian((games + added) * variance) + mean) - mean
    return np.asarray(inverse @ J @ inverse)
