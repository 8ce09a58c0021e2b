"""The exact outcome of any position of any small game."""

from __future__ import annotations

import time

import numpy as np

from zermelo.errors import BadParameter, TooManyPositions, UnsuitableGame
from zermelo.exact import generic_kernel as kernel
from zermelo.exact import progress
from zermelo.exact.generic_kernel import INFINITY, WIN, Search, Table
from zermelo.exact.outcome import Outcome
from zermelo.games.abi import Words
from zermelo.games.adapters.python import PythonGame
from zermelo.games.base import Game
from zermelo.games.position import Position

SECONDS_PER_CHUNK = 0.1
ENTRIES_PER_PIECE = 1 << 16


class GenericSolver:
    """Exact outcomes for two players of whom one wins what the other loses, extra turns included.

    Every position that was looked at stays in a table, so that later questions are answered faster.
    `limit` bounds their number, to within a tenth of a second's work; each takes 2 to 4 times
    8 * key words + 24 bytes. A game in which a position can come again is refused when one does.
    Ctrl-C is heard within a fraction of a second and leaves the solver as able as before.
    """

    def __init__(self, game: Game, limit: int = 10_000_000) -> None:
        if game.num_players != 2:
            raise UnsuitableGame(f"{game.name} has {game.num_players} players; the solver takes two")
        if limit < 1:
            raise BadParameter(f"`limit` (={limit}) of positions must be at least 1")
        self.game = game
        self.limit = limit
        self._window: tuple[Outcome, Outcome] | None = None
        self._rules = game.rules()
        self._pruned = kernel.PRUNED if isinstance(game, PythonGame) else kernel.ORDERED
        """In plain Python to order moves costs more than it saves."""
        self._table = _table(game, 1 << 12)
        self._budget = 256
        depth = game.max_length + 2
        self._search = Search(
            now=np.zeros(6, np.int64),
            states=np.zeros((depth, game.state_words), np.int64),
            actions=np.zeros((depth, game.num_actions), np.int64),
            frames=np.zeros((depth, kernel.FIELDS), np.int64),
            result=np.zeros(2),
        )

    @property
    def positions(self) -> int:
        """How many positions the table holds."""
        return int(self._search.now[kernel.COUNT])

    @property
    def searched(self) -> int:
        """How many positions were looked at, those that were known among them."""
        return int(self._search.now[kernel.NODES])

    def solve(self, position: Position) -> Outcome:
        """The outcome for the player to move; of a position that is over, for `position.mover`."""
        if position.game != self.game:
            raise UnsuitableGame(f"this solver is for {self.game.name}, not for {position.game.name}")
        if position.returns is not None:
            return self._outcome_of_end(position)
        self._window = None
        value = self._ask(position, -1, 1)  # who wins; that makes the question how soon much shorter
        if value > 0:
            self._window = _outcome(value), Outcome(1, 1)
            value = self._ask(position, value - 1, INFINITY)
        elif value < 0:
            self._window = _outcome(value), Outcome(-1, self.game.max_length)
            value = self._ask(position, -INFINITY, value + 1)
        return _outcome(value)

    def value_within(self, position: Position, positions: int) -> int | None:
        """Who wins: 1, 0 or -1 for the player to move; None if so many positions do not tell."""
        self._begin(position.state, position.mover, -1, 1)
        stop = self.searched + positions
        try:
            while self.searched < stop:
                left = stop - self.searched
                status = kernel.search_chunk(self._rules, self._table, self._search, left)
                if status == kernel.DONE:
                    return int(np.sign(self._search.now[kernel.VALUE]))
                self._grow_or_raise(status)
            return None
        finally:
            self._close()

    def outcomes(self, position: Position) -> dict[int, Outcome]:
        """The outcome of every legal move, for the player who makes it."""
        found = {}
        for number, action in enumerate(position.legal_actions, 1):
            child = position.play(action)
            with progress.move_of(number, len(position.legal_actions), child.mover == position.mover):
                outcome = self.solve(child).before
            found[action] = outcome if child.mover == position.mover else -outcome
        return found

    def solve_all(self) -> dict[bytes, Outcome]:
        """The outcome of every position that can be reached from the start, by `Position.key`."""
        start = self.game.position()
        if start.returns is not None:
            return {start.key: self._outcome_of_end(start)}
        self.forget()
        self._window = None
        try:
            self._ask(start, -INFINITY, INFINITY, prune=False)
            known = self._table.bounds[:, kernel.MARK] == kernel.KNOWN
            values = self._table.bounds[known, kernel.LOWER].tolist()
            keys = self._table.keys[known]
            return {key.tobytes(): _outcome(value) for key, value in zip(keys, values, strict=True)}
        finally:
            self.forget()

    def _outcome_of_end(self, position: Position) -> Outcome:
        first, second = position.returns or (0.0, 0.0)
        if first != -second or first not in (-1.0, 0.0, 1.0):
            raise self._unsuitable(kernel.NOT_ZERO_SUM)
        return Outcome(int((first, second)[position.mover]))

    def forget(self) -> None:
        """Empty the table."""
        self._table = _table(self.game, 1 << 12)
        self._search.now[kernel.COUNT] = 0

    def _ask(self, position: Position, alpha: int, beta: int, prune: bool = True) -> int:
        """The value of a position if it lies between alpha and beta, else a bound beyond them."""
        self._begin(position.state, position.mover, alpha, beta, prune)
        status = kernel.PAUSED
        try:
            while status != kernel.DONE:
                status = self._work()
        finally:
            if status != kernel.DONE:
                self._close()
        return int(self._search.now[kernel.VALUE])

    def _begin(self, state: Words, mover: int, alpha: int, beta: int, prune: bool = True) -> None:
        now, root = self._search.now, self._search.frames[0]
        now[kernel.DEPTH], now[kernel.STAGE] = 0, kernel.ENTER
        now[kernel.PRUNE] = self._pruned if prune else kernel.WHOLE
        self._search.states[0] = state
        root[kernel.ALPHA], root[kernel.BETA], root[kernel.MOVER] = alpha, beta, mover

    def _close(self) -> None:
        """What was still being searched is not known, and no longer open."""
        marks = self._table.bounds[:, kernel.MARK]
        marks[marks == kernel.OPEN] = kernel.KNOWN

    def _work(self) -> int:
        """One chunk of about SECONDS_PER_CHUNK; the new status."""
        if self.positions > self.limit:
            raise TooManyPositions(
                f"{self.game.name} is not solved after {self.positions:,} positions, more than `limit` "
                f"(={self.limit}); raise it, as in perfect:limit={10 * self.limit}, or ask "
                "about a position nearer to the end"
            )
        begin = time.perf_counter()
        status = kernel.search_chunk(self._rules, self._table, self._search, self._budget)
        seconds = time.perf_counter() - begin
        if status == kernel.PAUSED:
            self._budget = max(1, int(self._budget * min(2.0, SECONDS_PER_CHUNK / seconds)))
            progress.report(self.positions, self._window)
        elif status != kernel.DONE:
            self._grow_or_raise(status)
        return status

    def _grow_or_raise(self, status: int) -> None:
        """Make room if that is what a search lacks."""
        if status == kernel.FULL:
            self._grow()
        elif status < 0:
            raise self.game.failure(status, self._search.states[self._search.now[kernel.DEPTH]])
        elif status != kernel.PAUSED:
            raise self._unsuitable(status)

    def _grow(self) -> None:
        """Twice the room; piece by piece, so that Ctrl-C is heard, and then the old table stays."""
        old, new = self._table, _table(self.game, 2 * len(self._table.keys))
        for begin in range(0, len(old.keys), ENTRIES_PER_PIECE):
            piece = slice(begin, begin + ENTRIES_PER_PIECE)
            kernel.move_entries(Table(old.keys[piece], old.bounds[piece]), new)
        self._table = new

    def _unsuitable(self, status: int) -> UnsuitableGame:
        reasons = {
            kernel.REPEATED: "a position came again on one line of play, and the solver takes games "
            "in which none can",
            kernel.TOO_DEEP: f"a line of play is longer than its `max_length` (={self.game.max_length})",
            kernel.NOT_ZERO_SUM: "its results are not 1, 0 and -1 with one player's the other's negative",
        }
        return UnsuitableGame(f"{self.game.name} cannot be solved: {reasons[status]}")


def _table(game: Game, capacity: int) -> Table:
    return Table(np.zeros((capacity, game.key_words), np.int64), np.zeros((capacity, 3), np.int64))


def _outcome(value: int) -> Outcome:
    if value == 0:
        return Outcome(0)
    return Outcome(1, WIN - value) if value > 0 else Outcome(-1, WIN + value)
