"""Plays games for a run that another process leads."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.cluster.parcel import Parcel, packed
from zermelo.games.registry import game as named_game
from zermelo.learning.config import TrainConfig, build, read_toml
from zermelo.learning.replay import Columns
from zermelo.learning.selfplay import PlayedGame, Selfplay, read, written
from zermelo.learning.source import Order
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.evaluators import OnnxEvaluator, TorchEvaluator
from zermelo.search.evaluator import ROLLOUTS, Timed
from zermelo.search.pool import Pool

_GPU = Path("/dev/nvidia0")
_OLD = 0
"""The version of the weights with which games were played before this call of the run."""


@dataclass(frozen=True)
class Shift:
    """Work until so many games have ended, or for so many seconds."""

    order: Order
    changes: int
    """How often the order has changed. Orders that have travelled cannot be compared: a nan in them is not
    equal to itself."""
    version: int
    weights: tuple[Any]
    """A reference, in a tuple so that they are fetched only if they are new."""
    numbers: range
    """Of games that may be begun, besides those of shifts before."""
    games: int
    seconds: float
    parallel: int = 0
    """Games at once, at most; 0: as many as the worker has slots."""


class Worker:
    """Many games in lock-step, with a network of its own. Games under way, and the searches of their moves,
    go on from shift to shift; new weights have the searches begin anew, as they do in one process."""

    def here(self) -> int:
        """The process that this is."""
        return os.getpid()

    def begin(self, toml: str, slots: int, threads: int, under_way: Columns) -> None:
        """Prepare to play so many games at once, some of which are under way already."""
        self._config: TrainConfig = build(TrainConfig, read_toml(toml))
        self._game = named_game(self._config.game)
        self._threads, encoding = threads, self._config.encoding or next(iter(self._game.encodings))
        self._shape = Shape.of(self._game, encoding)
        cached = self._config.selfplay.cached
        self._pool = Pool(self._game, slots, encoding, cached=cached, overlapping=True)
        self._stock: deque[int] = deque()
        self._selfplay = Selfplay(self._pool, self._config.selfplay, self._config.seed, self._from_stock())
        self._playing: Generator[PlayedGame | None] | None = None
        self._changes, self._version = 0, _OLD
        self._timed: Timed | None = None
        self._marks: dict[int, list[tuple[int, int]]] = {}
        """By number of a game under way: until which of its positions which version played."""
        for one in read(self._game, under_way):
            self._selfplay.under_way[one.number] = one
        self._mark()

    def _from_stock(self) -> Iterator[int]:
        while True:
            yield self._stock.popleft()

    def play(self, shift: Shift) -> Parcel:
        begin, clock, cpu = time.time(), time.monotonic(), time.process_time()
        self._prepare(shift)
        assert self._playing is not None
        assert self._timed is not None
        searched = -self._lessons()
        before, games, versions = self._timed.seconds, list[PlayedGame](), dict[int, int]()
        whole = shift.order.games > 0
        while len(games) < shift.games and (self._stock or whole):
            try:
                game = next(self._playing)
            except StopIteration:
                self._playing = None
                break
            if game is not None:
                self._count(game, versions)
                games.append(game)
            if time.monotonic() - clock > shift.seconds:
                break
        return Parcel(
            columns=packed(self._game, games),
            versions=versions,
            searched=searched + self._lessons() + sum(len(one.lessons) for one in games),
            begin=begin,
            end=time.time(),
            cpu_seconds=time.process_time() - cpu,
            network_seconds=self._timed.seconds - before,
            cache_hits=self._pool.take_hit_rate(),
        )

    def leave(self) -> Columns:
        """Stop playing; the games that are under way."""
        self._stop()
        return written(self._game, self._selfplay.under_way.values())

    def _prepare(self, shift: Shift) -> None:
        """Go on as before, or with other weights, another search or more games."""
        self._stock.extend(shift.numbers)
        order, whole = shift.order, shift.order.games > 0
        if shift.version != self._version or self._timed is None:
            self._stop()
            self._mark()
            self._version, self._timed = shift.version, Timed(self._network(shift.weights[0]))
        elif shift.changes != self._changes or (whole and shift.numbers):
            self._stop()
        self._changes = shift.changes
        if self._playing is None:
            evaluator = ROLLOUTS if order.warm else self._timed
            games = len(self._selfplay.under_way) + len(self._stock) if whole else 0
            playing = self._selfplay.play_with_heartbeat(evaluator, order.search, games, shift.parallel)
            self._playing = playing if games or not whole else _no_games()

    def _stop(self) -> None:
        if self._playing is not None:
            self._playing.close()
            self._playing = None

    def _network(self, reference: Any) -> OnnxEvaluator | TorchEvaluator:
        import ray

        weights: Mapping[str, NDArray[np.float32]] = ray.get(reference)
        architecture = self._config.network
        if network := _on_gpu(architecture, self._shape, weights):
            return network
        return OnnxEvaluator(architecture, self._shape, weights, self._threads)

    def _mark(self) -> None:
        """Remember which positions of the games under way the present weights have played."""
        for number, one in self._selfplay.under_way.items():
            self._marks.setdefault(number, []).append((self._version, len(one.lessons)))

    def _lessons(self) -> int:
        """Of the games under way."""
        return sum(len(one.lessons) for one in self._selfplay.under_way.values())

    def _count(self, one: PlayedGame, versions: dict[int, int]) -> None:
        counted = 0
        for version, until in [*self._marks.pop(one.number, []), (self._version, len(one.lessons))]:
            versions[version] = versions.get(version, 0) + until - counted
            counted = until


def _no_games() -> Generator[PlayedGame | None]:
    yield from ()


def _on_gpu(
    architecture: Architecture, shape: Shape, weights: Mapping[str, NDArray[np.float32]]
) -> TorchEvaluator | None:
    """The network on a GPU, if there is one that PyTorch finds; else PyTorch is not even imported."""
    if not _GPU.exists() or find_spec("torch") is None:
        return None
    import torch

    from zermelo.network.module import new_network, write_weights

    if not torch.cuda.is_available():
        return None
    network = new_network(architecture, shape)
    write_weights(network, {name: torch.tensor(value) for name, value in weights.items()})
    return TorchEvaluator(network, "cuda")
