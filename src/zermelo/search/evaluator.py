"""What tells a search how good a position is: planes in, logits and values out."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import EvaluatorError
from zermelo.games.abi import Planes
from zermelo.games.position import Position
from zermelo.naming import name_of
from zermelo.search.tree import ROLLOUT, UNIFORM

_LEAST_LOGIT = np.float32(-1e30)

Logits = NDArray[np.float32]
Values = NDArray[np.float32]


class Evaluator(Protocol):
    """Any callable of this shape.

    Planes [batch, *shape of the encoding] to logits [batch, actions] (of illegal actions too; they
    are never used and may be -inf) and values [batch] in [-1, 1] for the player to move. The planes are
    overwritten when the next batch comes.
    """

    def __call__(self, planes: Planes, /) -> tuple[Logits, Values]: ...


@dataclass(frozen=True)
class Inside:
    """An evaluator that kernels work out themselves."""

    name: str
    source: int


ROLLOUTS = Inside("rollouts", ROLLOUT)
"""The result of one game of random moves; all moves are alike."""
NOTHING = Inside("nothing", UNIFORM)
"""The value 0; all moves are alike."""


@dataclass(frozen=True)
class Uniform:
    """The value 0, all moves alike, by way of the planes: what the search costs by itself."""

    num_actions: int

    def __call__(self, planes: Planes, /) -> tuple[Logits, Values]:
        return np.zeros((len(planes), self.num_actions), np.float32), np.zeros(len(planes), np.float32)


class Timed:
    """An evaluator that tells how long it was at work, and on batches of which sizes."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator, self.seconds = evaluator, 0.0
        self.sizes: list[int] = []
        self.resting = threading.Lock()
        """Who holds it knows that no call is under way, and that none begins."""

    def __call__(self, planes: Planes, /) -> tuple[Logits, Values]:
        with self.resting:
            begin = time.perf_counter()
            answer = self.evaluator(planes)
            self.seconds += time.perf_counter() - begin
            self.sizes.append(len(planes))
        return answer


class Table:
    """Known logits and values of known positions; asking for another one is an error."""

    def __init__(
        self, entries: Mapping[Position, tuple[Logits, float]], encoding: str | None = None
    ) -> None:
        self._entries = {
            position.planes(encoding).tobytes(): answer for position, answer in entries.items()
        }

    def __call__(self, planes: Planes, /) -> tuple[Logits, Values]:
        try:
            answers = [self._entries[one.tobytes()] for one in planes]
        except KeyError:
            raise EvaluatorError("the table does not know a position that it was asked for") from None
        return np.stack([logits for logits, _ in answers]), np.array([v for _, v in answers], np.float32)


def checked(answer: object, evaluator: object, count: int, num_actions: int) -> tuple[Logits, Values]:
    """The answer of an evaluator, if it has the right shape and no NaN."""
    name = name_of(evaluator)
    try:
        logits, values = (np.asarray(part, np.float32) for part in answer)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise EvaluatorError(f"the evaluator {name} must return a pair: logits and values") from None
    if logits.shape != (count, num_actions) or values.shape != (count,):
        raise EvaluatorError(
            f"the evaluator {name} gave logits {logits.shape} and values {values.shape} for {count} "
            f"positions of {num_actions} actions; it must give ({count}, {num_actions}) and ({count},)"
        )
    if not (math.isfinite(values.sum()) and math.isfinite(logits.sum())):
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            raise EvaluatorError(f"the evaluator {name} gave the value {values[row]} for row {row}")
        if not (logits < np.inf).all():
            row, action = np.argwhere(~(logits < np.inf))[0].tolist()
            raise EvaluatorError(
                f"the evaluator {name} gave action {action} of row {row} the logit {logits[row, action]}"
            )
        logits = np.maximum(logits, _LEAST_LOGIT)
    return np.ascontiguousarray(logits), np.ascontiguousarray(values)
