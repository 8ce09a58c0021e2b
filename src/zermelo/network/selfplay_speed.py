"""How fast self-play is here, and how much of its time the network takes, measured."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from zermelo.games.abi import Planes
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.network.architecture import Architecture
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.model import untrained
from zermelo.search.config import SearchConfig
from zermelo.search.decision import decide, improved_child
from zermelo.search.evaluator import Timed
from zermelo.search.job import Job
from zermelo.search.pool import Pool

GAMES, TURNS = 256, 6
NETWORK = Architecture.preset("small")
SEARCH = SearchConfig("gumbel", 32, gumbel_noise=True)
"""As in training: few simulations for each move, so that much besides the network is to be done."""


@dataclass(frozen=True)
class SelfplaySpeed:
    """Self-play that has been going on for a while: every slot is busy, and games are in all phases."""

    simulations_per_second: float
    evaluations_per_second: float
    network_share: float
    """The share of the time during which a call of the network is under way."""
    evaluator_efficiency: float
    """Evaluations per second inside these calls, over those of ONNX Runtime by itself in batches of the
    same sizes."""


def measure(game: Game, seconds: float = 3.0) -> SelfplaySpeed:
    """Self-play and ONNX Runtime by itself take turns, each for `seconds` in all. Before that, self-play
    gets at most twice as long to get going."""
    network = OnnxEvaluator.of(untrained(game, NETWORK))
    timed, turns = Timed(network), []
    begin, positions = time.perf_counter(), _some_positions(game, seconds / 2)
    planes = np.stack([position.planes() for position in positions])
    playing = _searches(game, positions, timed)
    for _ in range(GAMES):  # by then the first searches, which are shorter, have ended
        next(playing)
        if time.perf_counter() - begin > 2 * seconds:
            break
    for _ in range(TURNS):
        simulations, passed = _play(playing, timed, seconds / TURNS)
        asked = sum(timed.sizes)
        alone = _alone(network, planes, timed.sizes)
        turns.append((passed, simulations, asked, timed.seconds, asked / timed.seconds, alone))
    times, simulated, evaluated, inside, speeds, speeds_alone = zip(*turns, strict=True)
    return SelfplaySpeed(
        sum(simulated) / sum(times),
        sum(evaluated) / sum(times),
        sum(inside) / sum(times),
        median(speeds) / median(speeds_alone),
    )


def _play(searches: Iterator[int], timed: Timed, seconds: float) -> tuple[int, float]:
    """Let searches end for this time, and until the network was asked; their simulations, and the
    time it was. Before and after, the network rests."""
    with timed.resting:
        timed.sizes, timed.seconds = [], 0.0
        begin = time.perf_counter()
    simulations = 0
    for count in searches:
        simulations += count
        if time.perf_counter() - begin >= seconds and timed.sizes:
            break
    with timed.resting:
        return simulations, time.perf_counter() - begin


def _searches(game: Game, positions: Sequence[Position], evaluator: Timed) -> Iterator[int]:
    """Play on and on from these positions; yield the simulations of each search. The first ones have
    budgets of all sizes, so that later ones do not all end at once."""
    pool = Pool(game, len(positions), overlapping=True)
    for i, position in enumerate(positions):
        config = SEARCH.but(simulations=1 + i % SEARCH.simulations)
        pool.add(Job(position, config, evaluator, number=i))
    for number, (job, result) in enumerate(pool.run(), len(positions)):
        after = job.position.play(decide(result, improved_child))
        pool.add(Job(game.position() if after.is_over else after, SEARCH, evaluator, number=number))
        yield result.simulations


def _some_positions(game: Game, seconds: float = math.inf) -> list[Position]:
    """Positions of all phases, from games of random moves; where `seconds` are too few for so many, some
    are repeated."""
    random, end = np.random.default_rng(0), time.perf_counter() + seconds
    found = [_from_a_random_game(game, random)]
    while len(found) < GAMES and time.perf_counter() < end:
        found.append(_from_a_random_game(game, random))
    return [found[i % len(found)] for i in range(GAMES)]


def _from_a_random_game(game: Game, random: np.random.Generator) -> Position:
    """Some position of a game of random moves, not its last."""
    position = game.position()
    passed = []
    while not position.is_over:
        passed.append(position)
        position = position.play(int(random.choice(position.legal_actions)))
    return passed[random.integers(len(passed))]


def _alone(network: OnnxEvaluator, planes: Planes, sizes: list[int]) -> float:
    """Evaluations per second of ONNX Runtime, given batches of these sizes."""
    names, batches = ["logits", "value"], [{"planes": planes[:size]} for size in sizes]
    begin = time.perf_counter()
    for batch in batches:
        network.session.run(names, batch)
    return sum(sizes) / (time.perf_counter() - begin)
