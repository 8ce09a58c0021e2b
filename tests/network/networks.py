"""Networks for tests: every option, with weights as training leaves them."""

import numpy as np

import zermelo
from zermelo.network.architecture import Architecture
from zermelo.network.model import Model, untrained

SMALL = Architecture(blocks=2, filters=12, policy_filters=3, value_filters=2, value_hidden=10)
OPTIONS = {
    "plain": {},
    "no blocks": {"blocks": 0},
    "no shortcuts": {"residual": False},
    "pooling": {"pooling": True},
    "pooling without shortcuts": {"residual": False, "pooling": True},
    "leaky": {"activation": "leaky"},
    "wdl": {"value": "wdl"},
    "auxiliary": {"reply": True, "moves_left": True},
    "everything": {
        "pooling": True, "activation": "leaky", "value": "wdl", "reply": True, "moves_left": True,
    },
}  # fmt: skip
GAMES = ["tictactoe", "connect4", "examples/nim.py"]


def trained(game: str, architecture: Architecture, seed: int = 0) -> Model:
    """A network whose normalisation has seen something: no statistic is what it was at the start."""
    model, random = untrained(zermelo.game(game), architecture, seed=seed), np.random.default_rng(seed)
    for name, weight in model.weights.items():
        part = name.rsplit(".", 1)[1]
        if part in ("scale", "variance"):
            model.weights[name] = random.uniform(0.5, 2.0, weight.shape).astype(np.float32)
        elif part != "weight":
            model.weights[name] = random.normal(0.0, 0.3, weight.shape).astype(np.float32)
    return model


def planes(model: Model, count: int = 17) -> np.ndarray:
    return np.random.default_rng(1).random((count, *model.shape.inputs), np.float32)
