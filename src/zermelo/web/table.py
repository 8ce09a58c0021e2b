"""A game on the server: its moves, who sits where, and who looks on."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadParameter
from zermelo.exact.graded import Graded
from zermelo.games.base import Game
from zermelo.games.board import Board
from zermelo.games.position import Position
from zermelo.records.record import record, result
from zermelo.web.catalogue import HUMAN

if TYPE_CHECKING:
    from zermelo.web.thinker import Search
    from zermelo.web.visitor import Visitor

MOST_LINES = 12


class Table:
    """A game that is being played. The page names it by a random word, which survives a reload."""

    def __init__(
        self, name: str, title: str, position: Position, seats: list[str], advisers: list[tuple[str, str]]
    ) -> None:
        self.id = secrets.token_urlsafe(12)
        self.name, self.title, self.seats = name, title, seats
        self.advisers = advisers
        """Who can be asked what it thinks, with a title."""
        self.positions = _line(position)
        """From the start to where the game stands."""
        self.undone: list[Position] = []
        """What redo plays again, the next move last."""
        self.lines: list[tuple[int, ...]] = []
        """Lines that were left for another move, as actions; the latest last."""
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

    # Moves.

    def play(self, action: int, ply: int | None = None) -> None:
        """Play a move, where the game stands or after so many moves; what came after is kept as a line."""
        at = len(self.positions) - 1 if ply is None else ply
        if not 0 <= at < len(self.positions):
            raise BadParameter(f"`ply` (={ply}) must be from 0 to {len(self.positions) - 1}")
        if self.resigned is not None and at == len(self.positions) - 1:
            raise BadParameter("the game is over: somebody resigned; take a move back first")
        if at + 1 < len(self.positions) and self.positions[at + 1].last_action == action:
            return
        after = self.positions[at].play(action)
        if at + 1 < len(self.positions):
            self._keep_line()
        self._cut(at)
        self.positions.append(after)
        if self.undone and self.undone[-1] == after:
            self.undone.pop()
        else:
            self.undone = []

    def undo(self) -> None:
        """Back to the last position in which a person was to move."""
        back = len(self.positions) - 2
        people = [seat for seat, name in enumerate(self.seats) if name == HUMAN]
        while back > 0 and people and self.positions[back].mover not in people:
            back -= 1
        if self.resigned is not None:
            self.resigned = None
            return
        if back < (len(self.puzzle.position.moves) if self.puzzle is not None else 0):
            raise BadParameter("there is nothing to take back")
        self.undone += reversed(self.positions[back + 1 :])
        self._cut(back)

    def redo(self) -> None:
        if not self.undone:
            raise BadParameter("there is nothing to play again")
        self.positions.append(self.undone.pop())
        while self.undone and self.awaits_a_player:
            self.positions.append(self.undone.pop())

    def resign(self) -> None:
        if self.is_over:
            raise BadParameter("the game is over already")
        people = [seat for seat, name in enumerate(self.seats) if name == HUMAN]
        mover = self.position.mover
        self.resigned = mover if mover in people or not people else people[0]

    def recall(self, number: int) -> None:
        """Go back to a line that was left; the present one takes its place."""
        if not 0 <= number < len(self.lines):
            raise BadParameter(f"there is no line {number}; there are {len(self.lines)}")
        line = self.lines.pop(number)
        self._keep_line()
        self.positions = _line(self.game.position(list(line)))
        self.undone, self.verdicts, self.resigned = [], {}, None

    def _keep_line(self) -> None:
        moves = self.position.moves
        if moves not in self.lines:
            self.lines = [*self.lines, moves][-MOST_LINES:]

    def _cut(self, ply: int) -> None:
        """Go back to the position after so many moves."""
        del self.positions[ply + 1 :]
        self.verdicts = {at: verdict for at, verdict in self.verdicts.items() if at < ply}
        self.resigned, self.trouble = None, ""

    # What the page is told.

    def record(self) -> dict[str, Any]:
        return {**record(self.position, self.seats, self.resigned), "game": self.name}

    def view(self, ply: int | None) -> dict[str, Any]:
        """The game as the page shows it after so many moves."""
        live = len(self.positions) - 1
        at = live if ply is None else min(max(ply, 0), live)
        position = self.positions[at]
        over = self.is_over if at == live else position.is_over
        return {
            "type": "game",
            "table": self.id,
            "name": self.name,
            "title": self.title,
            "seats": self.seats,
            "advisers": self.advisers,
            "moves": self.position.move_names,
            "ply": at,
            "live": live,
            "mover": position.mover if not position.is_over else None,
            "legal": _legal(position) if not over else [],
            "over": _verdict(self.position, self.resigned) if at == live and over else None,
            "thinking": self.thinking > 0,
            "canUndo": live > 0 or self.resigned is not None,
            "canRedo": bool(self.undone),
            "trouble": self.trouble,
            "lines": [" ".join(_names(self.game, line)) for line in self.lines],
            "verdicts": [{"ply": at, **verdict} for at, verdict in sorted(self.verdicts.items())],
            "puzzle": self._puzzle(),
            **picture(position),
        }

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


def picture(position: Position) -> dict[str, Any]:
    """A position as the page draws it: cells of a board, or the game's own drawing."""
    game = position.game
    board = game.board
    if board is None:
        return {"board": None, "cells": None, "last": None, "drawing": game.draw(position)}
    return {
        "board": {
            "rows": board.rows,
            "cols": board.cols,
            "look": board.look,
            "columns": [board.col_label(col) for col in range(board.cols)],
            "names": None
            if board.labels == "numbered"
            else [board.row_label(r) for r in range(board.rows)],
        },
        "cells": [int(cell) for cell in game.cells(position)],
        "last": game.last_cell(position),
        "drawing": None,
    }


