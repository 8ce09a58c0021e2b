"""A part of the slots of a pool, with a batch of its own: while it is evaluated, others are searched."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future

import numpy as np

from zermelo.games.abi import Words
from zermelo.search.evaluator import Logits, Values
from zermelo.search.tree import Batch

Answers = tuple[Logits, Values]


class Part:
    """Slots whose leaves are evaluated together."""

    def __init__(self, slots: Words, batch: Batch) -> None:
        self.slots, self.batch = slots, batch
        self.new: list[int] = []
        """Slots that were given to a search which has not begun."""
        self.active = np.empty(0, np.int64)
        """Slots that were searched in the last round."""
        self._asked: tuple[Batch, Future[Answers] | Answers] | None = None

    def ask(self, answers: Callable[[Batch], Answers], worker: Executor | None) -> None:
        """Have the batch evaluated: by the worker, or at once."""
        if worker is None:
            self._asked = self.batch, answers(self.batch)
        else:
            self._asked = self.batch, worker.submit(answers, self.batch)

    def take_answers(self) -> tuple[Batch, Answers] | None:
        """What was said of the batch last asked about, when it has been; None without one."""
        if self._asked is None:
            return None
        (batch, found), self._asked = self._asked, None
        return batch, found.result() if isinstance(found, Future) else found

    def clear(self) -> None:
        """Forget searches, not before the batch may be written again."""
        if self._asked is not None and isinstance(self._asked[1], Future):
            self._asked[1].exception()
        self.new, self.active, self._asked = [], np.empty(0, np.int64), None
