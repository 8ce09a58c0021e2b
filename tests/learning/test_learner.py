"""Steps of learning, against updates worked out by hand."""

import copy

import numpy as np
import pytest
import torch
from safetensors.torch import load, save

import zermelo
from learning.test_replay import filled
from zermelo.errors import BadParameter, TrainingError
from zermelo.learning.learner import (
    Learner,
    Losses,
    moves_left_loss,
    outcome_target,
    policy_loss,
    value_loss,
)
from zermelo.learning.learner_config import OPTIMISERS, LearnerConfig
from zermelo.learning.replay import Sample
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.module import Answer, new_network, read_weights

TICTACTOE = zermelo.game("tictactoe")
TINY = Architecture.preset("tiny")
PLAIN = {"rate": 0.1, "warm_up": 0, "schedule": "constant", "decay": 0.0, "clip": 0.0}


def learner(architecture=TINY, **options):
    return Learner(new_network(architecture, Shape.of(TICTACTOE)), LearnerConfig(**options))


def sampled(full=(1, 1, 1, 1, 1, 1)):
    """A few made-up positions; nothing follows the last."""
    random, count = np.random.default_rng(5), len(full)
    reply = random.dirichlet(np.ones(9), count).astype(np.float32)
    reply[-1] = 0
    return Sample(
        planes=random.integers(0, 2, (count, 18)).astype(np.float32),
        policy=random.dirichlet(np.ones(9), count).astype(np.float32),
        value=random.uniform(-1, 1, count).astype(np.float32),
        full=np.array(full, np.float32),
        reply=reply,
        moves_left=random.integers(1, 9, count).astype(np.float32),
    )


SAMPLE = sampled()


def answered(one, sample=SAMPLE):
    """What the network says of a batch while it learns; it stays as it was."""
    network = copy.deepcopy(one.network).train()
    with torch.no_grad():
        answer = network(torch.from_numpy(sample.planes).view(-1, 2, 3, 3))
    return {name: None if part is None else part.numpy() for name, part in vars(answer).items()}


def softmax(logits):
    exponentials = np.exp(logits - logits.max(1, keepdims=True))
    return exponentials / exponentials.sum(1, keepdims=True)


def part(one, layer, kind="bias"):
    return getattr(one.network.parts[layer], kind)


def value_of(one, layer="policy/logits"):
    return part(one, layer).detach().numpy().copy()


def slope(one, sample=SAMPLE):
    """Of the cross-entropy, for the biases of the policy: the mean of softmax - target."""
    difference = softmax(answered(one, sample)["logits"]) - sample.policy
    return (difference * sample.full[:, None]).sum(0) / max(1, sample.full.sum())


def answer(logits, value, outcomes=None):
    return Answer(torch.tensor(logits), torch.tensor(value), outcomes, None, None)


# Losses.


def test_losses_are_those_worked_out_by_hand():
    logits, ones = torch.tensor([[0.0, 0.0], [np.log(3.0), 0.0]]), torch.ones(2)
    target = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
    first, second = np.log(2), -0.5 * (np.log(0.75) + np.log(0.25))
    assert policy_loss(logits, target, ones).item() == pytest.approx((first + second) / 2)
    assert policy_loss(logits, target, torch.tensor([0.0, 1.0])).item() == pytest.approx(second)
    assert policy_loss(logits, target, ones, "square").item() == pytest.approx((0.5 + 0.0625 * 2) / 2)
    said = answer([[0.0, 0.0]] * 2, [0.5, -1.0])
    assert value_loss(said, torch.tensor([1.0, -1.0])).item() == pytest.approx(0.125)


def test_outcomes_have_the_mean_of_the_value():
    values = torch.tensor([1.0, 0.0, -1.0, 0.4, -0.25])
    assert torch.allclose(
        outcome_target(values),
        torch.tensor([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.4, 0.6, 0], [0, 0.75, 0.25]]),
    )
    said = answer([[0.0]], [0.0], torch.log(torch.tensor([[0.5, 0.25, 0.25]])))
    assert value_loss(said, torch.tensor([0.0])).item() == pytest.approx(-np.log(0.25))
    by_hand = -(0.4 * np.log(0.5) + 0.6 * np.log(0.25))
    assert value_loss(said, torch.tensor([0.4])).item() == pytest.approx(by_hand)


