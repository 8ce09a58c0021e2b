"""What the last positions of a game were worth, proven after it has ended.

A network and a short search err where there is still much to see; near the end of a game a solver needs
only the rules to see it all. So from the last position backwards, as far as a number of looked-at
positions reaches, values become exact, and moves that spoil them leave the policy; positions before
them learn from the first of these too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import UnsuitableGame
from zermelo.exact import Connect4Solver, GenericSolver
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.learning.targets import Lesson

_LIKELY = 0.01
"""A move with a smaller share of the policy is left out of one that is proven."""


class Endgames:
    """Proves ends of games: values with so many positions of a solver for each game at most, then policies
    with as many again; nothing in a game that is not for solvers."""

    def __init__(self, game: Game, positions: int) -> None:
        self._game, self._positions, self._stop = game, positions, 0
        self._solver: Connect4Solver | GenericSolver | None = None
        if positions > 0 and Connect4Solver.takes(game):
            self._solver = Connect4Solver(game, megabytes=32)
        elif positions > 0 and game.num_players == 2:
            self._solver = GenericSolver(game)

    def prove(self, lessons: list[Lesson]) -> None:
        """Make the values of the last lessons of a game exact, as far as positions reach, and then their
        policies, from the last one on. What is found does not depend on the games before."""
        if self._solver is None:
            return
        self._solver.forget()
        try:
            first = self._prove_values(lessons)
            self._prove_policies(lessons, first)
        except UnsuitableGame:
            self._solver = None

    def _prove_values(self, lessons: list[Lesson]) -> int:
        """The first lesson from which on all are exact."""
        self._begin()
        for i in range(len(lessons) - 1, -1, -1):
            value = self._value(Position(self._game, lessons[i].state))
            if value is None:
                return i + 1
            lessons[i] = replace(lessons[i], value=float(value), exact=True)
        return 0

    def _prove_policies(self, lessons: list[Lesson], first: int) -> None:
        self._begin()
        for i in range(len(lessons) - 1, first - 1, -1):
            policy = self._policy(lessons[i])
            if policy is None:
                break
            lessons[i] = replace(lessons[i], policy=policy)

    def _policy(self, lesson: Lesson) -> NDArray[np.float32] | None:
        """Its policy for moves that keep its value; where it has none of these, all of them alike. None if
        that takes more positions than are left."""
        if lesson.value < 0:
            return lesson.policy
        position, likely = Position(self._game, lesson.state), lesson.policy >= _LIKELY
        right = self._right(position, lesson.value, likely)
        if right is not None and not right:
            right = self._right(position, lesson.value, ~likely)
            likely[:] = False
        if right is None:
            return None
        policy = np.zeros_like(lesson.policy)
        policy[right] = np.where(likely[right], lesson.policy[right], 1.0)
        return np.asarray(policy / policy.sum(), np.float32)

    def _right(self, position: Position, value: float, asked: NDArray[np.bool_]) -> list[int] | None:
        """Those of these moves that keep the value of a position."""
        found = []
        for action in position.legal_actions:
            if asked[action]:
                child = position.play(action)
                worth = self._value(child)
                if worth is None:
                    return None
                if (worth if child.mover == position.mover else -worth) >= value:
                    found.append(action)
        return found

    def _begin(self) -> None:
        assert self._solver is not None
        self._stop = self._solver.searched + self._positions

    def _value(self, position: Position) -> float | None:
        """Who wins, for the player to move."""
        assert self._solver is not None
        if position.returns is not None:
            return position.returns[position.mover]
        return self._solver.value_within(position, self._stop - self._solver.searched)
