"""Connect Four and its relatives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from zermelo.compilation import compiled, inlined
from zermelo.errors import BadParameter
from zermelo.games import grid
from zermelo.games.abi import GOING, ILLEGAL, Kernels, Planes, Words
from zermelo.games.base import Encoding, parameter
from zermelo.games.bits import bit
from zermelo.games.board import Board
from zermelo.games.grid import COLS, GOING_ON, MOVER, RESULT, ROWS, STONES, WORDS, GridGame
from zermelo.games.lines import LINE_PLANES, encode_lines, open_lines

# One extra word holds how many stones lie in each column, four bits a column.


@inlined
def height(params: Words, state: Words, col: int) -> int:
    return int((state[STONES + 2 * params[WORDS]] >> (4 * col)) & 15)


@inlined
def legal(params: Words, state: Words, actions: Words) -> int:
    if state[RESULT] != GOING_ON:
        return 0
    top = ~(state[STONES] | state[STONES + params[WORDS]]) & (bit(params[COLS]) - 1)
    return grid.write_cells(top, 0, actions, 0)


@inlined
def play(params: Words, state: Words, action: int) -> int:
    if state[RESULT] != GOING_ON or not 0 <= action < params[COLS]:
        return ILLEGAL
    row = params[ROWS] - 1 - height(params, state, action)
    if row < 0:
        return ILLEGAL
    status = grid.play_stone(params, state, row, action, action)
    state[STONES + 2 * params[WORDS]] += 1 << (4 * action)
    return status


@compiled
def column_threats(params: Words, state: Words, player: int, missing: int, actions: Words) -> int:
    """The columns in which a stone of `player` would make n in a row; of those in which it might leave one
    that does, all: a stone may also be the ground for the next."""
    count = legal(params, state, actions)
    if missing == 2:
        return count
    found, own = 0, STONES + player * params[WORDS]
    for i in range(count):
        row = params[ROWS] - 1 - height(params, state, actions[i])
        if grid.makes_line(params, state, own, row * params[COLS] + actions[i]):
            actions[found] = actions[i]
            found += 1
    return found


@inlined
def transform(params: Words, state: Words, k: int, image: Words) -> int:
    grid.transform(params, state, k, image)
    if k == 1:
        cols = params[COLS]
        heights = 0
        for col in range(cols):
            heights |= height(params, state, col) << (4 * (cols - 1 - col))
        image[STONES + 2 * params[WORDS]] = heights
    return GOING


LINE_AND_ROW_PLANES = (*LINE_PLANES, "next", "own rows")
NEXT, OWN_ROWS = len(LINE_PLANES), len(LINE_PLANES) + 1


@compiled
def encode_lines_and_rows(params: Words, state: Words, planes: Planes) -> int:
    """Lines, the cells on which the next stone of each column falls, and the rows in which the mover's
    stones come to lie when both fill columns in turn: the odd ones, from below, of the first player, the
    even ones of the second. Who has a line to complete there wins when moves run out."""
    encode_lines(params, state, planes)
    rows, cols = params[ROWS], params[COLS]
    for row in range(rows):
        own = (rows - 1 - row) & 1 == state[MOVER]
        for col in range(cols):
            planes[(NEXT * rows + row) * cols + col] = rows - 1 - row == height(params, state, col)
            planes[(OWN_ROWS * rows + row) * cols + col] = own
    return GOING


class Connect(GridGame):
    """Stones fall down columns; n in a row win (`connect4` is 6 rows, 7 columns, 4 in a row)."""

    family = "connect"
    aliases = {"connect4": {"rows": 6, "cols": 7, "n": 4}}
    acyclic = True
    rows: int = parameter(6, 1, 15, "rows")
    cols: int = parameter(7, 1, 15, "columns")
    n: int = parameter(4, 2, 15, "stones in a row that win")

    def validate(self) -> None:
        if self.n > max(self.rows, self.cols):
            raise BadParameter(
                f"`n` (={self.n}) of connect must be at most the longer side (={max(self.rows, self.cols)})"
            )

    @cached_property
    def board(self) -> Board:
        return Board(self.rows, self.cols, "columns")

    @property
    def num_actions(self) -> int:
        return self.cols

    @property
    def extra_words(self) -> int:
        return 1

    @property
    def line(self) -> int:
        return self.n

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        shape = len(LINE_AND_ROW_PLANES), self.rows, self.cols
        lines = Encoding(shape, encode_lines_and_rows, LINE_AND_ROW_PLANES)
        return {**super().encodings, "lines": lines}

    kernels = Kernels(
        start=grid.start_empty,
        mover=grid.mover,
        legal=legal,
        play=play,
        returns=grid.returns,
        transform=transform,
        heuristic=open_lines,
        threats=column_threats,
    )
