"""What is learnt in how much time, graded by exact solvers.

    python benchmarks/learning.py tictactoe --seeds 10     no mistake in 60 seconds
    python benchmarks/learning.py connect4                 7,200 CPU-seconds, then games and positions
    python benchmarks/learning.py kalah                    300 CPU-seconds, rules in plain Python
    python benchmarks/learning.py options --names merge    each option on and off, for equal CPU-seconds

Runs lie in runs/benchmarks. One that was interrupted goes on; one that has ended begins anew.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import zermelo
from zermelo.arena.match import match
from zermelo.arena.mistakes import every_position, mistakes, random_positions
from zermelo.exact.graded import Graded
from zermelo.exact.sets import lines_of, read_line, shipped, write_line
from zermelo.files import replace_file
from zermelo.learning.config import completed
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.network.model import read_model, untrained, write_model
from zermelo.players.az import model_path
from zermelo.players.tree import TreePlayer

RUNS = Path("runs/benchmarks")
CONNECT4_SECONDS, KALAH_SECONDS = 7200, 300
SMALL = "connect:rows=5,cols=6"
OPTIONS_SECONDS = 40
SMALL_BASE = {
    "network.blocks": "2", "network.filters": "32", "selfplay.warm_games": "128", "rounds.games": "128",
    "selfplay.parallel": "128", "watch.share": "0", "replay.growing_from": "5000",
    "selfplay.final_simulations": "0", "selfplay.endgame_positions": "3000",
}  # fmt: skip
PUCT = {"selfplay.search.variant": "puct", "selfplay.search.noise": "0.25"}
OPTIONS: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "warm start": ({}, {"selfplay.warm_games": "0"}),
    "random openings": ({}, {"selfplay.random_share": "0"}),
    "proofs": ({}, {"selfplay.search.proofs": "false"}),
    "lookahead": ({}, {"selfplay.search.lookahead": "0"}),
    "proven endgames": ({}, {"selfplay.endgame_positions": "0"}),
    "best moves after the first 8": ({}, {"selfplay.drawn_plies": "30"}),
    "muon, not adamw": ({}, {"learner.optimiser": "adamw", "learner.rate": "0.002"}),
    "cache": ({}, {"selfplay.cached": "0"}),
    "graph": ({"selfplay.search.graph": "true"}, {}),
    "canonical symmetry": ({"selfplay.search.symmetry": "canonical"}, {}),
    "random symmetry": ({"selfplay.search.symmetry": "random"}, {}),
    "mean symmetry": ({"selfplay.search.symmetry": "mean"}, {}),
    "4 leaves at a time": ({"selfplay.search.leaves": "4"}, {}),
    "gumbel, not puct": ({}, PUCT),
    "value_scale=1": ({"selfplay.search.value_scale": "1"}, {}),
    "4 moves considered": ({"selfplay.search.considered": "4"}, {}),
    "noise (puct)": (PUCT, {**PUCT, "selfplay.search.noise": "0"}),
    "drawn moves (puct)": (PUCT, {**PUCT, "selfplay.drawn_plies": "0"}),
    "tempered policy (puct)": ({**PUCT, "selfplay.tempered": "true"}, PUCT),
    "tree reuse (puct)": ({**PUCT, "selfplay.reuse": "true"}, PUCT),
    "first play by the parent (puct)": (PUCT, {**PUCT, "selfplay.search.first_play": "0"}),
    "playout cap": (
        {
            "selfplay.full_share": "0.25",
            "selfplay.search.simulations": "64",
            "selfplay.quick_simulations": "12",
        },
        {},
    ),
    "simulations that grow": (
        {"selfplay.search.simulations": "16", "selfplay.final_simulations": "64"},
        {},
    ),
    "resignation": ({"selfplay.resign_below": "-0.95"}, {}),
    "merging": ({}, {"replay.merge": "false"}),
    "growing window": ({}, {"replay.growing_from": "0"}),
    "search value in the target": ({}, {"replay.search_weight": "0.0"}),
    "only search value": ({"replay.search_weight": "1.0"}, {}),
    "surprise": ({"replay.surprise": "0.5"}, {}),
    "symmetric augmentation": ({}, {"replay.augment": "false"}),
    "averaged weights": ({}, {"learner.average": "0.0"}),
    "cosine schedule": ({}, {"learner.schedule": "constant"}),
    "clipping": ({}, {"learner.clip": "0.0"}),
    "win-draw-loss": ({}, {"network.value": "scalar"}),
    "reply head": ({"network.reply": "true"}, {}),
    "moves-left head": ({"network.moves_left": "true"}, {}),
    "global pooling": ({"network.pooling": "true"}, {}),
    "gate": ({"gate.games": "20"}, {}),
    "whole rounds": ({"rounds.whole": "true"}, {}),
    "an epoch, not samples": ({"rounds.epochs": "1"}, {}),
    "window of 4 rounds": ({"replay.rounds": "4"}, {}),
}
"""By name: what is set with the option, and without it."""


def told(**values: Any) -> None:
    """A line of JSON."""
    print(json.dumps(values), flush=True)


def tictactoe(seeds: int) -> None:
    """From nothing to no mistake with 50 simulations, seed after seed, with the command that users have."""
    game = zermelo.game("tictactoe")
    positions = every_position(game)
    for seed in range(seeds):
        run = RUNS / f"tictactoe-{seed}-{time.time_ns()}"
        begin = time.monotonic()
        words = ["train", "tictactoe", "--run", str(run), "--mistakes", "0", "--set", f"seed={seed}"]
        subprocess.run([sys.executable, "-m", "zermelo", *words], check=True, capture_output=True)
        seconds = time.monotonic() - begin
        model = read_model(model_path(str(run)))
        before = run / "untrained.safetensors"
        write_model(untrained(game, model.architecture, seed=seed), before)
        found = {
            f"{name}_{sims}": mistakes(zermelo.player(f"az:model={path},sims={sims}"), positions).results
            for name, path in (("trained", run), ("untrained", before))
            for sims in (0, 50)
        }
        told(
            what="tictactoe", seed=seed, seconds=round(seconds, 1), games=model.provenance["games"], **found
        )


def exam(game: zermelo.Game, count: int, plies: tuple[int, int], seed: int) -> list[Graded]:
    """Positions in which not every move keeps the result; solved once, then read from a file."""
    path = RUNS / f"exam-{game.name.replace(':', '-')}-{count}-{seed}.txt"
    if not path.exists():
        graded = random_positions(game, count, plies, seed)
        replace_file(path, "".join(f"{write_line(one)}\n" for one in graded).encode())
    return [read_line(game, line) for line in lines_of(path.read_text())]


def trained(name: str, path: Path, cpu_seconds: float, changes: dict[str, str]) -> zermelo.Game:
    """Learn this game for so long; a line for each round."""
    limits, config = Limits(cpu_seconds=cpu_seconds), completed({"game": name}, changes)
    run = Run(path, config)
    if limits.are_reached(run.manifest):
        shutil.rmtree(path)
        run = Run(path, config)
    for done in run.train(limits, run.callbacks()):
        told(
            **{
                name: getattr(done, name)
                for name in ("round", "games", "positions", "cpu_seconds", "seconds")
            }
        )
    return run.game


def matched(game: zermelo.Game, player: str, other: str, games: int) -> None:
    """Play against this one, and tell the points of a hundred."""
    result = match(game, zermelo.player(player), zermelo.player(other), games)
    told(what="match", player=player, against=other, games=games, points=result.score * 100,
         wins=result.wins, draws=result.draws, losses=result.losses, interval=result.interval)  # fmt: skip


def connect4(cpu_seconds: float, changes: dict[str, str]) -> None:
    """As long as asked for, then graded."""
    path = RUNS / "connect4"
    game = trained("connect4", path, cpu_seconds, changes)
    positions = shipped(game, "plies-10-16")
    for sims in (0, 800):
        found = mistakes(zermelo.player(f"az:model={path},sims={sims}"), positions)
        told(what="mistakes", sims=sims, results=found.share, not_best=found.not_best_share)
    for other in ("uct:sims=1200", "minimax:depth=6"):
        matched(game, f"az:model={path},sims=800", other, 100)


def kalah(cpu_seconds: float, changes: dict[str, str]) -> None:
    """Rules in plain Python, with extra turns."""
    path = RUNS / "kalah"
    game = trained("examples/kalah.py", path, cpu_seconds, {"watch.share": "0", **changes})
    matched(game, f"az:model={path},sims=200", "uct:sims=500", 60)


def network_alone(model: Path, positions: list[Graded]) -> dict[str, float]:
    """Mistakes of the network alone, how far its value is from the truth (mean square), and the probability
    that it gives to right moves."""
    alone = zermelo.player(f"az:model={model},sims=0")
    assert isinstance(alone, TreePlayer)
    results = alone.search([one.position for one in positions], range(len(positions)))
    graded = list(zip(positions, results, strict=True))
    return {
        "alone": mistakes(alone, positions).share,
        "value": statistics.mean((found.evaluation - one.best.value) ** 2 for one, found in graded),
        "right": statistics.mean(
            sum(p for a, p in zip(found.actions, found.priors, strict=True) if one.keeps_the_result(int(a)))
            for one, found in graded
        ),
    }


def options(names: Iterable[str], seeds: int) -> None:
    """Each option on and off, graded in 500 positions by the network alone and with 50 simulations."""
    game = zermelo.game(SMALL)
    positions = exam(game, 500, (8, 14), 20)
    with TemporaryDirectory() as directory:  # what is compiled by the way is nobody's time
        for _ in Run(Path(directory) / "run", completed({"game": SMALL}, SMALL_BASE)).train(
            Limits(rounds=2)
        ):
            pass
    known: dict[str, dict[str, float]] = {}
    for name in names:
        row = {}
        for side, changes in zip(("on", "off"), OPTIONS[name], strict=True):
            found = [_graded(changes, seed, positions, known) for seed in range(seeds)]
            row[side] = {figure: [one[figure] for one in found] for figure in found[0]}
        told(what="option", name=name, **row)


def _graded(
    changes: dict[str, str], seed: int, positions: list[Graded], known: dict[str, dict[str, float]]
) -> dict[str, float]:
    """What the network is worth alone, its mistakes with 50 simulations, and how many positions it learnt
    from."""
    values = {"seed": str(seed), **SMALL_BASE, **changes}
    key = " ".join(f"{name}={value}" for name, value in sorted(values.items()))
    if key not in known:
        name = "".join(c if c.isalnum() or c in ".=-" else "_" for c in key)[-160:]
        path = RUNS / "options" / f"{zlib.crc32(key.encode()):08x}-{name}"
        run = Run(path, completed({"game": SMALL}, values))
        for _ in run.train(Limits(cpu_seconds=OPTIONS_SECONDS)):
            pass
        player = zermelo.player(f"az:model={path},sims=50")
        known[key] = {
            **network_alone(path, positions),
            "with_50": mistakes(player, positions).share,
            "positions": run.manifest["positions"],
        }
    return known[key]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["tictactoe", "connect4", "kalah", "options"])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--cpu-seconds", type=float, help="of connect4 or kalah")
    parser.add_argument("--set", action="append", default=[], help="a value of their configuration")
    parser.add_argument("--names", nargs="+", default=list(OPTIONS), choices=list(OPTIONS))
    chosen = parser.parse_args()
    changes = dict(change.split("=", 1) for change in chosen.set)
    if chosen.what == "tictactoe":
        tictactoe(chosen.seeds)
    elif chosen.what == "connect4":
        connect4(chosen.cpu_seconds or CONNECT4_SECONDS, changes)
    elif chosen.what == "kalah":
        kalah(chosen.cpu_seconds or KALAH_SECONDS, changes)
    else:
        options(chosen.names, chosen.seeds)


if __name__ == "__main__":
    main()
