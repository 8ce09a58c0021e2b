"""How a network is fitted, as data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.errors import BadParameter, listed

OPTIMISERS = ("adamw", "adam", "sgd", "muon")
POLICY_LOSSES = ("cross-entropy", "square")
SCHEDULES = ("constant", "cosine", "linear")
_FEWEST_WARM_UP, _WARM_UP_SHARE = 10, 0.1
"""A short run warms up for this fraction of its expected gradient steps, and for at least 10 of them."""


@dataclass(frozen=True)
class LearnerConfig:
    """How the network is fitted."""

    batch: int = 256
    optimiser: str = "adamw"
    rate: float = 2e-3
    warm_up: int = 100
    """Gradient steps of linear warm-up; in a short run a tenth of its expected steps, if that is less."""
    schedule: str = "cosine"
    """How the rate falls to `final_rate` until the run is over: constant (not at all), cosine, linear."""
    final_rate: float = 1e-4
    decay: float = 1e-4
    """L2, or the weight decay of AdamW and Muon."""
    momentum: float = 0.9
    """Of SGD and Muon."""
    clip: float = 1.0
    """The greatest norm of a gradient; 0: no limit."""
    value_weight: float = 1.0
    policy_loss: str = "cross-entropy"
    reply_weight: float = 0.15
    """Of the loss of the head for the opponent's reply, if the network has it."""
    moves_left_weight: float = 0.1
    """Of the loss of the head for how long the game lasts, if the network has it."""
    average: float = 0.99
    """How much of the averaged weights, which play, is kept at each step."""

    def __post_init__(self) -> None:
        if self.optimiser not in OPTIMISERS:
            raise BadParameter(f"`optimiser` (={self.optimiser}) must be one of: {listed(OPTIMISERS)}")
        if self.policy_loss not in POLICY_LOSSES:
            raise BadParameter(
                f"`policy_loss` (={self.policy_loss}) must be one of: {listed(POLICY_LOSSES)}"
            )
        if self.schedule not in SCHEDULES:
            raise BadParameter(f"`schedule` (={self.schedule}) must be one of: {listed(SCHEDULES)}")
        for name in ("final_rate", "decay", "clip", "value_weight", "reply_weight", "moves_left_weight"):
            if not 0 <= getattr(self, name) < math.inf:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be a number from 0 up")
        if self.batch < 2:
            raise BadParameter(f"`batch` (={self.batch}) must be at least 2")
        if not 0 < self.rate < math.inf:
            raise BadParameter(f"`rate` (={self.rate}) must be a number above 0")
        if not 0 <= self.average < 1:
            raise BadParameter(f"`average` (={self.average}) must be from 0 to below 1")
        if not 0 <= self.momentum < 1 or self.warm_up < 0:
            raise BadParameter("`momentum` must be from 0 to below 1, `warm_up` not negative")

    def rate_at(self, steps: int, progress: float) -> float:
        """The rate of the next step, after so many and when this share of the run is over."""
        fall = {"constant": 1.0, "linear": 1 - progress, "cosine": (1 + math.cos(math.pi * progress)) / 2}
        rate = self.final_rate + (self.rate - self.final_rate) * fall[self.schedule]
        expected = steps / progress if progress > 0 else math.inf
        warm_up = min(self.warm_up, max(_FEWEST_WARM_UP, _WARM_UP_SHARE * expected))
        return rate * min(1.0, (steps + 1) / max(1, warm_up))
