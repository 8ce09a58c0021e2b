"""Othello."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from zermelo.compilation import compiled, inlined
from zermelo.errors import BadParameter
from zermelo.games import grid
from zermelo.games.abi import GOING, ILLEGAL, OVER, Kernels, Planes, Words
from zermelo.games.base import Encoding, parameter
from zermelo.games.bits import lowest, popcount
from zermelo.games.board import Board
from zermelo.games.grid import (
    COLS,
    CONSTANTS,
    COUNT,
    DRAWN,
    GOING_ON,
    LAST,
    MOVER,
    RESULT,
    ROWS,
    STONES,
    WORDS,
    GridGame,
)

if TYPE_CHECKING:
    from zermelo.games.position import Position

# Extra words hold the squares on which the mover may play. A set of up to 100 squares is a pair of
# words (low, high); the constants are three such sets: all squares, those off the side columns, and
# the corners.


@inlined
def _shift(low: int, high: int, by: int) -> tuple[int, int]:
    """A set of squares moved up by `by` bits (down, if negative)."""
    a, b = np.uint64(low), np.uint64(high)
    if by > 0:
        up, over = np.uint64(by), np.uint64(64 - by)
        return np.int64(a << up), np.int64((b << up) | (a >> over))  # type: ignore[return-value]
    down, over = np.uint64(-by), np.uint64(64 + by)
    return np.int64((a >> down) | (b << over)), np.int64(b >> down)  # type: ignore[return-value]


@inlined
def _set(params: Words, state: Words, first: int) -> tuple[int, int]:
    """The set of squares that starts at this word of the state."""
    return state[first], state[first + 1] if params[WORDS] == 2 else 0


@inlined
def _directions(params: Words, direction: int) -> tuple[int, bool]:
    """One of eight directions, as a shift, and whether it leaves its column."""
    cols = params[COLS]
    step = (cols, 1, cols - 1, cols + 1)[direction >> 1]
    return step if direction & 1 else -step, direction > 1


@compiled
def _squares(params: Words, state: Words, player: int) -> tuple[int, int]:
    """The empty squares from which a line of the other's discs ends in one of `player`'s own."""
    own, own_high = _set(params, state, STONES + player * params[WORDS])
    other, other_high = _set(params, state, STONES + (1 - player) * params[WORDS])
    empty = params[CONSTANTS] & ~(own | other)
    empty_high = params[CONSTANTS + 1] & ~(own_high | other_high)
    found, found_high = 0, 0
    for direction in range(8):
        by, sideways = _directions(params, direction)
        inner = other & params[CONSTANTS + 2] if sideways else other
        inner_high = other_high & params[CONSTANTS + 3] if sideways else other_high
        line, line_high = _shift(own, own_high, by)
        line, line_high = line & inner, line_high & inner_high
        for _ in range(params[ROWS] - 3):
            step, step_high = _shift(line, line_high, by)
            line, line_high = line | (step & inner), line_high | (step_high & inner_high)
        step, step_high = _shift(line, line_high, by)
        found, found_high = found | (step & empty), found_high | (step_high & empty_high)
    return found, found_high


@inlined
def _flips(params: Words, state: Words, player: int, square: int) -> tuple[int, int]:
    """The discs of the other that a disc of `player` on `square` turns over."""
    own, own_high = _set(params, state, STONES + player * params[WORDS])
    other, other_high = _set(params, state, STONES + (1 - player) * params[WORDS])
    disc, disc_high = 0, 0
    if square < 64:
        disc = 1 << square
    else:
        disc_high = 1 << (square - 64)
    found, found_high = 0, 0
    for direction in range(8):
        by, sideways = _directions(params, direction)
        inner = other & params[CONSTANTS + 2] if sideways else other
        inner_high = other_high & params[CONSTANTS + 3] if sideways else other_high
        line, line_high = 0, 0
        step, step_high = _shift(disc, disc_high, by)
        while (step & inner) | (step_high & inner_high):
            line, line_high = line | step, line_high | step_high
            step, step_high = _shift(step, step_high, by)
        if (step & own) | (step_high & own_high):
            found, found_high = found | line, found_high | line_high
    return found, found_high


@compiled
def _settle(params: Words, state: Words, player: int) -> int:
    """Give the turn to `player`, or end the game if nobody can move."""
    words = params[WORDS]
    state[MOVER] = player
    squares, squares_high = _squares(params, state, player)
    state[STONES + 2 * words] = squares
    if words == 2:
        state[STONES + 2 * words + 1] = squares_high
    if squares | squares_high:
        return GOING
    squares, squares_high = _squares(params, state, 1 - player)
    if squares | squares_high:
        return GOING
    lead = 0
    for word in range(words):
        lead += popcount(state[STONES + word]) - popcount(state[STONES + words + word])
    state[RESULT] = DRAWN if lead == 0 else (1 if lead > 0 else 2)
    return OVER


@compiled
def start(params: Words, state: Words) -> int:
    grid.start_empty(params, state)
    cols = params[COLS]
    upper = (params[ROWS] // 2 - 1) * cols + cols // 2 - 1
    grid.put_stone(params, state, 0, upper + 1)
    grid.put_stone(params, state, 0, upper + cols)
    grid.put_stone(params, state, 1, upper)
    grid.put_stone(params, state, 1, upper + cols + 1)
    return _settle(params, state, 0)


@compiled
def legal(params: Words, state: Words, actions: Words) -> int:
    if state[RESULT] != GOING_ON:
        return 0
    count = 0
    for word in range(params[WORDS]):
        squares = state[STONES + 2 * params[WORDS] + word]
        count = grid.write_cells(squares, 64 * word, actions, count)
    if count == 0:
        actions[0] = params[ROWS] * params[COLS]
        count = 1
    return count


@compiled
def play(params: Words, state: Words, action: int) -> int:
    words, cells, player = params[WORDS], params[ROWS] * params[COLS], state[MOVER]
    if state[RESULT] != GOING_ON or not 0 <= action <= cells:
        return ILLEGAL
    squares, squares_high = _set(params, state, STONES + 2 * words)
    if action == cells:
        if squares | squares_high:
            return ILLEGAL
    elif not ((squares >> action if action < 64 else squares_high >> (action - 64)) & 1):
        return ILLEGAL
    else:
        turned, turned_high = _flips(params, state, player, action)
        own, other = STONES + player * words, STONES + (1 - player) * words
        state[own] |= turned
        state[other] &= ~turned
        if words == 2:
            state[own + 1] |= turned_high
            state[other + 1] &= ~turned_high
        grid.put_stone(params, state, player, action)
    state[params[LAST]] = action
    return _settle(params, state, 1 - player)


@compiled
def transform(params: Words, state: Words, k: int, image: Words) -> int:
    grid.transform(params, state, k, image)
    grid.move_cells(params, k, state, image, STONES + 2 * params[WORDS])
    return GOING


@inlined
def _lead(params: Words, state: Words, low: int, high: int) -> int:
    """How many more discs the mover has than the other, on these squares."""
    own, own_high = _set(params, state, STONES + state[MOVER] * params[WORDS])
    other, other_high = _set(params, state, STONES + (1 - state[MOVER]) * params[WORDS])
    return (
        popcount(own & low)
        + popcount(own_high & high)
        - popcount(other & low)
        - popcount(other_high & high)
    )


@compiled
def disc_lead(params: Words, state: Words) -> float:
    """More discs than the other, as a share of the board."""
    cells = params[ROWS] * params[COLS]
    return float(_lead(params, state, params[CONSTANTS], params[CONSTANTS + 1]) / (cells + 1.0))


@compiled
def heuristic(params: Words, state: Words) -> float:
    """Mobility, corners and discs, each the difference between the mover and the other.

    d = 4 moves + 40 corners + discs f, where f is the share of the board that is full; the value is
    d / (|d| + 64).
    """
    moves, moves_high = _set(params, state, STONES + 2 * params[WORDS])
    others, others_high = _squares(params, state, 1 - state[MOVER])
    mobility = popcount(moves) + popcount(moves_high) - popcount(others) - popcount(others_high)
    corners = _lead(params, state, params[CONSTANTS + 4], params[CONSTANTS + 5])
    discs = _lead(params, state, params[CONSTANTS], params[CONSTANTS + 1])
    lead = 4 * mobility + 40 * corners + discs * state[COUNT] / (params[ROWS] * params[COLS])
    return float(lead / (abs(lead) + 64.0))


MOVE_PLANES = ("own", "other", "own moves", "other moves")


@inlined
def _paint_squares(params: Words, squares: int, first: int, planes: Planes, plane: int) -> None:
    """Mark the squares of one word, of which bit 0 is square `first`."""
    while squares != 0:
        planes[plane * params[ROWS] * params[COLS] + first + lowest(squares)] = 1.0
        squares &= squares - 1


@compiled
def encode_moves(params: Words, state: Words, planes: Planes) -> int:
    """Write `MOVE_PLANES`: discs, and where each of both could play."""
    grid.encode_own_other(params, state, planes)
    for plane in (2, 3):
        grid.fill_plane(params, planes, plane, 0.0)
    own, own_high = _set(params, state, STONES + 2 * params[WORDS])
    other, other_high = _squares(params, state, 1 - state[MOVER])
    _paint_squares(params, own, 0, planes, 2)
    _paint_squares(params, own_high, 64, planes, 2)
    _paint_squares(params, other, 0, planes, 3)
    _paint_squares(params, other_high, 64, planes, 3)
    return GOING


class Othello(GridGame):
    """Enclose the other's discs to turn them over; most discs win. A pass is a move of its own."""

    family = "othello"
    acyclic = True  # discs only become more, and no two passes follow each other
    size: int = parameter(8, 4, 10, "rows and columns, an even number")

    def validate(self) -> None:
        if self.size % 2:
            raise BadParameter(f"`size` (={self.size}) of othello must be even: 4 6 8 10")

    @cached_property
    def board(self) -> Board:
        return Board(self.size, self.size)

    @property
    def num_actions(self) -> int:
        return self.board.num_cells + 1

    @property
    def max_length(self) -> int:
        """No two passes follow each other, so there is at most one for each disc placed."""
        return 2 * (self.board.num_cells - 4)

    @property
    def extra_words(self) -> int:
        return self.words

    @property
    def constants(self) -> Sequence[int]:
        squares = np.arange(self.board.num_cells)
        inner = squares[(squares % self.size > 0) & (squares % self.size < self.size - 1)]
        corners = squares[[0, self.size - 1, -self.size, -1]]
        sets = (squares, inner, corners)
        return [grid.as_word(s[s // 64 == word] % 64) for s in sets for word in (0, 1)]

    @property
    def greedy_heuristic(self) -> Callable[[Words, Words], float]:
        return disc_lead

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        shape = len(MOVE_PLANES), self.size, self.size
        return {**super().encodings, "moves": Encoding(shape, encode_moves, MOVE_PLANES)}

    def discs(self, position: Position) -> tuple[int, int]:
        """How many discs each player has."""
        cells = list(self.cells(position))
        return cells.count(1), cells.count(2)

    kernels = Kernels(
        start=start,
        mover=grid.mover,
        legal=legal,
        play=play,
        returns=grid.returns,
        transform=transform,
        heuristic=heuristic,
    )
