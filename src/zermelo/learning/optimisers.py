"""How weights go down a gradient: SGD, Adam, AdamW, Muon.

They are written out here, since whoever makes an optimiser of PyTorch imports its compiler
(`torch._dynamo`), which takes about as long as all the rest of PyTorch.

Muon (Jordan 2024) is momentum whose matrices are made orthogonal before each step. A gradient of a layer
is a matrix with a few large directions and many small ones; a step that is orthogonal goes as far in each
of them. It is for hidden layers: the first layer, those that answer, and whatever is no matrix have AdamW.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from zermelo.learning.learner_config import LearnerConfig

HIDDEN_RATE = 10.0
"""How many times faster than the others hidden layers go: a step of theirs has a norm of its own."""
_ITERATIONS = 5
_BETAS = 0.9, 0.999
_LEAST = 1e-8

Moments = dict[str, Tensor]
"""What is kept of earlier gradients, by name; empty before the first."""
Rule = Callable[[Tensor, Tensor, Moments, float, LearnerConfig], None]
"""Changes weights, given their gradient, moments and rate."""


def sgd(weights: Tensor, gradient: Tensor, moments: Moments, rate: float, config: LearnerConfig) -> None:
    """Gradients, each with what is left of the momentum of earlier ones."""
    gradient = gradient.add(weights, alpha=config.decay)
    mean = _momentum(gradient, moments, config)
    weights.add_(mean, alpha=-rate)


def adam(weights: Tensor, gradient: Tensor, moments: Moments, rate: float, config: LearnerConfig) -> None:
    """Every weight goes about as far, however steep it is for it; decay is a part of its gradient."""
    _adam(weights, gradient.add(weights, alpha=config.decay), moments, rate)


def adamw(weights: Tensor, gradient: Tensor, moments: Moments, rate: float, config: LearnerConfig) -> None:
    """The same, but decay is beside the gradient."""
    weights.mul_(1 - rate * config.decay)
    _adam(weights, gradient, moments, rate)


def muon(weights: Tensor, gradient: Tensor, moments: Moments, rate: float, config: LearnerConfig) -> None:
    """An orthogonal step along the momentum, for hidden layers."""
    rate *= HIDDEN_RATE
    mean = _momentum(gradient, moments, config)
    ahead = gradient.add(mean, alpha=config.momentum).flatten(1)
    rows, columns = ahead.shape
    weights.mul_(1 - rate * config.decay)
    change = orthogonal(ahead).reshape(weights.shape)
    weights.add_(change, alpha=-rate * max(1.0, rows / columns) ** 0.5)


def orthogonal(matrix: Tensor) -> Tensor:
    """A matrix with the same directions, and singular values near 1: five steps of a Newton-Schulz
    iteration whose polynomial lifts small ones fast."""
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.T if tall else matrix
    x = x / (x.norm() + _LEAST)
    for _ in range(_ITERATIONS):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    found: Tensor = x.T if tall else x
    return found


def is_hidden(name: str, weights: Tensor) -> bool:
    """Whether the layer of these weights is neither the first nor one that answers."""
    return weights.ndim > 1 and not any(part in name for part in ("stem", "logits", "answer"))


RULES: dict[str, Rule] = {"sgd": sgd, "adam": adam, "adamw": adamw, "muon": muon}


class Optimiser:
    """Changes the weights of a network by their gradients, each by the rule of its kind."""

    def __init__(self, network: nn.Module, config: LearnerConfig) -> None:
        self.config = config
        self._weights = dict(network.named_parameters())
        self._rules = {name: _rule(name, weights, config) for name, weights in self._weights.items()}
        self.moments: dict[str, Moments] = {name: {} for name in self._weights}

    @torch.no_grad()
    def step(self, rate: float) -> None:
        """Change all weights that have a gradient."""
        for name, weights in self._weights.items():
            if weights.grad is not None:
                self._rules[name](weights, weights.grad, self.moments[name], rate, self.config)


def _rule(name: str, weights: Tensor, config: LearnerConfig) -> Rule:
    is_muon = config.optimiser == "muon"
    return adamw if is_muon and not is_hidden(name, weights) else RULES[config.optimiser]


def _momentum(gradient: Tensor, moments: Moments, config: LearnerConfig) -> Tensor:
    """What is left of earlier gradients, and this one."""
    if not moments:
        moments["mean"] = torch.zeros_like(gradient)
    return moments["mean"].mul_(config.momentum).add_(gradient)


def _adam(weights: Tensor, gradient: Tensor, moments: Moments, rate: float) -> None:
    first, second = _BETAS
    if not moments:
        moments["step"] = torch.zeros(())
        moments["mean"], moments["square"] = torch.zeros_like(weights), torch.zeros_like(weights)
    moments["step"] += 1
    count = moments["step"].item()
    moments["mean"].lerp_(gradient, 1 - first)
    moments["square"].mul_(second).addcmul_(gradient, gradient, value=1 - second)
    width = (moments["square"] / (1 - second**count)).sqrt_().add_(_LEAST)
    weights.addcdiv_(moments["mean"], width, value=-rate / (1 - first**count))
