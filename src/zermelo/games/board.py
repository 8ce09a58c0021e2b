"""Boards as data: shape, looks, names of cells, and the symmetries of a rectangle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from zermelo.errors import BadParameter, listed
from zermelo.games.abi import Planes, Words


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

    def permutes(self, board: Board | None, num_actions: int) -> bool:
        """Whether it gives every cell of the board and every action one image."""
        num_cells = board.num_cells if board is not None else len(self.cells)
        images = sorted(self.cells), sorted(self.actions)
        return images == (list(range(num_cells)), list(range(num_actions)))


def identity(num_cells: int, num_actions: int) -> Symmetry:
    return Symmetry("identity", tuple(range(num_cells)), tuple(range(num_actions)))


class Piece(NamedTuple):
    """What one value of a cell means."""

    kind: str
    owner: int | None
    """Player 0 or 1; None for a piece that belongs to nobody."""
    glyph: str


EMPTY_GLYPH = "."


def _owned_plane(side: str, kind: str) -> str:
    """The name of the plane that shows this kind of piece; plain stones need no word."""
    return f"{side} {kind}".removesuffix(" stone")


@dataclass(frozen=True)
class Board:
    """A rectangle of cells, counted row by row from the top left.

    `look` says how it is drawn: squares (stones in squares), columns (stones fall; a move is a
    column) or points (stones on the crossings of lines). `labels` says how its cells are named:
    rows counted "up" from the bottom (a1 at the bottom left), "down" from the top, or cells
    "numbered" from 1.

    `pieces` names each kind of piece with its glyphs: two characters for the pieces of the first and
    the second player, one for a piece that belongs to nobody. A cell holds 0 if it is empty; the
    glyphs, in the order written, are the values 1, 2, 3 and so on. With
    `pieces={"man": "xo", "king": "XO", "wall": "#"}` the men are 1 and 2, the kings 3 and 4, a wall 5.

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
    pieces: Mapping[str, str] = field(default_factory=lambda: {"stone": "XO"}, hash=False)

    def __post_init__(self) -> None:
        for kind, glyphs in self.pieces.items():
            if len(glyphs) not in (1, 2):
                raise BadParameter(
                    f"`pieces` gives `{kind}` the glyphs {glyphs!r}: write one character for each player, "
                    "or a single one if it belongs to nobody"
                )
        glyphs = "".join(self.pieces.values())
        if len(set(glyphs)) < len(glyphs) or {" ", EMPTY_GLYPH} & set(glyphs):
            raise BadParameter(
                f"the glyphs of `pieces` ({listed(self.pieces.values())}) must differ from each other, "
                "from a space and from a full stop"
            )
        if len(set(self.plane_names(True))) < len(self.plane_names(True)):
            raise BadParameter(
                f"the kinds of `pieces` ({listed(self.pieces)}) must give each plane another name; the "
                f"planes are {listed(self.plane_names(True))}"
            )

    @property
    def num_cells(self) -> int:
        return self.rows * self.cols

    # Pieces.

    @cached_property
    def contents(self) -> tuple[Piece, ...]:
        """What the cell values 1, 2, 3 and so on mean."""
        return tuple(
            Piece(kind, owner if len(glyphs) == 2 else None, glyph)
            for kind, glyphs in self.pieces.items()
            for owner, glyph in enumerate(glyphs)
        )

    def piece(self, value: int) -> Piece | None:
        """What lies on a cell of this value; None if it is empty or no piece has the value."""
        return self.contents[value - 1] if 1 <= value <= len(self.contents) else None

    def symbol(self, value: int) -> str:
        """A cell of this value in text."""
        piece = self.piece(value)
        return piece.glyph if piece else str(value) if value else EMPTY_GLYPH

    @property
    def owned_kinds(self) -> tuple[str, ...]:
        """The kinds of pieces that belong to a player; where there are several, pictures show glyphs."""
        return tuple(kind for kind, glyphs in self.pieces.items() if len(glyphs) == 2)

    def swapped(self, cells: Sequence[int], by: str = "identity") -> tuple[int, ...]:
        """The cells with the owners of all pieces exchanged and the board turned `by` a reflection."""
        image = [0] * self.num_cells
        for cell, target in enumerate(self.reflections[by]):
            image[target] = self.swapped_values[int(cells[cell])]
        return tuple(image)

    @cached_property
    def swapped_values(self) -> tuple[int, ...]:
        """For each value of a cell, that of the same piece in the other player's hands."""
        pieces = enumerate(self.contents, 1)
        return (0, *(v if piece.owner is None else v + 1 - 2 * piece.owner for v, piece in pieces))

    # What a network sees.

    def plane_names(self, turn: bool) -> tuple[str, ...]:
        """The mover's kinds of pieces, the other's, nobody's; then, with `turn`, who moves."""
        owned = [_owned_plane(side, kind) for side in ("own", "other") for kind in self.owned_kinds]
        free = [kind for kind in self.pieces if kind not in self.owned_kinds]
        return (*owned, *free, *(("turn",) if turn else ()))

    def plane_table(self, turn: bool) -> Planes:
        """What each plane shows, as [mover, plane, value of the cell]; the plane `turn` is 1 everywhere
        if the second player moves."""
        planes = {name: i for i, name in enumerate(self.plane_names(turn))}
        table = np.zeros((2, len(planes), 1 + len(self.contents)), np.float32)
        for value, piece in enumerate(self.contents, 1):
            for mover in (0, 1):
                plane = piece.kind
                if piece.owner is not None:
                    plane = _owned_plane("own" if piece.owner == mover else "other", piece.kind)
                table[mover, planes[plane], value] = 1.0
        if turn:
            table[1, planes["turn"]] = 1.0
        return table

    # Names.

    def row_label(self, row: int) -> str:
        return str(self.rows - row if self.labels == "up" else row + 1)

    def col_label(self, col: int) -> str:
        return str(col + 1) if self.look == "columns" else chr(ord("a") + col)

    def cell_name(self, cell: int) -> str:
        if self.labels == "numbered":
            return str(cell + 1)
        row, col = divmod(cell, self.cols)
        return self.col_label(col) + self.row_label(row)

    @property
    def num_places(self) -> int:
        """Where a move can go: columns, or cells."""
        return self.cols if self.look == "columns" else self.num_cells

    def fits(self, num_actions: int) -> bool:
        """Whether this can be the number of its places, or of these and a pass."""
        return num_actions in (self.num_places, self.num_places + 1)

    def action_name(self, action: int) -> str:
        """For boards on which an action is a column, or a cell, or a pass after these."""
        if action == self.num_places:
            return "pass"
        return self.col_label(action) if self.look == "columns" else self.cell_name(action)

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
        return tuple(self.symmetry(name, num_actions) for name in self.reflections)

    def symmetry(self, name: str, num_actions: int) -> Symmetry:
        """The one of this name in `reflections`."""
        if name not in self.reflections:
            raise BadParameter(f"the board has no symmetry `{name}`; it has: {listed(self.reflections)}")
        cells = self.reflections[name]
        return Symmetry(name, tuple(int(c) for c in cells), self._images(cells, num_actions))

    def _images(self, cells: Words, num_actions: int) -> tuple[int, ...]:
        return (*(int(c) for c in cells[: self.num_places]), *range(self.num_places, num_actions))