def test_moves_left_are_learnt_by_their_logarithm():
    # log 1 + 0 = 0 is missed by a half, log 1 + 7 = 2.079 by 2.
    said, left = torch.tensor([0.5, np.log(8.0) - 2]), torch.tensor([0.0, 7.0])
    assert moves_left_loss(said, left).item() == pytest.approx((0.5 * 0.25 + 1.5) / 2)


def test_a_step_tells_the_losses_of_every_head():
    one = learner(TINY.but(reply=True, moves_left=True), **PLAIN)
    said = answered(one)
    losses = one.step(SAMPLE)
    assert losses.policy == pytest.approx(
        -(SAMPLE.policy * np.log(softmax(said["logits"]))).sum(1).mean(), rel=1e-5
    )
    assert losses.value == pytest.approx(np.square(said["value"] - SAMPLE.value).mean(), rel=1e-5)
    assert losses.reply == pytest.approx(
        -(SAMPLE.reply * np.log(softmax(said["reply"]))).sum(1).mean(), rel=1e-5
    )
    missed = np.abs(said["moves_left"] - np.log1p(SAMPLE.moves_left))
    by_hand = np.where(missed < 1, missed**2 / 2, missed - 0.5).mean()
    assert losses.moves_left == pytest.approx(by_hand, rel=1e-5)
    alone = learner(**PLAIN).step(SAMPLE)
    assert (alone.reply, alone.moves_left) == (0, 0)


def test_the_mean_of_losses_is_that_of_each_head():
    assert Losses.mean([Losses(1, 2, 3, 4), Losses(3, 2, 1, 0)]) == Losses(2, 2, 2, 2)


def test_the_policy_of_a_quick_search_is_not_learnt():
    one, sample = learner(optimiser="sgd", **PLAIN), sampled(full=(0, 0, 0, 0))
    before = value_of(one), value_of(one, "value/answer")
    assert one.step(sample).policy == 0
    assert (value_of(one) == before[0]).all()
    assert (value_of(one, "value/answer") != before[1]).all()
    one, sample = learner(optimiser="sgd", **PLAIN), sampled(full=(1, 0, 0, 1))
    wanted = value_of(one) - 0.1 * slope(one, sample)
    one.step(sample)
    assert value_of(one) == pytest.approx(wanted, abs=1e-6)


def test_the_square_of_what_is_missed_may_be_the_loss():
    one = learner(policy_loss="square", **PLAIN)
    by_hand = np.square(softmax(answered(one)["logits"]) - SAMPLE.policy).sum(1).mean()
    assert one.step(SAMPLE).policy == pytest.approx(by_hand, rel=1e-5)


@pytest.mark.parametrize("weight", [0.0, 0.5, 2.0])
def test_the_heads_have_their_weights(weight):
    architecture = TINY.but(reply=True, moves_left=True)
    weights = {"value_weight": weight, "reply_weight": weight, "moves_left_weight": weight}
    one = learner(architecture, **{**PLAIN, **weights})
    said = answered(one)
    one.step(SAMPLE)
    v = said["value"]
    by_hand = {
        "policy/logits": (softmax(said["logits"]) - SAMPLE.policy).mean(0),
        "value/answer": weight * np.mean(2 * (v - SAMPLE.value) * (1 - v**2)),
        "reply/logits": weight
        * (softmax(said["reply"]) * SAMPLE.reply.sum(1)[:, None] - SAMPLE.reply).mean(0),
        "moves_left/answer": weight
        * np.clip(said["moves_left"] - np.log1p(SAMPLE.moves_left), -1, 1).mean(),
    }
    for layer, wanted in by_hand.items():
        assert part(one, layer).grad.numpy() == pytest.approx(wanted, abs=1e-6), layer


# Rates.


