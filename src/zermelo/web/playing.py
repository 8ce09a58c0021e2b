"""What visitors do at a table: begin, open, move, take back, give up, look at earlier moves, invite."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadParameter
from zermelo.records.record import replayed
from zermelo.web.catalogue import HUMAN
from zermelo.web.fields import Fields
from zermelo.web.invitation import modules
from zermelo.web.table import Table

if TYPE_CHECKING:
    from zermelo.web.visitor import Visitor


class Playing:
    """The moves of a visitor."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor, self._hub = visitor, visitor.hub
        self.words: dict[str, Callable[[Fields], None]] = {
            "new": self._new,
            "open": self._open,
            "move": self._move,
            "undo": self._undo,
            "redo": self._redo,
            "resign": self._resign,
            "view": self._view,
            "seats": self._seats,
            "invite": self._invite,
        }

    def _new(self, fields: Fields) -> None:
        catalogue = self._hub.catalogue
        game = catalogue.game(fields.text("game"))
        seats = fields.texts("seats", 2)
        for name in seats:
            catalogue.player(name, game)
        if fields.has("text"):
            position = game.position(fields.long_text("text"))
        else:
            position = replayed(game, fields.texts("moves"))
        mine = fields.number("apart", 0, 1) if fields.has("apart") else None
        if mine is not None and seats != [HUMAN, HUMAN]:
            raise BadParameter("on two devices only two people can play")
        table = self._hub.seat(position, seats, self._visitor, apart=mine is not None)
        key = table.keys[mine] if table.keys is not None and mine is not None else ""
        self._visitor.sit(table, key)
        self._hub.go_on(table)

    def _open(self, fields: Fields) -> None:
        name, _, key = fields.text("table").partition(".")
        if name not in self._hub.tables:
            self._visitor.send({"type": "gone", "table": name})
            return
        table = self._hub.table(name)
        self._visitor.sit(table, key)
        if table.keys is not None:
            self._hub.show(table)
        else:
            self._visitor.see()
        if table.awaits_a_player and not table.thinking:
            self._hub.go_on(table)

    def _own(self, move: bool = False) -> Table:
        """The table, if this visitor may do something there."""
        table = self._visitor.here
        if table.keys is not None:
            if self._visitor.seat is None:
                raise BadParameter("you look on: two others play this game")
            if move and table.position.mover != self._visitor.seat:
                raise BadParameter("it is not your turn: the other player is to move")
        return table

    def _move(self, fields: Fields) -> None:
        table = self._own(move=True)
        if fields.text("table", table.id) != table.id:
            raise BadParameter("this move belongs to another game")
        if table.thinking:
            raise BadParameter("it is not your turn: the opponent is thinking")
        live = len(table.positions) - 1
        if fields.number("ply", 0, 100_000, live) != live:
            raise BadParameter(f"`ply` must be {live}: the game stands after {live} moves")
        table.play(table.position.parse(fields.text("move")))
        self._changed(table)

    def _undo(self, _: Fields) -> None:
        table = self._own()
        table.undo()
        self._changed(table)

    def _redo(self, _: Fields) -> None:
        table = self._own()
        table.redo()
        self._changed(table)

    def _resign(self, _: Fields) -> None:
        table = self._own()
        table.resign(self._visitor.seat)
        self._changed(table)

    def _seats(self, fields: Fields) -> None:
        table, seats = self._own(), fields.texts("seats", 2)
        for name in seats:
            self._hub.catalogue.player(name, table.game)
        table.seats, table.trouble = seats, ""
        self._changed(table)

    def _changed(self, table: Table) -> None:
        self._visitor.ply = self._visitor.line = None
        self._visitor.advising.end_search()
        self._hub.go_on(table)

    def _view(self, fields: Fields) -> None:
        self._visitor.look(fields.number("ply", 0, 100_000), self._visitor.line)

    def _invite(self, _: Fields) -> None:
        """A link to this game: for the other seat, or for anybody who looks on."""
        table, seat = self._visitor.here, self._visitor.seat
        joined = table.id
        if table.keys is not None and seat is not None:
            joined += f".{table.keys[1 - seat]}"
        told: dict[str, Any] = {"type": "invitation", "join": joined, "elsewhere": self._hub.elsewhere}
        if self._hub.elsewhere:
            told["code"] = modules(f"{self._hub.elsewhere}#join={joined}")
        self._visitor.send(told)
