"""How fast evaluators are here, measured."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median

import numpy as np

from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator, TorchEvaluator
from zermelo.network.model import Model
from zermelo.search.evaluator import Evaluator


def evaluations_per_second(evaluator: Evaluator, shape: Shape, batch: int, seconds: float = 0.5) -> float:
    """Positions per second in batches of this size, after a first one."""
    planes = np.zeros((batch, *shape.inputs), np.float32)
    evaluator(planes)
    rounds, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds or not rounds:
        evaluator(planes)
        rounds += 1
    return rounds * batch / passed


BATCHES, TURNS = (1, 16, 256), 3


@dataclass(frozen=True)
class Comparison:
    """One network, played by ONNX Runtime and by PyTorch."""

    onnxruntime: dict[int, float]
    """Evaluations per second by size of the batch."""
    pytorch: dict[int, float]
    maximum_difference: float
    """Between any two logits or values."""


def compare(model: Model, shape: Shape, seconds: float = 3.0) -> Comparison:
    """Both with the same weights, taking turns, for so long in all; needs PyTorch."""
    import torch

    from zermelo.network.module import new_network, write_weights

    network = new_network(model.architecture, shape)
    write_weights(network, {name: torch.from_numpy(value) for name, value in model.weights.items()})
    both = OnnxEvaluator(model.architecture, shape, model.weights), TorchEvaluator(network)
    each = seconds / (2 * TURNS * len(BATCHES))
    onnxruntime, pytorch = {}, {}
    for batch in BATCHES:
        turns = [[evaluations_per_second(one, shape, batch, each) for one in both] for _ in range(TURNS)]
        onnxruntime[batch], pytorch[batch] = map(median, zip(*turns, strict=True))
    planes = np.random.default_rng(0).random((max(BATCHES), *shape.inputs), np.float32)
    answers = zip(*(one(planes) for one in both), strict=True)
    difference = max(float(np.abs(first - second).max()) for first, second in answers)
    return Comparison(onnxruntime, pytorch, difference)
