"""What the last positions of a game were worth, proven after it has ended.

A network and a short search err where there is still much to see; near the end of a game a solver needs
only the rules to see it all. So from the last position backwards, as far as a number of looked-at
positions reaches, values become exact; and the first exact value is what all positions before it led to.
"""

from __future__ import annotations

from dataclasses import replace

from zermelo.exact.generic import GenericSolver
from zermelo.games.base import Game
from zermelo.learning.targets import Lesson


class Endgames:
    """Proves ends of games, each with so many positions of a solver at most."""

    def __init__(self, game: Game, positions: int) -> None:
        self._solver, self._positions = GenericSolver(game), positions

    def prove(self, lessons: list[Lesson]) -> None:
        """Make the values of the last lessons of a game exact, as far as positions reach. What is found
        does not depend on the games before."""
        solver, stop = self._solver, self._solver.searched + self._positions
        solver.forget()
        for i in range(len(lessons) - 1, -1, -1):
            one = lessons[i]
            value = solver.value_within(one.state, one.mover, stop - solver.searched)
            if value is None:
                break
            lessons[i] = replace(one, value=float(value), exact=True)
