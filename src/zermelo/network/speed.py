"""How fast an evaluator is here, measured."""

from __future__ import annotations

import time

import numpy as np

from zermelo.network.architecture import Shape
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
