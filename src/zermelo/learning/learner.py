"""Fits the network to what self-play taught."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as functional
from numpy.typing import NDArray
from torch import Tensor

from zermelo.errors import TrainingError
from zermelo.learning.learner_config import LearnerConfig
from zermelo.learning.optimisers import Optimiser
from zermelo.learning.replay import Sample
from zermelo.network.module import Answer, Network, read_weights


@dataclass(frozen=True)
class Losses:
    """Of a batch, each head for itself; 0 for a head that is not there."""

    policy: float
    value: float
    reply: float = 0.0
    moves_left: float = 0.0

    @classmethod
    def mean(cls, some: Sequence[Losses]) -> Losses:
        if not some:
            return cls(0.0, 0.0)
        return cls(*np.mean([dataclasses.astuple(one) for one in some], axis=0).tolist())


def outcome_target(value: Tensor) -> Tensor:
    """Chances of win, draw and loss whose mean is the value, with as few draws or as many as that takes."""
    return torch.stack([value.clamp(min=0), 1 - value.abs(), (-value).clamp(min=0)], 1)


def policy_loss(logits: Tensor, target: Tensor, weights: Tensor, kind: str = "cross-entropy") -> Tensor:
    """The mean over the positions of a batch, each with its weight."""
    if kind == "square":
        each = (logits.softmax(1) - target).square().sum(1)
    else:
        each = -(target * functional.log_softmax(logits, 1)).sum(1)
    return (each * weights).sum() / weights.sum().clamp(min=1)


def value_loss(answer: Answer, target: Tensor) -> Tensor:
    """The mean over the positions of a batch whose value is known, and not NaN; 0 without such."""
    known = target.isfinite()
    target = target.nan_to_num()
    if answer.outcomes is None:
        each = (answer.value - target).square()
    else:
        each = -(outcome_target(target) * functional.log_softmax(answer.outcomes, 1)).sum(1)
    return (each * known).sum() / known.sum().clamp(min=1)


def moves_left_loss(answer: Tensor, moves_left: Tensor) -> Tensor:
    """How far the logarithm of one more than the moves left is missed."""
    return functional.smooth_l1_loss(answer, moves_left.log1p())


_TRIAL_STEPS, _TRIAL_SHARE, _HOPELESS = 3, 0.03, 3.0
"""Steps of a trial of another number of threads; the share of time that trials take; and how many times
slower the first of its steps may be before it is given up."""
_KEPT = 0.8
"""How much of what is known of a step's time stays after another step."""


class ThreadCount:
    """Has PyTorch use all cores or one, whichever makes steps faster at the moment.

    Threads wait for each other many times in a step. Where another program keeps a core busy, two of them
    take up to twenty times as long as one.
    """

    def __init__(self, most: int) -> None:
        self._seconds = {1: 0.0, most: 0.0}
        """Of a step, lately, by number of threads; 0: not known."""
        self._count = 1
        self._trial: list[float] = []
        """Steps of a trial of the other number; the first wakes its threads."""
        self._not_before = 0.0
        """When the next trial may be made."""

    @contextmanager
    def chosen(self) -> Iterator[None]:
        """Around a step."""
        if len(self._seconds) == 1:
            yield
            return
        trying = self._seconds[self._count] > 0 and time.monotonic() >= self._not_before
        count = sum(self._seconds) - self._count if trying else self._count
        torch.set_num_threads(count)
        begin = time.monotonic()
        yield
        passed = time.monotonic() - begin
        if not trying:
            known = self._seconds[count]
            self._seconds[count] = _KEPT * known + (1 - _KEPT) * passed if known else passed
        else:
            self._trial.append(passed)
            if len(self._trial) < _TRIAL_STEPS and passed < _HOPELESS * self._seconds[self._count]:
                return
            self._seconds[count] = min(self._trial)
            self._not_before = time.monotonic() + sum(self._trial) / _TRIAL_SHARE
            self._trial = []
        self._count = min(self._seconds, key=lambda n: self._seconds[n] or math.inf)


class Learner:
    """A network, its optimiser, and the average of its weights."""

    def __init__(self, network: Network, config: LearnerConfig) -> None:
        self.network, self.config, self.steps = network, config, 0
        self.threads: ThreadCount | None = None
        """Chooses the number of threads of each step; without, PyTorch uses all cores, and a run can be
        repeated exactly."""
        self.optimiser = Optimiser(network, config)
        self._average = {name: value.clone() for name, value in read_weights(network).items()}

    def step(self, sample: Sample, progress: float = 0.0) -> Losses:
        """One batch, when this share of the run is over."""
        with self.threads.chosen() if self.threads else nullcontext():
            return self._step(sample, progress)

    def _step(self, sample: Sample, progress: float) -> Losses:
        config = self.config
        self.network.train()
        planes, wanted, value, full, reply, moves_left = map(torch.from_numpy, sample)
        answer = self.network(planes.view(len(planes), *self.network.shape.inputs))
        losses = {
            "policy": policy_loss(answer.logits, wanted, full, config.policy_loss),
            "value": value_loss(answer, value),
        }
        if answer.reply is not None:
            losses["reply"] = policy_loss(answer.reply, reply, torch.ones_like(full))
        if answer.moves_left is not None:
            losses["moves_left"] = moves_left_loss(answer.moves_left, moves_left)
        self.network.zero_grad()
        weights = {"value": config.value_weight, "reply": config.reply_weight,
                   "moves_left": config.moves_left_weight}  # fmt: skip
        total = torch.stack([weights.get(name, 1.0) * loss for name, loss in losses.items()]).sum()
        if not math.isfinite(total.item()):
            raise TrainingError(f"the loss of step {self.steps} is {total.item()}; try a lower `rate`")
        total.backward()  # type: ignore[no-untyped-call]
        if config.clip > 0:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), config.clip)
        self.optimiser.step(config.rate_at(self.steps, progress))
        self.steps += 1
        self._follow()
        return Losses(**{name: loss.item() for name, loss in losses.items()})

    def _follow(self) -> None:
        """Move the average a little towards the weights; faster at the beginning."""
        kept = min(self.config.average, self.steps / (self.steps + 10))
        for name, value in read_weights(self.network).items():
            self._average[name].lerp_(value, 1 - kept)

    def state(self) -> dict[str, Tensor]:
        """All that the next step depends on, by name."""
        found = {f"network/{name}": value for name, value in self.network.state_dict().items()}
        found |= {f"average/{name}": value for name, value in self._average.items()}
        for weights, moments in self.optimiser.moments.items():
            found |= {f"optimiser/{weights}/{name}": value for name, value in moments.items()}
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
        self.optimiser = Optimiser(self.network, self.config)
        for name, value in parts["optimiser"].items():
            weights, _, moment = name.rpartition("/")
            self.optimiser.moments[weights][moment] = value
        self.steps = int(state["steps"])

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The averaged weights, which play and are graded."""
        return {name: value.numpy().copy() for name, value in self._average.items()}
