"""Final moves, from results made by hand."""

import numpy as np
import pytest

import zermelo
from zermelo.errors import BadParameter
from zermelo.search import decision
from zermelo.search.decision import decide, proportions
from zermelo.search.result import SearchResult
from zermelo.search.tree import UNPROVEN


def result(visits, values, proofs=None, priors=None, plies=None):
    width = len(visits)
    return SearchResult(
        position=zermelo.game("connect4").position(),
        actions=np.arange(width, dtype=np.int32),
        visits=np.array(visits, np.int32),
        values=np.array(values, float),
        priors=np.array(priors or [1 / width] * width),
        proofs=np.array(proofs or [UNPROVEN] * width, np.int8),
        plies=np.array(plies or [0] * width, np.int32),
        improved=np.full(width, 1 / width),
        gumbel=np.zeros(width),
        own=np.zeros((len(visits), 0)),
        value=0.0,
        proof=UNPROVEN,
        evaluation=0.0,
        simulations=sum(visits),
        line=(),
    )


PLAIN = result([20, 50, 30], [0.1, 0.2, 0.4])


def test_max_robust_and_secure():
    assert decide(PLAIN, "max") == 2
    assert decide(PLAIN, "robust") == 1
    assert decide(PLAIN, "secure") == 2  # 0.4 - 1 / sqrt 30 is still the highest
    assert decide(result([2, 50, 30], [0.9, 0.5, 0.1]), "secure") == 1  # 0.9 - 0.71 < 0.5 - 0.14


def test_max_robust_wants_both():
    assert decision.max_robust_child(PLAIN) is None
    assert decision.max_robust_child(result([20, 50, 30], [0.1, 0.5, 0.4])) == 1


def test_proportional_to_visits_as_in_the_thesis():
    assert proportions(PLAIN).tolist() == pytest.approx([0.2, 0.5, 0.3])
    assert proportions(PLAIN, 0).tolist() == [0, 1, 0]
    assert proportions(PLAIN, 0.5).tolist() == pytest.approx([4 / 38, 25 / 38, 9 / 38])
    assert proportions(PLAIN, 1e-3).tolist() == pytest.approx([0, 1, 0])
    assert proportions(result([0, 0, 9], [np.nan, np.nan, 0.0]), 2.0).tolist() == [0, 0, 1]


def test_drawn_moves_follow_the_proportions():
    random = np.random.default_rng(0)
    drawn = [decide(PLAIN, temperature=1.0, random=random) for _ in range(3000)]
    assert np.bincount(drawn) / 3000 == pytest.approx([0.2, 0.5, 0.3], abs=0.03)


def test_proofs_come_before_everything():
    won = result([20, 50, 30], [0.1, 0.9, 1.0], proofs=[UNPROVEN, UNPROVEN, 1])
    lost = result([20, 50, 30], [0.1, -1.0, 0.0], proofs=[UNPROVEN, -1, UNPROVEN])
    for policy in decision.POLICIES:
        assert decide(won, policy) == 2
        assert decide(lost, policy) != 1
    assert proportions(lost)[1] == 0
    hopeless = result([1, 2, 3], [-1, -1, -1], proofs=[-1, -1, -1])
    assert decide(hopeless) == 2


def test_wins_are_short_and_losses_long():
    assert decide(result([9, 1, 1], [1, 1, 1], proofs=[1, 1, 1], plies=[5, 3, 7])) == 1
    assert decide(result([9, 1, 1], [-1, -1, -1], proofs=[-1, -1, -1], plies=[2, 4, 6])) == 2


def test_without_search_the_prior_decides():
    alone = result([0, 0, 0], [np.nan] * 3, priors=[0.2, 0.5, 0.3])
    for policy in ("robust", "max", "secure"):
        assert decide(alone, policy) == 1
    assert proportions(alone).tolist() == pytest.approx([0.2, 0.5, 0.3])


def test_ties_go_to_the_lowest_action():
    assert decide(result([5, 5, 5], [0.0, 0.0, 0.0])) == 0


def test_improved_child_is_among_the_most_visited():
    one = result([10, 10, 3], [0.0, 0.0, 0.0])._replace(improved=np.array([0.2, 0.3, 0.5]))
    assert decide(one, "improved") == 1


def test_wrong_policies_are_named():
    with pytest.raises(BadParameter, match="robust max max-robust secure improved"):
        decide(PLAIN, "best")
    with pytest.raises(BadParameter, match="must be a number from 0 up"):
        decide(PLAIN, temperature=-1)
