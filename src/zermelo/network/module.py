"""The network as PyTorch trains it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

from zermelo.network.architecture import ACTIVATIONS, Architecture, Layer, Shape, layers


@dataclass(frozen=True)
class Answer:
    """What the heads say of a batch; auxiliary ones only where the architecture has them."""

    logits: Tensor  # [batch, actions]
    value: Tensor  # [batch], in [-1, 1]
    outcomes: Tensor | None  # [batch, 3], logits of win, draw and loss
    reply: Tensor | None  # [batch, actions]
    moves_left: Tensor | None  # [batch]


def _module(layer: Layer) -> nn.Module:
    if layer.size == 0:
        return nn.Linear(layer.inputs, layer.outputs)
    convolution = nn.Conv2d(
        layer.inputs, layer.outputs, layer.size, padding=layer.size // 2, bias=not layer.normalised
    )
    return nn.Sequential(convolution, nn.BatchNorm2d(layer.outputs)) if layer.normalised else convolution


def _whole(x: Tensor) -> Tensor:
    """The mean and the maximum of every plane."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Network(nn.Module):
    """A tower and its heads, built from the list of their layers."""

    def __init__(self, architecture: Architecture, shape: Shape) -> None:
        super().__init__()
        self.architecture, self.shape = architecture, shape
        self.slope = ACTIVATIONS[architecture.activation]
        self.parts = nn.ModuleDict(
            {layer.name.replace(".", "/"): _module(layer) for layer in layers(architecture, shape)}
        )

    def _layer(self, name: str, x: Tensor) -> Tensor:
        found: Tensor = self.parts[name.replace(".", "/")](x)
        return found

    def _active(self, name: str, x: Tensor) -> Tensor:
        return self._rectified(self._layer(name, x))

    def _rectified(self, x: Tensor) -> Tensor:
        return functional.leaky_relu(x, self.slope) if self.slope else functional.relu(x)

    def forward(self, planes: Tensor) -> Answer:
        if self.shape.has_planes:
            x = planes.contiguous(memory_format=torch.channels_last)
        else:
            x = planes.flatten(1)
        x = self._active("stem", x)
        for i in range(self.architecture.blocks):
            x = self._block(i, x) if self.shape.has_planes else self._active(f"block{i}.first", x)
        policy = value = x
        if self.shape.has_planes:
            policy, value = self._active("policy.squeeze", x), self._active("value.squeeze", x)
            value = _whole(value) if self.architecture.per_cell else value.flatten(1)
        hidden = self._active("value.hidden", value)
        answer = self._layer("value.answer", hidden)
        outcomes = None
        if self.architecture.value == "wdl":
            outcomes, chances = answer, answer.softmax(1)
            told = chances[:, 0] - chances[:, 2]
        else:
            told = answer.squeeze(1).tanh()
        return Answer(
            logits=self._logits("policy", policy),
            value=told,
            outcomes=outcomes,
            reply=self._logits("reply", policy) if self.architecture.reply else None,
            moves_left=self._layer("moves_left.answer", hidden).squeeze(1)
            if self.architecture.moves_left
            else None,
        )

    def _logits(self, head: str, x: Tensor) -> Tensor:
        if not self.architecture.per_cell:
            return self._layer(f"{head}.logits", x.flatten(1))
        logits = self._layer(f"{head}.logits", x).flatten(1)
        if self.shape.has_pass:
            logits = torch.cat([logits, self._layer(f"{head}.pass_logit", _whole(x))], 1)
        return logits

    def _block(self, i: int, x: Tensor) -> Tensor:
        inner = self._active(f"block{i}.first", x)
        if self.architecture.pooling:
            inner = inner + self._layer(f"block{i}.pool", _whole(inner))[:, :, None, None]
        if not self.architecture.residual:
            return inner
        return self._rectified(x + self._layer(f"block{i}.second", inner))


def new_network(architecture: Architecture, shape: Shape, seed: int = 0) -> Network:
    """A network that has learnt nothing; the same for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = Network(architecture, shape)
    return network.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def read_weights(network: Network) -> dict[str, Tensor]:
    """Weights by the names they have in model files: layer, then weight, bias, or what normalises."""
    names = {"0.weight": "weight", "1.weight": "scale", "1.bias": "shift"}
    names |= {"1.running_mean": "mean", "1.running_var": "variance", "weight": "weight", "bias": "bias"}
    found = {}
    for key, value in network.state_dict().items():
        _, layer, part = key.split(".", 2)
        if part in names:
            found[f"{layer.replace('/', '.')}.{names[part]}"] = value
    return found


def write_weights(network: Network, weights: dict[str, Tensor]) -> None:
    """Give the network these weights, by the same names."""
    with torch.no_grad():
        for name, value in read_weights(network).items():
            value.copy_(weights[name])
