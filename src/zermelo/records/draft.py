"""What a file says of a game, before the rules have seen it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from zermelo.errors import ZermeloError
from zermelo.games import registry
from zermelo.games.base import Game
from zermelo.games.position import Position

Figures = Mapping[str, float]
"""What was found while a move was searched: `seconds`, `score`, `value`, `visits` ..."""

PASS = -1
"""The action of a move that is a pass, in every game."""

_DATE = re.compile(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})")


class Impossible(Exception):
    """A game in a file that is none, and why; `move` counts from 1."""

    def __init__(self, what: str, move: int | None = None) -> None:
        super().__init__(what)
        self.what, self.move = what, move


class Move(NamedTuple):
    """A move of a file; without an action, `text` is as players of the game write it."""

    text: str
    action: int | None = None
    player: int | None = None
    """Who made it, 0 or 1; None where the file does not say."""
    figures: Figures | None = None


class Claim(NamedTuple):
    """The result that a file tells."""

    returns: tuple[float, float]
    result: str = ""
    """In words, if the file has some."""
    stands: bool = False
    """Whether it was decided away from the board, so that it holds whatever the board shows."""

    @property
    def lead(self) -> int:
        """1 if player 0 won, -1 if player 1 did, 0 for a draw."""
        return sign(self.returns)


def sign(returns: Sequence[float]) -> int:
    first, second = returns
    return (first > second) - (first < second)


@dataclass(frozen=True)
class Draft:
    """A game as a file tells it: player 0 is the one who begins."""

    game: Game
    moves: Sequence[Move]
    players: tuple[str, str] = ("", "")
    claim: Claim | None = None
    date: str = ""
    trouble: Callable[[Position], str] | None = None
    """Says of the last position what contradicts the file; nothing, if all is well."""


def lost(player: int, how: str) -> Claim:
    """A game that a player lost away from the board."""
    return Claim((-1.0, 1.0) if player == 0 else (1.0, -1.0), f"player {1 + player} {how}", stands=True)


def led(points: float) -> Claim:
    """A game that player 0 won by so many points, or lost if they are negative."""
    outcome = float((points > 0) - (points < 0))
    return Claim((outcome, -outcome))


def told_game(name: str, chosen: Game | None) -> Game:
    """The game that a file names, which must be the one that was chosen, if any was.

    A file never makes code run: it can name games that are built in, registered or installed. A game file
    or one of another library has to be chosen.
    """
    if chosen is not None and name == chosen.name:
        return chosen
    if name.partition(":")[0] not in registry.names():
        raise Impossible(
            f"its game, {quoted(name)}, is not known; --game can name a game file or one of another library"
        )
    found = usual_game(name)
    if chosen is not None and found != chosen:
        raise Impossible(f"it is a game of {found.name}, not of {chosen.name}")
    return found


def usual_game(name: str) -> Game:
    """A game that is known by name; `Impossible`, if its parameters cannot be."""
    found = _built(name)
    if isinstance(found, str):
        raise Impossible(found)
    return found


@lru_cache(maxsize=256)
def _built(name: str) -> Game | str:
    """A game, or why there is none; making one takes milliseconds."""
    try:
        return registry.game(name)
    except ZermeloError as error:
        return str(error)


def iso_date(text: str) -> str:
    """The day in a text, as 2018-07-27; nothing if there is none."""
    found = _DATE.search(text)
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}" if found else ""


def quoted(text: str) -> str:
    """A text of a file, to be told in one line."""
    shown = text if len(text) <= 60 else text[:60] + "..."
    return "`" + "".join(c if c.isprintable() else "?" for c in shown) + "`"