def test_a_rate_falls_as_its_schedule_says():
    options = {"rate": 0.1, "final_rate": 0.02, "warm_up": 0}
    shares = (0, 1 / 3, 0.5, 1)
    wanted = {
        "constant": [0.1, 0.1, 0.1, 0.1],
        "linear": [0.1, 0.02 + 0.08 * 2 / 3, 0.06, 0.02],
        "cosine": [0.1, 0.08, 0.06, 0.02],  # (1 + cos 60 degrees) / 2 = 3 / 4
    }
    for schedule, rates in wanted.items():
        config = LearnerConfig(schedule=schedule, **options)
        assert [config.rate_at(7, share) for share in shares] == pytest.approx(rates)


def test_a_rate_rises_in_the_first_steps():
    config = LearnerConfig(rate=0.1, final_rate=0.02, schedule="linear", warm_up=4)
    assert [config.rate_at(n, 0) for n in range(6)] == pytest.approx([0.025, 0.05, 0.075, 0.1, 0.1, 0.1])
    assert config.rate_at(1, 0.5) == pytest.approx(0.03)


def test_a_step_has_the_rate_of_its_turn_and_of_the_progress():
    options = {**PLAIN, "schedule": "linear", "final_rate": 0.0, "warm_up": 2}
    one = learner(optimiser="sgd", momentum=0.0, **options)
    for rate, progress in ((0.05, 0.0), (0.1, 0.0), (0.025, 0.75), (0.0, 1.0)):
        wanted = value_of(one) - rate * slope(one)
        one.step(SAMPLE, progress)
        assert value_of(one) == pytest.approx(wanted, abs=1e-6)
    assert one.steps == 4


# Optimisers: two steps for the biases of the policy.


def test_sgd_by_hand():
    one = learner(optimiser="sgd", momentum=0.8, **{**PLAIN, "decay": 0.5})
    w, speed = value_of(one), 0
    for _ in range(3):
        speed = 0.8 * speed + slope(one) + 0.5 * w
        w = w - 0.1 * speed
        one.step(SAMPLE)
        assert value_of(one) == pytest.approx(w, abs=1e-6)


@pytest.mark.parametrize("optimiser", ["adam", "adamw"])
def test_adam_by_hand(optimiser):
    one = learner(optimiser=optimiser, **{**PLAIN, "decay": 0.5})
    w, m, v = value_of(one), 0, 0
    for t in (1, 2, 3):
        g = slope(one)
        if optimiser == "adam":
            g = g + 0.5 * w
        else:
            w = w - 0.1 * 0.5 * w
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        w = w - 0.1 * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        one.step(SAMPLE)
        assert value_of(one) == pytest.approx(w, abs=2e-5)


def norm(one):
    return np.sqrt(sum(p.grad.square().sum().item() for p in one.network.parameters()))


def test_a_steep_gradient_is_clipped():
    free, clipped, high = (learner(optimiser="sgd", **{**PLAIN, "clip": c}) for c in (0.0, 0.01, 1e6))
    before = value_of(free)
    for one in (free, clipped, high):
        one.step(SAMPLE)
    assert norm(free) > 0.1
    assert norm(clipped) == pytest.approx(0.01, rel=1e-3)
    shrunk = (value_of(free) - before) * 0.01 / norm(free)
    assert value_of(clipped) - before == pytest.approx(shrunk, rel=1e-2, abs=1e-7)
    assert (value_of(high) == value_of(free)).all()


@pytest.mark.parametrize("value", ["scalar", "wdl"])
@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_network_learns_what_it_is_shown(optimiser, value):
    window, random = filled(TICTACTOE).window(), np.random.default_rng(0)
    rate = 0.05 if optimiser == "sgd" else 5e-3
    one = learner(TINY.but(value=value), optimiser=optimiser, rate=rate, batch=64, warm_up=10)
    losses = [one.step(window.sample(64, random)) for _ in range(100)]
    first, last = Losses.mean(losses[:10]), Losses.mean(losses[-10:])
    assert last.policy < first.policy - 0.1
    assert last.value < 0.8 * first.value


# Averaged weights.


