"""Positions in the terminal: in colour where there is colour, else as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from zermelo.cli.output import out, unicode

if TYPE_CHECKING:
    from zermelo.games.board import Board
    from zermelo.games.position import Position


class _Look(NamedTuple):
    """Colours of the ground, of what lies on an empty cell, and of each player's stones."""

    ground: str
    empty: str
    stones: tuple[str, str]
    signs: str
    """Of an empty cell and of each player's stones; letters are those of the board."""


_LETTERS = _Look("", "dim", ("bold red", "bold yellow"), ".")
_DISCS = {
    "columns": _Look("on #005faf", "#00005f", ("#ff5f5f", "#ffd75f"), "●●●"),
    "squares": _Look("on #00875f", "#005f5f", ("#121212", "#ffffff"), "·●●"),
    "points": _Look("on #d7af5f", "#875f00", ("#121212", "#ffffff"), "·●●"),
}
"""Of the 256 colours that nearly all terminals have."""


def board(position: Position) -> None:
    """Print a position, with the last move marked where there is colour."""
    ground = position.game.board
    if ground is None or not _is_usual(position) or not _in_colour():
        out.print(Text(str(position)))
        return
    cells, last = position.game.cells(position), position.game.last_cell(position)
    look, numbered = _look(ground), ground.labels == "numbered"
    width = len(str(ground.num_cells)) if numbered else len(ground.col_label(ground.cols - 1))
    side = 0 if numbered or ground.look == "columns" else len(str(ground.rows))
    if not numbered:
        labels = " ".join(ground.col_label(col).rjust(width) for col in range(ground.cols))
        out.print(Text(" " * (side + 1) + labels, "dim"))
    for row in range(ground.rows):
        text = Text.assemble((ground.row_label(row).rjust(side) if side else "", "dim"))
        for col in range(ground.cols + 1):
            cell = row * ground.cols + col
            left, here = last == cell - 1 and col > 0, last == cell and col < ground.cols
            edge = "]" if left else "[" if here else " "
            text.append(edge, f"bold white {look.ground}")
            if col < ground.cols:
                text.append(*_cell(ground, look, cell, cells[cell], width))
        out.print(text)


def sign(position: Position, player: int) -> Text:
    """How the board shows a player; nothing where the game draws itself in its own way."""
    ground = position.game.board
    if ground is None or not _is_usual(position):
        return Text()
    glyph = next((piece.glyph for piece in ground.contents if piece.owner == player), "")
    if not _in_colour():
        return Text(glyph)
    look = _look(ground)
    shown = _sign(ground, look, player, glyph)
    if not look.ground:
        return Text(shown, look.stones[player])
    return Text(f" {shown} ", f"{look.stones[player]} {look.ground}")


def _is_usual(position: Position) -> bool:
    """Whether the game leaves its drawing to its board."""
    from zermelo.games.drawing import board_text

    ground = position.game.board
    return ground is not None and str(position) == board_text(ground, position.game.cells(position))


def _in_colour() -> bool:
    return out.is_terminal and not out.no_color and out.color_system is not None


def _look(ground: Board) -> _Look:
    """Discs need more than the 16 colours of old terminals, which everybody sets as they like."""
    if ground.labels == "numbered" or out.color_system not in ("256", "truecolor") or not unicode(out):
        return _LETTERS
    return _DISCS[ground.look]


def _cell(ground: Board, look: _Look, cell: int, content: int, width: int) -> tuple[str, str]:
    """What a cell shows, and its style."""
    if content == 0:
        shown = ground.cell_name(cell) if ground.labels == "numbered" else look.signs[0]
        return shown.rjust(width), f"{look.empty} {look.ground}"
    piece = ground.piece(content)
    if piece is None or piece.owner is None:
        return ground.symbol(content).rjust(width), f"bold {look.ground}"
    return _sign(ground, look, piece.owner, piece.glyph).rjust(
        width
    ), f"{look.stones[piece.owner]} {look.ground}"


def _sign(ground: Board, look: _Look, player: int, glyph: str) -> str:
    """A disc where a player has pieces of one kind and discs are drawn, else the glyph."""
    return glyph if look is _LETTERS or len(ground.owned_kinds) > 1 else look.signs[1 + player]
