"""The worked example of the thesis on AlphaZero, section 3.4, number by number.

Tic-Tac-Toe; black (the second player, circles) is to move and may play 2, 3, 6 or 8:

    O 2 3
    X X 6
    O 8 X
"""

import math

import numpy as np
import pytest

import zermelo
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import Table
from zermelo.search.job import Job
from zermelo.search.pool import Pool

GAME = zermelo.game("tictactoe")
ROOT = GAME.position("4 1 5 7 9")
PRIORS = {2: 0.45, 6: 0.25, 3: 0.15, 8: 0.15}
AFTER_2 = {3: 0.2, 6: 0.5, 8: 0.3}  # action 6 has the highest probability


def logits(priors):
    row = np.full(9, -99.0, np.float32)
    for cell, prior in priors.items():
        row[cell - 1] = math.log(prior)
    return row


EVALUATOR = Table({ROOT: (logits(PRIORS), 0.0), ROOT.play("2"): (logits(AFTER_2), -0.2)})


def search(simulations):
    config = SearchConfig(simulations=simulations, exploration=5.0, proofs=False)
    (result,) = Pool(GAME).search([Job(ROOT, config, EVALUATOR)])
    return {int(a) + 1: i for i, a in enumerate(result.actions)}, result


def test_the_board():
    assert str(ROOT) == "O 2 3\nX X 6\nO 8 X"
    assert ROOT.mover == 1


def test_first_iteration_gives_the_priors_and_is_free():
    where, result = search(0)
    assert {cell: pytest.approx(result.priors[i]) for cell, i in where.items()} == PRIORS
    assert result.visits.sum() == 0


def test_second_iteration_follows_the_highest_prior_and_turns_the_value_round():
    where, result = search(1)
    assert result.visits[where[2]] == 1
    assert result.values[where[2]] == pytest.approx(0.2)
    # The numbers from which the third iteration chooses.
    n = 1 + result.visits.sum()
    score = {}
    for cell, i in where.items():
        q = result.values[i] if result.visits[i] else 0.0
        score[cell] = q + 5 * result.priors[i] * math.sqrt(n) / (1 + result.visits[i])
    assert score[2] == pytest.approx(1.79, abs=0.005)
    assert score[6] == pytest.approx(1.76, abs=0.01)
    assert score[3] == score[8] == pytest.approx(1.06, abs=0.005)


def test_third_iteration_ends_in_a_win_for_white_which_is_a_loss_for_black():
    where, result = search(2)
    assert result.visits.tolist() == [2 if i == where[2] else 0 for i in range(4)]
    assert result.values[where[2]] == pytest.approx((0.2 - 1.0) / 2)
    assert [action + 1 for action in result.line] == [2, 6]
