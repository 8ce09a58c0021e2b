"""Engines that speak UCI, as players: `uci:fairy-stockfish` for `openspiel:breakthrough`."""

from __future__ import annotations

import re
from typing import Any

from zermelo.engines.client import Conversation, EnginePlayer, milliseconds
from zermelo.errors import BadParameter, UnsuitableGame
from zermelo.games.adapters.openspiel import OpenSpielGame
from zermelo.games.base import Game
from zermelo.games.position import Position

_FAMILY = re.compile(r"openspiel:(\w+)")
_CELLS = re.compile(r"([a-h])([1-8])([a-h])([1-8])")


class UciPlayer(EnginePlayer):
    """An engine that speaks UCI, for openspiel:chess and openspiel:breakthrough: `uci:COMMAND LINE`."""

    kind = "uci"
    time: float = 1.0
    variant: str = ""
    """Name of the game in the engine; empty: the name in OpenSpiel."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.time == 0:
            raise BadParameter(f"`time` of {self.kind} must be more than 0: such an engine must be told")

    def greet(self, talk: Conversation) -> None:
        talk.send("uci")
        self._until(talk, "uciok", "uci")

    def begin(self, talk: Conversation, game: Game) -> None:
        written(game.position())
        family = _FAMILY.match(game.name)
        assert family is not None
        variant = self.variant or family[1]
        if variant != "chess":
            talk.send(f"setoption name UCI_Variant value {variant}")
        talk.send("ucinewgame")
        talk.send("isready")
        self._until(talk, "readyok", "isready")

    def answer(self, talk: Conversation, position: Position) -> int:
        talk.send(f"position startpos moves {' '.join(_line(position))}".removesuffix(" moves "))
        order = f"go movetime {milliseconds(self.time)}"
        talk.send(order)
        said = self._until(talk, "bestmove", order, self.time)
        move = [*said.split(), "nothing"][1]
        names = {name: action for action, name in written(position).items()}
        return self.forfeit_unless_legal(position, names.get(move), said)

    @staticmethod
    def _until(talk: Conversation, word: str, awaited: str, seconds: float = 0.0) -> str:
        """The line that begins with this word; others tell what the engine thinks."""
        while True:
            line = talk.receive(awaited, seconds).strip()
            if line.split(" ")[0] == word:
                return line


def _line(position: Position) -> list[str]:
    names: list[str] = []
    while position.before is not None and position.last_action is not None:
        names.append(written(position.before)[position.last_action])
        position = position.before
    return names[::-1]


def written(position: Position) -> dict[int, str]:
    """The legal moves as UCI writes them, by their actions.

    In OpenSpiel's breakthrough the first player begins at the top; engines count rows from the first
    player's side, so that rows are counted the other way round.
    """
    game = position.game
    family = _FAMILY.match(game.name)
    if family and family[1] == "chess" and isinstance(game, OpenSpielGame):
        return _chess(game.state_of(position))
    if family and family[1] == "breakthrough":
        names = {action: _CELLS.match(position.name(action)) for action in position.legal_actions}
        if all(names.values()) and "(" not in game.name:
            return {
                action: f"{found[1]}{9 - int(found[2])}{found[3]}{9 - int(found[4])}"
                for action, found in names.items()
                if found
            }
    raise UnsuitableGame(
        f"how UCI writes the moves of {game.name} is not known; it is for openspiel:breakthrough and "
        "openspiel:chess"
    )


def _chess(state: Any) -> dict[int, str]:
    import pyspiel

    board = state.board()
    return {
        action: pyspiel.chess.action_to_move(action, board).to_lan() for action in state.legal_actions()
    }
