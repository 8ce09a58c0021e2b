"""PyTorch, which trains a network, and ONNX Runtime, which plays it, say the same."""

import time

import numpy as np
import pytest
import torch

import zermelo
from network.networks import GAMES, OPTIONS, SMALL, planes, trained
from zermelo.errors import BadParameter
from zermelo.network import graph
from zermelo.network.architecture import NAMED, Architecture, Shape, layers
from zermelo.network.evaluators import OnnxEvaluator, TorchEvaluator
from zermelo.network.model import untrained, weight_shapes
from zermelo.network.module import Network, new_network, read_weights, write_weights

every_option = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
every_game = pytest.mark.parametrize("game", GAMES)


def network_of(model):
    network = Network(model.architecture, model.shape)
    write_weights(network, {name: torch.from_numpy(value) for name, value in model.weights.items()})
    return network.eval()


@every_game
@every_option
def test_pytorch_and_onnx_agree(game, options):
    model = trained(game, SMALL.but(**options))
    batch = planes(model)
    wanted, told = TorchEvaluator(network_of(model))(batch), OnnxEvaluator.of(model)(batch)
    assert told[0].shape == (17, model.shape.actions)
    assert told[1].shape == (17,)
    for torchs, onnxs in zip(wanted, told, strict=True):
        assert onnxs.dtype == np.float32
        assert np.std(onnxs) > 1e-3
        np.testing.assert_allclose(onnxs, torchs, atol=1e-5)


@every_option
@pytest.mark.parametrize("game", ["gomoku:size=5", "othello:size=4"])
def test_they_agree_where_cells_answer_for_actions(game, options):
    model = trained(game, SMALL.but(per_cell=True, **options))
    batch = planes(model)
    wanted, told = TorchEvaluator(network_of(model))(batch), OnnxEvaluator.of(model)(batch)
    assert told[0].shape == (17, model.shape.actions)
    for torchs, onnxs in zip(wanted, told, strict=True):
        assert np.std(onnxs) > 1e-3
        np.testing.assert_allclose(onnxs, torchs, atol=1e-5)


def test_a_cell_answers_for_its_own_action():
    model = trained("gomoku:size=7", SMALL.but(per_cell=True, blocks=0))  # one convolution: 3x3 cells
    network, board = OnnxEvaluator.of(model), np.zeros((2, *model.shape.inputs), np.float32)
    board[1, 0, 2, 5] = 1.0
    logits, _ = network(board)
    changed = np.flatnonzero(np.abs(logits[1] - logits[0]) > 1e-6)
    near = {7 * row + column for row in (1, 2, 3) for column in (4, 5, 6)}
    assert set(changed.tolist()) <= near
    assert 7 * 2 + 5 in changed


def test_the_same_weights_play_on_boards_of_other_sizes():
    architecture = SMALL.but(per_cell=True, pooling=True)
    small = trained("othello:size=6", architecture)
    large = OnnxEvaluator(architecture, Shape.of(zermelo.game("othello")), small.weights)
    logits, values = large(np.ones((3, 2, 8, 8), np.float32))
    assert logits.shape == (3, 65)
    assert np.isfinite(values).all()


@pytest.mark.parametrize(("game", "actions"), [("connect4", 7), ("examples/nim.py", 3)])
def test_cells_answer_only_where_they_are_actions(game, actions):
    with pytest.raises(BadParameter, match=f"actions are the cells of a board.* {actions} actions"):
        untrained(zermelo.game(game), SMALL.but(per_cell=True))


