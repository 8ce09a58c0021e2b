"""Boards as data: shape, looks, names of cells, and the symmetries of a rectangle."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from zermelo.games.abi import Words


class Symmetry(NamedTuple):
    """Where each cell and each action goes: the image of cell i is `cells[i]`.

    Examples
    --------
    >>> import zermelo as zm
    >>> mirrored = zm.game("connect4").symmetries[1]
    >>> mirrored.name, mirrored.actions
    ('left-right', (6, 5, 4, 3, 2, 1, 0))
    >>> zm.Symmetry("turned", cells=(1, 0), actions=(1, 0)).cells[0]
    1
    """

    name: str
    cells: tuple[int, ...]
    actions: tuple[int, ...]


def identity(num_cells: int, num_actions: int) -> Symmetry:
    return Symmetry("identity", tuple(range(num_cells)), tuple(range(num_actions)))


@dataclass(frozen=True)
class Board:
    """A rectangle of cells, counted row by row from the top left.

    `look` says how it is drawn: squares (stones in squares), columns (stones fall; a move is a
    column) or points (stones on the crossings of lines). `labels` says how its cells are named:
    rows counted "up" from the bottom (a1 at the bottom left), "down" from the top, or cells
    "numbered" from 1.

    Examples
    --------
    >>> import zermelo as zm
    >>> board = zm.Board(8, 8, labels="up")
    >>> board.num_cells, board.cell_name(0), board.cell_name(63)
    (64, 'a8', 'h1')
    >>> len(board.symmetries(num_actions=64))
    8
    """

    rows: int
    cols: int
    look: Literal["squares", "columns", "points"] = "squares"
    labels: Literal["up", "down", "numbered"] = "down"

    @property
    def num_cells(self) -> int:
        return self.rows * self.cols

    def row_label(self, row: int) -> str:
        return str(self.rows - row if self.labels == "up" else row + 1)

    def col_label(self, col: int) -> str:
        return str(col + 1) if self.look == "columns" else chr(ord("a") + col)

    def cell_name(self, cell: int) -> str:
        if self.labels == "numbered":
            return str(cell + 1)
        row, col = divmod(cell, self.cols)
        return self.col_label(col) + self.row_label(row)

    def action_name(self, action: int) -> str:
        """For boards on which an action is a column, or a cell (one more action is a pass)."""
        if self.look == "columns":
            return self.col_label(action)
        return "pass" if action == self.num_cells else self.cell_name(action)

    @cached_property
    def reflections(self) -> dict[str, Words]:
        """Every distinct symmetry of the rectangle, as the images of its cells."""
        where = np.arange(self.num_cells).reshape(self.rows, self.cols)
        views = {"identity": where, "left-right": where[:, ::-1]}
        if self.look != "columns":
            views |= {"top-bottom": where[::-1], "half turn": where[::-1, ::-1]}
            if self.rows == self.cols:
                views |= {
                    "diagonal": where.T,
                    "quarter turn": np.rot90(where),
                    "three-quarter turn": np.rot90(where, 3),
                    "antidiagonal": np.rot90(where, 2).T,
                }
        # `view.ravel()[j]` is the cell shown at j, so its argsort is where each cell has gone.
        images = {name: np.argsort(view.ravel()) for name, view in views.items()}
        distinct = {image.tobytes(): name for name, image in reversed(images.items())}
        return {name: image for name, image in images.items() if name in distinct.values()}

    def symmetries(self, num_actions: int) -> tuple[Symmetry, ...]:
        """The symmetries of this board, where an action is a column, or a cell, or a pass after these."""
        return tuple(
            Symmetry(name, tuple(int(c) for c in cells), self._images(cells, num_actions))
            for name, cells in self.reflections.items()
        )

    def _images(self, cells: Words, num_actions: int) -> tuple[int, ...]:
        if self.look == "columns":
            return tuple(int(c) for c in cells[: self.cols])
        return (*(int(c) for c in cells), *range(self.num_cells, num_actions))
