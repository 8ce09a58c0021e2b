import pickle
import subprocess
import sys
from importlib.util import find_spec

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


def test_positions_can_be_sent_to_another_process(tmp_path):
    names = ["connect4", "gomoku", "examples/kalah.py"]
    names += ["openspiel:tic_tac_toe"] if find_spec("pyspiel") else []
    starts = [zermelo.game(name).position() for name in names]
    positions = [start.play(start.legal_actions[0]) for start in starts]
    path = tmp_path / "positions.pickle"
    path.write_bytes(b"".join(map(pickle.dumps, positions)))
    code = f"""
import pickle
with open({str(path)!r}, "rb") as file:
    for _ in range({len(positions)}):
        position = pickle.load(file)
        print(position.moves, position.play(position.legal_actions[-1]).mover)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = [f"{one.moves} {one.play(one.legal_actions[-1]).mover}" for one in positions]
    assert done.stdout.splitlines() == expected


def test_states_and_symmetries_that_do_not_fit_are_refused():
    with pytest.raises(zermelo.ZermeloError, match="0 to 1"):
        GAME.position().transformed(2)
    with pytest.raises(zermelo.ZermeloError, match="a vector of 7 int64"):
        zermelo.Position(GAME, np.zeros(2, np.int64))
    with pytest.raises(TypeError):
        GAME.position().play(3.7)


def test_the_last_move_follows_a_symmetry_and_is_marked_in_the_picture():
    position = GAME.position("1 2")
    mirrored = position.transformed(1)
    assert np.argwhere(mirrored.planes("own-other-last-colour")[2]).tolist() == [[5, 5]]
    assert GAME.last_cell(position) == 36
    assert 'stroke="#d97706"' in position._repr_svg_()
    assert 'stroke="#d97706"' not in GAME.position()._repr_svg_()
