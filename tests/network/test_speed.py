"""Measured speeds: that they are of what they say, whatever they are here."""

import pytest

import zermelo
from zermelo.network import selfplay_speed
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.model import untrained
from zermelo.network.speed import BATCHES, compare
from zermelo.search.evaluator import Timed, Uniform


@pytest.mark.parametrize("name", ["tictactoe", "examples/nim.py"])
def test_the_speed_of_selfplay(name):
    found = selfplay_speed.measure(zermelo.game(name), 0.3)
    assert 0 < found.network_share < 1
    assert found.evaluator_efficiency > 0
    assert found.evaluations_per_second > 0
    # Some simulations need no evaluation, and some evaluations, those of roots, are no simulation.
    assert 0.3 < found.simulations_per_second / found.evaluations_per_second < 20


def test_selfplay_is_measured_in_no_time_at_all():
    assert selfplay_speed.measure(zermelo.game("tictactoe"), 1e-6).evaluations_per_second > 0


def test_selfplay_is_measured_while_all_slots_are_busy():
    games, timed, game = selfplay_speed.GAMES, Timed(Uniform(7)), zermelo.game("connect4")
    searches = selfplay_speed._searches(game, selfplay_speed._some_positions(game), timed)
    for _ in range(games):
        next(searches)
    timed.sizes.clear()
    for _ in range(2 * games):
        next(searches)
    assert len(timed.sizes) >= 64
    assert min(timed.sizes) > 0.8 * games / 2, "of one half of the games, whose new roots are among them"


def test_evaluators_are_compared_with_the_same_weights():
    game = zermelo.game("connect4")
    found = compare(untrained(game, Architecture.preset("tiny")), Shape.of(game), 0.1)
    for speeds in (found.onnxruntime, found.pytorch):
        assert tuple(speeds) == BATCHES
        assert all(speed > 0 for speed in speeds.values())
    assert 0 < found.maximum_difference < 1e-5
