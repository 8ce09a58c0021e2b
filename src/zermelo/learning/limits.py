"""When a run ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_GRACE = 1.1
"""A round may end so much later than the time that a run has; then it is left for the next call."""


@dataclass(frozen=True)
class Limits:
    """A run ends at the first of these, counted over all of its calls."""

    seconds: float = math.inf
    cpu_seconds: float = math.inf
    """Of all cores together, so that other work beside the run does not count."""
    games: float = math.inf
    steps: float = math.inf
    rounds: float = math.inf
    loss: float = -math.inf
    """Of policy and value together: a round's is below it."""
    mistakes: float = -math.inf
    """The share of positions in which its move changes the result: it is this or less."""
    score: float = math.inf
    """The share of points against each player it is measured against: it is this or more."""

    def progress(self, manifest: Mapping[str, Any]) -> float:
        """The share of the run that is over, by the limit that is nearest."""
        names = ("seconds", "cpu_seconds", "games", "steps", "rounds")
        return float(min(1.0, max(manifest[name] / getattr(self, name) for name in names)))

    def time_used(self, seconds: float, cpu_seconds: float) -> float:
        """The share of the time of the run that is over; 0 if there is no limit of time."""
        return max(seconds / self.seconds, cpu_seconds / self.cpu_seconds)

    def is_overdue(self, seconds: float, cpu_seconds: float) -> bool:
        """Whether so much time is beyond what a round that was begun in time may take."""
        return seconds > _GRACE * self.seconds or cpu_seconds > _GRACE * self.cpu_seconds

    def are_reached(self, manifest: Mapping[str, Any]) -> bool:
        if manifest["rounds"] == 0:
            return False
        measured = manifest["measured"]
        return bool(
            self.progress(manifest) >= 1
            or manifest["loss"] < self.loss
            or measured.get("mistakes", math.inf) <= self.mistakes
            or measured.get("score", -math.inf) >= self.score
        )
