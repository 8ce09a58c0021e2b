"""Positions with words on them: games as books print them, and what a player thinks of each move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from zermelo.games.drawing import board_svg
from zermelo.games.position import Position


def game_diagram(position: Position) -> str:
    """The moves that led to a position, numbered, each stone in the colour of who put it there; without a
    board, just the position."""
    game = position.game
    if game.board is None:
        return game.svg(position)
    now, line = position, []
    while now.before is not None:
        line.append(now)
        now = now.before
    cells, marks = list(game.cells(now)), {}
    for number, after in enumerate(reversed(line), 1):
        cell = game.last_cell(after)
        if cell is not None:
            assert after.before is not None
            cells[cell], marks[cell] = after.before.mover + 1, str(number)
    return board_svg(game.board, cells, marks=marks)


def heat_map(position: Position, shares: Mapping[int, float], words: Mapping[int, str]) -> str | None:
    """A position in which each move glows by its share and has a word on it; None without a board."""
    game = position.game
    if game.board is None:
        return None
    places = {action: game.last_cell(position.play(action)) for action in shares}
    heat = {cell: shares[action] for action, cell in places.items() if cell is not None}
    marks = {cell: words[action] for action, cell in places.items() if cell is not None and action in words}
    if game.board.labels == "numbered":  # the number of a cell would lie under its word
        bare = replace(game.board, labels="down")
        return board_svg(bare, game.cells(position), marks=marks, heat=heat, framed=False)
    return board_svg(game.board, game.cells(position), marks=marks, heat=heat)