def test_the_average_follows_fast_at_first_and_then_as_it_is_told():
    one = learner(average=0.15, **PLAIN)
    mean = {name: weight.numpy().copy() for name, weight in read_weights(one.network).items()}
    for kept in (1 / 11, 0.15, 0.15):  # then 2 / 12 and 3 / 13, which are more
        one.step(SAMPLE)
        for name, weight in read_weights(one.network).items():
            mean[name] = kept * mean[name] + (1 - kept) * weight.numpy()
            assert one.weights()[name] == pytest.approx(mean[name], abs=1e-5), name


def test_without_averaging_the_learnt_weights_play():
    one = learner(average=0.0, **PLAIN)
    one.step(SAMPLE)
    for name, weight in read_weights(one.network).items():
        assert one.weights()[name] == pytest.approx(weight.numpy()), name


def test_the_averaged_weights_play_and_follow_the_learnt_ones():
    window, random = filled(TICTACTOE).window(), np.random.default_rng(0)
    one = learner(batch=64, average=0.9)
    before = one.weights()
    for _ in range(40):
        one.step(window.sample(64, random))
    after, learnt = one.weights(), {k: v.numpy() for k, v in read_weights(one.network).items()}
    distance = np.abs(after["policy.logits.weight"] - learnt["policy.logits.weight"]).max()
    assert 0 < distance < np.abs(after["policy.logits.weight"] - before["policy.logits.weight"]).max()
    assert not np.allclose(after["stem.mean"], before["stem.mean"]), "what normalises follows too"
    evaluator = OnnxEvaluator(TINY, Shape.of(TICTACTOE), after)
    logits, values = evaluator(TICTACTOE.position().planes()[None])
    assert np.isfinite(logits).all()
    assert abs(values[0]) <= 1


# Stopped and going on.


@pytest.mark.parametrize("momentum", [0.9, 0.0])
@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_learner_that_is_kept_goes_on_as_it_would_have(optimiser, momentum):
    architecture = TINY.but(reply=True, moves_left=True)
    options = {"optimiser": optimiser, "momentum": momentum, "warm_up": 6}
    one, other = (learner(architecture, **options) for _ in range(2))
    for _ in range(3):
        one.step(SAMPLE)
    other.restore(load(save(one.state())))
    assert other.steps == 3
    for _ in range(3):
        assert one.step(SAMPLE, 0.5) == other.step(SAMPLE, 0.5)
    for name, weight in one.state().items():
        assert torch.equal(other.state()[name], weight), name


@pytest.mark.parametrize("optimiser", OPTIMISERS)
def test_a_learner_that_goes_back_to_its_beginning_knows_nothing_of_what_followed(optimiser):
    one, other = (learner(optimiser=optimiser) for _ in range(2))
    beginning = load(save(one.state()))
    for _ in range(2):
        one.step(SAMPLE)
    one.restore(beginning)
    one.step(SAMPLE)
    other.step(SAMPLE)
    for name, weight in one.state().items():
        assert torch.equal(other.state()[name], weight), name


def test_a_loss_that_is_not_a_number_stops_the_training():
    one = learner(batch=8)
    bad = SAMPLE._replace(planes=np.full_like(SAMPLE.planes, np.nan))
    with pytest.raises(TrainingError, match="the loss of step 0 is nan"):
        one.step(bad)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("optimiser", "best"), ("policy_loss", "none"), ("schedule", "steep"), ("batch", 1), ("rate", 0.0),
        ("average", 1.0), ("final_rate", -1.0), ("decay", -1.0), ("clip", -1.0),
        ("value_weight", float("inf")), ("reply_weight", -1.0), ("moves_left_weight", float("nan")),
        ("momentum", -0.1), ("momentum", 1.0), ("warm_up", -1),
    ],
)  # fmt: skip
def test_wrong_options_are_named(option, value):
    with pytest.raises(BadParameter, match=option):
        LearnerConfig(**{option: value})


def test_a_short_run_does_not_warm_up_all_the_time():
    config = LearnerConfig(rate=1.0, final_rate=1.0, warm_up=100)
    assert config.rate_at(9, 0.0) == 0.1, "nobody knows how many steps there will be"
    assert config.rate_at(9, 0.2) == 1.0, "about 45"
    assert config.rate_at(9, 0.01) == 10 / 90, "about 900"
    assert config.rate_at(9, 0.001) == 0.1, "about 9,000"
