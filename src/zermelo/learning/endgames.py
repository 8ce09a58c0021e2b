"""What the last positions of a game were worth, proven after it has ended.

A network and a short search err where there is still much to see; near the end of a game a solver needs
only the rules to see it all. So from the last position backwards, as far as a number of looked-at
positions reaches, values become exact; positions before them learn from the first of these too.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from zermelo.errors import UnsuitableGame
from zermelo.exact.generic import GenericSolver
from zermelo.games.base import Game
from zermelo.learning.targets import Lesson


class Endgames:
    """Proves ends of games, each with so many positions of a solver at most; nothing in a game that is
    not for solvers."""

    def __init__(self, game: Game, positions: int) -> None:
        self._positions = positions
        self._solver: GenericSolver | None = None
        if positions > 0:
            with suppress(UnsuitableGame):
                self._solver = GenericSolver(game)

    def prove(self, lessons: list[Lesson]) -> None:
        """Make the values of the last lessons of a game exact, as far as positions reach. What is found
        does not depend on the games before."""
        if (solver := self._solver) is None:
            return
        solver.forget()
        stop = solver.searched + self._positions
        for i in range(len(lessons) - 1, -1, -1):
            one = lessons[i]
            try:
                value = solver.value_within(one.state, one.mover, stop - solver.searched)
            except UnsuitableGame:
                self._solver = None
                break
            if value is None:
                break
            lessons[i] = replace(one, value=float(value), exact=True)
