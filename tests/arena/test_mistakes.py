"""Mistakes, counted by exact solvers."""

import pytest

import zermelo
from zermelo.arena.mistakes import every_position, exam, mistakes, random_positions
from zermelo.errors import BadParameter, TooManyPositions, UnsuitableGame

TICTACTOE = zermelo.game("tictactoe")


@pytest.fixture(scope="module")
def all_of_tictactoe():
    return every_position(TICTACTOE)


def test_every_position_with_a_move_to_make_is_there(all_of_tictactoe):
    assert len(all_of_tictactoe) == 4520
    assert len({one.position.key for one in all_of_tictactoe}) == 4520


def test_the_perfect_player_makes_none(all_of_tictactoe):
    found = mistakes(zermelo.player("perfect"), all_of_tictactoe)
    assert (found.positions, found.results, found.not_best, found.share) == (4520, 0, 0, 0.0)


def test_random_positions_are_telling_different_and_the_same_each_time():
    game = zermelo.game("connect:rows=4,cols=5")
    found = random_positions(game, 30, (6, 9), seed=3)
    assert len({one.position.key for one in found}) == 30
    assert all(one.is_telling and 6 <= len(one.position.moves) <= 9 for one in found)
    assert [one.position for one in random_positions(game, 30, (6, 9), seed=3)] == [
        one.position for one in found
    ]


def test_a_move_that_throws_a_win_away_is_a_mistake():
    position = TICTACTOE.position()
    for move in (0, 3, 1, 4):  # X wins at once with 2; so would O with 5
        position = position.play(move)
    (graded,) = [one for one in every_position(TICTACTOE) if one.position.key == position.key]
    assert graded.keeps_the_result(2)
    assert graded.is_best(2)
    assert not graded.keeps_the_result(8)
    assert graded.is_telling


def test_what_is_not_there_is_said():
    with pytest.raises(TooManyPositions, match="more than 100 positions"):
        every_position(TICTACTOE, 100)
    with pytest.raises(BadParameter, match="do not lead to 5 such positions"):
        random_positions(TICTACTOE, 5, (20, 21))


def test_an_exam_is_all_of_a_small_game_and_some_of_a_larger_one():
    assert len(exam(TICTACTOE, 7)) == 4520
    found = exam(zermelo.game("connect4"), 3)
    assert len(found) == 3
    assert all(one.is_telling and 10 <= len(one.position.moves) <= 16 for one in found)


@pytest.mark.parametrize("name", ["gomoku:size=9", "examples/kalah.py"])
@pytest.mark.parametrize("most", [20_000, pytest.param(None, marks=pytest.mark.slow)])
def test_a_game_that_cannot_be_solved_has_no_exam(name, most, monkeypatch):
    if most is not None:
        monkeypatch.setattr("zermelo.arena.mistakes._MOST_SOLVED", most)
    with pytest.raises(UnsuitableGame, match="cannot be counted"):
        exam(zermelo.game(name), 5)
