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
