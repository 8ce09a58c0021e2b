"""When runs end."""

import math

import pytest

from zermelo.learning.directory import BEGINNING
from zermelo.learning.limits import Limits


def at(**values):
    return {**BEGINNING, "rounds": 1, "loss": 1.0, **values}


@pytest.mark.parametrize("name", ["seconds", "cpu_seconds", "games", "steps", "rounds"])
def test_a_count_ends_a_run_when_it_is_reached(name):
    limits = Limits(**{name: 20})
    assert limits.progress(at(**{name: 5})) == 0.25
    assert not limits.are_reached(at(**{name: 19}))
    assert limits.are_reached(at(**{name: 20}))


def test_the_nearest_limit_tells_how_far_a_run_is():
    assert Limits(games=100, seconds=10).progress(at(games=30, seconds=8)) == 0.8
    assert Limits(games=100).progress(at(games=250)) == 1.0
    assert Limits().progress(at(games=250)) == 0.0


def test_what_was_measured_ends_a_run():
    assert not Limits(loss=1.0).are_reached(at(loss=1.0))
    assert Limits(loss=1.0).are_reached(at(loss=0.99))
    assert not Limits(mistakes=0.0).are_reached(at())
    assert not Limits(mistakes=0.0).are_reached(at(measured={"mistakes": 0.01}))
    assert Limits(mistakes=0.0).are_reached(at(measured={"mistakes": 0.0}))
    assert not Limits(score=0.9).are_reached(at(measured={"score": 0.85}))
    assert Limits(score=0.9).are_reached(at(measured={"score": 0.9}))


def test_nothing_is_reached_before_the_first_round():
    assert not Limits(loss=math.inf).are_reached(at(rounds=0))
