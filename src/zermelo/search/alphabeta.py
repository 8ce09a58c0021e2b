"""Minimax with alpha-beta: the best move as far as a limited depth and a heuristic show."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.search import alphabeta_kernel as kernel
from zermelo.search.alphabeta_kernel import INFINITY, UNIT, WIN, Search
from zermelo.search.heuristic import Heuristic, HeuristicCall

SECONDS_PER_CHUNK = 0.05


@dataclass(frozen=True)
class AlphaBetaResult:
    """What a search found out; all values are those of the player to move."""

    position: Position
    actions: tuple[int, ...]
    """The best moves: all that are worth exactly `value`, and among wins and losses equally far."""
    value: float
    """1 for a proven win, -1 for a proven loss, else between them."""
    is_proven: bool
    """Whether the value holds in the whole game, not only as far as was searched."""
    plies: int
    """How many moves a proven win or loss takes to the end; 0 without one."""
    depth: int
    """How many moves ahead the whole tree was searched."""
    nodes: int
    """How many moves were made in all."""
    line: tuple[int, ...]
    """The principal variation, as far as the table still holds it."""

    @property
    def action(self) -> int:
        """The lowest of the best moves."""
        return self.actions[0]


class AlphaBeta:
    """Searches positions of one game for two players of whom one wins what the other loses.

    Depth after depth, with a table of positions (`megabytes`, kept from search to search), the
    table's move first, then killers and history. `heuristic` replaces the game's own; where there is
    none, unknown positions are worth 0. Without `pruning` it is plain minimax: no cuts and no table.
    Both find the same values and the same best moves.
    """

    def __init__(
        self,
        game: Game,
        heuristic: Heuristic | None = None,
        *,
        megabytes: int = 32,
        pruning: bool = True,
    ) -> None:
        if game.num_players != 2:
            raise UnsuitableGame(f"{game.name} has {game.num_players} players; minimax takes two")
        if megabytes < 1:
            raise BadParameter(f"`megabytes` (={megabytes}) of the table must be at least 1")
        self.game = game
        self.pruning = pruning
        self._rules = game.rules()
        self._heuristic = HeuristicCall(game, game.kernels.heuristic if heuristic is None else heuristic)
        self._nodes_per_second = 5000.0
        slots = (megabytes << 20) // (8 * (game.key_words + 2)) if pruning else 2
        self._table = np.zeros((1 << (slots.bit_length() - 1), game.key_words + 2), np.int64)
        self._search = self._room(8)

    def _room(self, depth: int) -> Search:
        rows, actions = depth + 1, self.game.num_actions
        return Search(
            now=np.zeros(8, np.int64),
            states=np.zeros((rows, self.game.state_words), np.int64),
            actions=np.zeros((rows, actions), np.int64),
            scores=np.zeros((rows, actions), np.int64),
            frames=np.zeros((rows, kernel.FIELDS), np.int64),
            killers=np.full((rows, 2), -1, np.int64),
            history=np.zeros((2, actions), np.int64),
            ties=np.zeros(actions, np.int64),
            table=self._table,
            result=np.zeros(2),
        )

    def search(self, position: Position, depth: int, seconds: float = math.inf) -> AlphaBetaResult:
        """The best moves, `depth` moves ahead or as far as one gets in this time, but at least one.

        It ends before that when the value is proven. Ctrl-C is heard within a tenth of a second.
        """
        if position.game != self.game:
            raise UnsuitableGame(f"this search is for {self.game.name}, not for {position.game.name}")
        if position.is_over:
            raise BadParameter(f"there is nothing to search in {position!r}: the game is over")
        if depth < 1:
            raise BadParameter(f"`depth` (={depth}) must be at least 1")
        if not seconds > 0:
            raise BadParameter(f"`seconds` (={seconds}) must be more than 0")
        deadline = time.perf_counter() + seconds
        self._search.now[:], self._search.killers[:], self._search.history[:] = 0, -1, 0
        result = self._to_depth(position, 1, math.inf)
        assert result is not None
        while result.depth < depth and not result.is_proven:
            deeper = self._to_depth(position, result.depth + 1, deadline)
            if deeper is None:
                break
            result = deeper
        return result

    def _to_depth(self, position: Position, depth: int, deadline: float) -> AlphaBetaResult | None:
        """The whole tree of this depth; None if that takes too long."""
        if depth >= len(self._search.frames):
            self._grow(2 * depth)
        now, root = self._search.now, self._search.frames[0]
        now[kernel.PLY], now[kernel.STAGE] = 0, kernel.ENTER
        now[kernel.DEPTH], now[kernel.PRUNE] = depth, self.pruning
        self._search.states[0] = position.state
        root[kernel.ALPHA], root[kernel.BETA], root[kernel.MOVER] = -INFINITY, INFINITY, position.mover
        while self._work(deadline) == kernel.PAUSED:
            if time.perf_counter() >= deadline:
                return None
        return self._result(position, depth)

    def _grow(self, depth: int) -> None:
        old, self._search = self._search, self._room(depth)
        self._search.now[:] = old.now
        self._search.history[:] = old.history
        self._search.killers[: len(old.killers)] = old.killers

    def _work(self, deadline: float) -> int:
        """One chunk of about SECONDS_PER_CHUNK; the new status."""
        now = self._search.now
        begin, before = time.perf_counter(), int(now[kernel.NODES])
        budget = self._nodes_per_second * min(SECONDS_PER_CHUNK, max(deadline - begin, 0.001))
        status = kernel.search_chunk(
            self._rules, self._heuristic.address, self._search, max(1, int(budget))
        )
        if status == kernel.PAUSED:
            rate = (int(now[kernel.NODES]) - before) / (time.perf_counter() - begin)
            self._nodes_per_second = min(rate, 10 * self._nodes_per_second)
        elif status != kernel.DONE:
            raise self._failure(status)
        return status

    def _failure(self, status: int) -> BaseException:
        state = self._search.states[self._search.now[kernel.PLY] + 1]
        if status == kernel.BAD_HEURISTIC:
            return self._heuristic.failure(float(self._search.result[0]), state)
        if status == kernel.NOT_ZERO_SUM:
            return UnsuitableGame(
                f"{self.game.name} cannot be searched: its results are not from -1 to 1 with one player's "
                "the other's negative"
            )
        return self.game.failure(status, state)

    def _result(self, position: Position, depth: int) -> AlphaBetaResult:
        search, now = self._search, self._search.now
        value, actions = int(now[kernel.VALUE]), search.ties[: now[kernel.TIES]].tolist()
        won = (value > UNIT) - (value < -UNIT)
        return AlphaBetaResult(
            position=position,
            actions=tuple(sorted(actions)),
            value=float(won or value / UNIT),
            is_proven=bool(now[kernel.PROVEN]),
            plies=WIN - abs(value) if won else 0,
            depth=depth,
            nodes=int(now[kernel.NODES]),
            line=self._line(position, min(actions), depth),
        )

    def _line(self, position: Position, action: int, depth: int) -> tuple[int, ...]:
        line = [action]
        position = position.play(action)
        while len(line) < depth and not position.is_over:
            action = kernel.table_move(self._search.table, position.state, depth - len(line))
            if action < 0:
                break
            line.append(action)
            position = position.play(action)
        return tuple(line)
