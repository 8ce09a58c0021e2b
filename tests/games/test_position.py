import numpy as np
import pytest

import zermelo

GAME = zermelo.game("connect4")


def test_a_position_shows_how_to_make_it_again():
    position = GAME.position("4 4 3")
    assert repr(position) == "zermelo.game('connect4').position('4 4 3')"
    assert eval(repr(position)) == position


def test_positions_are_equal_whatever_the_moves():
    one, other = GAME.position("1 2 3"), GAME.position("3 2 1")
    assert one == other
    assert hash(one) == hash(other)
    assert one.moves != other.moves
    assert one != GAME.position("1 2 4")


def test_playing_leaves_the_position_as_it_was():
    position = GAME.position("4 4")
    before = position.state
    position.play(3)
    position.state[:] = 0
    assert np.array_equal(position.state, before)


def test_moves_can_be_read_back():
    position = GAME.position("4 4 3")
    assert position.moves == (3, 3, 2)
    assert position.move_names == ("4", "4", "3")
    assert position.before == GAME.position("4 4")
    assert position.last_action == 2


@pytest.mark.parametrize("move", ["8", "0", "x", ""])
def test_moves_that_do_not_exist_are_refused_by_name(move):
    with pytest.raises(zermelo.ZermeloError, match="legal: 1 2 3 4 5 6 7"):
        GAME.position().play(move)


@pytest.mark.parametrize("action", [7, -1, 99])
def test_actions_that_do_not_exist_are_refused_by_number(action):
    with pytest.raises(zermelo.ZermeloError, match=f"action {action} is not legal.*actions: 0 1 2 3 4 5 6"):
        GAME.position().play(action)


def test_moves_are_read_without_regard_to_case():
    othello = zermelo.game("othello")
    assert othello.position("D3") == othello.position(" d3 ")


def test_a_position_draws_itself_in_a_notebook():
    svg = GAME.position("4 4 3")._repr_svg_()
    assert svg.startswith("<svg")
    assert svg.endswith("</svg>")
    assert svg.count('fill="#e5484d"') == 2  # two red stones
    assert svg.count('fill="#f7ce46"') == 1  # a yellow one
    text = zermelo.game("examples/nim.py").position()._repr_svg_()
    assert "|||||||||||||||||||||" in text


def test_a_transformed_position_is_its_image():
    mirrored = GAME.position("1 2 1").transformed(1)
    assert mirrored == GAME.position("7 6 7")
