"""What searches teach, from results made by hand."""

import math

import numpy as np
import pytest

import zermelo
from search.test_decision import result
from zermelo.errors import BadParameter
from zermelo.learning.targets import Lesson, divergence, lesson, policy_target, value_targets
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.tree import UNPROVEN

CONNECT4 = zermelo.game("connect4")


ALL = np.arange(7, dtype=np.int32)


def target(searched, improved):
    """Of each move that the search had; there are no others in it."""
    policy = policy_target(searched, improved).tolist()
    assert not any(policy[len(searched.actions) :])
    return policy[: len(searched.actions)]


def test_the_share_of_visits_is_the_target():
    found = target(result([20, 50, 30], [0.1, 0.2, 0.4]), improved=False)
    assert found == pytest.approx([0.2, 0.5, 0.3])


def test_or_gumbels_improved_policy():
    searched = result([20, 50, 30], [0.1, 0.2, 0.4])._replace(improved=np.array([0.6, 0.3, 0.1]))
    assert target(searched, improved=True) == pytest.approx([0.6, 0.3, 0.1])


def test_proven_wins_are_the_whole_target_and_the_shortest_of_them():
    searched = result([60, 3, 0, 7], [0.5, 1, 1, 1], proofs=[UNPROVEN, 1, 1, 1], plies=[0, 5, 3, 3])
    for improved in (False, True):
        assert target(searched, improved) == [0, 0, 0.5, 0.5]


def test_proven_losses_are_no_part_of_the_target():
    searched = result([60, 30, 10], [-1, 0.1, 0.2], proofs=[-1, UNPROVEN, UNPROVEN], plies=[4, 0, 0])
    assert target(searched, improved=False) == pytest.approx([0, 0.75, 0.25])
    assert target(searched, improved=True) == pytest.approx([0, 0.5, 0.5])


def test_where_all_is_lost_the_longest_defence_is_the_target():
    searched = result([5, 5, 5], [-1, -1, -1], proofs=[-1, -1, -1], plies=[2, 6, 4])
    assert target(searched, improved=False) == [0, 1, 0]


def test_a_search_without_visits_teaches_its_priors():
    searched = result([0, 0], [float("nan")] * 2, priors=[0.9, 0.1])
    assert target(searched, improved=False) == pytest.approx([0.9, 0.1])


def test_moves_that_nothing_speaks_for_are_all_alike():
    searched = result([4, 4, 4], [-1, 0.1, 0.1], proofs=[-1, UNPROVEN, UNPROVEN])
    searched = searched._replace(improved=np.array([1.0, 0.0, 0.0]))
    assert target(searched, improved=True) == [0, 0.5, 0.5]


def test_surprise_is_the_divergence_of_target_and_prior():
    policy = np.array([0.5, 0.5, 0.0], np.float32)
    by_hand = 0.5 * math.log(0.5 / 0.25) + 0.5 * math.log(0.5 / 0.125)
    assert divergence(policy, ALL[:3], np.array([0.25, 0.125, 0.625])) == pytest.approx(by_hand)
    assert divergence(policy, ALL[:3], np.array([0.5, 0.5, 0.0])) == 0
    assert divergence(policy, ALL[:1], np.array([0.25])) == pytest.approx(0.5 * math.log(2))


def test_surprise_is_finite_and_never_negative():
    assert divergence(np.ones(1, np.float32), ALL[:1], np.zeros(1)) == pytest.approx(math.log(1e9))
    random = np.random.default_rng(0)
    for prior in random.dirichlet(np.ones(7), 300):
        assert 0 <= divergence(prior.astype(np.float32), ALL, prior) < 1e-6


@pytest.mark.parametrize(
    ("mover", "weight", "expected"),
    [(0, 0.0, 1.0), (1, 0.0, -1.0), (0, 1.0, 0.2), (1, 1.0, 0.2), (0, 0.5, 0.6), (1, 0.25, -0.7)],
)
def test_the_value_is_a_mix_of_result_and_search_for_the_mover(mover, weight, expected):
    assert value_targets([taught(mover, 0.2)], (1.0, -1.0), weight) == pytest.approx([expected])


def taught(mover, value, exact=False):
    return Lesson(np.zeros(1, np.int64), mover, np.ones(1, np.float32), value, exact)


def test_a_proven_value_is_its_own_target():
    proven = taught(0, -1.0, exact=True)
    assert value_targets([proven], (1.0, -1.0), 0.5).tolist() == [-1.0]
    with pytest.raises(BadParameter, match="search_weight"):
        value_targets([proven], (1.0, -1.0), 1.5)


def test_positions_before_a_proven_one_take_the_mean_of_that_and_the_result():
    """Player 1 is proven to draw and then to win, and loses; in the end one moves twice."""
    game = [
        taught(0, 0.2), taught(1, 0.4), taught(0, 0.0, exact=True), taught(1, 1.0, exact=True),
        taught(0, 0.6), taught(0, -0.2),
    ]  # fmt: skip
    found = value_targets(game, (1.0, -1.0), 0.5)
    before = (0.0 + 1.0) / 2
    wanted = [(before + 0.2) / 2, (-before + 0.4) / 2, 0, 1, (1 + 0.6) / 2, (1 - 0.2) / 2]
    assert found == pytest.approx(wanted)


def test_a_lesson_is_told_for_the_player_to_move():
    for moves, mover in (("1 2 1 2 1 2", 0), ("1 7 1 2 4 2 5 2", 0), ("7 1 2 1 2 1 3", 1)):
        position = CONNECT4.position(moves)
        (searched,) = Pool(CONNECT4).search([Job(position, SearchConfig("uct", 300), ROLLOUTS)])
        taught = lesson(searched, improved=False)
        assert taught.mover == position.mover == mover
        assert (taught.state == position.state).all()
        assert taught.exact == (taught.value in (-1.0, 1.0))


def test_a_lesson_has_a_probability_for_every_action_of_the_game():
    searched = result([10, 30], [0.1, 0.2], priors=[0.5, 0.5])
    searched = searched._replace(actions=np.array([2, 6], np.int32), value=0.3)
    taught = lesson(searched, improved=False, full=False)
    assert taught.policy.tolist() == [0, 0, 0.25, 0, 0, 0, 0.75]
    assert (taught.value, taught.exact, taught.full) == (0.3, False, False)
    assert taught.surprise == pytest.approx(0.25 * math.log(0.5) + 0.75 * math.log(1.5))
    assert lesson(searched, improved=True).policy.tolist() == [0, 0, 0.5, 0, 0, 0, 0.5]
    assert lesson(searched, improved=True).full
    assert lesson(searched._replace(proof=0, value=0.0), improved=False).exact
