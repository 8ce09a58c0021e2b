"""A game of a file after the rules have replayed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from zermelo.errors import IllegalMove, listed
from zermelo.games.base import Game
from zermelo.games.grid import GridGame
from zermelo.games.position import Position
from zermelo.records.draft import PASS, Claim, Draft, Figures, Impossible, Move, quoted, sign
from zermelo.records.record import Record, result, verdict

MOST_MOVES = 10_000
"""Of a game; longer ones are left out."""


@dataclass(frozen=True)
class Replay:
    """A game that can have been played: player 0 began."""

    position: Position
    """At the end; it knows its game and the moves that led there."""
    players: tuple[str, str] = ("", "")
    returns: tuple[float, ...] | None = None
    """The result of each player, 1 for a win and -1 for a loss, on the board or away from it; None if
    nobody knows."""
    result: str = "unfinished"
    """The same in words."""
    date: str = ""
    search: tuple[Figures | None, ...] = ()
    """For each move what was found while it was searched, or nothing at all."""
    source: str = field(default="", compare=False)
    """The file that the game is from."""
    number: int = field(default=0, compare=False)
    """Which game of that file it is, from 1."""

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def moves(self) -> tuple[int, ...]:
        """The actions, passes among them."""
        return self.position.moves

    def record(self) -> Record:
        """As one JSON object."""
        told: Record = {
            "game": self.game.name,
            "players": list(self.players),
            "moves": list(self.position.move_names),
            "returns": self.returns,
            "result": self.result,
            "date": self.date,
        }
        if any(self.search):
            told["search"] = [dict(figures) if figures else None for figures in self.search]
        return told


def replay(draft: Draft) -> Replay:
    """Play the moves of a draft; `Impossible` says which of them cannot be, or what contradicts them.

    Where a player can only pass, a file may say so or go on with the next move, and passes after the
    end mean nothing.
    """
    if len(draft.moves) > MOST_MOVES:
        raise Impossible(f"it has {len(draft.moves):,} moves; at most {MOST_MOVES:,} are read")
    position, search = draft.game.position(), list[Figures | None]()
    for number, move in enumerate(draft.moves, 1):
        if move.action == PASS and position.is_over:
            continue
        after = _after(position, move, number)
        search += [None] * (len(after) - 1) + [move.figures]
        position = after[-1]
    if draft.trouble is not None and (trouble := draft.trouble(position)):
        raise Impossible(trouble)
    returns, told = _outcome(position, draft.claim)
    return Replay(position, draft.players, returns, told, draft.date, tuple(search) if any(search) else ())


def _after(position: Position, move: Move, number: int) -> Sequence[Position]:
    """The positions after a pass that goes without saying, if there is one, and after the move."""
    if (after := _played(position, move)) is not None:
        return [after]
    if move.action != PASS and (passed := _passed(position)) is not None:
        if (after := _played(passed, move)) is not None:
            return [passed, after]
    said = quoted(move.text)
    if position.is_over:
        raise Impossible(f"{said} is played after the end of the game", number)
    if move.player is not None and move.player != position.mover:
        whose = f"{said} is a move of player {2 - position.mover}"
        raise Impossible(f"{whose}, but player {1 + position.mover} is to move", number)
    legal = listed(position.name(action) for action in position.legal_actions)
    raise Impossible(f"{said} is not legal; legal: {legal}", number)


def _played(position: Position, move: Move) -> Position | None:
    """The position after a move; None if it cannot be made here, or not by this player."""
    if move.player is not None and move.player != position.mover:
        return None
    action = _action(position, move)
    return position.play(action) if action in position.legal_actions else None


def _action(position: Position, move: Move) -> int:
    """The action of a move; one that is never legal, if there is none."""
    text = "pass" if move.action == PASS else move.text
    if move.action not in (None, PASS):
        return move.action
    if known := _names(position.game):
        return known.get(text.strip().lower(), -1)
    try:
        return position.parse(text)
    except IllegalMove:
        return -1


@lru_cache(maxsize=64)
def _names(game: Game) -> dict[str, int]:
    """Actions by name, where a name means the same in every position."""
    if not isinstance(game, GridGame):
        return {}
    return {game.board.action_name(action): action for action in range(game.num_actions)}


def _passed(position: Position) -> Position | None:
    """The position after a pass, if nothing else can be done."""
    legal = position.legal_actions
    if len(legal) != 1 or position.name(legal[0]) != "pass":
        return None
    return position.play(legal[0])


def _outcome(position: Position, claim: Claim | None) -> tuple[tuple[float, ...] | None, str]:
    """Returns and result: as the board shows them, or as the file tells where it does not."""
    shown = position.returns
    if claim is None:
        return shown, result(position)
    if shown is None or claim.stands:
        return claim.returns, claim.result or verdict(claim.returns)
    if sign(shown) != claim.lead:
        told = verdict(claim.returns)
        raise Impossible(f"the game ends with {result(position)}, but the file says {told}")
    return shown, result(position)
