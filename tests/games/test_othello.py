import pytest

import zermelo

GAME = zermelo.game("othello")


def test_the_start_and_the_first_moves():
    start = GAME.position()
    assert [start.name(action) for action in start.legal_actions] == ["d3", "c4", "f5", "e6"]
    assert str(start).splitlines()[4:6] == ["4 . . . O X . . .", "5 . . . X O . . ."]
    assert GAME.discs(start) == (2, 2)


def test_enclosed_discs_are_turned_over():
    position = GAME.position("d3 c3 c4")
    assert GAME.discs(position) == (5, 2)
    assert str(position).splitlines()[3:5] == ["3 . . O X . . . .", "4 . . X X X . . ."]


def test_nobody_may_pass_who_can_move():
    with pytest.raises(zermelo.ZermeloError, match="`pass` is not legal"):
        GAME.position("pass")


# The shortest game there is: white is wiped out after nine moves.
WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"


def test_a_game_ends_when_neither_can_move_with_the_board_not_full():
    position = GAME.position(WIPE_OUT)
    assert GAME.discs(position) == (13, 0)
    assert position.returns == (1.0, -1.0)


def test_a_pass_is_the_only_move_of_a_player_who_cannot_move():
    game = zermelo.game("othello:size=4")
    seen = []
    stack = [game.position()]
    while stack and not seen:
        position = stack.pop()
        if position.legal_actions == (16,):
            seen.append(position)
        stack += [position.play(action) for action in position.legal_actions]
    position = seen[0]
    assert position.name(16) == "pass"
    after = position.play("pass")
    assert after.mover == 1 - position.mover
    assert not after.is_over
    assert after.legal_actions != (16,), "two passes in a row never happen: the game is over before"
    assert game.discs(after) == game.discs(position)


def test_first_player_loses_4x4_and_6x6_is_the_smaller_board():
    assert zermelo.game("othello:size=6").position().legal_actions == (8, 13, 22, 27)


def test_ten_by_ten_uses_two_words_for_each_colour():
    game = zermelo.game("othello:size=10")
    start = game.position()
    assert [start.name(action) for action in start.legal_actions] == ["e4", "d5", "g6", "f7"]
    assert game.discs(start.play("e4")) == (4, 1)
