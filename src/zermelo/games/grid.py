"""What games of two colours on a rectangle share: how stones lie in words, lines, encodings.

A state is [mover, result, number of stones, first player's stones, second player's stones, extra
words | last action]. Stones are bits: cell i is bit i % 64 of word i // 64. The result is GOING_ON
while the game goes on, then 1 + winner, or DRAWN.

A `params` vector is [rows, cols, words, n, option, last, stride, lines, 20 constants, tables ...]:
`last` is the index of the last action in the state; there is one table of `stride` numbers for each
symmetry, the images of all cells and then of all actions. From index `lines` on stand the cells from
which a line of n fits on the board, in four directions, `words` words each.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from zermelo.compilation import compiled, inlined
from zermelo.games.abi import GOING, ILLEGAL, OVER, Floats, Planes, Words
from zermelo.games.base import CompiledGame, Encoding
from zermelo.games.bits import bit, lowest, popcount
from zermelo.games.board import Board, Symmetry

if TYPE_CHECKING:
    from zermelo.games.position import Position

ROWS, COLS, WORDS, N, OPTION, LAST, STRIDE, LINES, CONSTANTS, TABLES = 0, 1, 2, 3, 4, 5, 6, 7, 8, 28
MOVER, RESULT, COUNT, STONES = 0, 1, 2, 3
GOING_ON, DRAWN = 0, 3
NO_ACTION = -1


# Stones.


@inlined
def has_stone(params: Words, state: Words, player: int, cell: int) -> bool:
    word = state[STONES + player * params[WORDS] + (cell >> 6)]
    return bool((word >> (cell & 63)) & 1)


@inlined
def put_stone(params: Words, state: Words, player: int, cell: int) -> None:
    state[STONES + player * params[WORDS] + (cell >> 6)] |= bit(cell & 63)
    state[COUNT] += 1


@inlined
def is_empty(params: Words, state: Words, cell: int) -> bool:
    words = params[WORDS]
    word = state[STONES + (cell >> 6)] | state[STONES + words + (cell >> 6)]
    return not (word >> (cell & 63)) & 1


@inlined
def _run(state: Words, own: int, cell: int, step: int, most: int) -> int:
    """How many of at most `most` cells behind `cell`, each `step` further on, hold an own stone."""
    for length in range(most):
        cell += step
        if (state[own + (cell >> 6)] >> (cell & 63)) & 1 == 0:
            return length
    return most


@inlined
def _has_line(params: Words, stones: int) -> bool:
    """Whether a board of one word has n in a row: right, down left, down or down right.

    The stones are shifted onto themselves in ever longer steps, four times four shifts in
    `params[CONSTANTS:]`; the cells from which a line fits on the board follow them.
    """
    right = down_left = down = down_right = stones
    for i in range(0, 16 if params[N] > 4 else 8, 4):
        right &= right >> params[CONSTANTS + i]
        down_left &= down_left >> params[CONSTANTS + i + 1]
        down &= down >> params[CONSTANTS + i + 2]
        down_right &= down_right >> params[CONSTANTS + i + 3]
    right &= params[CONSTANTS + 16]
    down_left &= params[CONSTANTS + 17]
    down &= params[CONSTANTS + 18]
    down_right &= params[CONSTANTS + 19]
    return bool(right | down_left | down | down_right)


@inlined
def makes_line(params: Words, state: Words, own: int, cell: int) -> bool:
    """Whether a new stone on this cell makes n in a row; with OPTION, exactly n.

    By walking from it in every direction; the stones of its colour start at word `own`.
    """
    n, cols, exact = params[N], params[COLS], params[OPTION]
    row, col = cell // cols, cell % cols
    up, down, left, right = row, params[ROWS] - 1 - row, col, cols - 1 - col
    for direction in range(4):
        if direction == 0:
            step, before, behind = 1, left, right
        elif direction == 1:
            step, before, behind = cols - 1, min(up, right), min(down, left)
        elif direction == 2:
            step, before, behind = cols, up, down
        else:
            step, before, behind = cols + 1, min(up, left), min(down, right)
        length = 1 + _run(state, own, cell, -step, min(before, n))
        length += _run(state, own, cell, step, min(behind, n))
        if length == n or (length > n and not exact):
            return True
    return False


@compiled
def _play_stone_on_words(params: Words, state: Words, row: int, col: int, action: int) -> int:
    player, count = state[MOVER], state[COUNT] + 1
    own = STONES + player * params[WORDS]
    result = GOING_ON
    if count >= 2 * params[N] - 1 and makes_line(params, state, own, row * params[COLS] + col):
        result = 1 + player
    elif count == params[ROWS] * params[COLS]:
        result = DRAWN
    put_stone(params, state, player, row * params[COLS] + col)
    return _end_turn(params, state, player, result, action)


@inlined
def _end_turn(params: Words, state: Words, player: int, result: int, action: int) -> int:
    state[params[LAST]] = action
    state[MOVER] = 1 - player
    state[RESULT] = result
    return OVER if result != GOING_ON else GOING


@inlined
def play_stone(params: Words, state: Words, row: int, col: int, action: int) -> int:
    """Put a stone of the mover on an empty cell; n in a row win, a full board is a draw.

    Boards of one word have a path of their own, twice as fast. All reading comes before the first
    writing, so that nothing has to be read twice.
    """
    if params[WORDS] > 1 or params[OPTION] != 0:
        return _play_stone_on_words(params, state, row, col, action)
    player, count = state[MOVER], state[COUNT] + 1
    word = STONES + (player & 1)
    stones = state[word] | bit(row * params[COLS] + col)
    result = GOING_ON
    if count >= 2 * params[N] - 1 and _has_line(params, stones):
        result = 1 + player
    elif count == params[ROWS] * params[COLS]:
        result = DRAWN
    state[COUNT] = count
    state[word] = stones
    return _end_turn(params, state, player, result, action)


# Rules that most of these games share.


@inlined
def start_empty(params: Words, state: Words) -> int:
    for i in range(params[LAST]):
        state[i] = 0
    state[params[LAST]] = NO_ACTION
    return GOING


@inlined
def mover(params: Words, state: Words) -> int:
    return int(state[MOVER])


@inlined
def write_cells(cells: int, first: int, actions: Words, count: int) -> int:
    """Append the cells of one word, of which bit 0 is cell `first`, to `actions`; the new count."""
    total = popcount(cells)
    for i in range(total):
        actions[count + i] = first + lowest(cells)
        cells &= cells - 1
    return count + total


@inlined
def legal_empty(params: Words, state: Words, actions: Words) -> int:
    """Every empty cell."""
    if state[RESULT] != GOING_ON:
        return 0
    words, cells = params[WORDS], params[ROWS] * params[COLS]
    count = 0
    for word in range(words):
        empty = ~(state[STONES + word] | state[STONES + words + word])
        if word == words - 1 and cells & 63:
            empty &= bit(cells & 63) - 1
        count = write_cells(empty, 64 * word, actions, count)
    return count


@inlined
def play_on_empty(params: Words, state: Words, action: int) -> int:
    """Put a stone on an empty cell; n in a row wins."""
    if state[RESULT] != GOING_ON or not 0 <= action < params[ROWS] * params[COLS]:
        return ILLEGAL
    if not is_empty(params, state, action):
        return ILLEGAL
    return play_stone(params, state, action // params[COLS], action % params[COLS], action)


@inlined
def returns(params: Words, state: Words, result: Floats) -> int:
    if state[RESULT] == GOING_ON:
        return GOING
    first = 0.0
    if state[RESULT] != DRAWN:
        first = 1.0 if state[RESULT] == 1 else -1.0
    result[0] = first
    result[1] = -first
    return OVER


@inlined
def transform(params: Words, state: Words, k: int, image: Words) -> int:
    """Move stones and last action to their images; extra words stay as they are."""
    for i in range(params[LAST] + 1):
        image[i] = state[i]
    for player in range(2):
        move_cells(params, k, state, image, STONES + player * params[WORDS])
    last = state[params[LAST]]
    if last != NO_ACTION:
        cells = params[ROWS] * params[COLS]
        image[params[LAST]] = params[TABLES + k * params[STRIDE] + cells + last]
    return GOING


@inlined
def move_cells(params: Words, k: int, state: Words, image: Words, first: int) -> None:
    """Write the set of cells that starts at word `first` of the state, under symmetry k."""
    for word in range(params[WORDS]):
        image[first + word] = 0
    for word in range(params[WORDS]):
        rest = state[first + word]
        while rest != 0:
            cell = params[TABLES + k * params[STRIDE] + 64 * word + lowest(rest)]
            image[first + (cell >> 6)] |= bit(cell & 63)
            rest &= rest - 1


# Encodings, as the five seed systems use them; planes are [plane, row, col], flattened.


@inlined
def _paint(params: Words, state: Words, player: int, planes: Planes, plane: int) -> None:
    cells = params[ROWS] * params[COLS]
    for cell in range(cells):
        planes[plane * cells + cell] = has_stone(params, state, player, cell)


@inlined
def fill_plane(params: Words, planes: Planes, plane: int, value: float) -> None:
    cells = params[ROWS] * params[COLS]
    for cell in range(cells):
        planes[plane * cells + cell] = value


@inlined
def encode_own_other(params: Words, state: Words, planes: Planes) -> int:
    _paint(params, state, state[MOVER], planes, 0)
    _paint(params, state, 1 - state[MOVER], planes, 1)
    return GOING


@inlined
def encode_first_second_turn(params: Words, state: Words, planes: Planes) -> int:
    _paint(params, state, 0, planes, 0)
    _paint(params, state, 1, planes, 1)
    fill_plane(params, planes, 2, state[MOVER])
    return GOING


@inlined
def encode_own_other_empty(params: Words, state: Words, planes: Planes) -> int:
    encode_own_other(params, state, planes)
    cells = params[ROWS] * params[COLS]
    for cell in range(cells):
        planes[2 * cells + cell] = is_empty(params, state, cell)
    return GOING


@inlined
def encode_own_other_last_colour(params: Words, state: Words, planes: Planes) -> int:
    encode_own_other(params, state, planes)
    cells = params[ROWS] * params[COLS]
    fill_plane(params, planes, 2, 0.0)
    last = last_cell(params, state)
    if last >= 0:
        planes[2 * cells + last] = 1.0
    fill_plane(params, planes, 3, 1 - state[MOVER])
    return GOING


@inlined
def last_cell(params: Words, state: Words) -> int:
    """Where the last stone was put; -1 at the start and after a pass.

    Where an action is a column, that is the highest stone in it.
    """
    last = state[params[LAST]]
    rows, cols = params[ROWS], params[COLS]
    if params[STRIDE] == rows * cols + cols and last >= 0:
        while last < rows * cols and is_empty(params, state, last):
            last += cols
    return int(last) if 0 <= last < rows * cols else -1


def as_word(cells: Words) -> int:
    """A set of cells below 64 as a word."""
    return int(np.bitwise_or.reduce(np.int64(1) << cells, initial=np.int64(0)))


class GridGame(CompiledGame):
    """A game of two colours on a rectangle. A subclass brings its board and its rules."""

    @property
    @abstractmethod
    def board(self) -> Board: ...

    @property
    def num_actions(self) -> int:
        return self.board.num_cells

    @property
    def max_length(self) -> int:
        return self.board.num_cells

    @property
    def extra_words(self) -> int:
        """Key words of its own, after the stones."""
        return 0

    @property
    def key_words(self) -> int:
        return self.state_words - 1

    @property
    def state_words(self) -> int:
        return STONES + 2 * self.words + self.extra_words + 1

    @property
    def words(self) -> int:
        """Words that hold one bit for each cell."""
        return -(-self.board.num_cells // 64)

    @property
    def line(self) -> int:
        """How many in a row win; 0 where lines mean nothing."""
        return 0

    @property
    def option(self) -> int:
        """One number for the rules of the subclass; for lines, 1 asks for exactly n in a row."""
        return 0

    def symmetries_of_rules(self) -> tuple[Symmetry, ...]:
        return self.board.symmetries(self.num_actions)

    @cached_property
    def params(self) -> Words:
        board = self.board
        stride = board.num_cells + self.num_actions
        last = self.state_words - 1
        tables = [image for s in self.symmetries for image in (*s.cells, *s.actions)]
        lines = TABLES + len(tables)
        numbers = [board.rows, board.cols, self.words, self.line, self.option, last, stride, lines]
        constants = [*self.constants, *[0] * (TABLES - CONSTANTS - len(self.constants))]
        return np.array([*numbers, *constants, *tables, *self._lines], np.int64)

    @property
    def _lines(self) -> Sequence[int]:
        if not self.line:
            return ()
        rows, cols, n = self.board.rows, self.board.cols, self.line
        cell = np.arange(self.board.num_cells)
        row, col = cell // cols, cell % cols
        right, down, left = col <= cols - n, row <= rows - n, col >= n - 1
        fits = (cell[where] for where in (right, down & left, down, down & right))
        return [as_word(f[f // 64 == word] % 64) for f in fits for word in range(self.words)]

    @property
    def constants(self) -> Sequence[int]:
        """Numbers for the rules of the subclass; for lines on a board of one word, see `_has_line`."""
        if self.words > 1 or not self.line:
            return ()
        cols, n = self.board.cols, self.line
        factors = [1 << i for i in range(n.bit_length() - 1)]
        factors = [*factors, n - 1 - sum(factors), 0, 0, 0][:4]
        shifts = [factor * step for factor in factors for step in (1, cols - 1, cols, cols + 1)]
        return [*(min(shift, 63) for shift in shifts), *self._lines]

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        rows, cols = self.board.rows, self.board.cols
        kernels = {
            ("own", "other"): encode_own_other,
            ("first", "second", "turn"): encode_first_second_turn,
            ("own", "other", "empty"): encode_own_other_empty,
            ("own", "other", "last", "colour"): encode_own_other_last_colour,
        }
        return {
            "-".join(planes): Encoding((len(planes), rows, cols), kernel, planes, context="last" in planes)
            for planes, kernel in kernels.items()
        }

    def action_name(self, position: Position, action: int) -> str:
        return self.board.action_name(action)

    def cells(self, position: Position) -> Sequence[int]:
        stones = position.state[STONES : STONES + 2 * self.words].view(np.uint8)
        bits = np.unpackbits(stones, bitorder="little").reshape(2, -1)
        first, second = bits[:, : self.board.num_cells]
        return (first + 2 * second).tolist()  # type: ignore[no-any-return]

    def last_cell(self, position: Position) -> int | None:
        action = position.state[-1]
        if self.board.look == "columns" and action != NO_ACTION:
            column = self.cells(position)[action :: self.board.cols]
            return int(action) + self.board.cols * next(i for i, c in enumerate(column) if c)
        return int(action) if 0 <= action < self.board.num_cells else None
