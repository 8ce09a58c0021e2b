"""Positions in which every move was judged."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.exact.outcome import Outcome
from zermelo.games.position import Position


@dataclass(frozen=True)
class Graded:
    """A position with the exact outcome of each move, for the player who makes it."""

    position: Position
    outcomes: dict[int, Outcome]

    @property
    def is_telling(self) -> bool:
        """Whether some move changes the result."""
        return len({outcome.value for outcome in self.outcomes.values()}) > 1

    @property
    def best(self) -> Outcome:
        """What the position leads to for its player to move."""
        return max(self.outcomes.values())

    def keeps_the_result(self, action: int) -> bool:
        return self.outcomes[action].value == self.best.value

    def is_best(self, action: int) -> bool:
        """Whether it wins soonest, or loses latest."""
        return self.outcomes[action] == self.best
