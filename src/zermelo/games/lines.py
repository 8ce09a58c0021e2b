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
from zermelo.games.grid import COLS, LINES, MOVER, OPTION, ROWS, STONES, WORDS, N


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


@inlined
def _rows(
    params: Words, state: Words, player: int, direction: int, word: int
) -> tuple[int, int, int, int, int, int]:
    """Of the rows of n in a direction that begin in one word, as bits where they begin: those without a
    stone of the other, those without one of `player`; those with at least one, two, three and four empty
    cells. All are counted at once."""
    n, words, cols = params[N], params[WORDS], params[COLS]
    own, other = STONES + player * words, STONES + (1 - player) * words
    step = (1, cols - 1, cols, cols + 1)[direction]
    fits = params[params[LINES] + direction * words + word]
    has_own = has_other = one = two = three = four = 0
    if fits != 0:
        for i in range(n):
            mine = _cells_ahead(state, own, words, word, i * step)
            theirs = _cells_ahead(state, other, words, word, i * step)
            empty = ~(mine | theirs)
            has_own, has_other = has_own | mine, has_other | theirs
            four, three = four | (three & empty), three | (two & empty)
            two, one = two | (one & empty), one | empty
    return fits & ~has_other, fits & ~has_own, one, two, three, four


@compiled
def open_lines(params: Words, state: Words) -> float:
    """Count n cells in a row without a stone of the other: 16 if one is empty, 4 for two, 1 for three.

    An open four of Gomoku lies in two such rows, a half-open one in one. The difference d between the
    mover and the other becomes d / (|d| + 64).
    """
    lead = 0
    for direction in range(4):
        for word in range(params[WORDS]):
            mine, theirs, one, two, three, four = _rows(params, state, state[MOVER], direction, word)
            lead += 16 * (popcount(one & ~two & mine) - popcount(one & ~two & theirs))
            lead += 4 * (popcount(two & ~three & mine) - popcount(two & ~three & theirs))
            lead += popcount(three & ~four & mine) - popcount(three & ~four & theirs)
    return lead / (abs(lead) + 64.0)


@compiled
def threats(params: Words, state: Words, player: int, missing: int, actions: Words) -> int:
    """Write the empty cells of rows of which `player` has all but so many (one or two) and the other has
    nothing, each once; their number."""
    cols, found = params[COLS], 0
    for direction in range(4):
        step = (1, cols - 1, cols, cols + 1)[direction]
        for word in range(params[WORDS]):
            mine, _, one, two, three, _ = _rows(params, state, player, direction, word)
            starts = mine & (one & ~two if missing == 1 else two & ~three)
            while starts != 0:
                cell = 64 * word + lowest(starts)
                starts &= starts - 1
                for _ in range(params[N]):
                    if grid.is_empty(params, state, cell):
                        known = 0
                        while known < found and actions[known] != cell:
                            known += 1
                        actions[known] = cell
                        found = max(found, known + 1)
                    cell += step
    if missing == 1 and params[OPTION] != 0:  # a longer row does not win
        kept = 0
        for i in range(found):
            if grid.makes_line(params, state, STONES + player * params[WORDS], actions[i]):
                actions[kept] = actions[i]
                kept += 1
        found = kept
    return found


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
    cols = params[COLS]
    grid.encode_own_other(params, state, planes)
    for plane in range(2, 6):
        grid.fill_plane(params, planes, plane, 0.0)
    for direction in range(4):
        step = (1, cols - 1, cols, cols + 1)[direction]
        for word in range(params[WORDS]):
            mine, theirs, one, two, three, _ = _rows(params, state, state[MOVER], direction, word)
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
    threats=threats,
)
"""The rules of a game in which stones are put on any empty cell and n in a row win."""
