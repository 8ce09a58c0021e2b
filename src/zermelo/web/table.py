"""A game on the server: its moves, who sits where, and who looks on."""

from __future__ import annotations

import json
import secrets
import time
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadParameter
from zermelo.exact.graded import Graded
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.records.formats import FORMATS
from zermelo.records.record import record, result
from zermelo.records.replay import Replay
from zermelo.web.catalogue import HUMAN
from zermelo.web.picture import legal_moves, picture, place, winning_cells

if TYPE_CHECKING:
    from zermelo.web.thinker import Search
    from zermelo.web.visitor import Visitor

MOST_LINES = 12


class Table:
    """A game that is being played. The page names it by a random word, which survives a reload."""

    def __init__(
        self,
        name: str,
        title: str,
        position: Position,
        seats: list[str],
        advisers: list[tuple[str, str]],
        apart: bool = False,
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        self.name, self.title, self.seats = name, title, seats
        self.advisers = advisers
        """Who can be asked what it thinks, with a title."""
        self.keys = (secrets.token_urlsafe(9), secrets.token_urlsafe(9)) if apart else None
        """For two people on two devices: who knows a key has that seat, all others look on."""
        self.positions = line_of(position)
        """From the start to where the game stands."""
        self.undone: list[Position] = []
        """What redo plays again, the next move last."""
        self.lines: list[tuple[int, ...]] = []
        """Variations that are kept, as actions from the start; the latest last."""
        self.resigned: int | None = None
        self.seed = secrets.randbits(32)
        self.watchers: set[Visitor] = set()
        self.thinking = 0
        """Counts the thoughts of opponents; 0 while nobody thinks."""
        self.thoughts = 0
        self.search: Search | None = None
        """Of the opponent who thinks, if it searches a tree."""
        self.trouble = ""
        self.verdicts: dict[int, dict[str, Any]] = {}
        """By ply, what an analysis of the whole game says of the position and the move made there."""
        self.puzzle: Graded | None = None
        self.touched = time.monotonic()

    @property
    def game(self) -> Game:
        return self.positions[0].game

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        return self.resigned is not None or self.position.is_over

    @property
    def awaits_a_player(self) -> bool:
        """Whether somebody who is not a person is to move."""
        return not self.is_over and self.seats[self.position.mover] != HUMAN

    def seat_of(self, key: str) -> int | None:
        """The seat that a key opens."""
        return self.keys.index(key) if self.keys is not None and key in self.keys else None

    # Moves.

    def play(self, action: int) -> None:
        """Play a move where the game stands."""
        if self.resigned is not None:
            raise BadParameter("the game is over: somebody resigned; take a move back first")
        after = self.position.play(action)
        self.positions.append(after)
        self.trouble = ""
        if self.undone and self.undone[-1] == after:
            self.undone.pop()
        else:
            self.undone = []

    def undo(self) -> None:
        """Back to the last position in which a person was to move."""
        if self.resigned is not None:
            self.resigned = None
            return
        back = len(self.positions) - 2
        people = [seat for seat, name in enumerate(self.seats) if name == HUMAN]
        while back > 0 and people and self.positions[back].mover not in people:
            back -= 1
        if back < (len(self.puzzle.position.moves) if self.puzzle is not None else 0):
            raise BadParameter("there is nothing to take back")
        self.undone += reversed(self.positions[back + 1 :])
        del self.positions[back + 1 :]
        self.verdicts = {at: verdict for at, verdict in self.verdicts.items() if at < back}
        self.trouble = ""

    def redo(self) -> None:
        if not self.undone:
            raise BadParameter("there is nothing to play again")
        self.positions.append(self.undone.pop())
        while self.undone and self.awaits_a_player:
            self.positions.append(self.undone.pop())

    def resign(self, seat: int | None = None) -> None:
        """Give up: the person in this seat, or the one who is to move, or the only one."""
        if self.is_over:
            raise BadParameter("the game is over already")
        people = [player for player, name in enumerate(self.seats) if name == HUMAN]
        mover = self.position.mover
        if seat is None:
            seat = mover if mover in people or not people else people[0]
        self.resigned = seat

    # Variations.

    def keep(self, line: list[Position]) -> int:
        """Keep a variation; its number. The oldest makes room for the thirteenth."""
        moves = line[-1].moves
        if moves not in self.lines:
            self.lines = [*self.lines, moves][-MOST_LINES:]
        return self.lines.index(moves)

    def kept(self, number: int) -> list[Position]:
        self._check_line(number)
        return line_of(self.game.position(list(self.lines[number])))

    def forget(self, number: int) -> None:
        self._check_line(number)
        del self.lines[number]

    def adopt(self, line: list[Position]) -> None:
        """Make a variation the game; what the game was is kept."""
        if self.puzzle is not None:
            raise BadParameter("a puzzle stays as it is")
        if self.branch(line) < len(self.positions) - 1:
            self.keep(self.positions)
        moves = line[-1].moves
        self.lines = [one for one in self.lines if one != moves]
        self.positions = list(line)
        self.undone, self.verdicts, self.resigned, self.trouble = [], {}, None, ""

    def branch(self, line: list[Position]) -> int:
        """After how many moves a line leaves the game."""
        at = 0
        for own, other in zip(self.positions[1:], line[1:], strict=False):
            if own.last_action != other.last_action:
                break
            at += 1
        return at

    def _check_line(self, number: int) -> None:
        if not 0 <= number < len(self.lines):
            raise BadParameter(f"there is no line {number}; there are {len(self.lines)}")

    # What the page is told.

    def files(self) -> dict[str, str]:
        """The game in every format of text that can hold it, by the ending of such a file."""
        told = {**record(self.position, self.seats, self.resigned), "game": self.name}
        found = {".jsonl": json.dumps(told) + "\n"}
        game = Replay(
            self.position, (self.seats[0], self.seats[1]), told["returns"], told["result"], told["date"]
        )
        for one in FORMATS.values():
            if one.name != "jsonl" and one.head is None and not one.hindrance(game):
                found[one.endings[0]] = one.write(game).decode()
        return found

    def view(self, ply: int | None, line: list[Position] | None = None) -> dict[str, Any]:
        """The game, or a variation of it, as the page shows it after so many moves."""
        shown = self.positions if line is None else line
        live = len(shown) - 1
        at = live if ply is None else min(max(ply, 0), live)
        position, ends = shown[at], line is None and at == live
        over = self.is_over if ends else position.is_over
        branch = self.branch(line) if line is not None else None
        return {
            "type": "game",
            "table": self.id,
            "name": self.name,
            "title": self.title,
            "seats": self.seats,
            "apart": self.keys is not None,
            "present": sorted({one.seat for one in self.watchers if one.seat is not None}),
            "advisers": self.advisers,
            "moves": shown[-1].move_names,
            "ply": at,
            "live": live,
            "branch": branch,
            "isKept": line is not None and line[-1].moves in self.lines,
            "mover": position.mover if not position.is_over else None,
            "legal": legal_moves(position) if not over else [],
            "over": _verdict(position, self.resigned if ends else None) if over else None,
            "thinking": self.thinking > 0,
            "canUndo": len(self.positions) > 1 or self.resigned is not None,
            "canRedo": bool(self.undone),
            "canResign": not self.is_over and self.puzzle is None,
            "trouble": self.trouble,
            "lines": [self._told(moves) for moves in self.lines],
            "verdicts": self._verdicts(branch),
            "puzzle": self._puzzle() if line is None else None,
            **picture(position),
        }

    def _told(self, moves: tuple[int, ...]) -> dict[str, Any]:
        line = line_of(self.game.position(list(moves)))
        return {"moves": line[-1].move_names, "branch": self.branch(line)}

    def _verdicts(self, branch: int | None) -> list[dict[str, Any]]:
        """Those that hold in the line that is shown; after it has left the game, nothing is known."""
        most = len(self.positions) if branch is None else branch
        kept = {at: verdict for at, verdict in sorted(self.verdicts.items()) if at <= most}
        if branch is not None and branch in kept:
            kept[branch] = {**kept[branch], "mark": "", "cost": 0.0}
        return [{"ply": at, **verdict} for at, verdict in kept.items()]

    def _puzzle(self) -> dict[str, Any] | None:
        if self.puzzle is None:
            return None
        asked, ply = self.puzzle, len(self.puzzle.position.moves)
        told: dict[str, Any] = {"ply": ply, "goal": str(asked.best).split(" in ")[0], "answer": None}
        if len(self.positions) > ply + 1:
            action = self.positions[ply + 1].last_action
            assert action is not None
            told["answer"] = {
                "right": asked.keeps_the_result(action),
                "best": asked.is_best(action),
                "move": asked.position.name(action),
                "outcomes": [
                    {"move": asked.position.name(a), "outcome": str(o), "value": o.value,
                     "at": place(asked.position, a)}
                    for a, o in sorted(asked.outcomes.items(), key=lambda one: one[1], reverse=True)
                ],
            }  # fmt: skip
        return told


def line_of(position: Position) -> list[Position]:
    """The positions from the start to this one."""
    found = [position]
    while found[-1].before is not None:
        found.append(found[-1].before)
    return found[::-1]


def _verdict(position: Position, resigned: int | None) -> dict[str, Any]:
    if resigned is not None:
        return {"winner": 1 - resigned, "text": f"player {1 + resigned} resigned"}
    assert position.returns is not None
    first, second = position.returns
    winner = None if first == second else 0 if first > second else 1
    return {"winner": winner, "text": result(position), "cells": winning_cells(position, winner)}
