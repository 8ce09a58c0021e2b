"""How long a move may take, so that no limit is ever exceeded."""

from __future__ import annotations

import math
from dataclasses import dataclass

UNLIMITED = 5.0
"""Seconds for a move of a player that would think for ever where nobody gave it a limit."""
_ALWAYS, _SHARE, _MOST_MARGIN = 0.03, 0.15, 1.0
_FORGETTING = 0.95
_MOST_MOVES = 40


class Lateness:
    """What is kept back of every limit, for the way to the other program and for a busy machine.

    Besides 30 ms and 15 %, that is twice the longest by which an answer was ever late; this is forgotten
    slowly.
    """

    def __init__(self) -> None:
        self._worst = 0.0

    def within(self, limit: float) -> float:
        """How long a search may take, for the answer to be there in time."""
        if limit == math.inf:
            return math.inf
        return max(0.0, limit - min(_ALWAYS + _SHARE * limit, _MOST_MARGIN) - 2 * self._worst)

    def add(self, seconds: float) -> None:
        """An answer came so much later than planned."""
        self._worst = max(_FORGETTING * self._worst, seconds)


@dataclass
class Clock:
    """One side's time, in seconds.

    `turn` is the limit of each move. `left` is that of all moves together; when it has run out there are
    `period` seconds for each `stones` moves, again and again, where `stones` is not 0.
    """

    turn: float = math.inf
    left: float = math.inf
    period: float = 0.0
    stones: int = 0

    def limit(self, moves: int) -> float:
        """What the next move may take, if there may be so many more."""
        each = self.period / self.stones if self.stones else 0.0
        share = max(self.left, 0.0) / min(max(moves, 1), _MOST_MOVES)
        return min(self.turn, max(share, each))

    def spend(self, seconds: float) -> None:
        """A move took so long."""
        self.left = max(0.0, self.left - seconds)
