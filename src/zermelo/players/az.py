"""The player that this package is about: tree search with a network."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np

from zermelo.errors import BadParameter, ModelError, listed
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import FileEvaluator, OnnxEvaluator
from zermelo.network.model import Model, read_model
from zermelo.network.shipped import shipped_model, shipped_models
from zermelo.players.levels import LEVELS, overlooked
from zermelo.players.tree import TreePlayer
from zermelo.search.config import DEEP, SearchConfig
from zermelo.search.decision import decide
from zermelo.search.evaluator import Evaluator
from zermelo.search.result import SearchResult

SUFFIX = ".safetensors"
BEST = f"best{SUFFIX}"
"""What the network of a run is called."""


def model_path(name: str) -> Path:
    """The file of a network that is named by it, or by the directory of a run."""
    path = Path(name)
    return path / BEST if path.is_dir() else path


def network_file(name: str) -> Path:
    """The file of a network that is there: a model file, the directory of a run, or one that ships."""
    path, shipped = model_path(name), {file.stem: file for file in shipped_models().values()}
    if not path.exists() and name in shipped:
        return shipped[name]
    if not path.exists():
        raise ModelError(
            f"there is no network at {path}; name a model file, the directory of a run, or one that ships: "
            f"{listed(shipped)}"
        )
    return path


class AzPlayer(TreePlayer):
    """Tree search with a trained network: the one that ships with the game, a run, or a file."""

    kind = "az"
    model: str = ""
    """Model file, run directory or .onnx file; empty: the network that ships with the game."""
    sims: int = 400
    """Simulations per move; 0 plays the network without search."""
    variant: str = "puct"
    """Selection rule in the tree: puct, gumbel, uct, omc or pbbm."""
    c: float = 1.25
    """Exploration constant."""
    symmetry: str = "none"
    """Symmetry under which the network sees a position: none, canonical, random, or mean (of all)."""
    lookahead: int = DEEP
    """Plies that each new node is searched for a forced win or loss; -1: as many as cost little."""
    chains: int = 200
    """Moves of threat-space search per new node, in Connect and Gomoku."""
    cached: int = 100_000
    """Network evaluations to cache."""
    threads: int = 0
    """Threads of the network; 0: one per core."""

    level: int = 0
    """Strength from 1 (a beginner) to 10, instead of `sims` and `temperature`; 0: off."""

    def __post_init__(self) -> None:
        if self.cached < 0:
            raise BadParameter(f"`cached` (={self.cached}) of az must not be negative")
        if self.threads < 0:
            raise BadParameter(f"`threads` (={self.threads}) of az must not be negative")
        if not 0 <= self.level <= len(LEVELS):
            raise BadParameter(f"`level` (={self.level}) of az must be from 1 to {len(LEVELS)}")
        if self.level and (self.time, self.sims, self.temperature) != (0.0, AzPlayer.sims, 0.0):
            raise BadParameter(
                "`level` of az is in place of `sims`, `time` and `temperature`: give it alone"
            )
        super().__post_init__()

    def path(self, game: Game) -> Path:
        """Where its network is."""
        return model_path(self.model) if self.model else shipped_model(game)

    def known(self, game: Game) -> Model:
        """What the model file holds; not there for a plain ONNX file."""
        if game not in self._known:
            self._known[game] = read_model(self.path(game))
        return self._known[game]

    @cached_property
    def _known(self) -> dict[Game, Model]:
        return {}

    @cached_property
    def _evaluators(self) -> dict[Game, Evaluator]:
        return {}

    @property
    def _is_plain_onnx(self) -> bool:
        return self.model.endswith(".onnx")

    @property
    def simulations(self) -> int:
        return LEVELS[self.level - 1].sims if self.level else super().simulations

    def config(self) -> SearchConfig:
        return SearchConfig(
            self.variant,
            self.simulations,
            self.c,
            first_play=float("nan"),
            proofs=self.proofs,
            graph=self.graph,
            symmetry=self.symmetry,
            lookahead=self.lookahead,
            chains=self.chains,
        )

    def encoding(self, game: Game) -> str | None:
        return None if self._is_plain_onnx else self.known(game).encoding

    def remembered(self) -> int:
        return self.cached

    def evaluator(self, game: Game) -> Evaluator:
        if game not in self._evaluators:
            if self._is_plain_onnx:
                self._evaluators[game] = FileEvaluator(Path(self.model), Shape.of(game), self.threads)
            else:
                known = self.known(game)
                known.check(game, self.path(game))
                self._evaluators[game] = OnnxEvaluator(
                    known.architecture, Shape.of(game, known.encoding), known.weights, self.threads
                )
        return self._evaluators[game]

    def check(self, position: Position) -> None:
        self.evaluator(position.game)

    def decide(self, result: SearchResult, seed: int) -> int:
        if not self.level:
            return super().decide(result, seed)
        level, random = LEVELS[self.level - 1], np.random.default_rng(seed)
        if random.random() < level.oversights:
            return overlooked(result, random)
        return decide(result, self.final, level.temperature, random, self.drawn_plies)

    def network_alone(self) -> AzPlayer:
        return replace(self, sims=0, time=0.0, level=0)
