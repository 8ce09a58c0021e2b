"""What the positions of a Connect 4 run teach, held against the exact solver; and how fast that is learnt.

    python benchmarks/teaching.py truth    how true results and searches are, by ply, in new games
    python benchmarks/teaching.py fit      networks and learners, for equal CPU-seconds on stored positions

The run is one that learnt with the preset: zermelo train connect4 --cpu-minutes 75
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from safetensors.numpy import load_file

import zermelo
from learning import network_alone, told
from zermelo.exact.connect4 import Connect4Solver
from zermelo.exact.sets import shipped
from zermelo.learning.config import TrainConfig, completed
from zermelo.learning.learner import Learner
from zermelo.learning.replay import Replay
from zermelo.learning.selfplay import PlayedGame, Selfplay
from zermelo.learning.targets import value_targets
from zermelo.network.architecture import Shape
from zermelo.network.evaluators import OnnxEvaluator
from zermelo.network.model import Model, read_model, write_model
from zermelo.network.module import new_network
from zermelo.search.pool import Pool

GAME = zermelo.game("connect4")
PLIES = (12, 14, 16, 18, 20)
WAYS: dict[str, dict[str, str]] = {
    "every move drawn, no end proven": {"selfplay.drawn_plies": "99", "selfplay.endgame_positions": "0"},
    "first 8 moves drawn, no end proven": {"selfplay.drawn_plies": "8", "selfplay.endgame_positions": "0"},
    "first 8 moves drawn, ends proven": {"selfplay.drawn_plies": "8"},
}
"""How games are played, the preset last."""
ADAMW = {"learner.optimiser": "adamw", "learner.rate": "0.003", "learner.momentum": "0.9"}
LEARNERS: dict[str, dict[str, str]] = {
    "the preset": {},
    "AdamW": ADAMW,
    "batches of 64": {"learner.batch": "64"},
    "rate 0.006": {"learner.rate": "0.006"},
    "heads of 16 and 8 filters, 64 hidden": {
        "network.policy_filters": "16", "network.value_filters": "8", "network.value_hidden": "64",
    },
    "a scalar value": {"network.value": "scalar"},
    "3x32": {"network.blocks": "3", "network.filters": "32"},
    "4x48": {"network.blocks": "4", "network.filters": "48"},
    "8x64": {"network.blocks": "8"},
    "5x96": {"network.filters": "96"},
}  # fmt: skip
"""By name: what differs from the preset."""


def truth(path: Path, games: int, sims: int) -> None:
    """New games of the run's network, played in each way: how often the result of a game is not what a
    position was worth, and the mean squared errors of what could be taught."""
    model, solver = read_model(path / "best.safetensors"), Connect4Solver(GAME)
    network = OnnxEvaluator(model.architecture, Shape.of(GAME, model.encoding), model.weights)
    for name, changes in WAYS.items():
        config = completed({"game": "connect4"}, changes)
        pool = Pool(GAME, games, model.encoding, cached=config.selfplay.cached, overlapping=True)
        search = config.selfplay.search.but(simulations=sims)
        played = list(Selfplay(pool, config.selfplay, 0).play(network, search, games))
        for ply in PLIES:
            found = np.array(list(_errors(played, ply, config.replay.search_weight, solver)))
            wrong, *errors = (found != 0).mean(0), *(found**2).mean(0)
            told(what="truth", way=name, ply=ply, games=len(found), wrong=float(wrong[0]),
                 result=float(errors[0]), search=float(errors[1]), taught=float(errors[2]))  # fmt: skip


def _errors(
    games: Iterable[PlayedGame], ply: int, search_weight: float, solver: Connect4Solver
) -> Iterable[tuple[float, float, float]]:
    """Of the result, the search and what is taught, in each game that has this ply."""
    for one in games:
        assert not one.is_resigned
        moves = one.position.moves
        at = ply - (len(moves) - len(one.lessons))
        if not 0 <= at < len(one.lessons):
            continue
        position = GAME.position()
        for action in moves[:ply]:
            position = position.play(action)
        exact, lesson = float(np.sign(solver.score(position))), one.lessons[at]
        taught = value_targets(one.lessons, one.returns, search_weight)[at]
        yield one.returns[lesson.mover] - exact, lesson.value - exact, float(taught) - exact


def fit(path: Path, names: Iterable[str], cpu_seconds: float, seeds: int) -> None:
    """Learn the stored positions of the run anew, for so long each, and grade the network alone."""
    positions = shipped(GAME, "plies-10-16")
    warm = json.loads((path / "manifest.json").read_text())["warm_positions"]
    for name in names:
        config = completed({"game": "connect4"}, LEARNERS[name])
        config = replace(config, replay=replace(config.replay, growing_from=0))
        found, steps = [], 0
        for seed in range(seeds):
            model, steps = _fitted(path, config, warm, cpu_seconds, seed)
            with TemporaryDirectory() as directory:
                file = Path(directory) / "model.safetensors"
                write_model(model, file)
                found.append(network_alone(file, positions))
        told(what="fit", name=name, cpu_seconds=cpu_seconds, steps=steps,
             **{figure: [one[figure] for one in found] for figure in found[0]})  # fmt: skip


def _fitted(path: Path, config: TrainConfig, warm: int, cpu_seconds: float, seed: int) -> tuple[Model, int]:
    encoding = config.encoding or next(iter(GAME.encodings))
    replay = Replay(GAME, config.replay, encoding)
    for file in sorted((path / "positions").glob("*.safetensors")):
        replay.take_in(load_file(file))
    window, random = replay.window(warm), np.random.default_rng(seed)
    learner = Learner(new_network(config.network, Shape.of(GAME, encoding), seed), config.learner)
    used = 0.0
    while used < cpu_seconds:
        begin = time.process_time()
        learner.step(window.sample(config.learner.batch, random), used / cpu_seconds)
        used += time.process_time() - begin
    return Model("connect4", encoding, config.network, learner.weights(), {}, {}), learner.steps


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["truth", "fit"])
    parser.add_argument("--run", type=Path, default=Path("runs/connect4"))
    parser.add_argument("--games", type=int, default=128, help="of truth, in each way")
    parser.add_argument("--sims", type=int, default=64, help="of truth")
    parser.add_argument("--names", nargs="+", default=list(LEARNERS), choices=list(LEARNERS))
    parser.add_argument("--cpu-seconds", type=float, default=60, help="of fit, for each")
    parser.add_argument("--seeds", type=int, default=1, help="of fit")
    chosen = parser.parse_args()
    if not (chosen.run / "manifest.json").exists():
        parser.error(f"there is no run in {chosen.run}; first: zermelo train connect4 --cpu-minutes 75")
    torch.set_num_threads(1)
    if chosen.what == "truth":
        truth(chosen.run, chosen.games, chosen.sims)
    else:
        fit(chosen.run, chosen.names, chosen.cpu_seconds, chosen.seeds)


if __name__ == "__main__":
    main()
