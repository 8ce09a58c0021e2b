"""Asks the rules of a game, and notes whatever they must not do while they are asked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError, listed
from zermelo.games import abi
from zermelo.games.abi import GOING, ILLEGAL, OVER, Planes, Words
from zermelo.games.base import Game
from zermelo.games.findings import Problem, Report
from zermelo.games.forms import Facts

_MARGIN = 8


class Broken(Exception):
    """The game cannot be played on."""


class Asking:
    """A game that is being played, through the functions that kernels use, and what was found so far."""

    def __init__(self, game: Game, seed: int, is_over: Callable[[], bool]) -> None:
        self.game = game
        self.report = Report(game.name)
        self._is_over = is_over
        self._random = np.random.default_rng(seed)
        self._moves: list[int] = []
        self._rooms: list[NDArray[Any]] = []

    @property
    def out_of_time(self) -> bool:
        return self._is_over()

    def _pick(self, some: Sequence[int]) -> int:
        return some[int(self._random.integers(len(some)))]

    def _guarded(self, values: NDArray[Any]) -> NDArray[Any]:
        """A copy with a margin on both sides, which `_check_guards` looks at."""
        room = np.full(values.size + 2 * _MARGIN, 77, values.dtype)
        inside = room[_MARGIN : _MARGIN + values.size]
        inside[:] = values
        self._rooms.append(room)
        return inside

    def _check_guards(self, role: str) -> None:
        rooms, self._rooms = self._rooms, []
        for room in rooms:
            if (room[:_MARGIN] != 77).any() or (room[-_MARGIN:] != 77).any():
                raise self._break("out of bounds", f"`{role}` writes outside its vector")

    # Telling.

    def _tell(self, kind: str, message: str, moves: Iterable[int] | None = None) -> None:
        if any(problem.kind == kind for problem in self.report.problems):
            return
        actions = self._moves if moves is None else list(moves)
        self.report.problems.append(Problem(kind, message, self._names(actions), self._drawn(actions)))

    def _names(self, actions: Sequence[int]) -> tuple[str, ...]:
        try:
            return self.game.position(actions).move_names
        except Exception:
            return tuple(f"action {action}" for action in actions)

    def _drawn(self, actions: Sequence[int]) -> str:
        try:
            return str(self.game.position(actions))
        except Exception:  # told by itself
            return ""

    def _break(self, kind: str, message: str) -> Broken:
        self._tell(kind, message)
        return Broken()

    def _ask(self, status: int, what: str, state: Words) -> int:
        """The answer of a rule, unless it failed."""
        if status < 0:
            raise self._break("rules failed", f"`{what}` failed: {self.game.failure(status, state)}")
        return int(status)

    # Asking.

    def _start(self) -> Words:
        self.game.forget()
        state = self._guarded(np.full(self.game.state_words, self._random.integers(2**62)))
        try:
            self._ask(abi.start(self.game.rules(), state), "start", state)
            self._check_guards("start")
        except ZermeloError as error:
            raise self._break("rules failed", str(error)) from error
        return state

    def _threats(self, state: Words, player: int, missing: int) -> set[int]:
        before, actions = state.tobytes(), self._guarded(np.full(self.game.num_actions, -1, np.int64))
        count = self._ask(abi.threats(self.game.rules(), state, player, missing, actions), "threats", state)
        self._check_guards("threats")
        self._check_untouched(state, before, "threats")
        return set(actions[:count].tolist())

    def _facts(self, state: Words) -> Facts:
        game, rules = self.game, self.game.rules()
        before = state.tobytes()
        actions = self._guarded(np.full(game.num_actions, -1, np.int64))
        result = self._guarded(np.full(game.num_players, np.nan))
        status = self._ask(abi.returns(rules, state, result), "returns", state)
        self._check_untouched(state, before, "returns")
        count = self._ask(abi.legal(rules, state, actions), "legal", state)
        self._check_untouched(state, before, "legal")
        mover = self._ask(abi.mover(rules, state), "mover", state)
        self._check_untouched(state, before, "mover")
        self._check_guards("returns` or `legal")
        if game.altered(state):
            raise self._break("query", "`returns`, `legal` or `mover` changes the state it is asked about")
        legal = tuple(actions[:count].tolist())
        if list(legal) != sorted(set(legal)) or any(not 0 <= a < game.num_actions for a in legal):
            raise self._break(
                "legal list",
                f"the legal actions are {listed(legal)}: they must ascend, without doubles, "
                f"from 0 to num_actions - 1 (={game.num_actions - 1})",
            )
        return Facts(mover, legal, tuple(result.tolist()) if status == OVER else None)

    def _check_untouched(self, state: Words, before: bytes, query: str) -> None:
        if state.tobytes() != before:
            raise self._break("query", f"`{query}` changes the state it is asked about")

    def _planes(self, state: Words, name: str | None) -> Planes:
        encoding = self.game.encoding(name)
        planes = self._guarded(np.full(encoding.size, np.nan, np.float32))
        before = state.tobytes()
        self._ask(abi.encode(self.game.rules(name), state, planes), "encode", state)
        self._check_guards("encode")
        self._check_untouched(state, before, "encode")
        if self.game.altered(state):
            raise self._break("query", "`encode` changes the state it is asked about")
        again = planes.copy()
        abi.encode(self.game.rules(name), state, again)
        if again.tobytes() != planes.tobytes():
            self._tell("planes", "`encode` gives something else when it is asked again")
        low, high = float(planes.min()), float(planes.max())
        if math.isnan(low):
            self._tell("planes", f"`encode` leaves {int(np.isnan(planes).sum())} inputs unwritten or NaN")
        elif low < encoding.low or high > encoding.high:
            self._tell(
                "planes",
                f"inputs from {low:g} to {high:g} leave their range, {encoding.low:g} to {encoding.high:g}",
            )
        return planes.reshape(encoding.shape)

    def _play(self, state: Words, action: int) -> Words:
        """Make a legal move twice, from two copies."""
        rules = self.game.rules()
        first, second = self._guarded(state), state.copy()
        status = abi.play(rules, first, action)
        self._check_guards("play")
        if status >= GOING:
            self.game.forget(first)  # so that it is made again
        again = abi.play(rules, second, action)
        if status == ILLEGAL:
            raise self._break(
                "legal action refused", f"action {action} is listed as legal, but `play` refuses it"
            )
        self._ask(status, f"play {action}", state)
        if self.game.altered(state):
            raise self._break("query", f"`play` of action {action} changes the state it starts from")
        if again != status or first.tobytes() != second.tobytes():
            raise self._break(
                "play not repeatable", f"action {action} played twice from one position gives two positions"
            )
        result = np.zeros(self.game.num_players)
        over = self._ask(abi.returns(rules, first.copy(), result), "returns", first) == OVER
        if over != (status == OVER):
            words = "says that it ends the game" if status == OVER else "says that the game goes on"
            raise self._break("end", f"`play` of action {action} {words}, `returns` says the opposite")
        return first

    def _transform(self, state: Words, k: int) -> Words:
        image = np.zeros_like(state)
        status = abi.transform(self.game.rules(), state, k, image)
        if status < 0:
            failure = self.game.failure(status, state)
            raise self._break("symmetry", f"under `{self.game.symmetries[k].name}`: {failure}")
        return image
