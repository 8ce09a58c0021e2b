"""How a network is fitted, as data."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.errors import BadParameter, listed

OPTIMISERS = ("adamw", "adam", "sgd")
POLICY_LOSSES = ("cross-entropy", "square")


@dataclass(frozen=True)
class LearnerConfig:
    """How the network is fitted."""

    batch: int = 256
    optimiser: str = "adamw"
    rate: float = 2e-3
    warm_up: int = 100
    """Steps in which the rate rises from 0."""
    decay: float = 1e-4
    """L2, or the weight decay of AdamW."""
    momentum: float = 0.9
    clip: float = 1.0
    """The greatest norm of a gradient; 0: no limit."""
    value_weight: float = 1.0
    policy_loss: str = "cross-entropy"
    average: float = 0.99
    """How much of the averaged weights, which play, is kept at each step."""

    def __post_init__(self) -> None:
        if self.optimiser not in OPTIMISERS:
            raise BadParameter(f"`optimiser` (={self.optimiser}) must be one of: {listed(OPTIMISERS)}")
        if self.policy_loss not in POLICY_LOSSES:
            raise BadParameter(
                f"`policy_loss` (={self.policy_loss}) must be one of: {listed(POLICY_LOSSES)}"
            )
        if self.batch < 2 or not self.rate > 0 or not 0 <= self.average < 1:
            raise BadParameter("`batch` must be at least 2, `rate` above 0, `average` from 0 to below 1")