def place(position: Position, action: int) -> int | None:
    """The cell in which a move shows; None for moves that have none, such as a pass."""
    board = position.game.board
    if board is None or position.name(action) != _usual_name(board, action):
        return None
    if board.look != "columns":
        return action if action < board.num_cells else None
    column = list(position.game.cells(position))[action :: board.cols]
    free = [row for row, content in enumerate(column) if content == 0]
    return free[-1] * board.cols + action if free else None


def _usual_name(board: Board, action: int) -> str | None:
    most = board.cols if board.look == "columns" else board.num_cells + 1
    return board.action_name(action) if action < most else None


def _legal(position: Position) -> list[tuple[int, str, int | None]]:
    return [(a, position.name(a), place(position, a)) for a in position.legal_actions]


def _names(game: Game, actions: tuple[int, ...]) -> tuple[str, ...]:
    return game.position(list(actions)).move_names


def _verdict(position: Position, resigned: int | None) -> dict[str, Any]:
    if resigned is not None:
        return {"winner": 1 - resigned, "text": f"player {1 + resigned} resigned"}
    assert position.returns is not None
    first, second = position.returns
    winner = None if first == second else 0 if first > second else 1
    return {"winner": winner, "text": result(position), "cells": _winning(position, winner)}


def _winning(position: Position, winner: int | None) -> list[int]:
    """The cells of the line that won, in games of n in a row."""
    n, board = getattr(position.game, "line", 0), position.game.board
    if winner is None or board is None or not n:
        return []
    cells, found = list(position.game.cells(position)), set[int]()
    for row in range(board.rows):
        for col in range(board.cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                places = [(row + i * down, col + i * right) for i in range(n)]
                if all(0 <= r < board.rows and 0 <= c < board.cols for r, c in places):
                    line = [r * board.cols + c for r, c in places]
                    if all(cells[cell] == 1 + winner for cell in line):
                        found |= set(line)
    return sorted(found)


def _line(position: Position) -> list[Position]:
    """The positions from the start to this one."""
    found = [position]
    while found[-1].before is not None:
        found.append(found[-1].before)
    return found[::-1]
