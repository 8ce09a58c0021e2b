"""How a game ends when both sides play perfectly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering

from zermelo.errors import BadParameter


@total_ordering
@dataclass(frozen=True)
class Outcome:
    """The result under perfect play, for the player to move (or for whoever is said to own it).

    `value` is 1 for a win, 0 for a draw, -1 for a loss. `plies` counts the moves until the end when
    the winner takes the shortest way and the loser the longest; the last move counts, a position that
    is over has 0. Draws are all alike, their `plies` is always 0: nobody hurries or delays one.

    Greater is better for the owner: a win before a later win, then a draw, then a loss, the later
    the better; so `max` finds the best move.

    >>> max(Outcome(-1, 4), Outcome(-1, 6))
    Outcome(value=-1, plies=6)
    """

    value: int
    plies: int = 0

    def __post_init__(self) -> None:
        if self.value not in (-1, 0, 1):
            raise BadParameter(f"`value` (={self.value}) of an outcome must be -1, 0 or 1")
        if self.plies < 0 or (self.value == 0 and self.plies):
            raise BadParameter(
                f"`plies` (={self.plies}) of an outcome must be at least 0, and 0 for a draw"
            )

    @property
    def before(self) -> Outcome:
        """The same end seen one move earlier, by the same player."""
        return Outcome(self.value, self.plies + 1 if self.value else 0)

    def __neg__(self) -> Outcome:
        """The same end for the other player."""
        return Outcome(-self.value, self.plies)

    def __lt__(self, other: Outcome) -> bool:
        return self._rank < other._rank

    @property
    def _rank(self) -> tuple[int, int]:
        return self.value, -self.value * self.plies

    def __str__(self) -> str:
        if self.value == 0:
            return "draw"
        word = "win" if self.value > 0 else "loss"
        return f"{word} in {self.plies}" if self.plies else f"{word}, the game is over"
