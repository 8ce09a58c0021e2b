"""When a run ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

TOLERATED_SECONDS, TOLERATED_SHARE = 5.0, 0.05
"""How exactly a run keeps its time limit: within so many seconds, or within this share of it."""


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

    @property
    def are_of_time(self) -> bool:
        return math.isfinite(self.seconds) or math.isfinite(self.cpu_seconds)

    def progress(self, manifest: Mapping[str, Any]) -> float:
        """The share of the run that is over, by the limit that is nearest."""
        names = ("seconds", "cpu_seconds", "games", "steps", "rounds")
        return float(min(1.0, max(manifest[name] / getattr(self, name) for name in names)))

    def time_used(self, seconds: float, cpu_seconds: float) -> float:
        """The share of the time of the run that is over; 0 if there is no limit of time."""
        return max(seconds / self.seconds, cpu_seconds / self.cpu_seconds)

    def seconds_left(self, seconds: float, cpu_seconds: float, cores: float = 1.0) -> float:
        """Wall time until the limit, if this many cores go on working; never below 0."""
        left = min(self.seconds - seconds, (self.cpu_seconds - cpu_seconds) / cores)
        return max(0.0, left)

    def are_reached(self, manifest: Mapping[str, Any]) -> bool:
        """Time ends a run even before its first round; everything else is looked at after one."""
        if self.time_used(manifest["seconds"], manifest["cpu_seconds"]) >= 1:
            return True
        if manifest["rounds"] == 0:
            return False
        measured = manifest["measured"]
        return bool(
            self.progress(manifest) >= 1
            or manifest["loss"] < self.loss
            or measured.get("mistakes", math.inf) <= self.mistakes
            or measured.get("score", -math.inf) >= self.score
        )
