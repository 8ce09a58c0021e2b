"""Heuristics agree with plain counting, follow symmetries and know whose turn it is."""

import numpy as np
import pytest

import zermelo
from exact.positions import random_positions
from zermelo.games import abi, othello
from zermelo.games.grid import MOVER, STONES

LINES = [
    ("tictactoe", 3),
    ("connect4", 4),
    ("connect:rows=8,cols=8,n=4", 4),
    ("connect:rows=9,cols=4,n=5", 5),
    ("connect:rows=12,cols=15,n=2", 2),
    ("gomoku", 5),
    ("gomoku:size=8", 5),
    ("gomoku:size=20,n=7", 7),
    ("gomoku:size=9,exact=1", 5),
]
OTHELLO = ["othello:size=4", "othello", "othello:size=10"]
NAMES = [name for name, _ in LINES] + OTHELLO


def heuristic(position, kernel=None):
    game = position.game
    return abi.heuristic(
        game.rules(), abi.address(kernel or game.kernels.heuristic, "heuristic"), position.state
    )


def naive_lines(position, n):
    """Of every n cells in a row with stones of one colour only: 16, 4 or 1 for 1, 2 or 3 empty ones."""
    board, cells = position.game.board, position.game.cells(position)
    lead = 0
    for row in range(board.rows):
        for col in range(board.cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, col + i * right) for i in range(n)]
                if not all(0 <= r < board.rows and 0 <= c < board.cols for r, c in line):
                    continue
                stones = [cells[r * board.cols + c] for r, c in line]
                worth = {1: 16, 2: 4, 3: 1}.get(stones.count(0), 0)
                if set(stones) <= {0, 1 + position.mover}:
                    lead += worth
                if set(stones) <= {0, 2 - position.mover}:
                    lead -= worth
    return lead / (abs(lead) + 64)


def naive_squares(cells, size, player):
    """The squares on which `player` (1 or 2) could place a disc."""
    found = set()
    for square in range(size * size):
        row, col = divmod(square, size)
        for down, right in ((d, r) for d in (-1, 0, 1) for r in (-1, 0, 1) if d or r):
            line = ""
            r, c = row + down, col + right
            while 0 <= r < size and 0 <= c < size:
                line += " ox"[cells[r * size + c] if player == 2 else (0, 2, 1)[cells[r * size + c]]]
                r, c = r + down, c + right
            if not cells[square] and line.startswith("o") and line.lstrip("o").startswith("x"):
                found.add(square)
    return found


def naive_othello(position):
    game, cells, size = position.game, position.game.cells(position), position.game.size
    own, other = 1 + position.mover, 2 - position.mover
    mobility = len(naive_squares(cells, size, own)) - len(naive_squares(cells, size, other))
    corners = [cells[i] for i in (0, size - 1, size * size - size, size * size - 1)]
    discs = cells.count(own) - cells.count(other)
    full = sum(game.discs(position)) / size**2
    lead = 4 * mobility + 40 * (corners.count(own) - corners.count(other)) + discs * full
    return lead / (abs(lead) + 64)


@pytest.mark.parametrize(("name", "n"), LINES)
def test_open_lines_are_counted(name, n):
    for position in random_positions(zermelo.game(name), 40, 1):
        assert heuristic(position) == naive_lines(position, n), repr(position)


@pytest.mark.parametrize("name", OTHELLO)
def test_mobility_corners_and_discs_are_counted(name):
    for position in random_positions(zermelo.game(name), 40, 1, high=15 if "4" in name else 50):
        assert heuristic(position) == pytest.approx(naive_othello(position), abs=1e-12), repr(position)
        first, second = position.game.discs(position)
        lead = (first - second, second - first)[position.mover]
        cells = position.game.board.num_cells
        assert heuristic(position, othello.disc_lead) == pytest.approx(lead / (cells + 1))


@pytest.mark.parametrize("name", NAMES)
def test_symmetric_positions_look_equally_good(name):
    game = zermelo.game(name)
    for position in random_positions(game, 20, 2, high=8):
        values = {heuristic(position.transformed(k)) for k in range(len(game.symmetries))}
        assert len(values) == 1
        assert -1 < values.pop() < 1


def with_colours_exchanged(position):
    """The same position with the other's stones and the other to move."""
    state, words = position.state, position.game.words
    first, second = slice(STONES, STONES + words), slice(STONES + words, STONES + 2 * words)
    state[first], state[second] = state[second].copy(), state[first].copy()
    state[MOVER] = 1 - state[MOVER]
    return zermelo.Position(position.game, state)


def with_the_other_to_move(position):
    game, state = position.game, position.state
    state[MOVER] = 1 - state[MOVER]
    if game.family == "othello":
        cells = game.cells(position)
        squares = np.zeros(game.words * 64, np.uint8)
        squares[list(naive_squares(cells, game.size, 2 - position.mover))] = 1
        first = STONES + 2 * game.words
        state[first : first + game.words] = np.packbits(squares, bitorder="little").view(np.int64)
    return zermelo.Position(game, state)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_good_for_one_is_bad_for_the_other(name):
    for position in random_positions(zermelo.game(name), 20, 3, high=8):
        assert heuristic(with_colours_exchanged(position)) == heuristic(position)
        assert heuristic(with_the_other_to_move(position)) == -heuristic(position)


def test_an_open_four_counts_twice_a_half_open_one():
    open_four = zermelo.game("gomoku").position("d8 a1 e8 o1 f8 a15 g8 o15")
    half_open = zermelo.game("gomoku").position("d8 c8 e8 o1 f8 a15 g8 o15")
    assert heuristic(open_four) > heuristic(half_open) > 0
