"""What a run will be on this machine: measured for a moment before it begins."""

from __future__ import annotations

import itertools
import math
import shutil
import time
from dataclasses import dataclass

import numpy as np
import torch

from zermelo.errors import RunError
from zermelo.learning.learner import Learner
from zermelo.learning.limits import Limits
from zermelo.learning.replay import Sample
from zermelo.learning.round import Clock
from zermelo.learning.run import Run
from zermelo.learning.schedule import FEWEST_GAMES, Speed, is_timed
from zermelo.learning.selfplay import opening
from zermelo.machine import usable_cores
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.module import new_network
from zermelo.network.speed import evaluations_per_second
from zermelo.search.config import SearchConfig
from zermelo.search.evaluator import ROLLOUTS, Inside
from zermelo.search.job import Job
from zermelo.search.pool import Pool
from zermelo.search.rollouts import random_games
from zermelo.search.speed import unlike

_KNOWN = 0.3
"""The share of simulations whose evaluation is remembered, for want of a better guess."""
_SIMULATIONS, _STEPS = 4, 2
"""Of each search, and of learning, that are measured."""
_RANDOM_GAMES = 1000
"""That are played at most, to measure how long games are."""


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
    """Measure rules, searches and the network for so long each, and some steps of learning; the run plans
    its iterations by what was found."""
    config = run.config
    network = OnnxEvaluator(config.network, run.shape, run.model().weights)
    batch = config.selfplay.parallel
    speed = evaluations_per_second(network, run.shape, batch, seconds)
    search, clock = config.selfplay.search_at(0.5), Clock()
    length, moves_per_second = _random_play(run, seconds / 2)
    simulation = max(_simulation_seconds(run, search, network, seconds) - _KNOWN / speed, 1e-9)
    step = step_seconds(run)
    each = search.simulations * simulation + config.rounds.uses * step / config.learner.batch
    warm = config.selfplay.warm_search
    rollouts = 2 * moves_per_second / length
    if config.warm_games and warm.simulations:
        rollouts = 1 / _simulation_seconds(run, warm, ROLLOUTS, seconds / 2)
    run.speed = Speed(
        position_seconds=search.simulations * simulation,
        step_seconds=step,
        simulations_per_second=1 / simulation,
        rollouts_per_second=rollouts,
        game_length=length,
    )
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


def check_feasible(run: Run, limits: Limits) -> None:
    """Raise an error if a run that has been forecast cannot make its first network in its time."""
    config, speed = run.config, run.speed
    left = limits.seconds_left(**run.spent, cores=usable_cores())
    if run.manifest["rounds"] or run.manifest["start"] or not math.isfinite(left):
        return
    warm = config.warm_games > 0
    sims = config.selfplay.warm_simulations if warm else config.selfplay.search.simulations
    per_second = speed.rollouts_per_second if warm else speed.simulations_per_second
    game = speed.game_length * sims / per_second if sims else 2 / per_second
    if is_timed(config.rounds):
        games, steps = min(FEWEST_GAMES, config.selfplay.parallel), 2.0
        advice = "or try a smaller network (`network.filters` = 32)"
        if game * games > steps * speed.step_seconds:
            setting = "selfplay.warm_simulations" if warm else "selfplay.search.simulations"
            advice = f"or search less (`{setting}` = 8)"
    else:
        games, rounds = config.warm_games or config.rounds.games, config.rounds
        steps = rounds.steps or games * speed.game_length * rounds.uses / config.learner.batch
        advice = "or make iterations smaller (`rounds.games` = 16)"
    needed = game * games + steps * speed.step_seconds + speed.overhead_seconds
    if needed > left:
        is_wall = math.isfinite(limits.seconds)
        enough = math.ceil(10 * needed * 1.5 / 60 * (1 if is_wall else usable_cores())) / 10
        unit = "minutes" if is_wall else "CPU minutes"
        raise RunError(
            f"a first network takes about {needed:,.1f} s here ({games:,} games of about "
            f"{speed.game_length:.0f} moves, {steps:,.0f} steps of {speed.step_seconds:.2f} s), and "
            f"this run has {left:,.1f} s: give it {enough:g} {unit} or more, {advice}"
        )


def _random_play(run: Run, seconds: float) -> tuple[float, float]:
    """The mean length of random games, and their moves per second."""
    random_games(run.game, 1)
    games, moves, begin = 0, 0, time.perf_counter()
    while (passed := time.perf_counter() - begin) < seconds and games < _RANDOM_GAMES:
        moves += random_games(run.game, 1, run.config.seed, games).moves
        games += 1
    return max(1.0, moves / max(1, games)), moves / max(passed, 1e-9)


def _simulation_seconds(
    run: Run, search: SearchConfig, evaluator: OnnxEvaluator | Inside, seconds: float
) -> float:
    """Of one simulation in a short search, with as many games at once as there will be, or as there is time
    for: with the rules, which may be slower than the network."""
    config, search = run.config, search.but(simulations=min(_SIMULATIONS, search.simulations))
    parallel = config.selfplay.parallel
    pool = Pool(run.game, parallel, run.encoding, overlapping=True)
    begin = time.perf_counter()
    numbers = itertools.takewhile(
        lambda number: number < 2 or time.perf_counter() - begin < seconds, range(parallel)
    )
    openings = [opening(run.game, config.selfplay, config.seed, number) for number in numbers]
    jobs = [
        Job(unlike(one, number), search, evaluator, number=number) for number, one in enumerate(openings)
    ]
    pool.search(jobs[:1])  # what has to be compiled or loaded is, before time counts

    def timed(count: int) -> tuple[float, int]:
        run.game.forget()
        begin = time.perf_counter()
        made = sum(result.simulations or 1 for result in pool.search(jobs[:count]))
        return time.perf_counter() - begin, made

    count = min(2, len(jobs))
    passed, made = timed(count)
    while count < len(jobs) and 2 * passed < seconds:
        count = min(2 * count, len(jobs))
        passed, made = timed(count)
    while passed < seconds:
        more = timed(count)
        passed, made = passed + more[0], made + more[1]
    return passed / made


def step_seconds(run: Run) -> float:
    """Of a learner of the same kind, which then is dropped: on all cores or on one, whichever is faster."""
    batch, actions = run.config.learner.batch, run.game.num_actions
    learner = Learner(new_network(run.config.network, run.shape), run.config.learner)
    even, zeros = np.full((batch, actions), 1 / actions, np.float32), np.zeros(batch, np.float32)
    planes = np.zeros((batch, math.prod(run.shape.inputs)), np.float32)
    sample = Sample(planes, even, zeros, zeros + 1, even, zeros)
    before, times = torch.get_num_threads(), list[float]()
    try:
        for threads in {1, usable_cores()}:
            torch.set_num_threads(threads)
            learner.step(sample)  # wakes the threads
            begin = time.perf_counter()
            for _ in range(_STEPS):
                learner.step(sample)
            times.append((time.perf_counter() - begin) / _STEPS)
    finally:
        torch.set_num_threads(before)
    return min(times)


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
