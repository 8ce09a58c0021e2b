"""The kernels give exactly the visit counts of a plain reference, for every variant and game."""

import hashlib

import numpy as np
import pytest

import zermelo
from search.reference import Reference
from zermelo.search import rng
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.tree import VARIANTS

GAMES = [
    "tictactoe",
    "connect4",
    "gomoku:size=6,n=4",
    "othello:size=6",
    "examples/kalah.py:houses=3,seeds=3",
]


class Hashed:
    """Made-up logits and values that depend on the planes alone."""

    def __init__(self, game):
        self.game = game

    def one(self, planes):
        seed = int.from_bytes(hashlib.blake2b(planes.tobytes(), digest_size=8).digest(), "little")
        random = np.random.default_rng(seed)
        return random.normal(size=self.game.num_actions).astype(np.float32), np.float32(
            random.uniform(-1, 1)
        )

    def __call__(self, planes):
        answers = [self.one(one) for one in planes]
        return np.stack([logits for logits, _ in answers]), np.array([value for _, value in answers])

    def position(self, position):
        logits, value = self.one(position.planes())
        return logits, float(value)


def positions(game, count, seed=1):
    """Random positions with a move to make."""
    random = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        position = game.position()
        for _ in range(int(random.integers(0, 12))):
            if not position.is_over:
                position = position.play(int(random.choice(position.legal_actions)))
        if not position.is_over:
            found.append(position)
    return found


def visits(result):
    return dict(zip(result.actions.tolist(), result.visits.tolist(), strict=True))


OPTIONS = [
    {"exploration": 1.25},
    {"exploration": 3.0, "first_play": float("nan"), "reduction": 0.2},
    {"first_play": -0.5, "considered": 4, "value_scale": 0.5},
]


MODES = {
    "plain": {"proofs": False},
    "proofs": {"proofs": True, "lookahead": 0},
    "lookahead": {"proofs": True, "lookahead": 1},
    "deep-lookahead": {"proofs": True, "lookahead": 3},
    "graph": {"proofs": False, "graph": True},
    "graph-proofs": {"proofs": True, "lookahead": 0, "graph": True},
    "graph-lookahead": {"proofs": True, "lookahead": 1, "graph": True},
    "graph-deep-lookahead": {"proofs": True, "lookahead": 2, "graph": True},
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("count", [3, pytest.param(12, marks=pytest.mark.slow)])
def test_visits_equal_the_reference(count, name, variant, mode):
    game = zermelo.game(name)
    if "graph" in mode and not game.acyclic:
        pytest.skip("positions may repeat")
    evaluator = Hashed(game)
    jobs, expected = [], []
    for i, position in enumerate(positions(game, count)):
        options, budget = {**OPTIONS[i % 3], **MODES[mode]}, (40, 7, 65)[i % 3]
        config = SearchConfig(variant=variant, simulations=budget, **options)
        jobs.append(Job(position, config, evaluator))
        plain = Reference(position, evaluator.position, variant, budget, **options)
        expected.append(plain.visits)
    found = Pool(game, slots=4).search(jobs)
    assert [visits(result) for result in found] == expected


@pytest.mark.parametrize("name", GAMES)
def test_rollouts_equal_the_reference(name):
    game = zermelo.game(name)
    for number, position in enumerate(positions(game, 3)):
        options = {"exploration": 1.4, "proofs": True, "lookahead": 1, "graph": game.acyclic}
        config = SearchConfig(variant="uct", simulations=60, **options)
        (result,) = Pool(game).search([Job(position, config, ROLLOUTS, seed=9, number=number)])
        options["stream"] = rng.new_stream(9, number)
        assert visits(result) == Reference(position, "rollout", "uct", 60, **options).visits
