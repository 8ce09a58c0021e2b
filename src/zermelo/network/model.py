"""Model files: one safetensors file with the weights and, as text, all that is known about them."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from zermelo.errors import ModelError, ZermeloError
from zermelo.files import replace_file
from zermelo.games.base import Game
from zermelo.games.registry import game as named_game
from zermelo.network.architecture import Architecture, Shape, layers

FORMAT = "zermelo model 1"
_LARGEST = 2**31
_FIELDS = {
    "game": str, "encoding": str, "inputs": list, "actions": int, "architecture": dict, "provenance": dict,
    "results": dict,
}  # fmt: skip


@dataclass(frozen=True)
class Model:
    """A network for a game: its weights, its architecture, and where it comes from."""

    game: str
    encoding: str
    architecture: Architecture
    weights: dict[str, NDArray[np.float32]]
    provenance: dict[str, Any] = field(default_factory=dict)
    """How it was made: seconds, games, positions, version, and the like."""
    results: dict[str, Any] = field(default_factory=dict)
    """How good it was found to be."""

    @property
    def shape(self) -> Shape:
        return Shape.of(named_game(self.game), self.encoding)

    def check(self, game: Game, path: Path) -> None:
        """Raise `ModelError` if this, read from there, is a network for another game.

        A game in a file is known by the name of the file, wherever that lies.
        """
        if Path(self.game).name != Path(game.name).name:
            raise ModelError(f"the network in {path} is for {self.game}, not for {game.name}")
        try:
            _check_weights(self.weights, self.architecture, Shape.of(game, self.encoding))
        except ZermeloError as error:
            raise ModelError(f"{path} does not fit {game.name}: {error}") from error


def write_model(model: Model, path: Path) -> None:
    """Write a model file; an existing one is replaced at once or not at all."""
    known = {
        "format": FORMAT,
        "game": model.game,
        "encoding": model.encoding,
        "inputs": model.shape.inputs,
        "actions": model.shape.actions,
        "architecture": dataclasses.asdict(model.architecture),
        "provenance": model.provenance,
        "results": model.results,
    }
    data = save(model.weights, {"zermelo": json.dumps(known)})
    replace_file(path, data)


def read_model(path: Path) -> Model:
    """Read a model file, and see that it is whole.

    Its game is not looked up: that may be a Python file, which would be run. `Model.check` does the rest.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise ModelError(f"{path} is too large to be a model")
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
    try:
        known = json.loads(_metadata(data))
        weights = load(data)
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelError(f"{path} is damaged, or is not a model of Zermelo: {error}") from error
    try:
        return _checked(known, weights)
    except ZermeloError as error:
        raise ModelError(f"{path} does not fit: {error}") from error


def _metadata(data: bytes) -> str:
    """What a safetensors file says about itself before its weights."""
    length = int.from_bytes(data[:8], "little")
    if not 0 < length <= min(len(data) - 8, 10**8):
        raise ValueError("its first bytes are not those of a safetensors file")
    header = json.loads(data[8 : 8 + length])
    told = header.get("__metadata__") if isinstance(header, dict) else None
    if not isinstance(told, dict) or not isinstance(told.get("zermelo"), str):
        raise ValueError("its metadata lacks `zermelo`")
    return str(told["zermelo"])


def _checked(known: Any, weights: dict[str, NDArray[np.float32]]) -> Model:
    if not isinstance(known, dict) or known.get("format") != FORMAT:
        raise ModelError(f"`format` is not {FORMAT!r}")
    for name, kind in _FIELDS.items():
        if not isinstance(known.get(name), kind):
            raise ModelError(f"`{name}` is missing, or is not a {kind.__name__}")
    sizes = [*known["inputs"], known["actions"]]
    if len(sizes) < 2 or any(type(size) is not int or size < 1 for size in sizes):
        raise ModelError("`inputs` and `actions` must be numbers from 1")
    architecture = _architecture(known["architecture"])
    _check_weights(weights, architecture, Shape(tuple(known["inputs"]), known["actions"]))
    return Model(
        known["game"], known["encoding"], architecture, weights, known["provenance"], known["results"]
    )


def _check_weights(
    weights: dict[str, NDArray[np.float32]], architecture: Architecture, shape: Shape
) -> None:
    expected = weight_shapes(architecture, shape)
    if wrong := sorted(set(expected) ^ set(weights)):
        raise ModelError(f"weights are missing, or are too many: {wrong[0]}")
    for name, size in expected.items():
        if weights[name].shape != size or weights[name].dtype != np.float32:
            raise ModelError(f"{name} is {weights[name].dtype}{weights[name].shape}, not float32{size}")
        if not np.isfinite(weights[name]).all():
            raise ModelError(f"{name} has a number that is not finite")
        if name.endswith(".variance") and (weights[name] < 0).any():
            raise ModelError(f"{name} has a number below 0")


def _architecture(known: dict[str, Any]) -> Architecture:
    defaults = dataclasses.asdict(Architecture())
    for name, value in known.items():
        if name not in defaults:
            raise ModelError(f"`architecture` has an unknown field: {name}")
        if type(value) is not type(defaults[name]):
            wanted = type(defaults[name]).__name__
            raise ModelError(f"`{name}` (={value!r}) of `architecture` must be of type {wanted}")
    return Architecture(**known)


def weight_shapes(architecture: Architecture, shape: Shape) -> dict[str, tuple[int, ...]]:
    """The names and shapes of all weights."""
    found: dict[str, tuple[int, ...]] = {}
    for layer in layers(architecture, shape):
        square = (layer.size, layer.size) if layer.size else ()
        found[f"{layer.name}.weight"] = (layer.outputs, layer.inputs, *square)
        for part in ("scale", "shift", "mean", "variance") if layer.normalised else ("bias",):
            found[f"{layer.name}.{part}"] = (layer.outputs,)
    return found


def untrained(game: Game, architecture: Architecture, encoding: str | None = None, seed: int = 0) -> Model:
    """A network that has learnt nothing: small random weights, the same for the same seed."""
    name = encoding or next(iter(game.encodings))
    shape = Shape.of(game, name)
    random = np.random.default_rng(seed)
    weights = {}
    for key, size in weight_shapes(architecture, shape).items():
        part = key.rsplit(".", 1)[1]
        if part == "weight":
            spread = np.sqrt(2.0 / np.prod(size[1:]))
            weights[key] = (random.standard_normal(size) * spread).astype(np.float32)
        else:
            constant = 1.0 if part in ("scale", "variance") else 0.0
            weights[key] = np.full(size, constant, np.float32)
    for key in ("policy.logits.weight", "value.answer.weight"):
        weights[key] *= np.float32(0.1)
    return Model(game.name, name, architecture, weights, {"trained": False})
