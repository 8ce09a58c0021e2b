"""What a network knows before its first game."""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter, ModelError
from zermelo.games.base import Game
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.model import Model, read_model, weight_shapes
from zermelo.players.az import network_file


@dataclass(frozen=True)
class StartConfig:
    """With what a run begins, instead of with nothing."""

    model: str = ""
    """The network whose weights it begins with: a model file, the directory of a run, or the name of a
    network that ships, such as gomoku8; empty: none. Architecture and encoding must be the same; the board
    may be another where weights do not depend on it (`network.per_cell`)."""

    records: tuple[str, ...] = ()
    """Files of people's games to learn from before the first game of self-play, in any format that
    `zermelo records` reads; patterns such as games/*.sgf too."""
    held_out: float = 0.1
    """The share of these games, but no more than have 15,000 positions, that is not learnt from, to see
    how well such games are foretold."""
    positions: int = 50_000
    """Of an epoch, about; of a smaller archive all. After each it is seen whether to go on."""
    epochs: int = 100
    """At most."""
    patience: int = 3
    """So many epochs in a row that foretell held-out games no better are the last."""
    share: float = 0.25
    """Of the time of the run, at most."""
    kept: int = 20_000
    """So many positions of people's games stay in the window until self-play has taught as many."""

    def __post_init__(self) -> None:
        for name in ("positions", "epochs", "patience"):
            if getattr(self, name) < 1:
                raise BadParameter(f"`{name}` (={getattr(self, name)}) must be at least 1")
        if self.kept < 0:
            raise BadParameter(f"`kept` (={self.kept}) must not be negative")
        if not 0 < self.held_out <= 0.5:
            raise BadParameter(f"`held_out` (={self.held_out}) must be above 0 and at most 0.5")
        if not 0 < self.share <= 1:
            raise BadParameter(f"`share` (={self.share}) must be above 0 and at most 1")

    @property
    def is_given(self) -> bool:
        return bool(self.model or self.records)


@dataclass(frozen=True)
class Start:
    """Weights to begin with, and what is known of them."""

    weights: dict[str, NDArray[np.float32]]
    known: dict[str, Any]

    @classmethod
    def read(cls, name: str, game: Game, encoding: str, architecture: Architecture) -> Start:
        """Those of another network, if they fit into one of this architecture for this game."""
        path = network_file(name)
        model = read_model(path)
        _check(model, path, game, encoding, architecture)
        told = {k: v for k, v in model.provenance.items() if k not in ("configuration", "machine")}
        weights = b"".join(model.weights[key].tobytes() for key in sorted(model.weights))
        digest = hashlib.sha256(weights).hexdigest()
        return cls(model.weights, {"model": name, "sha256": digest, "game": model.game, "provenance": told})


def _check(model: Model, path: Path, game: Game, encoding: str, architecture: Architecture) -> None:
    """See that these weights can be those of a network for this game."""
    theirs, ours = (Path(name).name.partition(":")[0] for name in (model.game, game.name))
    if theirs != ours:
        raise ModelError(f"the network in {path} is for {model.game}, and cannot begin {game.name}")
    if model.encoding != encoding:
        raise ModelError(
            f"the network in {path} sees {model.encoding}, not {encoding}; --set encoding={model.encoding}"
        )
    for key, size in weight_shapes(model.architecture, Shape.of(game, encoding)).items():
        found = model.weights[key].shape if key in model.weights else "missing"
        if found != size:
            raise ModelError(
                f"the network in {path} is for {model.game}, and its {key} is {found} where {game.name} "
                f"needs {size}; networks made with --set network.per_cell=true fit boards of every size"
            )
    before, now = dataclasses.asdict(model.architecture), dataclasses.asdict(architecture)
    if changes := [f"--set network.{key}={_text(before[key])}" for key in now if before[key] != now[key]]:
        raise ModelError(
            f"the network in {path} is another than this run would have; for one like it: "
            f"{' '.join(changes)}"
        )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
