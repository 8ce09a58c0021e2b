"""What a network looks like, as data: enough to build it in PyTorch and in ONNX.

A tower of convolutions over planes, with shortcuts or without, or a chain of dense layers where a game has
none; then two heads. Layers have the names that weights have in a model file.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

from zermelo.errors import BadParameter, listed
from zermelo.games.base import Game

ACTIVATIONS = {"relu": 0.0, "leaky": 0.01}
"""By name, the slope below 0."""
VALUES = ("scalar", "wdl")
"""The value head's answer: one number by tanh, or the chances of win, draw and loss."""
PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {"blocks": 1, "filters": 16, "policy_filters": 2, "value_filters": 1, "value_hidden": 16},
    "small": {"blocks": 3, "filters": 32},
    "medium": {"blocks": 4, "filters": 48},
    "large": {"blocks": 5, "filters": 64},
    "huge": {"blocks": 10, "filters": 128},
}
"""By size."""
_ALPHAZERO_HEADS = {"policy_filters": 2, "value_filters": 1, "value_hidden": 256}
SEEDS: dict[str, dict[str, Any]] = {
    "seed000-tictactoe": {"blocks": 1, "filters": 32, **_ALPHAZERO_HEADS},
    "seed000-connect4": {"blocks": 3, "filters": 128, **_ALPHAZERO_HEADS},
    "seed001": {"blocks": 2, "filters": 32, "policy_filters": 2, "value_filters": 1, "value_hidden": 32},
    "seed002": {
        "blocks": 6, "filters": 75, "policy_filters": 2, "value_filters": 10, "value_hidden": 210,
        "activation": "leaky",
    },
    "seed003-tictactoe": {"blocks": 4, "filters": 64},
    "seed003-connect4": {"blocks": 9, "filters": 128},
    "seed004": {"blocks": 3, "filters": 128, "value_hidden": 128, "residual": False},
}  # fmt: skip
"""Of the five texts that this package began with; docs/network.md says what differs."""
NAMED = {**PRESETS, **SEEDS}


@dataclass(frozen=True)
class Architecture:
    """A network without the game it is for."""

    blocks: int = 5
    """Residual blocks of two convolutions, or blocks of one; without planes, dense layers."""
    filters: int = 64
    """In every convolution of the tower; without planes, the width of the layers."""
    policy_filters: int = 16
    value_filters: int = 8
    value_hidden: int = 64
    """The width of the dense layer before the value."""
    activation: str = "relu"
    residual: bool = True
    """Whether a block is two convolutions and a shortcut around them; else it is one convolution."""
    pooling: bool = False
    """Whether every block adds what it finds on the whole board (mean and maximum) to each cell."""
    per_cell: bool = False
    """Whether every cell answers for the action that is played on it, and the value sees means and maxima
    of the board: for games whose actions are cells, one more being a pass. What is learnt in one corner
    then holds in all, and weights do not depend on the size of the board."""
    value: str = "scalar"
    reply: bool = False
    """Whether an auxiliary head learns the opponent's reply; not used in play."""
    moves_left: bool = False
    """Whether an auxiliary head learns how long the game still lasts; not used in play."""

    def __post_init__(self) -> None:
        for name in ("filters", "policy_filters", "value_filters", "value_hidden"):
            if not 1 <= getattr(self, name) <= 4096:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be from 1 to 4096")
        if not 0 <= self.blocks <= 100:
            raise BadParameter(f"`blocks` (={self.blocks}) must be from 0 to 100")
        if self.activation not in ACTIVATIONS:
            raise BadParameter(f"`activation` (={self.activation}) must be one of: {listed(ACTIVATIONS)}")
        if self.value not in VALUES:
            raise BadParameter(f"`value` (={self.value}) must be one of: {listed(VALUES)}")

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Architecture:
        """An architecture by its name, with some fields changed."""
        if name not in NAMED:
            raise BadParameter(f"no network is called `{name}`; there are: {listed(NAMED)}")
        return cls(**{**NAMED[name], **changes})

    def but(self, **changes: Any) -> Architecture:
        return dataclasses.replace(self, **changes)


