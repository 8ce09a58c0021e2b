"""Variations: moves that are tried out beside the game, and lines that are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo.errors import BadParameter
from zermelo.web.fields import Fields

if TYPE_CHECKING:
    from zermelo.web.visitor import Visitor

_MOST_MOVES = 100


class Trying:
    """What a visitor tries out; nobody else sees it before it is kept."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.words: dict[str, Callable[[Fields], None]] = {
            "try": self._try,
            "game": self._game,
            "keep": self._keep,
            "line": self._line,
            "forget": self._forget,
            "adopt": self._adopt,
        }

    def _try(self, fields: Fields) -> None:
        """Moves from what is looked at on; the first of them is shown."""
        moves = fields.texts("moves", most=_MOST_MOVES)
        if not moves:
            raise BadParameter("`moves` must have a move")
        table, position = self._visitor.here, self._visitor.position
        at = len(position.moves)
        line = list(self._visitor.shown[: at + 1])
        for move in moves:
            line.append(line[-1].play(move))
        shown = self._visitor.shown
        if table.branch(line) == len(line) - 1:  # the moves of the game itself
            self._visitor.look(at + 1, None)
        elif [one.last_action for one in shown[: len(line)]] == [one.last_action for one in line]:
            self._visitor.look(at + 1, self._visitor.line)
        else:
            self._visitor.look(at + 1, line)

    def _game(self, _: Fields) -> None:
        """Back to the game, where the variation left it."""
        line = self._visitor.line
        self._visitor.look(self._visitor.here.branch(line) if line is not None else None, None)

    def _keep(self, _: Fields) -> None:
        table, line = self._visitor.here, self._visitor.line
        if line is None:
            raise BadParameter("there is no variation to keep; try a move first")
        table.keep(line)
        self._visitor.hub.show(table)

    def _line(self, fields: Fields) -> None:
        table = self._visitor.here
        line = table.kept(fields.number("number", 0, 100))
        self._visitor.look(min(table.branch(line) + 1, len(line) - 1), line)

    def _forget(self, fields: Fields) -> None:
        table = self._visitor.here
        table.forget(fields.number("number", 0, 100))
        self._visitor.hub.show(table)

    def _adopt(self, _: Fields) -> None:
        """Go on playing from what is looked at."""
        visitor, table = self._visitor, self._visitor.here
        if table.keys is not None:
            raise BadParameter("this game belongs to two people; begin another from the link that holds it")
        table.adopt(visitor.shown[: len(visitor.position.moves) + 1])
        visitor.ply = visitor.line = None
        visitor.advising.end_search()
        visitor.hub.go_on(table)
