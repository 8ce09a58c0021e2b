"""Model files: one safetensors file with the weights and, as text, all that is known about them."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from zermelo.errors import BadParameter, ModelError
from zermelo.games.base import Game
from zermelo.games.registry import game as named_game
from zermelo.network.architecture import Architecture, Shape, layers

FORMAT = "zermelo model 1"
_LARGEST = 2**31


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
        """Raise `ModelError` if this, read from there, is a network for another game."""
        if named_game(self.game) != game:
            raise ModelError(f"the network in {path} is for {self.game}, not for {game.name}")


def write_model(model: Model, path: Path) -> None:
    """Write a model file; an existing one is replaced at once or not at all."""
    known = {
        "format": FORMAT,
        "game": model.game,
        "encoding": model.encoding,
        "architecture": dataclasses.asdict(model.architecture),
        "provenance": model.provenance,
        "results": model.results,
    }
    data = save(model.weights, {"zermelo": json.dumps(known)})
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(part, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_model(path: Path) -> Model:
    """Read a model file, and see that it is whole and fits its game."""
    try:
        if path.stat().st_size > _LARGEST:
            raise ModelError(f"{path} is too large to be a model")
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from error
    try:
        known = json.loads(_metadata(data)["zermelo"])
        weights = load(data)
    except (SafetensorError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise ModelError(f"{path} is damaged, or is not a model of Zermelo: {error}") from error
    try:
        return _checked(known, weights)
    except (ModelError, BadParameter, KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path} does not fit: {error}") from error


def _metadata(data: bytes) -> dict[str, str]:
    """The text that a safetensors file begins with."""
    length = int.from_bytes(data[:8], "little")
    if not 0 < length <= min(len(data) - 8, 10**8):
        raise ValueError("its first bytes are not those of a safetensors file")
    found = json.loads(data[8 : 8 + length])["__metadata__"]
    if not isinstance(found, dict):
        raise ValueError("it has no metadata")
    return found


def _checked(known: dict[str, Any], weights: dict[str, NDArray[np.float32]]) -> Model:
    if known.get("format") != FORMAT:
        raise ModelError(f"`format` is {known.get('format')!r}, not {FORMAT!r}")
    fields = {field.name for field in dataclasses.fields(Architecture)}
    if unknown := sorted(set(known["architecture"]) - fields):
        raise ModelError(f"`architecture` has an unknown field: {unknown[0]}")
    model = Model(
        known["game"],
        known["encoding"],
        Architecture(**known["architecture"]),
        weights,
        known["provenance"],
        known["results"],
    )
    expected = weight_shapes(model.architecture, model.shape)
    if missing := sorted(set(expected) ^ set(weights)):
        raise ModelError(f"weights are missing, or are too many: {missing[0]}")
    for name, shape in expected.items():
        if weights[name].shape != shape or weights[name].dtype != np.float32:
            raise ModelError(f"{name} is {weights[name].dtype}{weights[name].shape}, not float32{shape}")
        if not np.isfinite(weights[name]).all():
            raise ModelError(f"{name} has a number that is not finite")
    return model


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
