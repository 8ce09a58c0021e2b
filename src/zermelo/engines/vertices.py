"""Moves as GTP writes them: a letter for the column, without I, and a number for the row, or `pass`."""

from __future__ import annotations

import re

from zermelo.errors import IllegalMove, UnsuitableGame, listed
from zermelo.games.base import Game
from zermelo.games.position import Position

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
PASS = "pass"  # noqa: S105 (a move)
_VERTEX = re.compile(r"([A-Za-z])([1-9]\d?)")


class Vertices:
    """How the moves of a game are written.

    Rows are counted as the game counts them, from the bottom where it does not. Where stones fall, a move
    is the cell in which the stone comes to lie. Where a move is not a cell, or the game tells of no board,
    it is the game's own name for it, without the colour that OpenSpiel puts before it.
    """

    def __init__(self, game: Game) -> None:
        self._game, self._board = game, game.board
        cells = 0 if self._board is None else self._board.num_cells
        self._are_cells = game.num_actions in (cells, cells + 1)
        self._are_columns = (
            self._board is not None
            and self._board.look == "columns"
            and game.num_actions == self._board.cols
        )
        self.cols, self.rows = self._size()
        if self.cols > len(LETTERS):
            raise UnsuitableGame(f"GTP has no letters for the {self.cols} columns of {game.name}")

    def _size(self) -> tuple[int, int]:
        if self._board is not None:
            return self._board.cols, self._board.rows
        start = self._game.position()
        names = [self.vertex(start, action) for action in start.legal_actions]
        found = [_VERTEX.fullmatch(name) for name in names if name != PASS]
        columns = [1 + LETTERS.find(one[1].upper()) if one else 0 for one in found]
        if not found or not all(columns):
            raise UnsuitableGame(f"{self._game.name} has no board, and its moves are not cells: {names[0]}")
        return max(columns), max(int(one[2]) for one in found if one)

    def vertex(self, position: Position, action: int) -> str:
        """The move as GTP writes it."""
        if self._board is not None and self._are_columns:
            column = self._game.cells(position)[action :: self._board.cols]
            return self.cell((column.count(0) - 1) * self._board.cols + action)
        if self._board is not None and self._are_cells:
            return PASS if action == self._board.num_cells else self.cell(action)
        name = re.sub(r"^[A-Za-z]_", "", position.name(action)).upper()
        return PASS if name == PASS.upper() else name

    def cell(self, cell: int) -> str:
        assert self._board is not None
        row, col = divmod(cell, self._board.cols)
        down = self._board.labels == "down" and not self._are_columns
        return f"{LETTERS[col]}{1 + row if down else self._board.rows - row}"

    def action(self, position: Position, text: str) -> int:
        """The legal move that is written like this, in small or capital letters."""
        names = {self.vertex(position, action).upper(): action for action in position.legal_actions}
        if position.is_over or text.upper() not in names:
            legal = "the game is over" if position.is_over else f"legal: {listed(names)}"
            raise IllegalMove(f"{text} is not legal; {legal}")
        return names[text.upper()]

    def drawn(self, position: Position) -> str:
        """The board as lines of text, none of them empty."""
        if self._board is None:
            text = str(position)
        else:
            cells, width = self._game.cells(position), len(str(self.rows))
            header = " ".join([" " * width, *LETTERS[: self.cols]])
            lines = [header]
            for row in range(self.rows):
                label = self.cell(row * self.cols)[1:].rjust(width)
                contents = cells[row * self.cols : (row + 1) * self.cols]
                shown = (self._board.symbol(content) for content in contents)
                lines.append(" ".join([label, *shown, label.strip()]))
            text = "\n".join([*lines, header])
        return "\n".join(line for line in text.splitlines() if line.strip())
