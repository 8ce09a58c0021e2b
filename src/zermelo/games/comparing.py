"""Compares positions of a game: with others that look alike, with their images, and with the same position
in other forms of the rules."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import blamed_line, listed
from zermelo.games import abi
from zermelo.games.abi import OVER, Planes, Words
from zermelo.games.array_game import ArrayGame
from zermelo.games.asking import Asking, Broken
from zermelo.games.base import Game
from zermelo.games.board import Symmetry
from zermelo.games.forms import ArrayForm, Facts, Form, PlainForm, sides_of
from zermelo.games.position import Position

_MOST_KEYS = 200_000
"""How many positions are remembered to compare with others of the same key."""


_RESULT = "the result"


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


class Comparing(Asking):
    """Remembers positions, and plays other forms of the game beside."""

    def __init__(self, game: Game, seed: int, is_over: Callable[[], bool]) -> None:
        super().__init__(game, seed, is_over)
        self._seen: dict[bytes, _Seen] = {}
        self._looks: dict[bytes, _Seen] = {}
        self._suspected: tuple[str, tuple[int, ...]] | None = None
        """Equal planes with another result for another mover, and after which moves: told at the end
        unless all results are told to the wrong player."""
        self._sides = sides_of(game)
        self._plain: PlainForm | None = None
        self._interpreted: ArrayForm | None = None

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
            problem = f"the planes are the same as after {before}, but {difference}"
            if facts.mover != twin.facts.mover and difference.endswith(_RESULT):
                self._suspected = self._suspected or (problem, tuple(self._moves))
            else:
                self._tell("equal planes", problem)

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
        if after == twin_after:
            return ""
        what = next(name for name, a, b in zip(_After._fields, after, twin_after, strict=True) if a != b)
        name = Position(self.game, state).name(action)
        meaning = {
            "over": "the end of the game",
            "result": _RESULT,
            "again": "who moves next",
            "look": "the planes",
        }
        return f"{mover}after {name} they differ in {meaning[what]}"

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
        line = blamed_line(error)
        place = f" ({line})" if line else ""
        raised = f"{one.name} raised {type(error).__name__}: {error}{place}"
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
        except Broken:
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
