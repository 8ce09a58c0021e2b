"""Scores: the scale of files of Connect 4 positions, and that of other games."""

import pytest

import zermelo
from zermelo.errors import BadParameter
from zermelo.exact import Outcome
from zermelo.exact.score import outcome_of, score_of

CONNECT4, OTHELLO6 = zermelo.game("connect4"), zermelo.game("othello:size=6")


@pytest.mark.parametrize(
    ("played", "outcome", "score"),
    [
        (0, Outcome(1, 41), 1),  # the empty board: won with the first player's last stone
        (1, Outcome(-1, 40), -1),
        (6, Outcome(1, 1), 18),  # 4 1 4 1 4 1: three stones used, a fourth wins, 17 are kept
        (7, Outcome(-1, 0), -18),
        (41, Outcome(1, 1), 1),
        (37, Outcome(-1, 4), -1),
        (20, Outcome(0), 0),
    ],
)
def test_connect_counts_the_stones_that_the_winner_keeps(played, outcome, score):
    assert score_of(CONNECT4, played, outcome) == score
    if outcome.plies or not outcome.value:
        assert outcome_of(CONNECT4, played, score) == outcome


def test_elsewhere_the_moves_that_are_not_made_count():
    assert OTHELLO6.max_length == 64
    assert score_of(OTHELLO6, 16, Outcome(1, 16)) == 33
    assert score_of(OTHELLO6, 16, Outcome(-1, 15)) == -34


@pytest.mark.parametrize("game", [CONNECT4, OTHELLO6, zermelo.game("tictactoe")])
def test_scores_and_outcomes_are_the_same_thing(game):
    for played in range(game.max_length):
        for plies in range(1, game.max_length - played + 1):
            winner_is_next = plies % 2 == 1
            outcome = Outcome(1 if winner_is_next else -1, plies)
            assert outcome_of(game, played, score_of(game, played, outcome)) == outcome


def test_better_outcomes_have_greater_scores():
    outcomes = [Outcome(-1, 2), Outcome(-1, 8), Outcome(0), Outcome(1, 9), Outcome(1, 1)]
    for game in (CONNECT4, OTHELLO6):
        scores = [score_of(game, 12, outcome) for outcome in outcomes]
        assert scores == sorted(scores)
        assert len(set(scores)) == 5


def test_a_score_from_before_the_position_is_refused():
    with pytest.raises(BadParameter, match="a score of 18 is not possible after 30 moves of connect4"):
        outcome_of(CONNECT4, 30, 18)
