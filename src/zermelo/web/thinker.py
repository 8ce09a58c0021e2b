"""The searches of all visitors: one thread, in which searches of one kind share a pool and its batches."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from zermelo.errors import ZermeloError
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.tree import TreePlayer
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.result import SearchResult
from zermelo.web.models import Models

MOST_SLOTS = 128
MOST_POOLS = 12
MEGABYTES = 2048
"""Of trees of one pool; memory is taken only as it is used."""
LONGEST = 60.0
"""Seconds of any search."""

T = TypeVar("T")
Lines = dict[int, tuple[int, ...]]
Seen = Callable[[SearchResult, Lines, bool], None]
"""Is told what was found, how moves are expected to be answered, and whether the search still goes on."""


@dataclass(eq=False)
class Search:
    """A search that somebody waits for."""

    position: Position
    player: TreePlayer
    seed: int
    seen: Seen
    failed: Callable[[Exception], None]
    every: float = 0.0
    """Seconds between looks while it goes on; 0: only its end is told."""
    stopped: bool = False
    job: Job | None = None
    pool: Pool | None = None
    next_look: float = field(default=0.0)


class Thinker:
    """Searches, and everything else that asks a network, in a thread of its own."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._pools: dict[tuple[Game, str | None, bool], Pool] = {}
        self._under_way: dict[int, Search] = {}
        self._thread = threading.Thread(target=self._work, name="thinker", daemon=True)
        self._ended = False

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._ended = True
        self._calls.put(None)
        self._thread.join(timeout=1)

    def search(self, search: Search) -> Search:
        """Begin a search; its owner is told in this thread."""
        self._calls.put(lambda: self._begin(search))
        return search

    def stop(self, search: Search) -> None:
        """End a search; what it has found until now is told as its end."""
        search.stopped = True
        self._calls.put(lambda: self._stop(search))

    def call(self, function: Callable[[], T]) -> Future[T]:
        """Have something done in this thread."""
        future: Future[T] = Future()

        def work() -> None:
            try:
                future.set_result(function())
            except Exception as error:
                future.set_exception(error)

        self._calls.put(work)
        return future

    # In the thread.

    def _work(self) -> None:
        while not self._ended:
            self._take_calls(wait=not self._under_way)
            for pool in {search.pool for search in self._under_way.values()}:
                if pool is not None:
                    self._round(pool)
            now = time.monotonic()
            for search in [s for s in self._under_way.values() if s.every and s.next_look <= now]:
                self._look(search, now)

    def _take_calls(self, wait: bool) -> None:
        while not self._ended:
            try:
                call = self._calls.get(block=wait)
            except queue.Empty:
                return
            wait = False
            if call is not None:
                call()

    def _begin(self, search: Search) -> None:
        if search.stopped:
            return
        try:
            player, position = search.player, search.position
            evaluator, encoding = self._models.evaluator(player, position.game)
            seconds = min(player.time or LONGEST, LONGEST)
            # All visitors wait for the same core, and would pay for a look ahead beyond one ply. Chains of
            # threats are cheap.
            config = player.config().but(lookahead=None)
            job = Job(position, config, evaluator, search.seed, deadline=time.monotonic() + seconds)
            pool = self._pool(position.game, encoding, player.remembered())
            job.tag = search
            pool.add(job)
        except Exception as error:
            search.failed(error)
            return
        search.job, search.pool = job, pool
        search.next_look = time.monotonic() + min(search.every, 0.05)
        self._under_way[id(job)] = search

    def _pool(self, game: Game, encoding: str | None, cached: int) -> Pool:
        key = game, encoding, cached > 0
        pool = self._pools.pop(key, None)
        if pool is None:
            slots = max(16, min(MOST_SLOTS, 4096 // game.num_actions))
            pool = Pool(game, slots, encoding, cached=cached, megabytes=MEGABYTES)
            idle = [key for key, other in self._pools.items() if not other.is_busy]
            for old in idle[: max(0, len(self._pools) + 1 - MOST_POOLS)]:
                del self._pools[old]
        self._pools[key] = pool  # those asked for last come last
        return pool

    def _stop(self, search: Search) -> None:
        if search.job is None or search.pool is None or id(search.job) not in self._under_way:
            return
        search.pool.stop(search.job)
        if search.pool.look(search.job) is None:  # it was still waiting
            del self._under_way[id(search.job)]

    def _round(self, pool: Pool) -> None:
        try:
            ended = pool.round()
        except Exception as error:
            told = error if isinstance(error, ZermeloError) else RuntimeError(f"the search failed: {error}")
            for search in [s for s in self._under_way.values() if s.pool is pool]:
                assert search.job is not None
                del self._under_way[id(search.job)]
                search.failed(told)
            return
        for job, result in ended:
            search = self._under_way.pop(id(job))
            found = pool.look(job) if search.every else None
            search.seen(result, found[1] if found else search_lines(result), False)

    def _look(self, search: Search, now: float) -> None:
        assert search.job is not None
        assert search.pool is not None
        search.next_look = now + search.every
        found = search.pool.look(search.job)
        if found is not None and found[0].simulations > 0:
            search.seen(*found, True)


def search_lines(result: SearchResult) -> Lines:
    """Of a search that has ended, how its best move is expected to be answered."""
    return {result.line[0]: result.line[1:]} if result.line else {}
