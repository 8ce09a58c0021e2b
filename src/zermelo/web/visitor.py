"""Somebody who has the page open: the connection, where they look, and who answers what they ask."""

from __future__ import annotations

import asyncio
import itertools
import time
from typing import Any

from zermelo.errors import BadParameter, UnknownName, ZermeloError, listed
from zermelo.games.position import Position
from zermelo.web.advising import Advising
from zermelo.web.fields import Fields
from zermelo.web.hub import Hub
from zermelo.web.lobby import Lobby
from zermelo.web.playing import Playing
from zermelo.web.table import Table
from zermelo.web.trying import Trying

RATE, BURST = 30.0, 60.0
"""Messages per second, and as many at once."""
MOST_DROPPED = 5000
"""Messages beyond that rate after which the connection ends."""

_numbers = itertools.count(1)


class Visitor:
    """A connection to the page."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self.name = f"visitor {next(_numbers)}"
        self.outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue(60)
        self.table: Table | None = None
        self.seat: int | None = None
        """The one that is theirs, where two people play on two devices."""
        self.ply: int | None = None
        """Where the visitor looks; None: at the end."""
        self.line: list[Position] | None = None
        """The variation that is looked at; None: the game."""
        self._tokens, self._then = BURST, time.monotonic()
        self._dropped = 0
        self.advising = Advising(self)
        self._words = Lobby(self).words | Playing(self).words | Trying(self).words | self.advising.words

    # The connection.

    def send(self, told: dict[str, Any]) -> None:
        """Put a message into the queue; a page that does not read loses the ones in between."""
        if self.outgoing.full():
            self.outgoing.get_nowait()
        self.outgoing.put_nowait(told)

    def hear(self, text: str | bytes) -> bool:
        """Answer a message; whether the connection may go on."""
        now = time.monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._then) * RATE)
        self._then = now
        if self._tokens < 1:
            self._dropped += 1
            if self._dropped == 1:
                self.refuse("rate", f"too many messages: at most {RATE:.0f} a second")
            return self._dropped < MOST_DROPPED
        self._tokens -= 1
        if self._tokens > BURST / 2:
            self._dropped = 0
        try:
            fields = Fields(text)
            word = fields.text("do", "")
            if word not in self._words:
                raise UnknownName(f"`do` (={word[:20]}) must be one of: {listed(self._words)}")
            if self.hub.ready.done() or word == "hello":
                self._answer(word, fields)
            else:
                self.hub.when_done(self.hub.ready, lambda _: self._answer(word, fields), self.fail)
        except ZermeloError as error:
            self.fail(error)
        return True

    def _answer(self, word: str, fields: Fields) -> None:
        try:
            self._words[word](fields)
        except Exception as error:
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """Tell that something could not be done; what is wrong inside the server is not told."""
        if not isinstance(error, ZermeloError):
            self.hub.complain(f"bug {type(error).__name__}", f"{type(error).__name__}: {error}")
        self.refuse(type(error).__name__, self.hub.short(error))

    def refuse(self, kind: str, reason: str) -> None:
        self.send({"type": "error", "error": reason[:300]})
        self.hub.complain(kind, f"a message was refused: {reason[:300]}")

    def leave(self) -> None:
        """Look at no game any more."""
        self.advising.end()
        self.seat = None
        if self.table is not None:
            table, self.table = self.table, None
            table.watchers.discard(self)
            self.hub.left(table)

    # Where they look.

    def sit(self, table: Table, key: str = "") -> None:
        """Look at a game; a key gives its seat."""
        if self.table is not table:
            self.leave()
        self.advising.end_search()
        self.table, self.ply, self.line = table, None, None
        self.seat = table.seat_of(key)
        table.watchers.add(self)

    @property
    def here(self) -> Table:
        if self.table is None:
            raise BadParameter("no game is open; begin one first")
        self.table.touched = time.monotonic()
        return self.table

    @property
    def shown(self) -> list[Position]:
        """The game, or the variation, from its start on."""
        return self.here.positions if self.line is None else self.line

    @property
    def position(self) -> Position:
        """What the visitor looks at."""
        return self.shown[-1 if self.ply is None else min(self.ply, len(self.shown) - 1)]

    def look(self, ply: int | None, line: list[Position] | None) -> None:
        """Look elsewhere."""
        self.advising.end_search()
        self.line = line
        self.ply = ply if ply is not None and ply < len(self.shown) - 1 else None
        self.see()

    def see(self, view: dict[str, Any] | None = None) -> None:
        """Show them what they look at."""
        table = self.here
        told = view or table.view(self.ply, self.line)
        if table.keys is not None:
            told = {**told, "you": self.seat, "key": "" if self.seat is None else table.keys[self.seat]}
        self.send(told)
