"""The player that this package is about: tree search with a network."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import FileEvaluator, OnnxEvaluator
from zermelo.network.model import Model, read_model
from zermelo.players.tree import TreePlayer
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import Evaluator

SUFFIX = ".safetensors"
BEST = f"best{SUFFIX}"
"""What the network of a run is called."""


class AzPlayer(TreePlayer):
    """Tree search with a network, from a model file, a run, or any ONNX file of the right shape."""

    kind = "az"
    model: str = ""
    """A model file, the directory of a run, or a file that ends in .onnx."""
    sims: int = 400
    """Simulations for a move; 0 asks the network alone."""
    variant: str = "puct"
    c: float = 1.25
    symmetry: str = "none"
    """How the network sees positions: none, canonical, random, or the mean of all symmetries."""
    cached: int = 100_000
    """Answers of the network that are remembered."""
    threads: int = 0
    """Of the network; 0: one for each core."""

    def __post_init__(self) -> None:
        if not self.model:
            raise BadParameter(
                "`model` of az is missing: name a model file or a run, such as az:model=runs/x"
            )
        if self.cached < 0:
            raise BadParameter(f"`cached` (={self.cached}) of az must not be negative")
        if self.threads < 0:
            raise BadParameter(f"`threads` (={self.threads}) of az must not be negative")
        super().__post_init__()

    @property
    def path(self) -> Path:
        path = Path(self.model)
        return path / BEST if path.is_dir() else path

    @cached_property
    def known(self) -> Model:
        """What the model file holds; not there for a plain ONNX file."""
        return read_model(self.path)

    @property
    def _is_plain_onnx(self) -> bool:
        return self.path.suffix == ".onnx"

    @cached_property
    def _evaluators(self) -> dict[Game, Evaluator]:
        return {}

    def config(self) -> SearchConfig:
        return SearchConfig(
            self.variant,
            self.simulations,
            self.c,
            first_play=float("nan"),
            proofs=self.proofs,
            graph=self.graph,
            symmetry=self.symmetry,
        )

    def encoding(self) -> str | None:
        return None if self._is_plain_onnx else self.known.encoding

    def remembered(self) -> int:
        return self.cached

    def evaluator(self, game: Game) -> Evaluator:
        if game not in self._evaluators:
            if self._is_plain_onnx:
                self._evaluators[game] = FileEvaluator(self.path, Shape.of(game), self.threads)
            else:
                known = self.known
                known.check(game, self.path)
                self._evaluators[game] = OnnxEvaluator(
                    known.architecture, Shape.of(game, known.encoding), known.weights, self.threads
                )
        return self._evaluators[game]

    def check(self, position: Position) -> None:
        self.evaluator(position.game)

    def network_alone(self) -> AzPlayer:
        return replace(self, sims=0, time=0.0)
