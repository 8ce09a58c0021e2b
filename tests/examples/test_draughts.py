"""English draughts in plain Python, held to what is known of the game."""

import dataclasses

import numpy as np
import pytest

import zermelo
from zermelo.games.contract import check

DRAUGHTS = zermelo.game("examples/draughts.py")


def lines(state, depth):
    """Ways to play so many turns; a whole multiple jump is one."""
    if DRAUGHTS.returns(state) is not None:
        return 0
    total = 0
    for action in DRAUGHTS.legal(state):
        after = DRAUGHTS.play(state, action)
        left = depth if after.jumper >= 0 else depth - 1
        total += lines(after, left) if left else 1
    return total


@pytest.mark.parametrize(("depth", "count"), list(enumerate([7, 49, 302, 1469, 7361, 36768], 1)))
def test_the_known_numbers_of_lines(depth, count):
    assert lines(DRAUGHTS.start(), depth) == count


def test_it_passes_the_check():
    assert check(DRAUGHTS, games=20).problems == []


def test_a_capture_is_forced_and_named_as_usual():
    position = DRAUGHTS.position("11-15 22-18")
    assert [position.name(action) for action in position.legal_actions] == ["15x22"]
    assert str(position).splitlines()[3:5] == [".   .   o   .", "  .   x   .   ."]


def position_of(own, other=(), king=None):
    """The first player is to move, with men on these squares of a printed board and perhaps a king."""
    squares = [0] * 32
    for square in own:
        squares[square - 1] = 1
    for square in other:
        squares[square - 1] = -1
    if king is not None:
        squares[king - 1] = 2
    board = tuple(squares)
    return dataclasses.replace(DRAUGHTS.start(), squares=board, moves=DRAUGHTS._moves(board, -1))


def names(state):
    return [DRAUGHTS.name_action(state, action) for action in DRAUGHTS.legal(state)]


def test_a_multiple_jump_is_made_by_one_player():
    state = position_of([1, 12], [6, 15, 32])
    assert names(state) == ["1x10"]
    state = DRAUGHTS.play(state, DRAUGHTS.legal(state)[0])
    assert (state.mover, names(state)) == (0, ["10x19"])
    state = DRAUGHTS.play(state, DRAUGHTS.legal(state)[0])
    assert (state.mover, names(state)) == (1, ["32-28", "32-27"])


def test_a_man_that_is_crowned_stops_and_a_king_goes_back():
    state = position_of([22], [26, 27, 12])
    assert names(state) == ["22x31"]
    state = DRAUGHTS.play(state, DRAUGHTS.legal(state)[0])
    assert (state.mover, state.squares.count(-2)) == (1, 1)  # though it could take 27
    assert names(position_of([], [12], king=14)) == ["14-17", "14-18", "14-9", "14-10"]


def test_no_move_loses_and_quiet_moves_draw():
    assert DRAUGHTS.returns(position_of([28], [32])) == (-1.0, 1.0)
    state = position_of([], [12], king=14)
    assert DRAUGHTS.returns(state) is None
    assert DRAUGHTS.returns(dataclasses.replace(state, quiet=80)) == (0.0, 0.0)


def algebraic(state, action):
    """A move as OpenSpiel writes it: `c3d4`."""
    numbers = [
        int(number) - 1 for number in DRAUGHTS.name_action(state, action).replace("x", "-").split("-")
    ]
    return "".join(f"{'gecahfdb'[n % 8]}{n // 4 + 1}" for n in numbers)


def test_random_games_go_as_in_openspiel():
    """Until a draw, which is told after 40 moves without a capture there."""
    pyspiel = pytest.importorskip("pyspiel")
    random = np.random.default_rng(0)
    ended = 0
    for _ in range(50):
        state, theirs = DRAUGHTS.start(), pyspiel.load_game("checkers").new_initial_state()
        while not theirs.is_terminal():
            assert state.mover == theirs.current_player()
            moves = {algebraic(state, action): action for action in DRAUGHTS.legal(state)}
            names = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
            assert moves.keys() == names.keys()
            name = sorted(moves)[random.integers(len(moves))]
            state = DRAUGHTS.play(state, moves[name])
            theirs.apply_action(names[name])
        if any(theirs.returns()):
            ended += 1
            assert DRAUGHTS.returns(state) == tuple(theirs.returns())
    assert ended > 20
