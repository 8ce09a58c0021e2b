"""Connect positions from boards: moves that lead there, if there are any."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.errors import BadParameter
from zermelo.games.connect import Connect
from zermelo.games.position import Position

_MOST_TRIED = 1_000_000
"""Heights of columns that are tried for an order; the usual board has fewer."""


def position_of(game: Connect, cells: Sequence[int]) -> Position:
    """The position with these cells from the top left: 0 empty, 1 first player, 2 second.

    A board tells no order of moves; the position has the moves of one that is possible.
    """
    columns = _columns(game, cells)
    first, second = (sum(column.count(player) for column in columns) for player in (1, 2))
    if first - second not in (0, 1):
        raise BadParameter(
            f"the first player has {first} stones and the second {second}; they move in turn"
        )
    won = [player for player in (1, 2) if _has_line(game, cells, player)]
    if len(won) == 2:
        raise BadParameter("both players have won")
    if won or first + second == game.max_length:
        raise BadParameter("the game is over, there is no move to make")
    moves = _order(columns)
    if moves is None:
        raise BadParameter("it cannot arise: in no order can these stones be played in turn")
    return game.position(moves)


def _columns(game: Connect, cells: Sequence[int]) -> list[list[int]]:
    """The stones of each column, from the bottom."""
    if len(cells) != game.max_length or any(type(cell) is not int or not 0 <= cell <= 2 for cell in cells):
        raise BadParameter(
            f"`board` must be {game.max_length} numbers 0, 1 or 2: {game.rows} rows of {game.cols}, from "
            "the top left"
        )
    columns = []
    for col in range(game.cols):
        column = list(cells[col :: game.cols])[::-1]
        height = next((row for row, cell in enumerate(column) if cell == 0), game.rows)
        if any(column[height:]):
            raise BadParameter(f"a stone in column {1 + col} lies on nothing")
        columns.append(column[:height])
    return columns


def _has_line(game: Connect, cells: Sequence[int], player: int) -> bool:
    """Whether a player has n in a row: right, down, down right or down left."""
    for row in range(game.rows):
        for col in range(game.cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_col = row + down * (game.n - 1), col + right * (game.n - 1)
                if last_row < game.rows and 0 <= last_col < game.cols:
                    line = ((row + down * i) * game.cols + col + right * i for i in range(game.n))
                    if all(cells[cell] == player for cell in line):
                        return True
    return False


def _order(columns: Sequence[Sequence[int]]) -> list[int] | None:
    """Columns in which stones are played in turn until the board is like this: depth first."""
    wanted = tuple(len(column) for column in columns)
    heights, moves, tried = (0,) * len(columns), list[int](), {(0,) * len(columns)}
    untried = [0]  # of each move so far and the next one: which column comes next
    while heights != wanted:
        player, col = 1 + len(moves) % 2, untried[-1]
        if col == len(columns):
            if not moves or len(tried) > _MOST_TRIED:
                return None
            untried.pop()
            col = moves.pop()
            heights = (*heights[:col], heights[col] - 1, *heights[col + 1 :])
            continue
        untried[-1] += 1
        if heights[col] < wanted[col] and columns[col][heights[col]] == player:
            after = (*heights[:col], heights[col] + 1, *heights[col + 1 :])
            if after not in tried:
                tried.add(after)
                heights = after
                moves.append(col)
                untried.append(0)
    return moves
