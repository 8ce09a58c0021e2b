"""Positions in files that people bring, and what is wrong with them.

A line is a position: its moves, then its score, then the score of every move, the last two of which may
be left out, as in `4453`, `4453 -2` and the sets that ship (`sets.py`); or a JSON object with a board as
in Kaggle's ConnectX, `{"board": [...], "score": ..., "move score": [...]}`, scores optional. Blank lines
and what follows # are nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any

from zermelo.errors import BadParameter, IllegalMove, ZermeloError
from zermelo.exact.boards import position_of
from zermelo.exact.graded import Graded
from zermelo.exact.outcome import Outcome
from zermelo.exact.score import score_of
from zermelo.exact.sets import FULL, places
from zermelo.games.base import Game
from zermelo.games.connect import Connect
from zermelo.games.position import Position

MOST_BYTES = 16 << 20
_LONGEST = 10_000
_MOST_SAID = 300

_SCORE = re.compile(r"[+-]?\d{1,6}")


@dataclass(frozen=True)
class Line:
    """A position of a file, with the scores that stand beside it."""

    number: int
    position: Position
    score: int | None = None
    scores: Mapping[int, int] = field(default_factory=dict)
    """By action; not of every one, maybe."""

    def contradiction(self, graded: Graded) -> str:
        """What a solver says otherwise; nothing, if all is right."""
        position = self.position
        if trouble := self._differs("its score", self.score, graded.best):
            return trouble
        for action, score in self.scores.items():
            if trouble := self._differs(
                f"the score of {position.name(action)}", score, graded.outcomes[action]
            ):
                return trouble
        return ""

    def _differs(self, what: str, given: int | None, outcome: Outcome) -> str:
        game = self.position.game
        right = score_of(game, len(self.position.moves), outcome)
        if given is None or given == right or (_sign(given) == outcome.value and not _has_scale(game)):
            return ""
        return f"{what} is {given}, but the solver finds {right if _has_scale(game) else outcome}"


@dataclass(frozen=True)
class LeftOut:
    """A line that is not a position, and why."""

    number: int
    reason: str


def read_positions(game: Game, path: Path) -> tuple[list[Line], list[LeftOut]]:
    """The positions of a file, and the lines that are none."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadParameter(f"the positions of {path} cannot be read: {error.strerror}") from None
    if len(data) > MOST_BYTES:
        raise BadParameter(f"{path} is larger than {MOST_BYTES >> 20} MB; divide it")
    good: list[Line] = []
    bad: list[LeftOut] = []
    for number, raw in enumerate(data.decode("utf-8-sig", "replace").split("\n"), 1):
        text = raw.strip()
        if not text.startswith("{"):
            text = text.partition("#")[0].strip()
        if text:
            try:
                good.append(_read(game, number, text))
            except ZermeloError as error:
                bad.append(LeftOut(number, shorten(" ".join(str(error).split()), _MOST_SAID)))
    if not good and not bad:
        raise BadParameter(f"there is no position in {path}")
    return good, bad


def _read(game: Game, number: int, text: str) -> Line:
    if len(text) > _LONGEST:
        raise BadParameter(f"it has {len(text):,} characters, more than {_LONGEST:,}")
    line = _from_json(game, number, text) if text.startswith("{") else _from_text(game, number, text)
    if line.position.is_over:
        raise BadParameter("the game is over, there is no move to make")
    return line


def _from_text(game: Game, number: int, text: str) -> Line:
    """Moves that fill the line, or moves in one word with all scores, or moves with a score."""
    words = text.split()
    try:
        return Line(number, game.position(text))
    except IllegalMove:
        if line := _with_every_score(game, number, words):
            return line
        if len(words) == 1 or not _is_score(words[-1]):
            raise
    return Line(number, game.position(" ".join(words[:-1])), int(words[-1]))


def _with_every_score(game: Game, number: int, words: Sequence[str]) -> Line | None:
    """A line as those of the sets that ship, if it is one."""
    moves, *scores = words
    if len(scores) < 2 or not all(_is_score(word) or word == FULL for word in scores):
        return None
    try:
        position = game.position(moves)
    except IllegalMove:
        return None
    of_moves = dict(zip(places(position), scores[1:], strict=False))
    if (
        len(of_moves) != len(scores) - 1
        or len(of_moves) != len(places(position))
        or not _is_score(scores[0])
    ):
        return None
    legal = {a: int(word) for a, word in of_moves.items() if a in position.legal_actions and word != FULL}
    return Line(number, position, int(scores[0]), legal)


def _from_json(game: Game, number: int, text: str) -> Line:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise BadParameter("it is not JSON, or was cut") from None
    if not isinstance(game, Connect):
        raise BadParameter(f"boards are for connect; a position of {game.name} is a line of moves")
    if not isinstance(values.get("board"), list):
        raise BadParameter("it has no `board`")
    position = position_of(game, values["board"])
    given = values.get("move score")
    if given is None:
        return Line(number, position, _number("score", values.get("score")))
    legal = position.legal_actions
    if not isinstance(given, list) or len(given) not in (game.cols, len(legal)):
        raise BadParameter(f"`move score` must be a list of {game.cols}, one for each column")
    actions: Sequence[int] = range(game.cols) if len(given) == game.cols else legal
    scores = {
        action: score
        for action, value in zip(actions, given, strict=True)
        if action in legal and (score := _number("move score", value)) is not None
    }
    return Line(number, position, _number("score", values.get("score")), scores)


def _number(name: str, value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise BadParameter(f"`{name}` has {json.dumps(value)}, which is not a whole number")
    return int(value)


def _is_score(word: str) -> bool:
    return _SCORE.fullmatch(word) is not None


def _has_scale(game: Game) -> bool:
    """Whether everybody counts scores alike; elsewhere only who wins is compared."""
    return isinstance(game, Connect)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
