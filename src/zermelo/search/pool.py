"""Many searches of one game in lock-step: one batch of leaves from all of them at a time.

Self-play, matches, grading and single moves all put their searches into a pool. A slot that is done
is given to the next search while the others go on; its root is evaluated in one batch with their leaves.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.compilation import Fixed
from zermelo.errors import BadParameter
from zermelo.games.abi import Planes
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.search import cache, expansion, reuse, rng, simulation
from zermelo.search.config import SearchConfig
from zermelo.search.custom import Selection
from zermelo.search.evaluator import Evaluator, Inside, Logits, Values, checked
from zermelo.search.interruption import until_interrupted
from zermelo.search.job import Job
from zermelo.search.kept import KeptTrees, Numbering
from zermelo.search.pace import Pace
from zermelo.search.part import Part
from zermelo.search.result import SearchResult, read_results
from zermelo.search.settings import settings_of
from zermelo.search.tree import (
    FULL,
    MEAN,
    OMC,
    PBBM,
    REFUSED,
    SETTINGS,
    Batch,
    Settings,
    new_batch,
    new_scratch,
    new_tree,
    node_bytes,
)
from zermelo.search.unfolding import SearchTree, expected_lines, unfold

_SIMULATIONS_PER_CALL = 4096
_FEW_NODES = 4096
_NODES_AT_FIRST = 2**18
"""Of all slots together: room for more is made when it is needed."""


class Pool:
    """Room for a number of searches at once; more wait in a queue.

    `cached` evaluations are remembered. A search that needs more than its share of `megabytes` for its
    tree ends there, with what it has found. With `overlapping`, slots are divided in two, and a thread
    has the leaves of one half evaluated while the other half is searched; what is found is the same.
    """

    def __init__(
        self,
        game: Game,
        slots: int = 1,
        encoding: str | None = None,
        *,
        cached: int = 0,
        megabytes: int = 4096,
        overlapping: bool = False,
    ) -> None:
        if slots < 1:
            raise BadParameter(f"`slots` (={slots}) must be at least 1")
        if cached < 0:
            raise BadParameter(f"`cached` (={cached}) must not be negative")
        if megabytes < 1:
            raise BadParameter(f"`megabytes` (={megabytes}) must be at least 1")
        self.game = game
        self.encoding = encoding
        self._rules = game.rules(encoding)
        self._shape = game.encoding(encoding).shape
        self._inputs = game.encoding(encoding).size
        self._jobs: list[Job | None] = [None] * slots
        self._busy = np.zeros(slots, bool)
        self._deadline = np.full(slots, np.inf)
        self._queue: deque[Job] = deque()
        self._trees, self._evaluators = KeptTrees(), Numbering()
        self._interrupted: Callable[[], bool] = _never
        self._options: dict[str, Any] = {"squares": False, "graph": False, "numbers": 0}
        self._tree = new_tree(game, slots, 64)
        self._settings: Settings = np.zeros(slots, SETTINGS)
        self._rows: list[tuple[Any, ...] | None] = [None] * slots
        self._last: tuple[SearchConfig | None, int, tuple[Any, ...]] = (None, 0, ())
        self._streams = np.zeros(slots, np.uint64)
        self._scratch = new_scratch(game)
        self._overlapping = overlapping
        numbers = np.arange(slots)
        shares = [numbers[0::2], numbers[1::2]] if overlapping else [numbers]
        self._parts = [
            Part(share, new_batch(game, self._inputs, len(share), len(share))) for share in shares
        ]
        self._run_slots, self._finish = Fixed(simulation.run_slots), Fixed(simulation.finish)
        self._plant, self._find_ended = Fixed(simulation.plant), Fixed(simulation.find_ended)
        self._cache = cache.new_cache(game, cached, game.encoding(encoding).context)
        self._megabytes = megabytes
        self._pace = Pace()

    # What users of a pool call.

    def add(self, job: Job) -> None:
        """Put a search into the queue."""
        job.check(self.game)
        self._queue.append(job)

    def run(self) -> Iterator[tuple[Job, SearchResult]]:
        """Yield each search as it ends; others may be added meanwhile."""
        return (ended for ended in self.run_with_heartbeat() if ended is not None)

    def run_with_heartbeat(self) -> Iterator[tuple[Job, SearchResult] | None]:
        """The same, with a None after each batch, so that the caller can look at the clock."""
        try:
            with ThreadPoolExecutor(1) if self._overlapping else nullcontext() as worker:
                while self.is_busy:
                    yield from self._round(worker)
                    yield None
        except BaseException:
            self.clear()
            raise

    def round(self) -> list[tuple[Job, SearchResult]]:
        """One batch of all searches, and those that have ended; for those who add, look at and stop
        searches between batches. An error ends all of them."""
        try:
            return list(self._round(None))
        except BaseException:
            self.clear()
            raise

    @property
    def is_busy(self) -> bool:
        """Whether there are searches under way, or waiting."""
        return bool(self._queue) or bool(self._busy.any())

    def look(self, job: Job, lines: int = 8) -> tuple[SearchResult, dict[int, tuple[int, ...]]] | None:
        """What a search has found so far, and how it expects each of its most visited moves to be answered,
        by their actions; None while it waits, or once another has its place."""
        i = next((i for i, other in enumerate(self._jobs) if other is job), None)
        if i is None:
            return None
        part = self._parts[i % len(self._parts)]
        if i in part.new:
            return None
        self._land(part)
        (result,) = read_results(self._tree, self._settings, np.array([i]), [job.position])
        return result, expected_lines(self._tree, i, lines)

    def stop(self, job: Job) -> None:
        """End a search with what it has found; one that still waits is forgotten."""
        for i, other in enumerate(self._jobs):
            if other is job and self._busy[i]:
                self._deadline[i] = -np.inf
        self._queue = deque(other for other in self._queue if other is not job)

    def search(self, jobs: Sequence[Job]) -> list[SearchResult]:
        """All of these searches, in their order."""
        self._check_idle()
        for job in jobs:
            job.check(self.game)
        self._queue.extend(replace(job, tag=i) for i, job in enumerate(jobs))
        found: dict[int, SearchResult] = {}
        stoppable = any(job.until_interrupted for job in jobs)
        with until_interrupted() if stoppable else nullcontext(_never) as self._interrupted:
            try:
                for job, result in self.run():
                    found[job.tag] = result
            finally:
                self._interrupted = _never
        return [found[i] for i in range(len(jobs))]

    def steps(self, job: Job, levels: int = 3, nodes: int = 200) -> Iterator[SearchTree]:
        """One search, looked at after each of its simulations: its tree after 0, 1, 2, ... of them, with
        the path of the last."""
        self._check_idle()
        self.add(job)
        before: SearchTree | None = None
        try:
            self._fill()
            part = next(part for part in self._parts if part.new)
            self._advance(part, None, most=0)
            while True:
                self._land(part)
                tree = self.tree(job.position, levels, nodes)
                if before is None or tree.simulations > before.simulations:
                    yield tree if before is None else replace(tree, path=tree.path_since(before))
                    before = tree
                if any(self._ended(part)):
                    return
                self._advance(part, None, most=1)
        except BaseException:
            self.clear()
            raise

    def tree(self, position: Position, levels: int = 3, nodes: int = 200) -> SearchTree:
        """The tree of a search of this position, until another search takes its place: so many levels below
        the root, and of all nodes those with most visits, at most so many."""
        for i, job in enumerate(self._jobs):
            if job is not None and job.position == position:
                return unfold(self._tree, self._settings, i, job.position, levels, nodes)
        raise BadParameter(f"this pool has no tree of {position!r}: search it first")

    def clear(self) -> None:
        """Give up every search, and all trees."""
        for part in self._parts:
            part.clear()
        self._queue.clear()
        self._trees = KeptTrees()
        self._jobs = [None] * len(self._jobs)
        self._busy[:] = False

    def _check_idle(self) -> None:
        if self.is_busy:
            raise BadParameter("this pool has searches under way: `run` ends them")

    @property
    def slots(self) -> int:
        return len(self._jobs)

    @property
    def hit_rate(self) -> float:
        """The share of evaluations that the cache knew."""
        return float(self._cache.counts[cache.FOUND] / max(1, self._cache.counts[cache.ASKED]))

    def take_hit_rate(self) -> float:
        """The hit rate since this was last asked, or since the pool was made."""
        rate = self.hit_rate
        self._cache.counts[:] = 0
        return rate

    def forget(self, evaluator: Evaluator) -> None:
        """Drop remembered evaluations and trees: for an evaluator whose answers have changed."""
        cache.forget(self._cache, self._evaluators.of(evaluator))
        self._trees.drop(lambda i: self._job(i).evaluator == evaluator)

    # A round.

    def _round(self, worker: Executor | None) -> Iterator[tuple[Job, SearchResult]]:
        for part in self._parts:
            self._land(part)
            yield from self._ended(part)
            self._fill()
            self._advance(part, worker)

    def _fill(self) -> None:
        """Give free slots to waiting searches."""
        if not self._queue:
            return
        new: list[tuple[int, Job, bool]] = []
        idle = [i for i, busy in enumerate(self._busy.tolist()) if not busy]
        free, other = deque(i for i in idle if i not in self._trees), False
        while self._queue and len(new) < len(idle):
            job = self._queue.popleft()
            before = self._take_tree(job)
            i = before if before is not None else free.popleft() if free else self._trees.take_oldest()
            other |= self._put(i, job)
            new.append((i, job, before is not None))
        if not new:
            return
        if other:
            for number in self._evaluators.prune(set(self._settings["evaluator"][self._busy].tolist())):
                cache.forget(self._cache, number)
            self._make_room()
        planted = [(i, job) for i, job, has_tree in new if not (has_tree and self._follow(i, job))]
        for i, job, _ in new:
            self._jobs[i] = job
            self._parts[i % len(self._parts)].new.append(i)
        slots = np.array([i for i, _, _ in new])
        seeds = np.array([job.seed & rng.WORD for _, job, _ in new], np.uint64)
        rng.set_streams(self._streams, slots, seeds, np.array([job.number for _, job, _ in new]))
        if planted:
            states = np.array([job.position.state for _, job in planted])
            where = np.array([i for i, _ in planted])
            status = self._plant(self._rules, self._tree, self._settings, where, states, self._scratch)
            if status < 0:
                raise self.game.failure(status, self._scratch.state)

    def _take_tree(self, job: Job) -> int | None:
        """The slot with a tree in which the position of a job may be."""
        if not job.reuse:
            return None

        def suits(i: int) -> bool:
            old = self._job(i)
            same = old.config == job.config and old.owner == job.owner
            return same and old.evaluator == job.evaluator

        return self._trees.take(job.position.moves, suits)

    def _follow(self, i: int, job: Job) -> bool:
        """Make the job's position the root of the tree that its slot has, if it is in it."""
        actions = np.array(job.position.moves[len(self._job(i).position.moves) :], np.int64)
        target, stack = np.empty((2, self._tree.node.shape[1]), np.int32)
        return bool(
            reuse.follow(
                self._rules, self._tree, self._settings, i, actions, job.position.state, target, stack
            )
        )

    def _job(self, i: int) -> Job:
        job = self._jobs[i]
        assert job is not None
        return job

    def _put(self, i: int, job: Job) -> bool:
        """Prepare a slot for a search; its tree is another matter. Whether it asks for other things than
        the one before."""
        row = self._row(job.config, job.evaluator)
        self._busy[i], self._deadline[i] = True, job.deadline
        if row == self._rows[i]:
            return False
        self._settings[i] = self._rows[i] = row
        return True

    def _row(self, config: SearchConfig, evaluator: Evaluator | Inside) -> tuple[Any, ...]:
        """The settings of a search; the last are remembered, for many searches differ in nothing else."""
        number = self._evaluators.of(evaluator)
        if self._last[0] is config and self._last[1] == number:
            return self._last[2]
        row = settings_of(self.game, config, evaluator, number)
        self._last = config, number, row
        return row

    def _make_room(self) -> None:
        """See that trees, scratch and batch have room for what the settings of all slots ask for."""
        settings, tree = self._settings, self._tree
        variant = settings["variant"]
        wanted = {
            "squares": self._options["squares"] or bool(((variant == OMC) | (variant == PBBM)).any()),
            "graph": self._options["graph"] or bool(settings["graph"].any()),
            "numbers": max(self._options["numbers"], int(settings["numbers"].max())),
        }
        few = max(_FEW_NODES, _NODES_AT_FIRST // len(self._busy))
        nodes = max(min(2 * int(settings["budget"].max()) + 2, few), tree.node.shape[1])
        if wanted != self._options or nodes > tree.node.shape[1]:
            if wanted["numbers"] > self._options["numbers"]:
                self._scratch = new_scratch(self.game, wanted["numbers"])
            self._options = wanted
            self._grow(min(nodes, self._most_nodes))
        images = np.where(settings["symmetry"] == MEAN, len(self.game.symmetries), 1)
        for part in self._parts:
            each = settings["leaves"][part.slots]
            leaves, rows = int(each.sum()), int((each * images[part.slots]).sum())
            if leaves + 1 > len(part.batch.leaf) or rows > len(part.batch.planes):
                leaves, rows = max(leaves, len(part.batch.leaf)), max(rows, len(part.batch.planes))
                part.batch = new_batch(self.game, self._inputs, leaves, rows)

    def _advance(self, part: Part, worker: Executor | None, most: int | None = None) -> None:
        """Simulate in the busy slots of a part, and have its leaves evaluated, by the worker or at once; so
        many simulations in each slot at most."""
        new, part.new = np.array(part.new, np.int64), []
        part.active = part.slots[self._busy[part.slots]]
        if not len(part.active):
            return
        if most is None:
            most = max(32, _SIMULATIONS_PER_CALL // len(part.active))
        timed = np.isfinite(self._deadline[part.active]).any()
        if timed:
            most = self._pace.begin(most, self._tree.simulations)
        status = self._run_slots(
            self._rules, self._tree, self._settings, new, part.active, most, part.batch, self._cache,
            self._scratch, self._streams,
        )  # fmt: skip
        if timed:
            self._pace.end(self._tree.simulations)
        if status == FULL:
            self._grow_or_end()
        else:
            self._check(status, part.batch)
        if part.batch.counts[1] > 0:
            part.ask(self._answers, worker)

    def _land(self, part: Part) -> None:
        """End the simulations of a part whose leaves are being evaluated."""
        landed = part.take_answers()
        if landed is None:
            return
        batch, (logits, values) = landed
        status = self._finish(
            self._rules, self._tree, self._settings, batch, self._cache, self._scratch, logits, values,
            self._streams,
        )  # fmt: skip
        self._check(status, batch)

    def _answers(self, batch: Batch) -> tuple[Logits, Values]:
        """What the evaluators say of the leaves in a batch, each asked by its own search."""
        rows = int(batch.counts[1])
        which = batch.shown["evaluator"][:rows]
        planes = batch.planes[:rows].reshape(rows, *self._shape)
        if (which == which[0]).all():
            return self._ask(int(which[0]), planes)
        logits = np.empty((rows, self.game.num_actions), np.float32)
        values = np.empty(rows, np.float32)
        for number in np.unique(which).tolist():
            some = which == number
            logits[some], values[some] = self._ask(number, planes[some])
        return logits, values

    def _ask(self, number: int, planes: Planes) -> tuple[Logits, Values]:
        evaluator = self._evaluators[number]
        assert not isinstance(evaluator, Inside)
        return checked(evaluator(planes), evaluator, len(planes), self.game.num_actions)

    def _ended(self, part: Part) -> Iterator[tuple[Job, SearchResult]]:
        """Searches of a part whose budget is spent, whose root is proven, or whose time is over; their
        slots are free, with their trees kept if they may be reused."""
        if self._interrupted():
            for i in part.active.tolist():
                if self._job(i).until_interrupted:
                    self._deadline[i] = -np.inf
        slots = np.empty_like(part.active)
        count = self._find_ended(
            self._tree, self._settings, part.active, self._deadline, time.monotonic(), slots
        )
        if not count:
            return
        slots = slots[:count]
        jobs = [self._job(i) for i in slots.tolist()]
        results = read_results(self._tree, self._settings, slots, [job.position for job in jobs])
        self._busy[slots] = False
        for i, job in zip(slots.tolist(), jobs, strict=True):
            if job.reuse:
                self._trees.add(job.position.moves, i)
        yield from zip(jobs, results, strict=True)

    # Room.

    @property
    def _most_nodes(self) -> int:
        """Of one slot, by the memory that there is and by what numbers of edges can be."""
        each = node_bytes(new_tree(self.game, 1, 64, **self._options))
        fitting = int(self._megabytes * 2**20 / (each * len(self._busy)))
        return max(64, min(fitting, (2**31 - 1) // self.game.num_actions))

    def _grow_or_end(self) -> None:
        """Make room for more nodes, or end the searches that have none left."""
        nodes = self._tree.node.shape[1]
        if nodes < self._most_nodes:
            self._grow(min(2 * nodes, self._most_nodes))
        else:
            self._deadline[self._tree.nodes + 2 > nodes] = -np.inf

    def _grow(self, nodes: int) -> None:
        """Make room for this many nodes in every slot, and for what searches need besides."""
        old = self._tree
        new = new_tree(self.game, len(self._jobs), nodes, **self._options)
        for name, target in new._asdict().items():
            source = getattr(old, name)
            if name in ("root_prior", "root_gumbel") or source.ndim == 1:
                target[:] = source
                continue
            used = old.nodes if source.shape[1] == old.node.shape[1] else old.edges
            for i in np.flatnonzero(old.nodes).tolist():
                if name == "own" and target.size:
                    target[i, : used[i]] = 0
                if name != "table" and source.size:
                    place = target[i, ..., : source.shape[2]] if name == "own" else target[i]
                    place[: used[i]] = source[i, : used[i]]
        self._tree = new
        if self._options["graph"]:
            expansion.rebuild_tables(self._rules, self._tree, self._settings)

    def _check(self, status: int, batch: Batch) -> None:
        if status == REFUSED:
            own = self._job(int(batch.counts[2])).config.variant
            assert isinstance(own, Selection)
            raise own.failure()
        if status < 0:
            raise self.game.failure(status, self._scratch.state)


def _never() -> bool:
    """Nobody pressed Ctrl-C."""
    return False
