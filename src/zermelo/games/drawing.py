"""Positions as text and as SVG, from the board's description alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from zermelo.games.board import Board

_CELL = 40
_MARGIN = 26
_STONES = {"squares": ("#20242b", "#f4f1ea"), "columns": ("#e5484d", "#f7ce46")}
_GLOW = "#e8590c"
_STYLE = (
    "text{font:14px ui-sans-serif,system-ui,sans-serif;fill:#7d8590;text-anchor:middle;"
    "dominant-baseline:central}"
)
_SIZE = re.compile(r' (?:width|height)="([\d.]+)"')


def board_text(board: Board, cells: Sequence[int]) -> str:
    """The board as lines of text; with numbered cells an empty cell shows its number."""
    numbered = board.labels == "numbered"
    side = 0 if numbered or board.look == "columns" else len(str(board.rows))
    width = len(str(board.num_cells)) if numbered else len(board.col_label(board.cols - 1))
    lines = []
    if not numbered:
        labels = " ".join(board.col_label(col).rjust(width) for col in range(board.cols))
        lines.append((" " * (side + 1) if side else "") + labels)
    for row in range(board.rows):
        shown = []
        for col in range(board.cols):
            cell = row * board.cols + col
            name = numbered and not cells[cell]
            shown.append((board.cell_name(cell) if name else board.symbol(cells[cell])).rjust(width))
        label = board.row_label(row).rjust(side) + " " if side else ""
        lines.append(label + " ".join(shown))
    return "\n".join(lines)


def board_svg(
    board: Board,
    cells: Sequence[int],
    last: int | None = None,
    marks: Mapping[int, str] | None = None,
    heat: Mapping[int, float] | None = None,
    framed: bool = True,
) -> str:
    """The board as a picture; `last` is the cell of the last move, `marks` are words on cells, and `heat`,
    from 0 to 1, is how strongly a cell glows. Unframed, it is cells alone."""
    edge = 0 if framed else _MARGIN
    width, height = (side * _CELL + 2 * (_MARGIN - edge) for side in (board.cols, board.rows))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{edge} {edge} {width} {height}" '
        f'width="{width}" height="{height}" role="img"><style>{_STYLE}</style>',
        *_ground(board),
        *_labels(board),
    ]
    colours = _STONES.get(board.look, _STONES["squares"])
    for cell, content in enumerate(cells):
        x, y = _centre(board, cell)
        if heat and cell in heat:
            glow = f'fill="{_GLOW}" opacity="{min(max(heat[cell], 0.0), 1.0):.2f}"'
            parts.append(f'<circle cx="{x}" cy="{y}" r="18" {glow}/>')
        piece = board.piece(content)
        ink = "#20242b" if piece and piece.owner == 1 else "#fff"
        if piece and piece.owner is not None:
            fill = colours[piece.owner]
            parts.append(
                f'<circle cx="{x}" cy="{y}" r="16" fill="{fill}" stroke="#0006" stroke-width="1"/>'
            )
            if len(board.owned_kinds) > 1:
                parts.append(f'<text x="{x}" y="{y}" style="fill:{ink}">{escape(piece.glyph)}</text>')
        elif content:
            parts.append(f'<text x="{x}" y="{y}">{escape(board.symbol(content))}</text>')
        if cell == last:
            parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="none" stroke="#d97706" stroke-width="3"/>')
        if marks and cell in marks:
            parts.append(f'<text x="{x}" y="{y}" style="fill:{ink}">{escape(marks[cell])}</text>')
    return "".join([*parts, "</svg>"])


def placed(svg: str, x: float, y: float, side: float) -> str:
    """A picture of this module inside another: as large as fits into a square, its top middle at x, y."""
    width, height = (float(found) for found in _SIZE.findall(svg, 0, svg.index(">"))[:2])
    scale = side / max(width, height)
    return f'<g transform="translate({x - scale * width / 2:g} {y:g}) scale({scale:.4g})">{svg}</g>'


def _centre(board: Board, cell: int) -> tuple[int, int]:
    row, col = divmod(cell, board.cols)
    return _MARGIN + col * _CELL + _CELL // 2, _MARGIN + row * _CELL + _CELL // 2


def _ground(board: Board) -> list[str]:
    left, top = _MARGIN, _MARGIN
    width, height = board.cols * _CELL, board.rows * _CELL
    fill = {"squares": "#3f8f5f", "columns": "#2f6fd0", "points": "#dcb46c"}[board.look]
    rectangle = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="4" fill="{fill}"/>'
    if board.look == "columns":
        centres = (_centre(board, cell) for cell in range(board.num_cells))
        return [rectangle, *(f'<circle cx="{x}" cy="{y}" r="16" fill="#16335f"/>' for x, y in centres)]
    inset = _CELL // 2 if board.look == "points" else 0
    lines = []
    for col in range(board.cols + (not inset)):
        x = left + inset + col * _CELL
        lines.append(f"M{x} {top + inset}V{top + height - inset}")
    for row in range(board.rows + (not inset)):
        y = top + inset + row * _CELL
        lines.append(f"M{left + inset} {y}H{left + width - inset}")
    return [rectangle, f'<path d="{"".join(lines)}" stroke="#0007" fill="none"/>']


def _labels(board: Board) -> list[str]:
    if board.labels == "numbered":
        return [
            f'<text x="{x}" y="{y}" style="fill:#fff8">{board.cell_name(cell)}</text>'
            for cell, (x, y) in ((c, _centre(board, c)) for c in range(board.num_cells))
        ]
    parts = []
    for col in range(board.cols):
        parts.append(f'<text x="{_centre(board, col)[0]}" y="{_MARGIN // 2}">{board.col_label(col)}</text>')
    if board.look != "columns":
        for row in range(board.rows):
            y = _centre(board, row * board.cols)[1]
            parts.append(f'<text x="{_MARGIN // 2}" y="{y}">{board.row_label(row)}</text>')
    return parts


def text_svg(text: str) -> str:
    """Lines of text as a picture, for games without a board."""
    lines = text.splitlines() or [""]
    width, height = 12 + 9 * max(len(line) for line in lines), 12 + 18 * len(lines)
    spans = "".join(
        f'<text x="6" y="{20 + 18 * i}" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img"><rect width="{width}" height="{height}" fill="#fff"/>'
        f'<g font-family="ui-monospace,monospace" font-size="15" fill="#20242b">{spans}</g></svg>'
    )
