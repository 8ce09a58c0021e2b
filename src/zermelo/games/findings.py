"""What a check of a game finds: its problems, and figures of random games."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """Something a game does that it must not, and the moves after which it does it."""

    kind: str
    message: str
    moves: tuple[str, ...] | None = ()
    """None if it shows only in all games together."""
    drawing: str = ""
    """The position after these moves, as text."""

    def __str__(self) -> str:
        if self.moves is None:
            return f"in all games together: {self.message}"
        where = f"after {' '.join(self.moves)}: " if self.moves else "in the first position: "
        return where + self.message


@dataclass
class Report:
    """What `check` found, and the figures of the game."""

    game: str
    games: int = 0
    problems: list[Problem] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    branching: Counter[int] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)

    @property
    def passed(self) -> bool:
        return not self.problems and self.games > 0

    @property
    def mean_branching(self) -> float:
        moves = sum(self.branching.values())
        return sum(width * count for width, count in self.branching.items()) / max(moves, 1)

    @property
    def mean_length(self) -> float:
        return sum(self.lengths) / max(len(self.lengths), 1)

    def share(self, result: str) -> float:
        """The share of random games with this result: `first`, `second` or `draw`."""
        return self.results[result] / max(sum(self.results.values()), 1)
