"""The encodings of the five seed systems, by hand."""

import numpy as np
import pytest

import zermelo
from zermelo.errors import UnknownName

POSITION = zermelo.game("tictactoe").position("5 1 9")  # the second player is to move

FIRST = [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
SECOND = [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
EMPTY = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
LAST = [[0, 0, 0], [0, 0, 0], [0, 0, 1]]
ONES = np.ones((3, 3))


@pytest.mark.parametrize(
    ("name", "planes"),
    [
        ("own-other", [SECOND, FIRST]),
        ("first-second-turn", [FIRST, SECOND, ONES]),
        ("own-other-empty", [SECOND, FIRST, EMPTY]),
        ("own-other-last-colour", [SECOND, FIRST, LAST, 0 * ONES]),
    ],
)
def test_planes(name, planes):
    assert np.array_equal(POSITION.planes(name), np.array(planes))


def test_the_first_player_to_move():
    start = zermelo.game("tictactoe").position()
    assert not start.planes("first-second-turn").any()
    assert np.array_equal(start.planes("own-other-last-colour")[3], ONES)


def test_the_last_move_of_connect4_is_the_highest_stone_of_its_column():
    planes = zermelo.game("connect4").position("4 4").planes("own-other-last-colour")
    assert np.argwhere(planes[2]).tolist() == [[4, 3]]


def test_after_a_pass_there_is_no_last_move():
    game = zermelo.game("othello:size=4")
    position = game.position()
    rng = np.random.default_rng(0)
    while position.last_action != 16:
        if position.is_over:
            position = game.position()
        position = position.play(int(rng.choice(position.legal_actions)))
    assert not position.planes("own-other-last-colour")[2].any()


def test_the_default_is_two_planes_and_others_are_refused_by_name():
    assert POSITION.planes().shape == (2, 3, 3)
    with pytest.raises(UnknownName, match="it has: own-other first-second-turn"):
        POSITION.planes("history")


def test_words_beyond_the_first_are_encoded():
    planes = zermelo.game("gomoku").position("a1 o1 h8").planes()
    assert np.argwhere(planes[0]).tolist() == [[14, 14]]
    assert np.argwhere(planes[1]).tolist() == [[7, 7], [14, 0]]


def rows_of(game, n):
    """The cells of every row of n on the board."""
    rows, cols = game.board.rows, game.board.cols
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + down * (n - 1) < rows and 0 <= col + right * (n - 1) < cols:
                    yield [(row + down * i) * cols + col + right * i for i in range(n)]


def random_positions(game, count, seed=0):
    rng = np.random.default_rng(seed)
    position = game.position()
    for _ in range(count):
        position = game.position() if position.is_over else position
        position = position.play(int(rng.choice(position.legal_actions)))
        if not position.is_over:
            yield position


@pytest.mark.parametrize("name", ["connect4", "connect:rows=9,cols=10,n=5", "gomoku:size=8", "gomoku"])
def test_lines_show_where_rows_are_completed_and_threatened(name):
    game = zermelo.game(name)
    lines = list(rows_of(game, game.n))
    for position in random_positions(game, 150):
        cells = np.array(game.cells(position))
        expected = np.zeros((6, len(cells)))
        for plane, player in enumerate((position.mover, 1 - position.mover)):
            expected[plane] = cells == player + 1
            for line in lines:
                empty = [cell for cell in line if cells[cell] == 0]
                if all(cells[cell] in (0, player + 1) for cell in line) and len(empty) in (1, 2):
                    expected[2 * len(empty) + plane, empty] = 1
        assert np.array_equal(position.planes("lines")[:6].reshape(6, -1), expected), position


def test_a_marked_cell_wins():
    game = zermelo.game("gomoku:size=8")
    for position in random_positions(game, 300, seed=1):
        marked = np.flatnonzero(position.planes("lines")[2])
        results = {a: position.play(a).returns for a in position.legal_actions}
        assert marked.tolist() == [a for a, returns in results.items() if returns and any(returns)]


def test_lines_of_connect4_show_where_stones_fall_and_whose_row_it_is():
    planes = zermelo.game("connect4").position("4 4 1").planes("lines")
    assert np.argwhere(planes[6]).tolist() == [[3, 3], [4, 0], [5, 1], [5, 2], [5, 4], [5, 5], [5, 6]]
    assert planes[7].all(axis=1).tolist() == [True, False, True, False, True, False]  # the second player's
    assert planes[7].sum() == 21


def turns_something(cells, size, square, player):
    """Whether a disc of the player on this square encloses some of the other's."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)):
        row, col, seen = square // size + down, square % size + right, 0
        while 0 <= row < size and 0 <= col < size and cells[row * size + col] == 2 - player:
            row, col, seen = row + down, col + right, seen + 1
        if seen and 0 <= row < size and 0 <= col < size and cells[row * size + col] == player + 1:
            return True
    return False


@pytest.mark.parametrize("size", [6, 8, 10])
def test_moves_show_where_both_could_play(size):
    game = zermelo.game(f"othello:size={size}")
    for position in random_positions(game, 150):
        cells, planes = game.cells(position), position.planes("moves")
        empty = [square for square in range(size * size) if cells[square] == 0]
        for plane, player in ((2, position.mover), (3, 1 - position.mover)):
            squares = [square for square in empty if turns_something(cells, size, square, player)]
            assert np.flatnonzero(planes[plane]).tolist() == squares, position
