"""A search that holds draws in contempt: they are worth less than 0 to the one who searches."""

import numpy as np
import pytest

import zermelo
from network.networks import SMALL, trained
from zermelo.errors import BadParameter
from zermelo.network.evaluators import DrawTeller, OnnxEvaluator
from zermelo.search.config import SearchConfig
from zermelo.search.decision import decide
from zermelo.search.job import Job
from zermelo.search.pool import Pool

TICTACTOE = zermelo.game("tictactoe")


def all_drawn(planes):
    count = len(planes)
    return np.zeros((count, 9)), np.zeros(count), np.ones(count)


def searched(position, evaluator, **options):
    (result,) = Pool(position.game, cached=100).search([Job(position, SearchConfig(**options), evaluator)])
    return result


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("moves", ["", "5"])
def test_a_draw_is_worth_less_to_the_one_who_searches_at_every_depth(moves, graph):
    position = TICTACTOE.position(moves)
    result = searched(position, all_drawn, simulations=60, contempt=0.4, proofs=False, graph=graph)
    assert result.value == pytest.approx(-0.4)
    assert result.values[result.visits > 0] == pytest.approx(-0.4)


@pytest.mark.parametrize("proofs", [False, True])
def test_a_finished_game_that_is_drawn_is_worth_as_little(proofs):
    last = TICTACTOE.position("1 2 3 5 4 6 8 7")
    assert last.play(last.legal_actions[0]).returns == (0.0, 0.0)
    result = searched(last, all_drawn, simulations=3, contempt=0.4, proofs=proofs)
    assert result.values == pytest.approx([-0.4])
    assert result.is_proven == proofs


@pytest.mark.parametrize(("contempt", "chosen"), [(0.0, 4), (0.3, 0)])
def test_a_little_risk_is_better_than_a_draw(contempt, chosen):
    def risky_or_drawn(planes):
        """Whoever has taken the centre draws; the others are a little worse off."""
        centre = planes[:, 1, 1, 1] == 1
        return np.zeros((len(planes), 9)), np.where(centre, 0.0, 0.1), centre.astype(float)

    result = searched(
        TICTACTOE.position(), risky_or_drawn, simulations=9, exploration=1e6, contempt=contempt,
        proofs=False,
    )  # fmt: skip
    assert decide(result, "max") == chosen


def test_only_values_of_win_draw_and_loss_tell_draws():
    told = DrawTeller(OnnxEvaluator.of(trained("connect4", SMALL.but(value="wdl"))))
    planes = np.stack([zermelo.game("connect4").position(moves).planes() for moves in ("", "4")])
    logits, values, draws = told(planes)
    assert logits.shape == (2, 7)
    assert ((draws > 0) & (draws < 1) & (abs(values) + draws <= 1)).all()
    with pytest.raises(BadParameter, match="chances of draws"):
        DrawTeller(OnnxEvaluator.of(trained("connect4", SMALL.but(value="scalar"))))


def test_a_tree_of_the_other_is_not_gone_on_with():
    job = Job(TICTACTOE.position(), SearchConfig(contempt=0.1), all_drawn, reuse=True)
    with pytest.raises(BadParameter, match="`reuse` is not for `contempt`"):
        Pool(TICTACTOE).search([job])
