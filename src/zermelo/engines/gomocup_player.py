"""Engines that speak the protocol of Gomocup, as players: `gomocup:pbrain-NAME`."""

from __future__ import annotations

import re

from zermelo.engines.client import Conversation, EnginePlayer, milliseconds
from zermelo.errors import Forfeit, UnsuitableGame
from zermelo.games.base import Game
from zermelo.games.gomoku import Gomoku
from zermelo.games.position import Position

_FOR_EVER = 2147483647
_REMARKS = ("MESSAGE", "DEBUG")
_FREE, _EXACT = 0, 1


class GomocupPlayer(EnginePlayer):
    """A Gomoku engine of Gomocup: `gomocup:time=5 COMMAND LINE`."""

    kind = "gomocup"
    farewell = "END"
    time: float = 1.0
    memory: int = 350
    """Megabytes that the engine is told."""

    def greet(self, talk: Conversation) -> None:
        """Nothing is said before a board."""

    def begin(self, talk: Conversation, game: Game) -> None:
        if not isinstance(game, Gomoku) or game.n != 5:
            raise UnsuitableGame("the protocol of Gomocup is for gomoku with five in a row")
        rule = _EXACT if game.exact else _FREE
        talk.send(f"INFO rule {rule}")
        said = self._ask(talk, f"START {game.size}")
        if not said.upper().startswith("OK"):
            raise UnsuitableGame(f"the engine answered `{said[:60]}` to START {game.size}")
        infos = {
            "rule": rule,
            "timeout_turn": milliseconds(self.time),
            "timeout_match": 0,
            "max_memory": self.memory << 20,
            "game_type": 1,
        }
        for key, value in infos.items():
            talk.send(f"INFO {key} {value}")

    def answer(self, talk: Conversation, position: Position) -> int:
        """`BEGIN` and `TURN` where the engine knows all moves but the last, else `BOARD`."""
        talk.send(f"INFO time_left {_FOR_EVER}")
        moves = position.moves
        if not moves:
            said = self._ask(talk, "BEGIN", self.time)
        elif talk.moves == moves[:-1] and (talk.moves or len(moves) == 1):
            said = self._ask(talk, f"TURN {_written(position, moves[-1])}", self.time)
        else:
            talk.send("BOARD")
            for ply, action in enumerate(moves):
                talk.send(f"{_written(position, action)},{1 if (len(moves) - ply) % 2 == 0 else 2}")
            said = self._ask(talk, "DONE", self.time)
        action = self.forfeit_unless_legal(position, _read(position, said), said)
        talk.moves = (*moves, action)
        return action

    @staticmethod
    def _ask(talk: Conversation, order: str, seconds: float = 0.0) -> str:
        talk.send(order)
        while True:
            line = talk.receive(order, seconds).strip()
            if line.upper().startswith(("ERROR", "UNKNOWN")) and not order.startswith("START"):
                raise Forfeit(f"the engine answered `{line[:100]}` to {order}")
            if line and not line.upper().startswith(_REMARKS):
                return line


def _written(position: Position, action: int) -> str:
    y, x = divmod(action, position.game.parameters["size"])
    return f"{x},{y}"


def _read(position: Position, said: str) -> int | None:
    size = position.game.parameters["size"]
    found = re.fullmatch(r"([0-9]{1,3})\s*,\s*([0-9]{1,3})", said)
    if not found or max(int(found[1]), int(found[2])) >= size:
        return None
    return int(found[2]) * size + int(found[1])
