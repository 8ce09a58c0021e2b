"""A round of a run: what it played, what it did, and how long that took."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.compilation import compile_seconds
from zermelo.learning.selfplay import PlayedGame
from zermelo.learning.source import Effort, Order


@dataclass(frozen=True)
class Round:
    """What a round did; also a line of metrics.jsonl."""

    round: int
    seconds: float
    cpu_seconds: float
    games: int
    positions: int
    steps: int
    policy_loss: float
    value_loss: float
    reply_loss: float
    moves_left_loss: float
    rate: float
    window: int
    """Positions that were learnt from, equal ones counted once if they are merged."""
    play_seconds: float
    learn_seconds: float
    network_share: float
    """Of the time of playing."""
    simulations: int
    """Of a full search."""
    cache_hits: float
    resigned: float
    """The share of games that ended so."""
    wrongly_resigned: float | None
    """Of the games that were played on although a player would have resigned, the share that this player
    did not lose; None without such games."""
    first_wins: float
    draws: float
    mean_length: float
    gate: float | None
    """The new network's share of points against the one that plays; None without a gate, or if
    there was no time for one."""
    accepted: bool
    """Whether the new network plays the next games."""
    cluster: dict[str, Any] | None = None
    """Of a round whose games other processes played: see docs/cluster.md."""


@dataclass(frozen=True)
class Played:
    """The games of a round, and what it took to play them."""

    games: Sequence[PlayedGame]
    order: Order
    seconds: float
    effort: Effort

    def metrics(self) -> dict[str, Any]:
        returns = [one.returns[0] for one in self.games]
        played_on = [one for one in self.games if one.resigner is not None and not one.is_resigned]
        wrongly = [one.returns[one.resigner or 0] >= 0 for one in played_on]
        return {
            "play_seconds": self.seconds,
            "network_share": self.effort.network_share,
            "simulations": self.order.search.simulations,
            "cache_hits": self.effort.cache_hits,
            "resigned": float(np.mean([one.is_resigned for one in self.games])),
            "wrongly_resigned": float(np.mean(wrongly)) if wrongly else None,
            "first_wins": float(np.mean([value > 0 for value in returns])),
            "draws": float(np.mean([value == 0 for value in returns])),
            "mean_length": float(np.mean([len(one.position.moves) for one in self.games])),
        }


class Clock:
    """Seconds since it was made, by the wall and of all cores, and some that were before. It stands still
    while this process compiles."""

    def __init__(self, seconds: float = 0.0, cpu_seconds: float = 0.0) -> None:
        self._begin, self._cpu = 0.0, 0.0
        self._begin, self._cpu = self.seconds - seconds, self.cpu_seconds - cpu_seconds

    @property
    def seconds(self) -> float:
        return time.monotonic() - compile_seconds()[0] - self._begin

    @property
    def cpu_seconds(self) -> float:
        return time.process_time() - compile_seconds()[1] - self._cpu

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """What happens meanwhile does not count."""
        seconds, cpu_seconds = self.seconds, self.cpu_seconds
        try:
            yield
        finally:
            self._begin += self.seconds - seconds
            self._cpu += self.cpu_seconds - cpu_seconds

    def charge(self, cpu_seconds: float) -> None:
        """Count what other processes have worked."""
        self._cpu -= cpu_seconds
