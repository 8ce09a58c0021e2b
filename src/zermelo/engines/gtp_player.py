"""Engines that speak GTP, as players: `gtp:gtp-rhino`, `gtp:gnugo --mode gtp`."""

from __future__ import annotations

import re
from contextlib import suppress

from zermelo.engines.client import Conversation, EnginePlayer, told_moves
from zermelo.engines.vertices import PASS, Vertices
from zermelo.errors import Forfeit, IllegalMove, UnsuitableGame
from zermelo.games.base import Game
from zermelo.games.position import Position

_COLOURS = "bw"


def _must_pass(vertices: Vertices, position: Position) -> bool:
    legal = position.legal_actions
    return len(legal) == 1 and vertices.vertex(position, legal[0]) == PASS


class GtpPlayer(EnginePlayer):
    """An engine that speaks GTP: `gtp:time=2 COMMAND LINE`."""

    kind = "gtp"

    def greet(self, talk: Conversation) -> None:
        self._ask(talk, "protocol_version")

    def begin(self, talk: Conversation, game: Game) -> None:
        vertices = Vertices(game)
        square = vertices.cols == vertices.rows
        size = (
            f"boardsize {vertices.cols}"
            if square
            else (f"rectangular_boardsize {vertices.cols} {vertices.rows}")
        )
        try:
            self._ask(talk, size)
        except IllegalMove as error:
            raise UnsuitableGame(f"the engine refuses `{size}`: {error}") from None
        orders = ["clear_board"]
        if komi := re.search(r"\bkomi=([\d.]+)", game.name):
            orders.append(f"komi {komi[1]}")
        if self.time > 0:
            orders.append(f"time_settings 0 {self.time:g} 1")
        for order in orders:
            self._obeyed(talk, order)

    def answer(self, talk: Conversation, position: Position) -> int:
        vertices = Vertices(position.game)
        for after in told_moves(talk, position):
            before, action = after.before, after.last_action
            assert before is not None
            assert action is not None
            order = f"play {_COLOURS[before.mover]} {vertices.vertex(before, action)}"
            if _must_pass(vertices, before):
                with suppress(IllegalMove):  # some engines know that themselves
                    self._ask(talk, order)
            else:
                self._obeyed(talk, order)
        talk.moves = position.moves
        if _must_pass(vertices, position):
            return position.legal_actions[0]
        colour = _COLOURS[position.mover]
        if self.time > 0:
            self._obeyed(talk, f"time_left {colour} {self.time:g} 1")
        said = self._obeyed(talk, f"genmove {colour}", self.time)
        if said.lower() == "resign":
            raise Forfeit("the engine resigned")
        action = self._read(vertices, position, said)
        talk.moves = (*position.moves, action)
        return action

    def _read(self, vertices: Vertices, position: Position, said: str) -> int:
        try:
            return vertices.action(position, PASS if said.lower() == "pass" else said)
        except IllegalMove:
            return self.forfeit_unless_legal(position, None, said)

    def _obeyed(self, talk: Conversation, order: str, seconds: float = 0.0) -> str:
        try:
            return self._ask(talk, order, seconds)
        except IllegalMove as error:
            raise Forfeit(f"the engine refused `{order}`: {error}") from None

    @staticmethod
    def _ask(talk: Conversation, order: str, seconds: float = 0.0) -> str:
        """The answer to a command; an `IllegalMove` with the words of the engine if it fails."""
        talk.send(order)
        line = talk.receive(order, seconds)
        while not line.startswith(("=", "?")):  # whatever it says before it answers
            line = talk.receive(order, seconds)
        lines = [re.sub(r"^[=?]\d*\s*", "", line)]
        while rest := talk.receive(order).strip():
            lines.append(rest)
        if line.startswith("?"):
            raise IllegalMove(" ".join(lines))
        return " ".join(lines).strip()
