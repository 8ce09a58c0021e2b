"""Many searches of one game in lock-step: one batch of leaves from all of them at a time.

Self-play, matches, grading and single moves all put their searches into a pool. A slot that is done
is given to the next search while the others go on.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from zermelo.compilation import Fixed
from zermelo.errors import BadParameter
from zermelo.games.abi import Planes
from zermelo.games.base import CompiledGame, Game
from zermelo.search import cache, expansion, noise, reuse, rng, simulation
from zermelo.search.custom import Selection
from zermelo.search.evaluator import Evaluator, Inside, Logits, Values, checked
from zermelo.search.interruption import until_interrupted
from zermelo.search.job import Job
from zermelo.search.kept import KeptTrees, Numbering
from zermelo.search.result import SearchResult, read_results
from zermelo.search.tree import (
    FULL,
    MEAN,
    OMC,
    OUTSIDE,
    OWN,
    PBBM,
    REFUSED,
    SETTINGS,
    SYMMETRIES,
    UNPROVEN,
    VARIANTS,
    Settings,
    new_batch,
    new_scratch,
    new_tree,
    node_bytes,
)

_SIMULATIONS_PER_CALL = 4096
_FEW_NODES = 4096
_NODES_AT_FIRST = 2**18
"""Of all slots together: room for more is made when it is needed."""


class Pool:
    """Room for a number of searches at once; more wait in a queue.

    `cached` evaluations are remembered. A search that needs more than its share of `megabytes` for its
    tree ends there, with what it has found.
    """

    def __init__(
        self,
        game: Game,
        slots: int = 1,
        encoding: str | None = None,
        *,
        cached: int = 0,
        megabytes: int = 4096,
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
        self._streams = np.zeros(slots, np.uint64)
        self._scratch = new_scratch(game)
        self._batch = new_batch(game, self._inputs, slots, slots)
        self._run_slots, self._finish = Fixed(simulation.run_slots), Fixed(simulation.finish)
        self._cache = cache.new_cache(game, cached, game.encoding(encoding).context)
        self._megabytes = megabytes

    # What users of a pool call.

    def add(self, job: Job) -> None:
        """Put a search into the queue."""
        job.check(self.game)
        self._queue.append(job)

    def run(self) -> Iterator[tuple[Job, SearchResult]]:
        """Yield each search as it ends; others may be added meanwhile."""
        try:
            while self._queue or self._busy.any():
                self._begin(self._fill())
                self._advance()
                yield from self._ended()
        except BaseException:
            self.clear()
            raise

    def search(self, jobs: Sequence[Job]) -> list[SearchResult]:
        """All of these searches, in their order."""
        if self._queue or self._busy.any():
            raise BadParameter("this pool has searches under way: `run` ends them")
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

    def clear(self) -> None:
        """Give up every search, and the trees kept for reuse."""
        self._queue.clear()
        self._trees = KeptTrees()
        self._busy[:] = False

    @property
    def slots(self) -> int:
        return len(self._jobs)

    @property
    def hit_rate(self) -> float:
        """The share of evaluations that the cache knew."""
        return float(self._cache.counts[cache.FOUND] / max(1, self._cache.counts[cache.ASKED]))

    def forget(self, evaluator: Evaluator) -> None:
        """Drop remembered evaluations and trees: for an evaluator whose answers have changed."""
        cache.forget(self._cache, self._evaluators.of(evaluator))
        self._trees.drop(lambda i: self._job(i).evaluator == evaluator)

    # A round.

    def _fill(self) -> list[int]:
        """Give free slots to waiting searches; the slots."""
        if not self._queue:
            return []
        new: list[tuple[int, Job, bool]] = []
        free = self._free_slots()
        while self._queue and not self._busy.all():
            job = self._queue.popleft()
            before = self._take_tree(job)
            i = before if before is not None else free.popleft() if free else self._trees.take_oldest()
            self._put(i, job)
            new.append((i, job, before is not None))
        if not new:
            return []
        for number in self._evaluators.prune(set(self._settings["evaluator"][self._busy].tolist())):
            cache.forget(self._cache, number)
        self._make_room()
        planted = [(i, job) for i, job, has_tree in new if not (has_tree and self._follow(i, job))]
        for i, job, _ in new:
            self._jobs[i] = job
        slots = np.array([i for i, _, _ in new])
        seeds = np.array([job.seed & rng.WORD for _, job, _ in new], np.uint64)
        rng.set_streams(self._streams, slots, seeds, np.array([job.number for _, job, _ in new]))
        if planted:
            states = np.stack([job.position.state for _, job in planted])
            where = np.array([i for i, _ in planted])
            self._check(
                simulation.plant(self._rules, self._tree, self._settings, where, states, self._scratch)
            )
        return [i for i, _, _ in new]

    def _free_slots(self) -> deque[int]:
        """Slots without a search and without a tree that is kept."""
        return deque(i for i in np.flatnonzero(~self._busy).tolist() if i not in self._trees)

    def _take_tree(self, job: Job) -> int | None:
        """The slot with a tree in which the position of a job may be."""
        if not job.reuse:
            return None

        def suits(i: int) -> bool:
            old = self._job(i)
            return old.config == job.config and old.evaluator == job.evaluator

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

    def _put(self, i: int, job: Job) -> None:
        """Prepare a slot for a search; its tree is another matter."""
        config = job.config
        own = config.variant if isinstance(config.variant, Selection) else None
        quick = isinstance(self.game, CompiledGame) if config.lookahead is None else config.lookahead
        select, update = own.addresses if own else (0, 0)
        values = {
            "variant": OWN if own else VARIANTS[str(config.variant)],
            "source": job.evaluator.source if isinstance(job.evaluator, Inside) else OUTSIDE,
            "evaluator": self._evaluators.of(job.evaluator),
            "symmetry": SYMMETRIES[config.symmetry],
            "budget": config.simulations,
            "leaves": config.leaves,
            "proofs": config.proofs,
            "lookahead": config.proofs and quick,
            "graph": config.graph,
            "considered": config.considered,
            "exploration": config.exploration,
            "first_play": config.first_play,
            "reduction": config.reduction,
            "value_scale": config.value_scale,
            "numbers": own.numbers if own else 0,
            "select": select,
            "update": update,
        }
        self._settings[i] = tuple(map(values.__getitem__, SETTINGS.names))
        self._busy[i], self._deadline[i] = True, job.deadline

    def _make_room(self) -> None:
        """See that trees, scratch and batch have room for what the settings of busy slots ask for."""
        settings, tree = self._settings[self._busy], self._tree
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
        leaves, rows = int(settings["leaves"].sum()), int((settings["leaves"] * images).sum())
        if leaves + 1 > len(self._batch.leaf) or rows > len(self._batch.planes):
            leaves, rows = max(leaves, len(self._batch.leaf)), max(rows, len(self._batch.planes))
            self._batch = new_batch(self.game, self._inputs, leaves, rows)

    def _begin(self, new: list[int]) -> None:
        """Evaluate the roots of new searches and draw their noise."""
        if not new:
            return
        slots = np.array(new, np.int64)
        status = simulation.begin(
            self._rules, self._tree, self._settings, slots, self._batch, self._cache, self._scratch,
            self._streams,
        )  # fmt: skip
        self._check(status)
        self._evaluate()
        simulation.reset_root(self._tree, slots)
        for i in new:
            config = self._job(i).config
            if config.noise > 0:
                noise.add_dirichlet(self._tree, i, config.noise, config.noise_alpha, self._streams)
            if config.gumbel_noise:
                noise.draw_gumbel(self._tree, i, self._streams)

    def _advance(self) -> None:
        active = np.flatnonzero(self._busy)
        status = self._run_slots(
            self._rules, self._tree, self._settings, active, max(32, _SIMULATIONS_PER_CALL // len(active)),
            self._batch, self._cache, self._scratch, self._streams,
        )  # fmt: skip
        if status != FULL:
            self._check(status)
        self._evaluate()
        if status == FULL:
            self._grow_or_end()

    def _evaluate(self) -> None:
        """Have the leaves in the batch evaluated, each by its own search's evaluator."""
        rows = int(self._batch.counts[1])
        if rows == 0:
            return
        which = self._batch.shown["evaluator"][:rows]
        planes = self._batch.planes[:rows].reshape(rows, *self._shape)
        if (which == which[0]).all():
            logits, values = self._ask(int(which[0]), planes)
        else:
            logits = np.empty((rows, self.game.num_actions), np.float32)
            values = np.empty(rows, np.float32)
            for number in np.unique(which).tolist():
                some = which == number
                logits[some], values[some] = self._ask(number, planes[some])
        status = self._finish(
            self._rules, self._tree, self._settings, self._batch, self._cache, self._scratch, logits, values
        )
        self._check(status)

    def _ask(self, number: int, planes: Planes) -> tuple[Logits, Values]:
        evaluator = self._evaluators[number]
        assert not isinstance(evaluator, Inside)
        return checked(evaluator(planes), evaluator, len(planes), self.game.num_actions)

    def _ended(self) -> Iterator[tuple[Job, SearchResult]]:
        """Searches whose budget is spent, whose root is proven, or whose time is over; their slots are
        free, with their trees kept if they may be reused."""
        tree, settings = self._tree, self._settings
        proven = tree.node["proof"][np.arange(len(self._busy)), tree.root] != UNPROVEN
        done = (tree.simulations >= settings["budget"]) | ((settings["proofs"] != 0) & proven)
        done |= time.monotonic() >= self._deadline
        if self._interrupted():
            done |= [job is not None and job.until_interrupted for job in self._jobs]
        slots = np.flatnonzero(done & self._busy)
        if not len(slots):
            return
        jobs = [self._job(i) for i in slots.tolist()]
        results = read_results(tree, settings, slots, [job.position for job in jobs])
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

    def _check(self, status: int) -> None:
        if status == REFUSED:
            own = self._job(int(self._batch.counts[2])).config.variant
            assert isinstance(own, Selection)
            raise own.failure()
        if status < 0:
            raise self.game.failure(status, self._scratch.state)


def _never() -> bool:
    """Nobody pressed Ctrl-C."""
    return False
