"""Players that search a tree."""

from __future__ import annotations

import math
import time as clock
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from zermelo.errors import BadParameter
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.decision import check_policy, check_temperature, decide
from zermelo.search.evaluator import ROLLOUTS, Evaluator, Inside
from zermelo.search.gradual import GradualSearch
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.result import SearchResult
from zermelo.search.unfolding import SearchTree

_MOST_SLOTS = 256
_NO_LIMIT = 10**9
_SHORTEST = 0.001


class TreePlayer(Player):
    """A player that searches; all positions of a batch are searched in lock-step."""

    keeps_time = True
    _deadline: ClassVar[float] = math.inf

    sims: int = 1000
    """Simulations per move, unless `time` is given."""
    time: float = 0.0
    """Seconds per move instead of `sims`; inf searches until Ctrl-C. 0: no time limit."""
    final: str | Callable[[SearchResult], int] = "robust"
    """Rule that picks the move after the search: robust (most visits), max, max-robust, secure, improved,
    stochastic, deterministic or semi-stochastic; in Python also your own function."""
    temperature: float = 0.0
    """Above 0, draws the move in proportion to visits^(1 / temperature)."""
    drawn_plies: int = 8
    """Moves at the start of a game that final=semi-stochastic draws at random."""
    proofs: bool = True
    """Back up proven wins, draws and losses."""
    graph: bool = False
    """Merge equal positions into one node."""
    reuse: bool = False
    """Reuse the tree of the previous move."""
    memory: int = 4096
    """Megabytes for all trees together; a search that needs more stops early."""

    def __post_init__(self) -> None:
        if self.sims < 0:
            raise BadParameter(f"`sims` (={self.sims}) of {self.kind} must not be negative")
        if not self.time >= 0:
            raise BadParameter(f"`time` (={self.time}) of {self.kind} must not be negative")
        if self.memory < 1:
            raise BadParameter(f"`memory` (={self.memory}) of {self.kind} must be at least 1 megabyte")
        if isinstance(self.final, str):
            check_policy(self.final)
        check_temperature(self.temperature)
        if self.config().variant == "gumbel" and self.time > 0:
            raise BadParameter("`time` is not for gumbel: its halving divides a number of simulations")

    @abstractmethod
    def config(self) -> SearchConfig: ...

    @abstractmethod
    def evaluator(self, game: Game) -> Evaluator | Inside: ...

    def encoding(self, game: Game) -> str | None:
        """How its evaluator sees positions; None: as the game does by default."""
        return None

    def remembered(self) -> int:
        """How many answers of its evaluator are remembered."""
        return 0

    @property
    def one_game_at_a_time(self) -> bool:  # type: ignore[override]
        """With a time for each move, games side by side would take it from each other."""
        return self.time > 0

    @property
    def simulations(self) -> int:
        """As many as there is time for, or as are asked for."""
        return self.sims if self.time == 0 else _NO_LIMIT

    @cached_property
    def _pools(self) -> dict[tuple[Game, bool], Pool]:
        return {}

    def _pool(self, game: Game, wanted: int) -> Pool:
        """One pool for single searches, and one that is large enough for the largest batch."""
        several = wanted > 1
        pool = self._pools.get((game, several))
        if pool is None or pool.slots < min(wanted, _MOST_SLOTS):
            pool = Pool(
                game,
                min(wanted, _MOST_SLOTS),
                self.encoding(game),
                cached=self.remembered(),
                megabytes=self.memory,
            )
            self._pools[game, several] = pool
        return pool

    def search(
        self, positions: Sequence[Position], seeds: Sequence[int], seconds: float = math.inf
    ) -> list[SearchResult]:
        """The whole results, for those who want to see what the player thinks; at most so many seconds for
        each position."""
        limit = min(self.time or math.inf, seconds)
        jobs = [
            Job(
                position,
                self.config(),
                self.evaluator(position.game),
                seed=seed,
                deadline=max(self._deadline, _after(0.0)),
                reuse=self.reuse,
                until_interrupted=self.time == limit == math.inf,
            )
            for position, seed in zip(positions, seeds, strict=True)
        ]
        if self.time == 0 and seconds == math.inf and jobs:
            return self._pool(positions[0].game, len(jobs)).search(jobs)
        return [self._timed(job, limit) for job in jobs]

    def gradually(
        self, position: Position, seed: int, seconds: float = math.inf, endless: bool = False
    ) -> GradualSearch:
        """One search that can be looked at while it goes on; an `endless` one does so as long as it is
        asked to."""
        config = self.config()
        if endless:
            variant = "puct" if config.variant == "gumbel" else config.variant
            config = replace(config, variant=variant, simulations=_NO_LIMIT)
        limit = seconds if endless else min(self.time or math.inf, seconds)
        job = Job(position, config, self.evaluator(position.game), seed=seed, deadline=_after(limit))
        return GradualSearch(self._pool(position.game, 1), job)

    def tree(self, position: Position) -> SearchTree:
        """The tree of the latest search, which was of this position alone."""
        return self._pool(position.game, 1).tree(position)

    def _timed(self, job: Job, seconds: float) -> SearchResult:
        """A search with its whole time to itself."""
        pool = self._pool(job.position.game, 1)
        job.deadline = min(job.deadline, _after(seconds))
        return pool.search([job])[0]

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        results = self.search(positions, seeds)
        return [self.decide(result, seed) for result, seed in zip(results, seeds, strict=True)]

    def until(self, deadline: float) -> Self:
        """The same player, all of whose searches end by then (by `time.monotonic()`)."""
        hurried = replace(self)
        hurried.__dict__["_deadline"] = deadline
        return hurried

    def choose_within(self, position: Position, seed: int, seconds: float) -> int:
        (result,) = self.search([position], [seed], seconds)
        return self.decide(result, seed)

    def decide(self, result: SearchResult, seed: int) -> int:
        """The action to play after this search."""
        random = np.random.default_rng(seed)
        return decide(result, self.final, self.temperature, random, self.drawn_plies)


def _after(seconds: float) -> float:
    return clock.monotonic() + max(seconds, _SHORTEST)


class UctPlayer(TreePlayer):
    """Tree search with random playouts (UCT); stronger with more `sims`."""

    kind = "uct"
    c: float = 1.41
    """Exploration constant."""
    variant: str | Selection = "uct"
    """Selection rule in the tree: uct, puct, gumbel, omc or pbbm; in Python also your own `Selection`."""

    def __post_init__(self) -> None:
        if self.sims == 0:
            raise BadParameter("`sims` (=0) of uct must be at least 1: it has no network to ask alone")
        super().__post_init__()

    def config(self) -> SearchConfig:
        return SearchConfig(self.variant, self.simulations, self.c, proofs=self.proofs, graph=self.graph)

    def evaluator(self, game: Game) -> Inside:
        return ROLLOUTS
