"""Optimisers: those of PyTorch beside them, Muon by a singular value decomposition and by hand."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn

from cli.test_train import QUICK
from zermelo.learning.learner_config import LearnerConfig
from zermelo.learning.optimisers import HIDDEN_RATE, Optimiser, is_hidden, orthogonal
from zermelo.network.architecture import Architecture, Shape
from zermelo.network.module import new_network

MUON = LearnerConfig(optimiser="muon", decay=0.5, momentum=0.9)


class Three(nn.Module):
    """A layer of each kind."""

    def __init__(self, rows=4, columns=6):
        super().__init__()
        self.stem, self.block = nn.Linear(columns, columns), nn.Linear(columns, rows)
        self.answer = nn.Linear(rows, 1)


@pytest.mark.parametrize("shape", [(8, 20), (20, 8), (16, 16), (5, 1), (1, 5)])
def test_an_orthogonal_matrix_has_the_same_directions_and_singular_values_near_1(shape):
    matrix = torch.from_numpy(np.random.default_rng(0).normal(size=shape))
    left, sizes, right = np.linalg.svd(matrix.numpy(), full_matrices=False)
    found = left.T @ orthogonal(matrix).numpy() @ right.T
    assert found == pytest.approx(np.diag(np.diag(found)), abs=1e-6)
    kept = np.diag(found)[sizes > 0.1 * sizes.max()]
    assert (kept > 0.6).all()
    assert (kept < 1.3).all()
    assert orthogonal(1000 * matrix).numpy() == pytest.approx(orthogonal(matrix).numpy(), abs=1e-4)


def test_no_gradient_is_no_step():
    assert not orthogonal(torch.zeros(3, 4)).any()


@pytest.mark.parametrize("rows", [4, 12])
def test_hidden_layers_go_an_orthogonal_step_of_their_momentum(rows):
    network = Three(rows)
    optimiser = Optimiser(network, MUON)
    gradients = torch.from_numpy(np.random.default_rng(1).normal(size=(3, rows, 6)).astype(np.float32))
    wanted, mean = network.block.weight.detach().clone(), torch.zeros(rows, 6)
    for gradient in gradients:
        network.block.weight.grad = gradient
        optimiser.step(0.01)
        mean = 0.9 * mean + gradient
        rate = 0.01 * HIDDEN_RATE
        change = orthogonal(gradient + 0.9 * mean) * max(1, rows / 6) ** 0.5
        wanted = wanted * (1 - rate * 0.5) - rate * change
        assert network.block.weight.detach().numpy() == pytest.approx(wanted.numpy(), abs=1e-5)


THEIRS = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
NOT_HIDDEN = ["stem.weight", "stem.bias", "block.bias", "answer.weight", "answer.bias"]


@pytest.mark.parametrize(
    ("optimiser", "theirs", "momentum"),
    [("sgd", "sgd", 0.9), ("sgd", "sgd", 0.0), ("adam", "adam", 0.9), ("adamw", "adamw", 0.9),
     ("muon", "adamw", 0.9)],
)  # fmt: skip
def test_weights_go_as_with_pytorch(optimiser, theirs, momentum):
    one, other = Three(), Three()
    other.load_state_dict(one.state_dict())
    mine, others = dict(one.named_parameters()), dict(other.named_parameters())
    names = NOT_HIDDEN if optimiser == "muon" else list(mine)
    options = {"momentum": momentum} if theirs == "sgd" else {}
    known = THEIRS[theirs]([others[name] for name in names], 0.01, weight_decay=0.5, **options)
    config = LearnerConfig(optimiser=optimiser, decay=0.5, momentum=momentum)
    ours = Optimiser(one, config)
    for seed in range(4):
        torch.manual_seed(seed)
        for name in names:
            mine[name].grad = others[name].grad = torch.randn_like(mine[name])
        ours.step(0.01)
        known.step()
        for name in names:
            expected = others[name].detach().numpy()
            assert mine[name].detach().numpy() == pytest.approx(expected, abs=1e-6), name


def test_a_training_imports_no_compiler(tmp_path):
    code = """
import sys
from zermelo.cli import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    print(end.code, "torch" in sys.modules, "torch._dynamo" in sys.modules)
"""
    words = ["train", "tictactoe", "--run", tmp_path / "run", "--games", 8, *QUICK]
    done = subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "0 True False", done.stderr


@pytest.mark.parametrize("shape", [(3, 6, 7), (14,)])
def test_hidden_layers_of_a_network(shape):
    network = new_network(Architecture(blocks=1, filters=8, pooling=len(shape) > 1), Shape(shape, 7))
    found = {
        name.split(".")[1].replace("/", ".") for name, w in network.named_parameters() if is_hidden(name, w)
    }
    tower = {"block0.first", "value.hidden"}
    heads = {"block0.second", "block0.pool", "policy.squeeze", "value.squeeze"}
    assert found == (tower | heads if len(shape) > 1 else tower)
