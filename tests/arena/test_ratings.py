"""Ratings against known strengths, another library, and numbers worked out by hand."""

import math

import choix
import numpy as np
import pytest

from zermelo.arena.ratings import USUAL, rate
from zermelo.arena.trend import trend
from zermelo.errors import BadParameter


def names(count):
    return [f"p{i}" for i in range(count)]


def two(wins, draws, losses, **options):
    table = np.array([[0, wins], [losses, 0]])
    return rate(names(2), table, np.array([[0, draws], [draws, 0]]), **options)


def played(truth, games, drawn, random):
    """Wins and draws of a round-robin between players of these ratings.

    The expected score is Elo's; `drawn` is the share of draws among those that this score allows.
    """
    truth = np.asarray(truth, float)
    p = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    draw = 2 * drawn * np.minimum(p, p.T)
    wins, draws = np.zeros((2, len(truth), len(truth)))
    for i, j in zip(*np.triu_indices(len(truth), 1), strict=True):
        win = p[i, j] - draw[i, j] / 2
        chances = [win, draw[i, j], 1 - win - draw[i, j]]
        wins[i, j], draws[i, j], wins[j, i] = random.multinomial(games, chances)
        draws[j, i] = draws[i, j]
    return wins, draws


# Known strengths.


@pytest.mark.parametrize("drawn", [0.0, 0.4, 0.8])
@pytest.mark.parametrize(
    ("truth", "games"), [([0, 50, 150, 300, 450], 20), ([0, 0, 0, 0], 40), ([100, 500, 900], 100)], ids=str
)
def test_known_differences_are_within_their_intervals_about_95_of_100_times(truth, games, drawn):
    random, inside = np.random.default_rng(7), []
    for _ in range(250):
        ratings = rate(names(len(truth)), *played(truth, games, drawn, random)).anchored("p0", truth[0])
        for name, true in zip(ratings.names[1:], truth[1:], strict=True):
            low, high = ratings.interval(name)
            inside.append(low <= true <= high)
    assert 0.93 <= np.mean(inside) <= 0.985


def test_a_difference_that_draws_hide_is_not_made_too_certain():
    """Strong players draw each other, weak ones never: intervals hold for both."""
    random, truth = np.random.default_rng(3), [0, 300, 340, 380]
    inside = []
    for _ in range(300):
        wins, draws = played(truth, 40, 0.0, random)
        strong_wins, strong_draws = played(truth[1:], 40, 0.9, random)
        wins[1:, 1:], draws[1:, 1:] = strong_wins, strong_draws
        ratings = rate(names(4), wins, draws)
        low, high = ratings.interval("p3")
        inside.append(
            (
                low <= 380 <= high,
                abs(ratings.difference("p3", "p1") - 80) < 1.96 * ratings.error("p3", "p1"),
            )
        )
    assert (np.mean(inside, axis=0) > 0.92).all()


def test_superiority_is_right_as_often_as_it_says():
    random, said, right = np.random.default_rng(5), [], []
    for _ in range(400):
        truth = random.normal(0, 60, 2)
        ratings = rate(names(2), *played(truth, 30, 0.3, random))
        said.append(ratings.superiority("p0", "p1"))
        right.append(truth[0] > truth[1])
    said, right = np.array(said), np.array(right)
    assert abs(said.mean() - right.mean()) < 0.05
    assert right[said > 0.9].mean() > 0.85
    assert right[said < 0.1].mean() < 0.15


# Another library.


def test_without_draws_and_prior_they_are_those_of_choix():
    random = np.random.default_rng(11)
    wins, draws = played([0, 100, 250, 300, 420], 30, 0.0, random)
    games = [(i, j) for i in range(5) for j in range(5) for _ in range(int(wins[i, j]))]
    expected = choix.ilsr_pairwise(5, games, alpha=0)
    ratings = rate(names(5), wins, draws, prior=0)
    assert ratings.strengths == pytest.approx(expected, abs=1e-6)
    again = choix.opt_pairwise(5, games, alpha=0)
    assert ratings.strengths == pytest.approx(again, abs=1e-3)


def test_a_draw_is_a_win_and_a_loss_of_half_a_game():
    """choix has no draws; every game twice, a draw as a win of each, has the same greatest likelihood."""
    wins, draws = played([0, 120, 240], 20, 0.5, np.random.default_rng(2))
    twice = (2 * wins + draws).astype(int)
    games = [(i, j) for i in range(3) for j in range(3) for _ in range(twice[i, j])]
    assert rate(names(3), wins, draws, prior=0).strengths == pytest.approx(
        choix.ilsr_pairwise(3, games), abs=1e-6
    )


# By hand.


def test_two_players():
    ratings = two(30, 0, 10, prior=0)
    assert ratings.difference("p0", "p1") == pytest.approx(400 * math.log10(3))
    assert ratings.error("p0", "p1") == pytest.approx(USUAL / math.sqrt(40 * 0.75 * 0.25))
    assert two(20, 20, 0, prior=0).difference("p0", "p1") == pytest.approx(400 * math.log10(3))