@dataclass(frozen=True)
class Layer:
    """A layer with weights: a convolution (`size` > 0), normalised or not, or a dense layer."""

    name: str
    inputs: int
    outputs: int
    size: int = 0
    normalised: bool = False
    cells: int = 1
    """In how many places it is worked out."""

    @property
    def kind(self) -> str:
        if not self.size:
            return "dense"
        return f"convolution {self.size}x{self.size}" + (", normalised" if self.normalised else "")

    @property
    def parameters(self) -> int:
        """Weights and biases; a normalised layer has a scale and a shift instead of a bias."""
        weights = self.inputs * self.outputs * max(1, self.size) ** 2
        return weights + self.outputs * (2 if self.normalised else 1)

    @property
    def operations(self) -> int:
        """Multiplications and additions for one position."""
        return 2 * self.inputs * self.outputs * max(1, self.size) ** 2 * self.cells


@dataclass(frozen=True)
class Shape:
    """What a network takes and gives: the planes of an encoding, and logits of actions."""

    inputs: tuple[int, ...]
    actions: int

    @classmethod
    def of(cls, game: Game, encoding: str | None = None) -> Shape:
        return cls(game.encoding(encoding).shape, game.num_actions)

    @property
    def has_planes(self) -> bool:
        return len(self.inputs) == 3

    @property
    def cells(self) -> int:
        return math.prod(self.inputs[1:])

    @property
    def has_pass(self) -> bool:
        """Whether there is an action besides those that are cells."""
        return self.actions == self.cells + 1

    def after(self, layer: Layer) -> tuple[int, ...]:
        """What a layer gives for one position."""
        return (layer.outputs, *self.inputs[1:]) if layer.size else (layer.outputs,)


def layers(architecture: Architecture, shape: Shape) -> list[Layer]:
    """Every layer with weights, in the order in which a position passes them."""
    width, outcomes = architecture.filters, 3 if architecture.value == "wdl" else 1
    found: list[Layer] = []
    if shape.has_planes:
        planes, cells = shape.inputs[0], shape.cells
        found.append(Layer("stem", planes, width, 3, True, cells))
        for i in range(architecture.blocks):
            found.append(Layer(f"block{i}.first", width, width, 3, True, cells))
            if architecture.pooling:
                found.append(Layer(f"block{i}.pool", 2 * width, width))
            if architecture.residual:
                found.append(Layer(f"block{i}.second", width, width, 3, True, cells))
        found.append(Layer("policy.squeeze", width, architecture.policy_filters, 1, True, cells))
        found.append(Layer("value.squeeze", width, architecture.value_filters, 1, True, cells))
        policy, value = architecture.policy_filters * cells, architecture.value_filters * cells
    else:
        found.append(Layer("stem", math.prod(shape.inputs), width))
        found += [Layer(f"block{i}.first", width, width) for i in range(architecture.blocks)]
        policy = value = width
    if architecture.per_cell:
        if not shape.has_planes or not shape.cells <= shape.actions <= shape.cells + 1:
            raise BadParameter(
                f"`per_cell` is for games whose actions are the cells of a board, and a pass perhaps; here "
                f"are {shape.actions} actions, and inputs of {' x '.join(map(str, shape.inputs))}"
            )
        value = 2 * architecture.value_filters
    heads = ["policy", "reply"] if architecture.reply else ["policy"]
    for head in heads:
        if not architecture.per_cell:
            found.append(Layer(f"{head}.logits", policy, shape.actions))
            continue
        found.append(Layer(f"{head}.logits", architecture.policy_filters, 1, 1, False, shape.cells))
        if shape.has_pass:
            found.append(Layer(f"{head}.pass_logit", 2 * architecture.policy_filters, 1))
    found.append(Layer("value.hidden", value, architecture.value_hidden))
    found.append(Layer("value.answer", architecture.value_hidden, outcomes))
    if architecture.moves_left:
        found.append(Layer("moves_left.answer", architecture.value_hidden, 1))
    return found
