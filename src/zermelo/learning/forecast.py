"""What a run will be on this machine: measured for a moment before it begins."""

from __future__ import annotations

import math
import shutil
import time
from dataclasses import dataclass

import numpy as np
import torch

from zermelo.learning.learner import Learner
from zermelo.learning.limits import Limits
from zermelo.learning.replay import Sample
from zermelo.learning.round import Clock
from zermelo.learning.run import Run
from zermelo.learning.selfplay import opening
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.module import new_network
from zermelo.network.speed import evaluations_per_second
from zermelo.search.config import SearchConfig
from zermelo.search.job import Job
from zermelo.search.pool import Pool

_KNOWN = 0.3
"""The share of simulations whose evaluation is remembered, for want of a better guess."""
_SIMULATIONS, _STEPS = 4, 3
"""Of each search, and of learning, that are measured."""


@dataclass(frozen=True)
class Forecast:
    """What to expect."""

    parameters: int
    evaluations_per_second: float
    step_seconds: float
    """Of the learner, for a batch."""
    simulations_per_second: float
    positions_per_hour: float
    megabytes: float
    """Of the positions that are learnt from, when the window is full."""
    seconds_left: float | None
    """None where the limits do not tell."""
    gpu: str | None
    """What is there and not used."""


def forecast(run: Run, limits: Limits, seconds: float = 0.5) -> Forecast:
    """Measure the network for so long, and some steps of learning."""
    config = run.config
    network = OnnxEvaluator(config.network, run.shape, run.model().weights)
    speed = evaluations_per_second(network, run.shape, config.selfplay.parallel, seconds)
    search, clock = config.selfplay.search_at(0.5), Clock()
    simulation = max(_simulation_seconds(run, search, network, seconds) - _KNOWN / speed, 1e-9)
    step = step_seconds(run)
    each = search.simulations * simulation + config.rounds.uses * step / config.learner.batch
    return Forecast(
        parameters=sum(one.numel() for one in run.learner.network.parameters()),
        evaluations_per_second=speed,
        step_seconds=step,
        simulations_per_second=1 / simulation,
        positions_per_hour=3600 / each,
        megabytes=run.replay.bytes_per_position * run.replay.room / 1e6,
        seconds_left=_left(run, limits, each, clock.cpu_seconds / clock.seconds),
        gpu=_idle_gpu(),
    )


def _simulation_seconds(run: Run, search: SearchConfig, network: OnnxEvaluator, seconds: float) -> float:
    """Of one simulation in a short search, as many searches at once as there will be games: with the rules,
    which may be slower than the network."""
    config, search = run.config, search.but(simulations=min(_SIMULATIONS, search.simulations))
    pool = Pool(run.game, config.selfplay.parallel, run.encoding, overlapping=True)
    numbers = range(config.selfplay.parallel)
    jobs = [Job(opening(run.game, config.selfplay, config.seed, g), search, network) for g in numbers]
    pool.search(jobs[:1])  # what has to be compiled or loaded is, before time counts
    made, begin = 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds or not made:
        made += sum(result.simulations or 1 for result in pool.search(jobs))
    return passed / made


def step_seconds(run: Run) -> float:
    """Of a learner of the same kind, which then is dropped."""
    batch, actions = run.config.learner.batch, run.game.num_actions
    learner = Learner(new_network(run.config.network, run.shape), run.config.learner)
    even, zeros = np.full((batch, actions), 1 / actions, np.float32), np.zeros(batch, np.float32)
    planes = np.zeros((batch, math.prod(run.shape.inputs)), np.float32)
    sample = Sample(planes, even, zeros, zeros + 1, even, zeros)
    learner.step(sample)
    begin = time.perf_counter()
    for _ in range(_STEPS):
        learner.step(sample)
    return (time.perf_counter() - begin) / _STEPS


def _left(run: Run, limits: Limits, seconds_per_position: float, cores: float) -> float | None:
    """Until the first limit that can be told from here, with so many cores at work."""
    now = run.manifest
    length = now["positions"] / now["games"] if now["games"] else 0.6 * run.game.max_length
    per_game = seconds_per_position * length
    rounds = run.config.rounds
    per_step = seconds_per_position * run.config.learner.batch / rounds.uses
    most = min(limits.rounds, rounds.count or math.inf)
    left = min(
        limits.seconds - now["seconds"],
        (limits.cpu_seconds - now["cpu_seconds"]) / cores,
        (limits.games - now["games"]) * per_game,
        (limits.steps - now["steps"]) * per_step,
        (most - now["rounds"]) * rounds.games * per_game,
    )
    return max(0.0, left) if math.isfinite(left) else None


def _idle_gpu() -> str | None:
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    if torch.backends.mps.is_available():
        return "Apple GPU"
    if shutil.which("nvidia-smi") is not None:
        return "NVIDIA GPU, which this build of PyTorch does not see"
    return None
