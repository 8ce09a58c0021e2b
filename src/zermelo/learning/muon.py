"""Muon (Jordan 2024): momentum whose matrices are made orthogonal before each step.

A gradient of a layer is a matrix with a few large directions and many small ones; a step that is
orthogonal goes as far in each of them. It is for hidden layers: the first layer, those that answer, and
whatever is no matrix have AdamW.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

HIDDEN_RATE = 10.0
"""How many times faster than the others hidden layers go: a step of theirs has a norm of its own."""
_ITERATIONS = 5
_BETAS = 0.9, 0.999
_LEAST = 1e-8


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


class Muon(torch.optim.Optimizer):
    """For the weights of a network, each by its kind."""

    def __init__(self, network: nn.Module, rate: float, decay: float, momentum: float) -> None:
        named = list(network.named_parameters())
        hidden = [weights for name, weights in named if is_hidden(name, weights)]
        others = [weights for name, weights in named if not is_hidden(name, weights)]
        groups: list[dict[str, Any]] = [
            {"params": hidden, "hidden": True},
            {"params": others, "hidden": False},
        ]
        defaults = {"lr": rate, "weight_decay": decay, "momentum": momentum}
        super().__init__([group for group in groups if group["params"]], defaults)

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for weights in group["params"]:
                if weights.grad is not None:
                    (self._step_hidden if group["hidden"] else self._step_other)(weights, group)

    def _step_hidden(self, weights: Tensor, group: dict[str, Any]) -> None:
        state, momentum, rate = self.state[weights], group["momentum"], HIDDEN_RATE * group["lr"]
        if not state:
            state["mean"] = torch.zeros_like(weights)
        state["mean"].mul_(momentum).add_(weights.grad)
        ahead = weights.grad.add(state["mean"], alpha=momentum).flatten(1)  # type: ignore[union-attr]
        rows, columns = ahead.shape
        weights.mul_(1 - rate * group["weight_decay"])
        change = orthogonal(ahead).reshape(weights.shape)
        weights.add_(change, alpha=-rate * max(1.0, rows / columns) ** 0.5)

    def _step_other(self, weights: Tensor, group: dict[str, Any]) -> None:
        state, (first, second) = self.state[weights], _BETAS
        if not state:
            state["step"] = torch.zeros(())
            state["mean"], state["square"] = torch.zeros_like(weights), torch.zeros_like(weights)
        state["step"] += 1
        count = state["step"].item()
        gradient = weights.grad
        assert gradient is not None
        state["mean"].lerp_(gradient, 1 - first)
        state["square"].mul_(second).addcmul_(gradient, gradient, value=1 - second)
        weights.mul_(1 - group["lr"] * group["weight_decay"])
        width = (state["square"] / (1 - second**count)).sqrt_().add_(_LEAST)
        weights.addcdiv_(state["mean"], width, value=-group["lr"] / (1 - first**count))
