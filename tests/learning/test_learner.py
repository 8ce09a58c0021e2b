import numpy as np
import pytest
import torch

import zermelo
from learning.test_replay import filled
from zermelo.errors import BadParameter, TrainingError
from zermelo.learning.learner import Learner, outcome_target, policy_loss, value_loss
from zermelo.learning.learner_config import OPTIMISERS, LearnerConfig
from zermelo.learning.replay import Sample
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.module import Answer, new_network

TICTACTOE = zermelo.game("tictactoe")
TINY = Architecture.preset("tiny")


def learner(architecture=TINY, **options):
    return Learner(new_network(architecture, Shape.of(TICTACTOE)), LearnerConfig(**options))


def answer(logits, value, outcomes=None):
    return Answer(torch.tensor(logits), torch.tensor(value), outcomes, None, None)


def test_losses_are_those_worked_out_by_hand():
    said = answer([[0.0, 0.0], [np.log(3.0), 0.0]], [0.5, -1.0])
    target = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
    by_hand = (np.log(2) + -0.5 * (np.log(0.75) + np.log(0.25))) / 2
    assert policy_loss(said, target, "cross-entropy").item() == pytest.approx(by_hand)
    assert policy_loss(said, target, "square").item() == pytest.approx((0.25 + 0.25 + 0.0625 * 2) / 2)
    assert value_loss(said, torch.tensor([1.0, -1.0])).item() == pytest.approx(0.125)


def test_outcomes_have_the_mean_of_the_value():
    values = torch.tensor([1.0, 0.0, -1.0, 0.4, -0.25])
    chances = outcome_target(values)
    assert torch.allclose(chances.sum(1), torch.ones(5))
    assert torch.allclose(chances[:, 0] - chances[:, 2], values)
    said = answer([[0.0]], [0.0], torch.log(torch.tensor([[0.5, 0.25, 0.25]])))
    assert value_loss(said, torch.tensor([0.0])).item() == pytest.approx(-np.log(0.25))


@pytest.mark.parametrize("value", ["scalar", "wdl"])
@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_network_learns_what_it_is_shown(optimiser, value):
    replay, random = filled(TICTACTOE), np.random.default_rng(0)
    rate = 0.05 if optimiser == "sgd" else 5e-3
    one = learner(TINY.but(value=value), optimiser=optimiser, rate=rate, batch=64, warm_up=10)
    losses = [one.step(replay.sample(64, random)) for _ in range(150)]
    first, last = losses[:10], losses[-10:]
    assert np.mean([loss.policy for loss in last]) < np.mean([loss.policy for loss in first]) - 0.1
    assert np.mean([loss.value for loss in last]) < 0.8 * np.mean([loss.value for loss in first])


def test_the_averaged_weights_play_and_follow_the_learnt_ones():
    replay, random = filled(TICTACTOE), np.random.default_rng(0)
    one = learner(batch=64, average=0.9)
    before = one.weights()
    for _ in range(40):
        one.step(replay.sample(64, random))
    after, learnt = one.weights(), {k: v.numpy() for k, v in one.network.state_dict().items()}
    assert any(not np.allclose(before[name], after[name]) for name in before)
    distance = np.abs(after["policy.logits.weight"] - learnt["parts.policy/logits.weight"]).max()
    assert 0 < distance < np.abs(after["policy.logits.weight"] - before["policy.logits.weight"]).max()
    evaluator = OnnxEvaluator(TINY, Shape.of(TICTACTOE), after)
    logits, values = evaluator(TICTACTOE.position().planes()[None])
    assert np.isfinite(logits).all()
    assert abs(values[0]) <= 1


def test_a_loss_that_is_not_a_number_stops_the_training():
    one = learner(batch=8)
    bad = Sample(
        np.full((8, one.network.shape.inputs[0] * 9), np.nan, np.float32),
        np.full((8, 9), 1 / 9, np.float32),
        np.zeros(8, np.float32),
    )
    with pytest.raises(TrainingError, match="the loss of step 0 is nan"):
        one.step(bad)


@pytest.mark.parametrize(
    ("option", "value"), [("optimiser", "best"), ("policy_loss", "none"), ("batch", 1), ("rate", 0.0)]
)
def test_wrong_options_are_named(option, value):
    with pytest.raises(BadParameter, match=option):
        LearnerConfig(**{option: value})
