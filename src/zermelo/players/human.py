"""People are players too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar

from zermelo.errors import IllegalMove, InputEnded
from zermelo.games.position import Position
from zermelo.players.base import Player, going_on

Ask = Callable[[Position, str, str], str]
"""Gives what a person has typed: in this position, the person being called so, after this trouble with
what they typed before (none at first)."""


def ask_plainly(position: Position, called: str, trouble: str) -> str:
    """Ask on standard input and output, with the board drawn."""
    try:
        return input(f"{trouble or position}\n{called or f'player {1 + position.mover}'}> ")
    except EOFError:
        raise InputEnded(f"the input ended when a person was to move in {position!r}") from None


_ask: ContextVar[Ask] = ContextVar("ask", default=ask_plainly)


@contextmanager
def asking(ask: Ask) -> Iterator[None]:
    """Have people asked in this way inside the block."""
    token = _ask.set(ask)
    try:
        yield
    finally:
        _ask.reset(token)


class HumanPlayer(Player):
    """A person, who types each move."""

    kind = "human"
    one_game_at_a_time: ClassVar[bool] = True
    called: str = ""
    """The person's name."""

    def choose(self, positions: Sequence[Position], seeds: Sequence[int]) -> list[int]:
        return [self._choose(going_on(position)) for position in positions]

    def _choose(self, position: Position) -> int:
        trouble = ""
        while True:
            typed = _ask.get()(position, self.called, trouble)
            try:
                return position.parse(typed)
            except IllegalMove as error:
                trouble = str(error)
