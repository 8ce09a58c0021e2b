"""Players that search a tree."""

from __future__ import annotations

import time as clock
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.search.config import SearchConfig
from zermelo.search.decision import decide
from zermelo.search.evaluator import ROLLOUTS, Evaluator, Inside
from zermelo.search.pool import Job, Pool
from zermelo.search.result import SearchResult

_MOST_SLOTS = 256


class TreePlayer(Player):
    """A player that searches; all positions of a batch are searched in lock-step."""

    @abstractmethod
    def config(self) -> SearchConfig: ...

    @abstractmethod
    def evaluator(self, game: Game) -> Evaluator | Inside: ...

    @abstractmethod
    def limits(self) -> tuple[float, str, float]:
        """Seconds for a move (0: none), the final-move policy, and the temperature."""

    @cached_property
    def _pools(self) -> dict[tuple[Game, int], Pool]:
        return {}

    def _pool(self, game: Game, wanted: int) -> Pool:
        slots = 1 if wanted == 1 else min(_MOST_SLOTS, 1 << (wanted - 1).bit_length())
        if (game, slots) not in self._pools:
            self._pools[game, slots] = Pool(game, slots)
        return self._pools[game, slots]

    def search(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[SearchResult]:
        """The whole results, for those who want to see what the player thinks."""
        game, seconds = positions[0].game, self.limits()[0]
        deadline = clock.monotonic() + seconds if seconds > 0 else np.inf
        evaluator, config = self.evaluator(game), self.config()
        jobs = [
            Job(position, config, evaluator, seed=seed, deadline=deadline)
            for position, seed in zip(positions, seeds, strict=True)
        ]
        return self._pool(game, len(jobs)).search(jobs)

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        _, policy, temperature = self.limits()
        return [
            decide(result, policy, temperature, np.random.default_rng(seed) if temperature > 0 else None)
            for result, seed in zip(self.search(positions, seeds), seeds, strict=True)
        ]


class UctPlayer(TreePlayer):
    """Tree search with random games (UCT, or another `variant`), stronger with more `sims`."""

    kind = "uct"
    sims: int = 1000
    c: float = 1.41
    time: float = 0.0
    variant: str = "uct"
    final: str = "robust"
    temperature: float = 0.0
    proofs: bool = True

    def __post_init__(self) -> None:
        if self.sims < 1:
            raise BadParameter(f"`sims` (={self.sims}) of uct must be at least 1")
        if self.time < 0:
            raise BadParameter(f"`time` (={self.time}) of uct must not be negative")
        self.config()

    def config(self) -> SearchConfig:
        simulations = self.sims if self.time == 0 else 10**9
        return SearchConfig(self.variant, simulations, self.c, proofs=self.proofs)

    def evaluator(self, game: Game) -> Inside:
        return ROLLOUTS

    def limits(self) -> tuple[float, str, float]:
        return self.time, self.final, self.temperature
