"""What a player thinks of a position, as a table in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from zermelo.cli.output import out

if TYPE_CHECKING:
    from zermelo.players.analysis import Analysis, MoveAnalysis

_COLOURS = {1: "green", -1: "red"}


def show(analysis: Analysis, most: int = 10) -> None:
    """Print the best moves."""
    headings, *rows = analysis.rows(most)
    table = Table(*headings, box=None, pad_edge=False, header_style="bold")
    place = 2 if len(headings) > 2 else 1
    for move, cells in zip(analysis.moves, rows, strict=False):
        shown = [escape(cell) for cell in cells]
        shown[place] = _coloured(move, shown[place])
        table.add_row(*shown)
    out.print(table)
    verdict = escape(analysis.verdict)
    if analysis.proven and (words := analysis.best.words):
        verdict = verdict.replace(words, _coloured(analysis.best, words), 1)
    out.print(verdict)


def _coloured(move: MoveAnalysis, words: str) -> str:
    colour = _COLOURS.get(move.outcome.value) if move.outcome is not None else None
    return f"[{colour}]{words}[/]" if colour else words
