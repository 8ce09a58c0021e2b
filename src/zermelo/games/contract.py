"""What must be true of every game, tried in random games, and told in plain language.

`check` plays random games through the functions that kernels use and looks for whatever would make a
search or a training go wrong quietly.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ZermeloError, listed
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, ILLEGAL, OVER, Planes, Words
from zermelo.games.adapters.python import PythonGame
from zermelo.games.array_game import ArrayGame
from zermelo.games.base import Game
from zermelo.games.board import Symmetry
from zermelo.games.findings import Problem, Report
from zermelo.games.forms import ArrayForm, Facts, Form, PlainForm, blamed_line, plain_form, sides_of
from zermelo.games.position import Position
from zermelo.games.registry import game as named_game

_MOST_KEYS = 200_000
"""How many positions are remembered to compare with others of the same key."""


_MARGIN = 8


class _Seen(NamedTuple):
    """A state that came before, and the moves that led to it."""

    facts: Facts
    state: Words
    moves: tuple[int, ...]


class _After(NamedTuple):
    """What follows from a move: the end, the mover's result, whether it moves again, the planes."""

    over: bool
    result: float
    again: bool
    look: bytes


@dataclass
class _Followed:
    """A game in another form that is played beside."""

    form: Form
    name: str
    kind: str
    """Of the problem, if its rules raise an error."""
    state: Any = None


class _Broken(Exception):
    """The game cannot be played on."""


def check(
    game: Game | str,
    games: int = 2000,
    seed: int = 0,
    seconds: float = 20.0,
    progress: Callable[[int], None] = lambda _played: None,
    stop: Callable[[], bool] = lambda: False,
) -> Report:
    """Play random games and report every kind of problem in the rules once, where it showed first.

    Parameters
    ----------
    game
        A game, or its name.
    games
        The number of random games.
    seed
        The random seed.
    seconds
        The check ends after this time with the games played until then.
    progress
        Called with the number of games that were played.
    stop
        Asked between moves; the check ends when it says yes.

    Returns
    -------
    Report
        `passed`; `problems`, each with the moves after which it shows; and figures of the random games.

    Examples
    --------
    >>> import zermelo as zm
    >>> report = zm.check("tictactoe", games=50)
    >>> report.passed, report.games, report.problems
    (True, 50, [])
    """
    end = time.monotonic() + seconds
    checker = _Checker(named_game(game), seed, lambda: time.monotonic() > end or stop())
    for played in range(games):
        if played and checker.out_of_time:
            break
        try:
            if played == 0:
                checker.check_declaration()
            checker.play_game(thorough=played < 5)
        except _Broken:
            if played == 0 and not checker.report.lengths:
                break
        progress(played + 1)
    checker.check_results()
    return checker.report


