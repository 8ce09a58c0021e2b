"""Matches that end when the answer is clear: the sequential probability ratio test of Wald (1945).

Two games with the same opening, colours changed, are one trial with five outcomes, 0 to 2 points in halves.
The likelihoods of two differences in Elo are compared as in the testing of chess programs: each with those
chances of the five outcomes that fit the results best and have the expected score of that difference (the
generalised ratio; the constrained fit is that of empirical likelihood, Owen 1988).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.contest import Contest, Played, Playing, in_turn
from zermelo.arena.match import MatchResult
from zermelo.arena.ratings import USUAL
from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player

OUTCOMES = np.arange(5) / 4  # [outcomes], points per game of a pair
_UNSEEN = 1e-3
"""How often an outcome counts that was not seen: a little, so that no ratio is one of nothing."""
_HALVINGS = 50


@dataclass(frozen=True)
class Sprt:
    """A test of whether A is stronger than B by `elo0` or by `elo1`, on the usual scale."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often `elo1` may be accepted though `elo0` is true."""
    beta: float = 0.05
    """How often `elo0` may be accepted though `elo1` is true."""

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise BadParameter(f"`elo0` (={self.elo0:g}) must be less than `elo1` (={self.elo1:g})")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the logarithm of the ratio ends the test: below, `elo0` is accepted, above, `elo1`."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """The logarithm of the likelihood of `elo1` over that of `elo0`, from how many pairs of games had
        0, 1/2, 1, 3/2 and 2 points."""
        counts = np.asarray(pairs, np.float64)
        if counts.shape != OUTCOMES.shape or (counts < 0).any():
            raise BadParameter(
                f"`pairs` (={list(pairs)}) must be how many pairs had 0, 1/2, 1, 3/2, 2 points"
            )
        if not counts.sum():
            return 0.0
        counts = np.maximum(counts, _UNSEEN)
        low, high = np.log(self._fits(counts / counts.sum()))
        return float(counts @ (high - low))

    def _fits(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """The likeliest chances with the expected score of either difference: shares / (1 + x (outcome -
        score)), where x makes the score right."""
        scores = 1 / (1 + np.exp(-np.array([[self.elo0], [self.elo1]]) / USUAL))
        away = OUTCOMES - scores  # [differences, outcomes]
        low, high = -1 / away[:, -1:], -1 / away[:, :1]
        for _ in range(_HALVINGS):
            x = (low + high) / 2
            is_low = (shares * away / (1 + x * away)).sum(1, keepdims=True) > 0
            low, high = np.where(is_low, x, low), np.where(is_low, high, x)
        return np.asarray(shares / (1 + (low + high) / 2 * away))

    def verdict(self, ratio: float) -> str:
        """`elo0`, `elo1`, or `open` as long as it is neither."""
        low, high = self.bounds
        return "elo0" if ratio <= low else "elo1" if ratio >= high else "open"


@dataclass(frozen=True)
class SprtResult:
    """A match with its test."""

    match: MatchResult
    test: Sprt

    @property
    def pairs(self) -> tuple[int, ...]:
        """How many pairs of games had 0, 1/2, 1, 3/2 and 2 points, from A's side."""
        returns = [position.returns for position in self.match.positions]
        both = zip(returns[::2], returns[1::2], strict=True)
        points = [np.sign(a[0]) + np.sign(b[1]) for a, b in both if a is not None and b is not None]
        return tuple(points.count(total) for total in range(-2, 3))

    @property
    def ratio(self) -> float:
        return self.test.ratio(self.pairs)

    @property
    def verdict(self) -> str:
        return self.test.verdict(self.ratio)


def sequential_match(
    game: Game,
    a: Player,
    b: Player,
    test: Sprt,
    games: int = 1000,
    seed: int = 0,
    openings: int = 2,
    batch: int = 20,
    progress: Callable[[Sequence[Position]], None] = lambda _positions: None,
    playing: Playing = in_turn,
) -> SprtResult:
    """Play until the test has a verdict, at most `games` games; `batch` of them side by side, and then the
    test is asked. The games are those of `match` with the same seed; where `playing` runs ahead of the
    test, games after the verdict do not count."""
    for name, value in (("games", games), ("batch", batch)):
        if value < 2 or value % 2:
            raise BadParameter(
                f"`{name}` (={value}) must be even, and at least 2: the test counts pairs of games"
            )
    whole = Contest(game, a, b, games, seed, openings)
    batches = [
        replace(whole, games=min(batch, games - first), first=first) for first in range(0, games, batch)
    ]
    begin, judged, ready = time.perf_counter(), list[Position](), dict[int, Played]()

    def tell(number: int, positions: Sequence[Position]) -> None:
        if batches[number].first == len(judged):
            progress([*judged, *positions])

    with closing(playing(batches, tell)) as played:
        for number, one in played:
            ready[number] = one
            while (following := ready.pop(len(judged) // batch, None)) is not None:
                judged += following.positions
                progress(judged)
                result = SprtResult(MatchResult.of(whole, judged, time.perf_counter() - begin), test)
                if result.verdict != "open":
                    return result
    return result
