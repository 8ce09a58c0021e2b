"""The equations of seed 002, against numbers worked out by hand and those of the text."""

import math

import numpy as np
import pytest

from zermelo.arena import seed002
from zermelo.arena.ratings import rate
from zermelo.errors import BadParameter


def test_equation_50_expected_score():
    assert seed002.expected_score(100, 100) == 0.5
    assert seed002.expected_score(500, 100) == pytest.approx(0.7310585786)  # 1 / (1 + 1/e)
    assert seed002.expected_score(100, 500) == pytest.approx(0.2689414214)
    assert seed002.expected_score(0, 10**6) == 0.0


def test_equation_51_update():
    assert seed002.updated(100, 100, 1.0, k=20) == 110  # 100 + 20 (1 - 1/2)
    assert seed002.updated(500, 100, 0.5, k=10) == pytest.approx(500 + 10 * (0.5 - 0.7310585786))


def test_equations_52_and_56_score():
    assert seed002.score(11, 4, 5) == 0.65  # (11 + 2) / 20
    assert seed002.score(0.55, 0.2, 0.25) == pytest.approx(0.65)


def test_equations_55_and_57_the_rest_is_the_opponents():
    assert seed002.score(11, 4, 5) + seed002.score(5, 4, 11) == 1


def test_equation_53_rating():
    assert seed002.rating(0.5, 100) == 100
    assert seed002.rating(0.75, 100) == pytest.approx(539.4449155)  # 100 + 400 ln 3
    assert seed002.expected_score(seed002.rating(0.65, 250), 250) == pytest.approx(0.65)
    assert seed002.rating(1.0) == math.inf
    assert seed002.rating(0.0) == -math.inf


def test_equation_53_is_what_greatest_likelihood_gives_for_two_players():
    wins, draws = np.array([[0, 11], [5, 0]]), np.array([[0, 4], [4, 0]])
    ratings = rate(["new", "old"], wins, draws, prior=0).anchored("old", 100).on(seed002.SCALE)
    assert ratings.rating("new") == pytest.approx(seed002.rating(seed002.score(11, 4, 5), 100))


def test_versions_are_rated_along_a_chain_from_the_untrained_one():
    assert seed002.chained([0.75, 0.25, 0.5]) == pytest.approx([100, 539.4449155, 100, 100])


def test_equation_58_acceptance():
    assert seed002.is_accepted(13, 10)
    assert not seed002.is_accepted(12, 10)


def test_equations_60_to_62_least_score():
    assert seed002.least_score(1.3) == pytest.approx(0.5652173913)  # 13 / 23
    assert seed002.least_score(1.3) == pytest.approx(1.3 * (1 - seed002.least_score(1.3)))


def test_equations_54_and_63_least_increase():
    assert seed002.least_increase(1.3) == pytest.approx(104.9457058)  # 400 ln 1.3; the text: about 105
    assert seed002.least_increase(1.0) == pytest.approx(0)


def test_equation_64_theta():
    assert seed002.theta(seed002.INCREASE) == pytest.approx(2.7731948)  # e^1.02; the text: about 2.8
    assert seed002.theta(seed002.least_increase(1.7)) == pytest.approx(1.7)


def test_wrong_values():
    for wrong in (lambda: seed002.rating(1.2), lambda: seed002.updated(0, 0, -1, 10)):
        with pytest.raises(BadParameter, match="must be from 0 to 1"):
            wrong()
    with pytest.raises(BadParameter, match=r"`theta` \(=0\) must be above 0"):
        seed002.least_score(0)
    with pytest.raises(BadParameter, match="are not the results of games"):
        seed002.score(0, 0, 0)