class _Checker:
    def __init__(self, game: Game, seed: int, is_over: Callable[[], bool]) -> None:
        self.game = game
        self.report = Report(game.name)
        self._is_over = is_over
        self._random = np.random.default_rng(seed)
        self._seen: dict[bytes, _Seen] = {}
        self._looks: dict[bytes, _Seen] = {}
        self._winners: Counter[tuple[int, int]] = Counter()
        self._moves: list[int] = []
        self._rooms: list[NDArray[Any]] = []
        self._sides = sides_of(game)
        self._plain: PlainForm | None = None
        self._interpreted: ArrayForm | None = None

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

    def _break(self, kind: str, message: str) -> _Broken:
        self._tell(kind, message)
        return _Broken()

    def _ask(self, status: int, what: str, state: Words) -> int:
        """The answer of a rule, unless it failed."""
        if status < 0:
            raise self._break("rules failed", f"`{what}` failed: {self.game.failure(status, state)}")
        return int(status)

    # Once.

    def check_declaration(self) -> None:
        """What can be seen without playing."""
        game = self.game
        for number, symmetry in enumerate(game.symmetries):
            if not symmetry.permutes(game.board, game.num_actions):
                raise self._break("symmetry", f"symmetry `{symmetry.name}` is not a permutation")
            if number == 0 and list(symmetry.actions) != sorted(symmetry.actions):
                raise self._break("symmetry", "the first symmetry must be the identity")
        swap = game.side_symmetry
        if swap is not None and sorted(swap.actions) != list(range(game.num_actions)):
            raise self._break("side swap", f"`side_swap` ({swap.name}) does not permute the actions")
        if not 0 < game.key_words <= game.state_words:
            raise self._break(
                "state", f"key_words (={game.key_words}) must be 1 to state_words (={game.state_words})"
            )
        if not np.array_equal(self._start(), self._start()):
            self._tell("play not repeatable", "the first position is not always the same")
        for what in ("num_actions", "max_length"):
            value = getattr(game, what)
            if not isinstance(value, int) or value < 1:
                raise self._break(
                    "declaration", f"`{what}` (={value!r}) must be a whole number of at least 1"
                )

        if isinstance(game, ArrayGame):
            self._interpreted = ArrayForm(game, compiled=False)
        try:
            self._plain = plain_form(game)
        except ZermeloError as error:
            self._tell("plain rules", str(error))

    def _start(self) -> Words:
        self.game.forget()
        state = self._guarded(np.full(self.game.state_words, self._random.integers(2**62)))
        try:
            self._ask(abi.start(self.game.rules(), state), "start", state)
            self._check_guards("start")
        except ZermeloError as error:
            raise self._break("rules failed", str(error)) from error
        return state

    # One game.

    def play_game(self, thorough: bool) -> None:
        """Play one random game, looking at every position."""
        game = self.game
        state = self._start()
        self._moves = []
        in_game: set[bytes] = set()
        others = self._other_forms(thorough)
        while True:
            facts, planes = self._look(state, thorough)
            self._compare_forms(others, state, facts)
            key = state[: game.key_words].tobytes()
            if game.acyclic and key in in_game:
                self._tell("acyclic", "a position occurs twice in one game, but the game says `acyclic`")
            in_game.add(key)
            self._compare(key, state, facts)
            self._compare_looks(key, state, facts, planes)
            if facts.returns is not None:
                self._check_end(state, facts.returns)
                self.report.games += 1
                self.report.lengths.append(len(self._moves))
                return
            if self.out_of_time:
                return
            if len(self._moves) >= game.max_length:
                raise self._break(
                    "too long", f"the game goes on after max_length (={game.max_length}) moves"
                )
            self.report.branching[len(facts.legal)] += 1
            action = self._pick(facts.legal)
            self._check_illegal(state, facts.legal)
            child = self._play(state, action)
            if thorough or (len(game.symmetries) > 1 and self._random.random() < 0.25):
                self._check_symmetry(state, facts, action, child)
            if self._sides is not None and (thorough or self._random.random() < 0.25):
                self._check_sides(state, facts, action, child)
            self._last_mover = facts.mover
            self._moves.append(action)
            self._play_in_forms(others, action)
            state = child

    def _look(self, state: Words, thorough: bool) -> tuple[Facts, Planes]:
        """Ask everything about a state that can be asked."""
        facts = self._facts(state)
        if facts.returns is None and not facts.legal:
            raise self._break("no moves", "there is no legal action, but the game is not over")
        if facts.returns is None and facts.mover not in range(self.game.num_players):
            raise self._break("mover", f"the mover is {facts.mover}, not one of the players 0 and 1")
        self._check_pieces(state)
        planes = self._planes(state, None)
        for name in list(self.game.encodings)[1:] if thorough else ():
            self._planes(state, name)
        if thorough and facts.returns is None:
            self._check_threats(state, facts)
            self._check_heuristic(state)
        if thorough or self._random.random() < 0.1:
            self._check_names(state, facts.legal)
            self._check_drawing(state)
        return facts, planes

    def _threats(self, state: Words, player: int, missing: int) -> set[int]:
        before, actions = state.tobytes(), self._guarded(np.full(self.game.num_actions, -1, np.int64))
        count = self._ask(abi.threats(self.game.rules(), state, player, missing, actions), "threats", state)
        self._check_guards("threats")
        self._check_untouched(state, before, "threats")
        return set(actions[:count].tolist())

    def _check_threats(self, state: Words, facts: Facts) -> None:
        """A win that is told must be one, and one that is threatened must have been told as possible:
        proofs rest on that."""
        rules, mover = self.game.rules(), facts.mover
        if rules.threats == 0:
            return
        told, possible = self._threats(state, mover, 1), self._threats(state, mover, 2)
        won = set()
        for action in facts.legal:
            child, returns = state.copy(), np.zeros(self.game.num_players)
            if abi.play(rules, child, action) < 0:
                return  # told elsewhere
            if abi.returns(rules, child, returns) == OVER:
                if returns[mover] >= 1:
                    won.add(action)
                continue
            if abi.mover(rules, child) == mover:
                self._tell(
                    "threats", "a player moves twice: `threats` is for games in which they take turns"
                )
            elif not told and action not in possible and self._threats(child, mover, 1):
                name = self._names([*self._moves, action])[-1]
                self._tell("threats", f"`threats` leaves out {name}, after which a win is threatened")
        if told != won:
            self._tell(
                "threats",
                f"`threats` says that these actions win at once: {listed(sorted(told)) or 'none'}; by the "
                f"rules it is: {listed(sorted(won)) or 'none'}",
            )

    def _check_heuristic(self, state: Words) -> None:
        kernel, before = self.game.kernels.heuristic, state.tobytes()
        if kernel is None:
            return
        try:
            function = abi.address(kernel, "heuristic")
        except ZermeloError as error:
            self._tell("heuristic", str(error))
            return
        value = abi.heuristic(self.game.rules(), function, state)
        self._check_untouched(state, before, "heuristic")
        if value == FAILED and isinstance(self.game, PythonGame):
            self._tell("heuristic", str(self.game.failure(FAILED, state)))
        elif not -1 <= value <= 1:
            self._tell("heuristic", f"`heuristic` gave {value:g}, not a number from -1 to 1")

    def _check_drawing(self, state: Words) -> None:
        position = Position(self.game, state)
        try:
            str(position)
            self.game.svg(position)
        except Exception as error:
            self._tell("drawing", f"the position cannot be drawn: {type(error).__name__}: {error}")

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

    def _check_pieces(self, state: Words) -> None:
        """Of a cell that no plane shows, a network knows nothing."""
        board, planes = self.game.board, self.game.encoding().planes
        if board is None or planes not in (board.plane_names(True), board.plane_names(False)):
            return
        try:
            cells = self.game.cells(Position(self.game, state))
        except Exception as error:
            raise self._break(
                "pieces", f"the cells cannot be asked: {type(error).__name__}: {error}"
            ) from None
        known = ", ".join(f"{i} ({piece.kind} {piece.glyph})" for i, piece in enumerate(board.contents, 1))
        for cell, value in enumerate(cells):
            if value and board.piece(value) is None:
                raise self._break(
                    "pieces",
                    f"cell {board.cell_name(cell)} holds {value}, which no plane shows: the board knows "
                    f"{known}; name every kind of piece in `Board(..., pieces=...)`",
                )

    def _check_names(self, state: Words, legal: tuple[int, ...]) -> None:
        position = Position(self.game, state.copy())
        names: dict[str, int] = {}
        for action in legal:
            try:
                name = position.name(action)
                name.casefold()
            except Exception as error:
                self._tell("names", f"action {action} has no name: {type(error).__name__}: {error}")
                return
            if name in names:
                both = f"actions {names[name]} and {action}"
                self._tell("names", f"{both} are both called `{name}`")
            if not name or name != "".join(name.split()) or "," in name:
                self._tell("names", f"action {action} is called `{name}`: spaces and commas separate moves")
            names[name] = action
        for action in legal[:3]:
            try:
                parsed = position.parse(position.name(action))
            except ZermeloError:
                parsed = -1
            if parsed != action:
                self._tell(
                    "names", f"`{position.name(action)}` names action {action} but is read as {parsed}"
                )

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

    def _check_illegal(self, state: Words, legal: Sequence[int]) -> None:
        others = sorted(set(range(self.game.num_actions)) - set(legal))
        tries = [-1, self.game.num_actions]
        if others:
            tries.append(self._pick(others))
        for action in tries:
            copy = state.copy()
            if abi.play(self.game.rules(), copy, action) >= GOING:
                self._tell(
                    "illegal action accepted", f"action {action} is not legal, but `play` accepts it"
                )
            elif copy.tobytes() != state.tobytes():
                self._tell(
                    "illegal action accepted",
                    f"the illegal action {action} is refused, but changes the state",
                )

    def _check_end(self, state: Words, returns: tuple[float, ...]) -> None:
        if any(not -1 <= value <= 1 for value in returns):
            self._tell("result", f"the result {returns} has a value outside -1 to 1")
        elif abs(sum(returns)) > 1e-9:
            self._tell("result", f"the result {returns} does not add up to 0")
        legal = self._facts(state).legal
        if legal:
            self._tell("moves after the end", f"the game is over, but {listed(legal)} are listed as legal")
        for action in range(min(self.game.num_actions, 64)):
            if abi.play(self.game.rules(), state.copy(), action) >= GOING:
                self._tell("moves after the end", f"the game is over, but `play` accepts action {action}")
        winner = int(np.argmax(returns)) if max(returns) > 0 > min(returns) else None
        self.report.results["draw" if winner is None else ("first", "second")[winner]] += 1
        if winner is not None and self._moves:
            self._winners[winner, self._last_mover] += 1

    # Across positions.

    def _compare(self, key: bytes, state: Words, facts: Facts) -> None:
        """Equal keys must have equal futures."""
        if key not in self._seen:
            if len(self._seen) < _MOST_KEYS:
                self._seen[key] = _Seen(facts, state.copy(), tuple(self._moves))
            return
        known, other, moves = self._seen[key]
        if known != facts:
            before = " ".join(self._names(moves)) or "no moves"
            names = ("mover", "legal actions", "result")
            what = next(n for n, a, b in zip(names, known, facts, strict=True) if a != b)
            self._tell("equal keys", f"the key is the same as after {before}, but the {what} differ")
        elif facts.returns is None:
            action = self._pick(facts.legal)
            children = [state.copy(), other.copy()]
            for child in children:
                self.game.forget()
                abi.play(self.game.rules(), child, action)
            one, two = (child[: self.game.key_words].tobytes() for child in children)
            if one != two:
                before = " ".join(self._names(moves)) or "no moves"
                self._tell(
                    "equal keys",
                    f"the key is the same as after {before}, but action {action} leads elsewhere",
                )
        wrong = any(problem.kind == "equal keys" for problem in self.report.problems)
        if not wrong and moves != tuple(self._moves):
            self._check_context(state, other, moves)

    def _check_context(self, state: Words, other: Words, moves: Sequence[int]) -> None:
        """Positions with equal keys must look alike, unless the game says that they may not."""
        hidden = []
        if not self.game.encoding().context:
            planes, others = (self._planes(one, None) for one in (state, other))
            hidden += ["`encode` shows"] * (not np.array_equal(planes, others, equal_nan=True))
        if not self.game.reads_context:
            try:
                drawings = {str(Position(self.game, one)) for one in (state, other)}
            except Exception:
                return  # told elsewhere
            hidden += ["the drawing shows"] * (len(drawings) > 1)
        if hidden:
            before = " ".join(self._names(moves)) or "no moves"
            self._tell(
                "context",
                f"the key is the same as after {before}, but {' and '.join(hidden)} a difference: put it "
                "into the key, or declare that the game reads context",
            )

    def _compare_looks(self, key: bytes, state: Words, facts: Facts, planes: Planes) -> None:
        """Positions that look the same to a network must play the same. It sees no finished ones."""
        if facts.returns is not None or np.isnan(planes).any():
            return
        look = hashlib.blake2b(planes.tobytes(), digest_size=16).digest()
        if look not in self._looks:
            if len(self._looks) < _MOST_KEYS:
                self._looks[look] = _Seen(facts, state.copy(), tuple(self._moves))
            return
        twin = self._looks[look]
        if twin.state[: self.game.key_words].tobytes() == key:
            return
        difference = self._difference(state, facts, twin)
        if difference:
            before = " ".join(self._names(twin.moves)) or "no moves"
            self._tell("equal planes", f"the planes are the same as after {before}, but {difference}")

    def _difference(self, state: Words, facts: Facts, twin: _Seen) -> str:
        """In what two positions of equal planes play differently, or nothing. Who moves is no difference
        if nothing follows from it, and neither is a game that ends at `max_length`."""
        other_mover = facts.mover != twin.facts.mover
        mover = "the mover differs, and " if other_mover else ""
        if facts.legal != twin.facts.legal:
            action = min(set(facts.legal) ^ set(twin.facts.legal))
            legal_here = action in facts.legal
            name = Position(self.game, state if legal_here else twin.state).name(action)
            where = "here and not there" if legal_here else "there and not here"
            return f"{mover}the legal moves differ: {name} is legal {where}"
        if max(len(self._moves), len(twin.moves)) + 1 == self.game.max_length:
            return ""
        action = self._pick(facts.legal)
        after, twin_after = (
            self._after(*one, action) for one in ((state, facts), (twin.state, twin.facts))
        )
        if other_mover:
            after, twin_after = after._replace(result=0.0), twin_after._replace(result=0.0)
        if after == twin_after:
            return ""
        what = next(name for name, a, b in zip(_After._fields, after, twin_after, strict=True) if a != b)
        name = Position(self.game, state).name(action)
        meaning = {"over": "the end of the game", "again": "who moves next", "look": "the planes"}
        return f"{mover}after {name} they differ in {meaning.get(what, what)}"

    def _after(self, state: Words, facts: Facts, action: int) -> _After:
        child, result = state.copy(), np.zeros(self.game.num_players)
        rules = self.game.rules()
        if self._ask(abi.play(rules, child, action), f"play {action}", state) == OVER:
            abi.returns(rules, child, result)
            return _After(True, float(result[facts.mover]), False, b"")
        again = self._ask(abi.mover(rules, child), "mover", child) == facts.mover
        return _After(False, 0.0, again, self._planes(child, None).tobytes())

    # The same game in other forms.

    def _other_forms(self, thorough: bool) -> list[_Followed]:
        """Games in other forms that are played beside this one, at their start."""
        found: list[_Followed] = []
        if self._interpreted is not None and thorough:
            found.append(_Followed(self._interpreted, "the same rules uncompiled", "compiled rules"))
        if self._plain is not None:
            found.append(_Followed(self._plain, "the plain rules", "plain rules"))
        for one in [*found]:
            self._in_form(found, one, lambda form, _state: form.start())
        return found

    def _play_in_forms(self, others: list[_Followed], action: int) -> None:
        for one in [*others]:
            self._in_form(others, one, lambda form, state: form.play(state, action))

    def _in_form(self, others: list[_Followed], one: _Followed, move: Callable[[Form, Any], Any]) -> None:
        try:
            one.state = move(one.form, one.state)
        except Exception as error:
            self._leave_form(others, one, error)

    def _leave_form(self, others: list[_Followed], one: _Followed, error: Exception) -> None:
        others.remove(one)
        raised = f"{one.name} raised {type(error).__name__}: {error}{blamed_line(error)}"
        self._tell("out of bounds" if isinstance(error, IndexError | OverflowError) else one.kind, raised)

    def _compare_forms(self, others: list[_Followed], state: Words, facts: Facts) -> None:
        cells = None
        if others and self.game.board is not None:
            with suppress(Exception):  # told as `drawing`
                cells = list(self.game.cells(Position(self.game, state)))
        for one in [*others]:
            try:
                problem = _unlike(facts, one.form.facts(one.state))
                other_cells = one.form.cells(one.state) if cells is not None else None
                if not problem and other_cells is not None and cells != list(other_cells):
                    problem = "the cells of the board are other ones"
                if not problem and isinstance(one.form, ArrayForm):
                    problem = self._unlike_answers(one.form, one.state, facts.returns is not None)
            except Exception as error:
                self._leave_form(others, one, error)
                continue
            if problem:
                others.remove(one)
                self._tell(one.kind, f"compared with {one.name}, {problem}")

    def _unlike_answers(self, uncompiled: ArrayForm, state: Words, over: bool) -> str:
        """Which function besides the rules says something else when it is compiled, or nothing."""
        assert isinstance(self.game, ArrayGame)
        k = len(self._moves) % len(self.game.symmetries)
        answers = ArrayForm(self.game, compiled=True).answers(state, k, over)
        for role, answer in uncompiled.answers(state, k, over).items():
            other = answers[role]
            rounded = answer.dtype.kind == "f" and np.allclose(answer, other, 1e-4, 1e-4, equal_nan=True)
            if not rounded and not np.array_equal(answer, other):
                return f"`{role}` {'says' if role == 'heuristic' else 'writes'} something else"
        return ""

    def _check_sides(self, state: Words, facts: Facts, action: int, child: Words) -> None:
        """Exchange the players: the other player must have the same moves, and they must do the same."""
        swap, moves = self.game.side_symmetry, [*self._moves]
        assert swap is not None
        assert self._sides is not None
        try:
            image = self._sides.swapped(state)
            problem = self._unequal(swap, state, facts, image)
            if not problem:
                moved = self._sides.play(image, swap.actions[action])
                problem = self._unequal(swap, child, self._facts(child), moved)
                moves.append(action)
        except NotImplementedError as error:
            problem = str(error)
        except _Broken:
            raise
        except Exception as error:
            problem = f"the rules raised {type(error).__name__}: {error}"
        if problem:
            self._tell("side swap", f"with the players exchanged, {problem}", moves)

    def _unequal(self, swap: Symmetry, state: Words, facts: Facts, image: Any) -> str:
        """In what an image is not the state with the players exchanged, or nothing."""
        assert self._sides is not None
        seen, board = self._sides.facts(image), self.game.board
        images = self._sides.cells(image)
        if board is not None and images is not None:
            cells = self.game.cells(Position(self.game, state))
            for cell, target in enumerate(swap.cells):
                wanted, found = board.swapped_values[cells[cell]], images[target]
                if found != wanted:
                    return (
                        f"`{board.symbol(cells[cell])}` on {board.cell_name(cell)} should be "
                        f"`{board.symbol(wanted)}` on {board.cell_name(target)}, where there is "
                        f"`{board.symbol(found)}`"
                    )
        if (None if seen.returns is None else seen.returns[::-1]) != facts.returns:
            return f"the result {facts.returns} becomes {seen.returns}"
        if facts.returns is None and seen.mover != 1 - facts.mover:
            return f"player {seen.mover} moves, not {1 - facts.mover}"
        legal = tuple(sorted(swap.actions[action] for action in facts.legal))
        if facts.returns is None and seen.legal != legal:
            return f"the legal actions should be {listed(legal)}, but are {listed(seen.legal)}"
        return ""

    def _check_symmetry(self, state: Words, facts: Facts, action: int, child: Words) -> None:
        game = self.game
        k = int(self._random.integers(len(game.symmetries)))
        symmetry = game.symmetries[k]
        image = self._transform(state, k)
        seen = self._facts(image)
        wanted = tuple(sorted(symmetry.actions[a] for a in facts.legal))
        if seen.legal != wanted:
            self._tell(
                "symmetry",
                f"under `{symmetry.name}` the legal actions should become {listed(wanted)}, "
                f"but are {listed(seen.legal)}",
            )
            return
        if seen.mover != facts.mover or seen.returns != facts.returns:
            self._tell("symmetry", f"under `{symmetry.name}` the mover or the result changes")
            return
        moved = image.copy()
        abi.play(game.rules(), moved, symmetry.actions[action])
        one, two = (s[: game.key_words].tobytes() for s in (moved, self._transform(child, k)))
        if one != two:
            self._tell(
                "symmetry",
                f"under `{symmetry.name}` action {action} becomes {symmetry.actions[action]}, "
                "but the positions after them are not images of each other",
            )
        if game.board is not None and game.encoding().shape[1:] == (game.board.rows, game.board.cols):
            planes = self._planes(state, None).reshape(game.encoding().shape[0], -1)
            images = self._planes(image, None).reshape(planes.shape)
            written = not np.isnan(planes).any()
            if written and not np.array_equal(images[:, list(symmetry.cells)], planes):
                self._tell("symmetry", f"the planes do not follow `{symmetry.name}`")

    def _transform(self, state: Words, k: int) -> Words:
        image = np.zeros_like(state)
        status = abi.transform(self.game.rules(), state, k, image)
        if status < 0:
            failure = self.game.failure(status, state)
            raise self._break("symmetry", f"under `{self.game.symmetries[k].name}`: {failure}")
        return image

    def check_results(self) -> None:
        """If one player wins every decided game, whoever moved last, results are told to the wrong one."""
        decided = sum(self._winners.values())
        winners = {winner for winner, _ in self._winners}
        last = Counter({mover: count for (_, mover), count in self._winners.items()})
        if decided >= 50 and len(winners) == 1 and min(last[0], last[1]) >= decided // 20:
            player = winners.pop()
            problem = (
                f"player {player} wins all {decided} decided games, although player 0 made the last "
                f"move in {last[0]} and player 1 in {last[1]}: `returns` tells the results of player 0 "
                "and player 1, not those of the player to move and the other"
            )
            self.report.problems.append(Problem("wrong player", problem, None))


def _unlike(facts: Facts, others: Facts) -> str:
    """In what one form of the rules differs from another, or nothing."""
    if facts.returns != others.returns:
        return f"the result is {facts.returns}, not {others.returns}"
    if facts.returns is not None:
        return ""
    if facts.mover != others.mover:
        return f"player {facts.mover} moves, not {others.mover}"
    if facts.legal != others.legal:
        return f"the legal actions are {listed(facts.legal)}, not {listed(others.legal)}"
    return ""
