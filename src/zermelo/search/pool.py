"""Many searches of one game in lock-step: one batch of leaves from all of them at a time.

Self-play, matches, grading and single moves all put their searches into a pool. A slot that is done
is given to the next search while the others go on.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import BadParameter
from zermelo.games.abi import Planes, Words
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.search import noise, rng, simulation
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import Evaluator, Inside, Logits, Values, checked
from zermelo.search.result import SearchResult, read_result
from zermelo.search.simulation import FULL, Batch, Scratch
from zermelo.search.tree import OUTSIDE, UNPROVEN, VARIANTS, new_settings, new_tree

_SIMULATIONS_PER_CALL = 4096


@dataclass
class Job:
    """One search to be made: from where, how, with what, and until when."""

    position: Position
    config: SearchConfig
    evaluator: Evaluator | Inside
    seed: int = 0
    number: int = 0
    """The random stream is that of (seed, number) alone."""
    deadline: float = np.inf
    """By `time.monotonic()`; the search ends then even if simulations are left."""
    tag: Any = None
    """Whatever its owner wants to find again."""


class Pool:
    """Room for a number of searches at once; more wait in a queue."""

    def __init__(self, game: Game, slots: int = 1, encoding: str | None = None) -> None:
        if slots < 1:
            raise BadParameter(f"`slots` (={slots}) must be at least 1")
        self.game = game
        self.encoding = encoding
        self._rules = game.rules(encoding)
        self._shape = game.encoding(encoding).shape
        self._jobs: list[Job | None] = [None] * slots
        self._busy = np.zeros(slots, bool)
        self._deadline = np.full(slots, np.inf)
        self._new: list[int] = []
        self._evaluators: list[Evaluator | Inside] = []
        self._evaluator_of = np.zeros(slots, np.int64)
        self._queue: deque[Job] = deque()
        self._squares = False
        self._tree = new_tree(game, slots, 64)
        self._settings = new_settings(slots)
        self._streams = np.zeros(slots, np.uint64)
        self._filled = np.zeros(1, np.int64)
        self._scratch = Scratch(
            np.empty(game.num_actions, np.int64),
            np.empty(game.state_words, np.int64),
            np.empty(game.num_players),
        )
        self._batch = self._new_batch(slots)

    def _new_batch(self, leaves: int) -> Batch:
        one_more = leaves + 1  # the way of a simulation that ends by itself is written past the last
        return Batch(
            slot=np.empty(one_more, np.int64),
            node=np.empty(one_more, np.int64),
            depth=np.empty(one_more, np.int64),
            path=np.empty((one_more, self.game.max_length + 1, 2), np.int32),
            planes=np.empty((one_more, int(np.prod(self._shape))), np.float32),
        )

    # What users of a pool call.

    def add(self, job: Job) -> None:
        """Put a search into the queue."""
        if job.position.is_over:
            raise BadParameter(f"nothing can be searched in {job.position!r}: the game is over")
        self._queue.append(job)

    def run(self) -> Iterator[tuple[Job, SearchResult]]:
        """Yield each search as it ends; others may be added meanwhile."""
        while self._queue or self._busy.any():
            self._fill()
            self._begin()
            self._advance(np.flatnonzero(self._busy))
            for i in self._done():
                job = self._jobs[i]
                assert job is not None
                self._busy[i] = False
                yield job, read_result(self._tree, self._settings, i, job.position)

    def search(self, jobs: Sequence[Job]) -> list[SearchResult]:
        """All of these searches, in their order."""
        found: dict[int, SearchResult] = {}
        for i, job in enumerate(jobs):
            job.tag = i
            self.add(job)
        for job, result in self.run():
            found[job.tag] = result
        return [found[i] for i in range(len(jobs))]

    # A round.

    def _fill(self) -> None:
        if self._queue:
            for i in np.flatnonzero(~self._busy)[: len(self._queue)].tolist():
                self._put(i, self._queue.popleft())

    def _put(self, i: int, job: Job) -> None:
        config, settings = job.config, self._settings
        if config.variant in ("omc", "pbbm") and not self._squares:
            self._squares = True
            self._grow(self._tree.mover.shape[1])
        wanted = min(config.simulations, 100_000) + 2
        if wanted > self._tree.mover.shape[1]:
            self._grow(wanted)
        settings.variant[i] = VARIANTS[config.variant]
        settings.source[i] = job.evaluator.source if isinstance(job.evaluator, Inside) else OUTSIDE
        settings.budget[i] = config.simulations
        settings.leaves[i] = config.leaves
        settings.proofs[i] = config.proofs
        settings.considered[i] = config.considered
        settings.exploration[i] = config.exploration
        settings.first_play[i] = config.first_play
        settings.reduction[i] = config.reduction
        settings.value_scale[i] = config.value_scale
        room = int(settings.leaves.sum())
        if room + 1 > len(self._batch.slot):
            self._batch = self._new_batch(room)
        self._streams[i] = rng.new_stream(job.seed, job.number)[0]
        state = job.position.state
        self._checked(simulation.plant(self._rules, self._tree, i, state, self._scratch), state)
        if job.evaluator not in self._evaluators:
            self._evaluators.append(job.evaluator)
        self._evaluator_of[i] = self._evaluators.index(job.evaluator)
        self._jobs[i], self._busy[i] = job, True
        self._deadline[i] = job.deadline
        self._new.append(i)

    def _begin(self) -> None:
        """Evaluate the roots of new searches and draw their noise."""
        if not self._new:
            return
        new, self._new = self._new, []
        slots = np.array(new, np.int64)
        filled = simulation.begin_slots(
            self._rules, self._tree, self._settings, slots, self._batch, self._scratch, self._streams
        )
        self._checked(filled, self._scratch.state)
        self._evaluate(filled)
        simulation.reset_root(self._tree, slots)
        for i in new:
            job = self._jobs[i]
            assert job is not None
            config = job.config
            if config.noise > 0:
                noise.add_dirichlet(self._tree, i, config.noise, config.noise_alpha, self._streams)
            if config.gumbel_noise:
                noise.draw_gumbel(self._tree, i, self._streams)

    def _advance(self, active: Words) -> None:
        most = max(32, _SIMULATIONS_PER_CALL // len(active))
        status = simulation.run_slots(
            self._rules, self._tree, self._settings, active, most,
            self._batch, self._scratch, self._streams, self._filled,
        )  # fmt: skip
        if status != FULL:
            self._checked(status, self._scratch.state)
        self._evaluate(int(self._filled[0]))
        if status == FULL:
            self._grow(2 * self._tree.mover.shape[1])

    def _evaluate(self, filled: int) -> None:
        """Have the leaves in the batch evaluated, each by its own search's evaluator."""
        if filled == 0:
            return
        which = self._evaluator_of[self._batch.slot[:filled]]
        planes = self._batch.planes[:filled].reshape(filled, *self._shape)
        if (which == which[0]).all():
            logits, values = self._ask(int(which[0]), planes)
        else:
            logits = np.empty((filled, self.game.num_actions), np.float32)
            values = np.empty(filled, np.float32)
            for number in np.unique(which).tolist():
                rows = which == number
                logits[rows], values[rows] = self._ask(number, planes[rows])
        simulation.finish(self._tree, self._settings, self._batch, filled, logits, values)

    def _ask(self, number: int, planes: Planes) -> tuple[Logits, Values]:
        evaluator = self._evaluators[number]
        assert not isinstance(evaluator, Inside)
        return checked(evaluator(planes), evaluator, len(planes), self.game.num_actions)

    def _done(self) -> list[int]:
        """Slots whose budget is spent, whose root is proven, or whose time is over."""
        tree, settings = self._tree, self._settings
        proven = tree.proof[np.arange(len(self._busy)), tree.root] != UNPROVEN
        done = (tree.simulations >= settings.budget) | ((settings.proofs != 0) & proven)
        done |= time.monotonic() >= self._deadline
        return np.flatnonzero(done & self._busy).tolist()

    def _grow(self, nodes: int) -> None:
        """Make room for this many nodes in every slot."""
        old, new = self._tree, new_tree(self.game, len(self._jobs), nodes, self._squares)
        for name, target in new._asdict().items():
            source = getattr(old, name)
            if source.ndim > 1 and source.shape[1] > 0:
                shared = min(source.shape[1], target.shape[1])
                target[:, :shared] = source[:, :shared]
            elif source.ndim == 1:
                target[:] = source
            else:
                target[:] = 0
        self._tree = new

    def _checked(self, status: int, state: Words) -> None:
        if status < 0:
            raise self.game.failure(status, state)
