"""Counts that are known from elsewhere: perft tables, and positions by number of moves."""

import pytest

import zermelo
from zermelo.search.perft import perft, positions


def test_tictactoe_has_255168_games():
    assert perft(zermelo.game("tictactoe"), 9).ended == 255_168


def test_tictactoe_has_5478_positions():
    assert sum(positions(zermelo.game("tictactoe"), 9)) == 5_478


def test_connect4_positions_by_ply():
    # https://oeis.org/A212693
    expected = [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275]
    assert positions(zermelo.game("connect4"), 8) == expected


@pytest.mark.parametrize(("depth", "nodes"), [(7, 823_536), (8, 5_673_234)])
def test_connect4_perft(depth, nodes):
    assert perft(zermelo.game("connect4"), depth).nodes == nodes


def test_othello_perft():
    # https://www.aartbik.com/strategy.php
    expected = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]
    assert [perft(zermelo.game("othello"), depth).nodes for depth in range(1, 9)] == expected


def test_gomoku_perft_is_a_falling_factorial_before_anybody_can_win():
    assert perft(zermelo.game("gomoku:size=7"), 4).nodes == 49 * 48 * 47 * 46


def test_perft_of_no_moves():
    assert perft(zermelo.game("connect4"), 0) == (1, 0)


def test_perft_of_a_python_game():
    # Nim with 3 stones: 3 = 1+1+1 = 1+2 = 2+1 = 3
    nim = zermelo.game("examples/nim.py:heap=3")
    assert [perft(nim, depth) for depth in (1, 2, 3)] == [(3, 1), (3, 3), (1, 4)]
