"""Fits the network to what self-play taught."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor

from zermelo.errors import TrainingError
from zermelo.learning.learner_config import LearnerConfig
from zermelo.learning.replay import Sample
from zermelo.network.module import Answer, Network, read_weights


@dataclass(frozen=True)
class Losses:
    """Of a batch, each head for itself."""

    policy: float
    value: float


def outcome_target(value: Tensor) -> Tensor:
    """Chances of win, draw and loss whose mean is the value, with as few draws or as many as that takes."""
    return torch.stack([value.clamp(min=0), 1 - value.abs(), (-value).clamp(min=0)], 1)


def policy_loss(answer: Answer, target: Tensor, kind: str) -> Tensor:
    if kind == "square":
        return (answer.logits.softmax(1) - target).square().sum(1).mean()
    return -(target * functional.log_softmax(answer.logits, 1)).sum(1).mean()


def value_loss(answer: Answer, target: Tensor) -> Tensor:
    if answer.outcomes is None:
        return (answer.value - target).square().mean()
    chances = functional.log_softmax(answer.outcomes, 1)
    return -(outcome_target(target) * chances).sum(1).mean()


class Learner:
    """A network, its optimiser, and the average of its weights."""

    def __init__(self, network: Network, config: LearnerConfig) -> None:
        self.network, self.config, self.steps = network, config, 0
        self.optimiser = _optimiser(network, config)
        self._average = {name: value.clone() for name, value in read_weights(network).items()}

    def step(self, sample: Sample, rate: float | None = None) -> Losses:
        """One batch; at this rate rather than the configured one, if given."""
        config, planes = self.config, torch.from_numpy(sample.planes)
        rate = (rate or config.rate) * min(1.0, (self.steps + 1) / max(1, config.warm_up))
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.network.train()
        answer = self.network(planes.view(len(planes), *self.network.shape.inputs))
        policy = policy_loss(answer, torch.from_numpy(sample.policy), config.policy_loss)
        value = value_loss(answer, torch.from_numpy(sample.value))
        self.optimiser.zero_grad(set_to_none=True)
        total = policy + config.value_weight * value
        if not math.isfinite(total.item()):
            raise TrainingError(f"the loss of step {self.steps} is {total.item()}; try a lower `rate`")
        total.backward()  # type: ignore[no-untyped-call]
        if config.clip > 0:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.clip)
        self.optimiser.step()
        self.steps += 1
        self._follow()
        return Losses(policy.item(), value.item())

    def _follow(self) -> None:
        """Move the average a little towards the weights; faster at the beginning."""
        kept = min(self.config.average, self.steps / (self.steps + 10))
        for name, value in read_weights(self.network).items():
            self._average[name].lerp_(value, 1 - kept)

    def state(self) -> dict[str, Tensor]:
        """All that the next step depends on, by name."""
        found = {f"network/{name}": value for name, value in self.network.state_dict().items()}
        found |= {f"average/{name}": value for name, value in self._average.items()}
        for number, values in self.optimiser.state_dict()["state"].items():
            found |= {f"optimiser/{number}/{name}": torch.as_tensor(v) for name, v in values.items()}
        found["steps"] = torch.tensor(self.steps)
        return {name: value.contiguous() for name, value in found.items()}

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on from such a state."""
        parts: dict[str, dict[str, Tensor]] = {"network": {}, "average": {}, "optimiser": {}}
        for name, value in state.items():
            if name != "steps":
                part, _, rest = name.partition("/")
                parts[part][rest] = value
        self.network.load_state_dict(parts["network"])
        self._average = parts["average"]
        moments: dict[int, dict[str, Tensor]] = {}
        for name, value in parts["optimiser"].items():
            number, _, rest = name.partition("/")
            moments.setdefault(int(number), {})[rest] = value
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": moments})
        self.steps = int(state["steps"])

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The averaged weights, which play and are graded."""
        return {name: value.numpy().copy() for name, value in self._average.items()}


def _optimiser(network: Network, config: LearnerConfig) -> torch.optim.Optimizer:
    parameters = network.parameters()
    if config.optimiser == "sgd":
        return torch.optim.SGD(parameters, config.rate, momentum=config.momentum, weight_decay=config.decay)
    kind = torch.optim.AdamW if config.optimiser == "adamw" else torch.optim.Adam
    return kind(parameters, config.rate, weight_decay=config.decay)
