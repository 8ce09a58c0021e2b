"""What games of n in a row share: how good lines look, planes that show those that are nearly full, and the
rules where any empty cell may be taken."""

from __future__ import annotations

import numpy as np

from zermelo.compilation import compiled, inlined
from zermelo.games import grid
from zermelo.games.abi import GOING, Kernels, Planes, Words
from zermelo.games.base import Encoding
from zermelo.games.bits import lowest, popcount
from zermelo.games.board import Board
from zermelo.games.grid import COLS, LINES, MOVER, ROWS, STONES, WORDS, N


@inlined
def _cells_ahead(state: Words, first: int, words: int, word: int, distance: int) -> int:
    """The part of a set of cells that this word shows when all cells are moved down by `distance`."""
    source, by = word + (distance >> 6), np.uint64(distance & 63)
    if source >= words:
        return 0
    cells = np.uint64(state[first + source]) >> by
    if source + 1 < words:
        cells |= (np.uint64(state[first + source + 1]) << np.uint64(1)) << (np.uint64(63) - by)
    return np.int64(cells)  # type: ignore[return-value]


@compiled
def open_lines(params: Words, state: Words) -> float:
    """Count n cells in a row without a stone of the other: 16 if one is empty, 4 for two, 1 for three.

    An open four of Gomoku lies in two such rows, a half-open one in one. The difference d between the
    mover and the other becomes d / (|d| + 64). All rows that begin in one word are counted at once.
    """
    n, words, cols = params[N], params[WORDS], params[COLS]
    own, other = STONES + state[MOVER] * words, STONES + (1 - state[MOVER]) * words
    lead = 0
    for direction in range(4):
        step = (1, cols - 1, cols, cols + 1)[direction]
        for word in range(words):
            fits = params[params[LINES] + direction * words + word]
            if fits == 0:
                continue
            has_own = has_other = one = two = three = four = 0  # `two`: at least two cells are empty
            for i in range(n):
                mine = _cells_ahead(state, own, words, word, i * step)
                theirs = _cells_ahead(state, other, words, word, i * step)
                empty = ~(mine | theirs)
                has_own, has_other = has_own | mine, has_other | theirs
                four, three = four | (three & empty), three | (two & empty)
                two, one = two | (one & empty), one | empty
            mine, theirs = fits & ~has_other, fits & ~has_own
            lead += 16 * (popcount(one & ~two & mine) - popcount(one & ~two & theirs))
            lead += 4 * (popcount(two & ~three & mine) - popcount(two & ~three & theirs))
            lead += popcount(three & ~four & mine) - popcount(three & ~four & theirs)
    return lead / (abs(lead) + 64.0)


LINE_PLANES = ("own", "other", "own wins", "other wins", "own threatens", "other threatens")
"""Stones; the empty cells where one more completes n in a row; those where it leaves one cell to do so."""


@inlined
def _mark_empty(
    params: Words, state: Words, starts: int, word: int, step: int, planes: Planes, plane: int
) -> None:
    """Mark the empty cells of the rows of n that begin at these bits of a word."""
    cells = params[ROWS] * params[COLS]
    while starts != 0:
        cell = 64 * word + lowest(starts)
        starts &= starts - 1
        for _ in range(params[N]):
            if grid.is_empty(params, state, cell):
                planes[plane * cells + cell] = 1.0
            cell += step


@compiled
def encode_lines(params: Words, state: Words, planes: Planes) -> int:
    """Write `LINE_PLANES`. A row that would be longer than n counts, whether or not it wins."""
    n, words, cols = params[N], params[WORDS], params[COLS]
    own, other = STONES + state[MOVER] * words, STONES + (1 - state[MOVER]) * words
    grid.encode_own_other(params, state, planes)
    for plane in range(2, 6):
        grid.fill_plane(params, planes, plane, 0.0)
    for direction in range(4):
        step = (1, cols - 1, cols, cols + 1)[direction]
        for word in range(words):
            fits = params[params[LINES] + direction * words + word]
            if fits == 0:
                continue
            has_own = has_other = one = two = three = 0  # `two`: at least two cells are empty
            for i in range(n):
                mine = _cells_ahead(state, own, words, word, i * step)
                theirs = _cells_ahead(state, other, words, word, i * step)
                empty = ~(mine | theirs)
                has_own, has_other = has_own | mine, has_other | theirs
                three, two, one = three | (two & empty), two | (one & empty), one | empty
            mine, theirs = fits & ~has_other, fits & ~has_own
            _mark_empty(params, state, one & ~two & mine, word, step, planes, 2)
            _mark_empty(params, state, one & ~two & theirs, word, step, planes, 3)
            _mark_empty(params, state, two & ~three & mine, word, step, planes, 4)
            _mark_empty(params, state, two & ~three & theirs, word, step, planes, 5)
    return GOING


def lines_encoding(board: Board) -> Encoding:
    return Encoding((len(LINE_PLANES), board.rows, board.cols), encode_lines, LINE_PLANES)


LINE_GAME = Kernels(
    start=grid.start_empty,
    mover=grid.mover,
    legal=grid.legal_empty,
    play=grid.play_on_empty,
    returns=grid.returns,
    transform=grid.transform,
    heuristic=open_lines,
)
"""The rules of a game in which stones are put on any empty cell and n in a row win."""