def test_draws_make_intervals_narrower():
    """Half of the games drawn, the others shared: the points of a game vary by 1/8, not by 1/4."""
    ratings = two(10, 20, 10, prior=0)
    assert ratings.error("p0", "p1") == pytest.approx(
        two(20, 0, 20, prior=0).error("p0", "p1") * math.sqrt(0.5)
    )


def test_the_prior_is_one_drawn_game():
    assert two(3, 0, 1).difference("p0", "p1") == pytest.approx(400 * math.log10(3.5 / 1.5))


def test_who_won_everything_has_a_finite_rating_and_interval():
    ratings = two(20, 0, 0).anchored("p1", 0)
    assert ratings.rating("p0") == pytest.approx(400 * math.log10(41))
    low, high = ratings.interval("p0")
    assert 0 < low < ratings.rating("p0") < high < 1500
    with pytest.raises(BadParameter, match="p0 had nothing but wins against p1"):
        two(20, 0, 0, prior=0)
    with pytest.raises(BadParameter, match="p0 had nothing but losses against p1"):
        two(0, 0, 20, prior=0)


def test_only_draws_are_equality_with_some_doubt():
    ratings = two(0, 20, 0)
    low, high = ratings.interval("p1")
    assert ratings.rating("p1") == pytest.approx(0)
    assert high == pytest.approx(-low)
    assert 20 < high < 60


def test_the_chain_reaches_those_who_never_met():
    wins = np.array([[0, 10, 0], [30, 0, 10], [0, 30, 0]])
    ratings = rate(names(3), wins, np.zeros((3, 3)), prior=0)
    assert ratings.difference("p2", "p0") == pytest.approx(800 * math.log10(3))
    assert ratings.error("p2", "p0") == pytest.approx(ratings.error("p1", "p0") * math.sqrt(2))


def test_who_cannot_be_compared_is_named():
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 5
    with pytest.raises(BadParameter, match="p0 p1 never met p2 p3, not even through others"):
        rate(names(4), wins, np.zeros((4, 4)))


def test_anchor_and_scale():
    ratings = two(30, 0, 10, prior=0).anchored("p1", 100)
    assert ratings.rating("p1") == 100
    assert ratings.interval("p1") == (100, 100)
    assert ratings.rating("p0") == pytest.approx(100 + 400 * math.log10(3))
    assert ratings.on(400).rating("p0") == pytest.approx(100 + 400 * math.log(3))
    assert ratings.on(400).superiority("p0", "p1") == ratings.superiority("p0", "p1") > 0.99
    with pytest.raises(BadParameter, match="`nobody` has not played; there are: p0 p1"):
        ratings.anchored("nobody", 0)
    with pytest.raises(BadParameter, match="must be a finite number"):
        ratings.anchored("p0", math.nan)


@pytest.mark.parametrize(
    ("wins", "draws", "message"),
    [
        ([[0, -1], [1, 0]], [[0, 0], [0, 0]], "must not be negative"),
        ([[1, 1], [1, 0]], [[0, 0], [0, 0]], "nobody plays against himself"),
        ([[0, 1], [1, 0]], [[0, 1], [2, 0]], "must be symmetric"),
        ([[0, 1]], [[0, 1], [1, 0]], r"must be \(2, 2\)"),
        ([[0, math.nan], [1, 0]], [[0, 0], [0, 0]], "must not be negative"),
        ([[0, 0], [0, 0]], [[0, 0], [0, 0]], "p0 never met p1"),
    ],
)
def test_wrong_tables(wins, draws, message):
    with pytest.raises(BadParameter, match=message):
        rate(names(2), np.array(wins), np.array(draws))


def test_wrong_names_and_prior():
    with pytest.raises(BadParameter, match="`a` is there twice"):
        rate(["a", "a"], np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(BadParameter, match="two players or more, not of 1"):
        rate(["a"], np.zeros((1, 1)), np.zeros((1, 1)))
    with pytest.raises(BadParameter, match=r"`prior` \(=-1\)"):
        two(1, 0, 1, prior=-1)


# The rise from version to version.


def test_the_rise_of_versions_on_a_line_is_found():
    """Exact results of players 100 apart: the line goes through all of them."""
    truth = np.array([0, 100, 200, 400])
    p = 1 / (1 + 10 ** ((truth[None, :] - truth[:, None]) / 400))
    wins = 1e6 * (p - np.eye(4) / 2)
    line = trend(rate(names(4), wins, np.zeros((4, 4)), prior=0), {"p0": 0, "p1": 1, "p2": 2, "p3": 4})
    assert line.per_version == pytest.approx(100)
    assert line.at(3) == pytest.approx(300)


def test_the_interval_of_the_rise_holds_about_95_of_100_times():
    random, inside = np.random.default_rng(1), []
    for _ in range(300):
        ratings = rate(names(5), *played([0, 60, 120, 180, 240], 20, 0.3, random))
        low, high = trend(ratings, {name: i for i, name in enumerate(ratings.names)}).interval
        inside.append(low <= 60 <= high)
    assert 0.92 <= np.mean(inside) <= 0.985


def test_a_rise_needs_two_versions():
    with pytest.raises(BadParameter, match="two different versions"):
        trend(two(1, 0, 1), {"p0": 3})
