import doctest

import pytest

import zermelo.exact.outcome
from zermelo.errors import BadParameter
from zermelo.exact import Outcome

BEST_TO_WORST = [
    Outcome(1, 1), Outcome(1, 3), Outcome(0), Outcome(-1, 6), Outcome(-1, 4), Outcome(-1, 0),
]  # fmt: skip


def test_a_fast_win_is_best_and_a_fast_loss_worst():
    assert sorted(BEST_TO_WORST) == BEST_TO_WORST[::-1]
    assert max(BEST_TO_WORST) == Outcome(1, 1)


def test_the_other_player_sees_the_opposite():
    assert -Outcome(1, 7) == Outcome(-1, 7)
    assert -Outcome(0) == Outcome(0)


def test_one_move_earlier_the_end_is_one_ply_further_and_a_draw_a_draw():
    assert Outcome(1, 7).before == Outcome(1, 8)
    assert Outcome(-1, 0).before == Outcome(-1, 1)
    assert Outcome(0).before == Outcome(0)


def test_outcomes_are_told_in_words():
    assert str(Outcome(1, 7)) == "win in 7"
    assert str(Outcome(0)) == "draw"
    assert str(Outcome(-1, 4)) == "loss in 4"
    assert str(Outcome(-1, 0)) == "loss, the game is over"


@pytest.mark.parametrize(("value", "plies"), [(2, 1), (1, -1), (0, 3)])
def test_what_cannot_be_is_refused(value, plies):
    with pytest.raises(BadParameter):
        Outcome(value, plies)


def test_the_example_in_the_docstring():
    assert doctest.testmod(zermelo.exact.outcome).failed == 0
