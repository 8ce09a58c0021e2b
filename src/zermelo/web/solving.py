"""Exact outcomes, and players that look ahead: each in a thread of its own, for a limited time."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from zermelo.errors import TooManyPositions, UnsuitableGame, ZermeloError
from zermelo.exact import GenericSolver, Outcome, Progress, watching
from zermelo.games.base import Game
from zermelo.games.connect import Connect
from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.players.perfect import PerfectPlayer

LIMIT = 1_000_000
"""Positions that the solver for any game may keep."""
SMALL = 200_000
"""Positions of a game that is offered to a perfect player from its start."""
_MOST_GAMES = 4
_MOST_WAITING = 64


class TooLong(ZermeloError):
    """A position was not solved in the time that there is for it."""


class Solving:
    """Solves positions one after another; what one teaches helps the next."""

    def __init__(self) -> None:
        self._solvers: dict[Game, PerfectPlayer] = {}
        self._solvable: dict[Game, bool] = {}
        self._exact = ThreadPoolExecutor(1, "solver")
        self._ahead = ThreadPoolExecutor(1, "lookahead")
        self._waiting, self._lock = 0, threading.Lock()

    def end(self) -> None:
        self._exact.shutdown(wait=False, cancel_futures=True)
        self._ahead.shutdown(wait=False, cancel_futures=True)

    def outcomes(self, position: Position, seconds: float) -> Future[dict[int, Outcome]]:
        """The exact outcome of every move; `TooLong` if that takes longer."""
        self._check_room()
        future = self._exact.submit(self._solve, position, seconds)
        self._count(future)
        return future

    def solvable(self, game: Game) -> Future[bool]:
        """Whether the whole game can be solved in a moment, or has a solver of its own."""
        self._check_room()
        future = self._exact.submit(self._is_solvable, game)
        self._count(future)
        return future

    def choose(self, player: Player, position: Position, seed: int) -> Future[list[int]]:
        """The move of a player that looks ahead, or draws lots."""
        self._check_room()
        future = self._ahead.submit(player.choose, [position], [seed])
        self._count(future)
        return future

    def _check_room(self) -> None:
        if self._waiting >= _MOST_WAITING:
            raise TooLong("the solver has too much to do; try again in a moment")

    def _count(self, future: Future[Any]) -> None:
        with self._lock:
            self._waiting += 1

        def done(_: object) -> None:
            with self._lock:
                self._waiting -= 1

        future.add_done_callback(done)

    # In the thread of the solver.

    def _solve(self, position: Position, seconds: float) -> dict[int, Outcome]:
        game, end = position.game, time.monotonic() + seconds
        solver = self._solvers.pop(game, None) or PerfectPlayer(limit=LIMIT)
        self._solvers[game] = solver
        while len(self._solvers) > _MOST_GAMES:
            del self._solvers[next(iter(self._solvers))]

        def tell(_: Progress) -> None:
            if time.monotonic() > end:
                raise TooLong(f"this position of {game.name} is not solved within {seconds:g} s")

        with watching(tell):
            return solver.outcomes(position)

    def _is_solvable(self, game: Game) -> bool:
        if game not in self._solvable:
            if len(self._solvable) > 200:
                self._solvable.clear()
            self._solvable[game] = has_own_solver(game) or _is_small(game)
        return self._solvable[game]


def has_own_solver(game: Game) -> bool:
    return isinstance(game, Connect) and game.n == 4 and (game.rows + 1) * game.cols <= 63


def _is_small(game: Game) -> bool:
    begin = 0.0

    def tell(_: Progress) -> None:
        nonlocal begin
        begin = begin or time.monotonic()  # compiling, once, does not count
        if time.monotonic() > begin + 1.0:
            raise TooLong

    try:
        with watching(tell):
            GenericSolver(game, SMALL).solve(game.position())
    except (TooLong, TooManyPositions, UnsuitableGame):
        return False
    return True