@every_option
def test_they_agree_after_steps_of_training(options):
    model = trained("connect4", SMALL.but(**options))
    network, batch = network_of(model).train(), planes(model)
    steps = torch.optim.SGD(network.parameters(), 0.01)
    for _ in range(3):
        answer = network(torch.from_numpy(batch))
        (answer.logits.square().mean() + answer.value.square().mean()).backward()
        steps.step()
    weights = {name: value.numpy() for name, value in read_weights(network).items()}
    assert not np.allclose(weights["stem.mean"], model.weights["stem.mean"])
    told = OnnxEvaluator(model.architecture, model.shape, weights)(batch)
    for torchs, onnxs in zip(TorchEvaluator(network)(batch), told, strict=True):
        np.testing.assert_allclose(onnxs, torchs, atol=1e-5)


def test_folded_is_the_convolution_and_then_the_normalisation():
    model = trained("connect4", SMALL)
    (layer,) = (layer for layer in layers(SMALL, model.shape) if layer.name == "stem")
    weight, bias = (torch.from_numpy(part) for part in graph.folded(layer, model.weights))
    batch = torch.from_numpy(planes(model))
    unfolded = network_of(model).parts["stem"](batch)
    folded = torch.nn.functional.conv2d(batch, weight, bias, padding=1)
    torch.testing.assert_close(folded, unfolded, atol=1e-5, rtol=0)


@every_game
@every_option
def test_an_answer_does_not_depend_on_its_batch(game, options):
    model = trained(game, SMALL.but(**options))
    batch = planes(model, 33)
    for evaluator in (OnnxEvaluator.of(model), TorchEvaluator(network_of(model))):
        logits, values = evaluator(batch)
        for row in (0, 16, 32):
            alone = evaluator(batch[row : row + 1])
            np.testing.assert_allclose(alone[0][0], logits[row], atol=2e-6)
            np.testing.assert_allclose(alone[1][0], values[row], atol=2e-6)


@every_game
@every_option
def test_parameters_are_counted_as_pytorch_counts_them(game, options):
    model = trained(game, SMALL.but(**options))
    counted = sum(layer.parameters for layer in layers(model.architecture, model.shape))
    assert counted == sum(parameter.numel() for parameter in network_of(model).parameters())


@every_game
@every_option
def test_weights_have_the_names_and_shapes_of_model_files(game, options):
    model = trained(game, SMALL.but(**options))
    told = {name: tuple(value.shape) for name, value in read_weights(network_of(model)).items()}
    assert told == weight_shapes(model.architecture, model.shape)


def test_the_value_of_win_draw_loss_is_the_chance_to_win_less_the_chance_to_lose():
    model = trained("connect4", SMALL.but(value="wdl"))
    batch = planes(model)
    answer = network_of(model)(torch.from_numpy(batch))
    chances = answer.outcomes.detach().exp().numpy()
    expected = (chances[:, 0] - chances[:, 2]) / chances.sum(1)
    np.testing.assert_allclose(OnnxEvaluator.of(model)(batch)[1], expected, atol=1e-5)


def test_new_weights_reach_play_in_less_than_a_tenth_of_a_second():
    first, second = (trained("connect4", Architecture.preset("large"), seed) for seed in (0, 1))
    evaluator, batch = OnnxEvaluator.of(first), planes(first)
    taken = []
    for _ in range(5):
        begin = time.perf_counter()
        evaluator.replace(second.weights)
        taken.append(time.perf_counter() - begin)
    assert min(taken) < 0.1
    for told, wanted in zip(evaluator(batch), OnnxEvaluator.of(second)(batch), strict=True):
        assert np.array_equal(told, wanted)


def test_a_new_network_of_pytorch_is_the_same_for_the_same_seed():
    shape = Shape((2, 6, 7), 7)
    first, again, other = (read_weights(new_network(SMALL, shape, seed)) for seed in (3, 3, 4))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["stem.weight"], other["stem.weight"])


@pytest.mark.parametrize("name", NAMED)
def test_every_named_architecture_can_be_played(name):
    model = trained("tictactoe", Architecture.preset(name))
    logits, values = OnnxEvaluator.of(model)(planes(model, 2))
    assert logits.shape == (2, 9)
    assert (np.abs(values) <= 1).all()
