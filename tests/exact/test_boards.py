"""Boards of Connect: which can arise, and what is wrong with the others."""

import pytest

import zermelo
from exact.positions import random_positions
from zermelo.errors import BadParameter
from zermelo.exact.boards import position_of

CONNECT4 = zermelo.game("connect4")


def board(text):
    """A board as people draw it; rows that are missing above are empty."""
    rows = text.split()
    cells = [".XO".index(cell) for row in rows for cell in row]
    return [0] * (42 - len(cells)) + cells


def test_a_board_gives_the_position_that_it_shows():
    for position in random_positions(CONNECT4, 40, seed=1):
        found = position_of(CONNECT4, list(CONNECT4.cells(position)))
        assert found == position
        assert len(found.moves) == len(position.moves)


def test_the_empty_board_is_the_start():
    assert position_of(CONNECT4, [0] * 42) == CONNECT4.position()


def test_other_boards_have_other_sizes():
    game = zermelo.game("connect:rows=2,cols=3,n=3")
    assert position_of(game, [0, 2, 0, 0, 1, 0]) == game.position("2 2")


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([0] * 41, "`board` must be 42 numbers 0, 1 or 2: 6 rows of 7, from the top left"),
        ([0] * 41 + [3], "`board` must be 42 numbers"),
        ([0] * 41 + [True], "`board` must be 42 numbers"),
        (board("......."), None),
        (board("...X... ...O..."), "in no order"),  # the second player cannot have moved first
        (board("XX....."), "the first player has 2 stones and the second 0"),
        (board("O......"), "the first player has 0 stones and the second 1"),
        (board("X...... ......O"), "a stone in column 1 lies on nothing"),
        (board("XXXXOOO"), "the game is over"),
        (board("XXXX... OOOO..."), "both players have won"),
        (board("OX..... XO..... OX..... OX....."), None),
        (board("XX.XX.. OO.OO.."), "in no order"),  # every first stone of a column is the second player's
    ],
)
def test_what_cannot_arise(cells, reason):
    if reason is None:
        position_of(CONNECT4, cells)
        return
    with pytest.raises(BadParameter, match=reason):
        position_of(CONNECT4, cells)


@pytest.mark.parametrize(
    "line",
    [
        "XXXXOOO",
        "X...... XO..... XO..... XO.....",
        "X...... OX..... OOX.... XXOX.O.",
        "...X... ..XO... .XOO... XOXX.O.",
    ],
    ids=["row", "column", "down", "up"],
)
def test_a_game_that_is_won_is_over(line):
    with pytest.raises(BadParameter, match="the game is over"):
        position_of(CONNECT4, board(line))
