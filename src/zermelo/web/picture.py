"""A position as the page draws it: cells of a board, or the game's own drawing."""

from __future__ import annotations

from typing import Any

from zermelo.games.position import Position


def picture(position: Position) -> dict[str, Any]:
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
    if board is None or action >= board.num_places or position.name(action) != board.action_name(action):
        return None
    if board.look != "columns":
        return action
    column = list(position.game.cells(position))[action :: board.cols]
    free = [row for row, content in enumerate(column) if content == 0]
    return free[-1] * board.cols + action if free else None


def legal_moves(position: Position) -> list[tuple[int, str, int | None]]:
    """Each as an action, its name and its cell."""
    return [(a, position.name(a), place(position, a)) for a in position.legal_actions]


def winning_cells(position: Position, winner: int | None) -> list[int]:
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
