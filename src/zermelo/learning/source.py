"""Where the games of a run come from: this process plays them, or others do."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from zermelo.games.base import Game
from zermelo.learning.config import TrainConfig
from zermelo.learning.selfplay import PlayedGame, Selfplay
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS, Timed
from zermelo.search.pool import Pool

Weights = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Order:
    """How a round wants its games played."""

    search: SearchConfig
    warm: bool = False
    """Whether random playouts stand in for the network."""
    games: int = 0
    """Only so many, and all of them to their end; 0: for ever."""
    parallel: int = 0
    """How many games are played at once, at most; 0: `selfplay.parallel`."""


@dataclass(frozen=True)
class Effort:
    """What it took to play since this was last asked."""

    network_share: float
    """Of the time of playing."""
    cache_hits: float


class Source(ABC):
    """Plays games for a run, with the weights that it was last given."""

    closing_seconds: ClassVar[float] = 0.0
    """How long `end` may take."""
    is_repeatable: ClassVar[bool] = False
    """Whether the same run has the same games again."""

    @property
    def workers(self) -> int:
        """Processes that play."""
        return 1

    def take_cpu_seconds(self) -> float:
        """That other processes have worked since this was last asked."""
        return 0.0

    @abstractmethod
    def begin(self, weights: Weights) -> None:
        """Be ready to play with these weights."""

    @abstractmethod
    def replace(self, weights: Weights) -> None:
        """Play with these from now on."""

    @abstractmethod
    def play(self, order: Order) -> Generator[PlayedGame | None]:
        """Yield games as they end, and None in between, so that the caller can look at the clock. When it
        is closed, the others stay under way."""

    @abstractmethod
    def hold(self, games: float) -> None:
        """Pause self-play at this backlog of finished games until the next `play`, if it shares cores with
        the learner."""

    @abstractmethod
    def take_number(self) -> int:
        """A number for a game that the caller plays itself."""

    @property
    @abstractmethod
    def waiting(self) -> int:
        """Games that have ended, and have not been yielded yet."""

    @abstractmethod
    def check(self) -> None:
        """Raise an error if no more games will come."""

    @abstractmethod
    def take_effort(self) -> Effort:
        """Since this was last asked."""

    @abstractmethod
    def take_metrics(self, learning: tuple[float, float]) -> dict[str, Any] | None:
        """What is worth knowing of other processes since this was last asked, when the round was learnt
        from between these times; None if there are none."""

    @abstractmethod
    def end(self) -> bool:
        """Stop playing. What has ended is waiting then, and what is under way is in the state; whether that
        has changed since the last game was yielded."""

    @abstractmethod
    def snapshot(self) -> tuple[list[PlayedGame], dict[str, NDArray[Any]]]:
        """The games that are waiting, and all that the next games depend on: what `Selfplay.restore` takes,
        and perhaps more."""

    @abstractmethod
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Go on from the state of a snapshot, of whatever source."""


class OwnGames(Source):
    """Games that this process plays."""

    is_repeatable = True

    def __init__(self, game: Game, config: TrainConfig, shape: Shape) -> None:
        playing = config.selfplay
        self.pool = Pool(
            game, playing.parallel, config.encoding or None, cached=playing.cached, overlapping=True
        )
        self.selfplay = Selfplay(self.pool, playing, config.seed)
        self._architecture, self._shape = config.network, shape
        self._network: OnnxEvaluator | None = None
        self._seconds = self._network_seconds = 0.0

    def begin(self, weights: Weights) -> None:
        self._network = OnnxEvaluator(self._architecture, self._shape, weights)

    def replace(self, weights: Weights) -> None:
        assert self._network is not None
        self._network.replace(weights)

    def play(self, order: Order) -> Generator[PlayedGame | None]:
        assert self._network is not None
        begin, timed = time.monotonic(), Timed(self._network)
        evaluator = ROLLOUTS if order.warm else timed
        try:
            yield from self.selfplay.play_with_heartbeat(
                evaluator, order.search, order.games, order.parallel
            )
        finally:
            self._seconds += time.monotonic() - begin
            self._network_seconds += timed.seconds

    def hold(self, games: float) -> None:
        pass

    def take_number(self) -> int:
        self.selfplay.begun += 1
        return self.selfplay.begun - 1

    @property
    def waiting(self) -> int:
        return 0

    def check(self) -> None:
        pass

    def take_effort(self) -> Effort:
        share = self._network_seconds / self._seconds if self._seconds else 0.0
        self._seconds = self._network_seconds = 0.0
        return Effort(share, self.pool.take_hit_rate())

    def take_metrics(self, learning: tuple[float, float]) -> dict[str, Any] | None:
        return None

    def end(self) -> bool:
        self._network = None
        return False

    def snapshot(self) -> tuple[list[PlayedGame], dict[str, NDArray[Any]]]:
        return [], self.selfplay.state()

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        self.selfplay.restore(state)
