"""How much time learning from people's games saves: Othello with it and without, for equal CPU-seconds.

    python benchmarks/pretraining.py wthor/*.wtb
    python benchmarks/pretraining.py wthor/*.wtb --stop 230 --points 10     the first half of both runs

The files are those of the Fédération Française d'Othello, or any others that `zermelo records` reads. Both
runs have the same network and the same CPU-seconds, those of reading and of learning from people included;
the networks that they keep along the way are measured afterwards, so that measuring takes nothing from
them. Runs lie in runs/pretraining and go on where they stopped; what was measured is not measured again.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

import zermelo
from learning import told
from zermelo.arena.match import match
from zermelo.files import replace_file
from zermelo.learning.config import completed, read_toml
from zermelo.learning.history import History
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.pictures import COLOURS, styled, write_pictures

RUNS, CONFIG = Path("runs/pretraining"), Path("configs/shipped/othello8.toml")
PICTURE = Path("docs/figures/pretraining")
SMALL = {
    "rounds.games": "64", "selfplay.warm_games": "64", "start.share": "0.5", "watch.share": "0",
    "watch.versions": "1",
}  # fmt: skip
"""More rounds in the same time, and so more networks to measure; half of the time for people."""
OPPONENTS = ("uct:sims=400", "minimax:depth=3")
SIMS = 50
PEOPLE, NOTHING = "people's games first", "from nothing"


def trained(name: str, records: Sequence[str], cpu_seconds: float, stop: float) -> Path:
    """Learn for so long, or until a round ends after the stop; the directory of the run."""
    path = RUNS / f"{'people' if records else 'nothing'}-{cpu_seconds:.0f}"
    values = {**read_toml(CONFIG.read_text()), "start": {"records": list(records)}}
    run, limits = Run(path, completed(values, SMALL)), Limits(cpu_seconds=cpu_seconds)
    if run.manifest["cpu_seconds"] < min(stop, cpu_seconds):
        for done in run.train(limits, run.callbacks()):
            told(what="round", name=name, round=done.round, cpu_seconds=round(done.cpu_seconds),
                 positions=done.positions)  # fmt: skip
            if done.cpu_seconds >= stop:
                break
    return path


def strength(name: str, run: Path, count: int, games: int) -> list[dict[str, Any]]:
    """Points against each opponent, and their mean, of some of the networks that a run has kept."""
    history = History.read(run)
    people = history.manifest["start"].get("people")
    times = {0: people["cpu_seconds"]} if people else {}
    times |= {one["round"]: one["cpu_seconds"] for one in history.rounds}
    numbers, found = list(times), []
    for i in sorted({round(place) for place in np.linspace(0, len(numbers) - 1, count)}):
        version = run / "versions" / f"{numbers[i]:06d}.safetensors"
        points = {opponent: measured(version, opponent, games) for opponent in OPPONENTS}
        mean = statistics.mean(points.values())
        found.append({"cpu_seconds": round(times[numbers[i]]), "points": points, "mean": mean})
        told(what="strength", name=name, round=numbers[i], **found[-1])
    return found


def measured(version: Path, opponent: str, games: int) -> float:
    """Points of a network, unless they are known."""
    file = version.with_name(f"{version.stem}-{games}.json")
    known: dict[str, float] = json.loads(file.read_text()) if file.exists() else {}
    if opponent not in known:
        player = zermelo.player(f"az:model={version},sims={SIMS}")
        result = match(zermelo.game("othello"), player, zermelo.player(opponent), games, openings=4)
        known[opponent] = 100 * result.score
        replace_file(file, json.dumps(known).encode())
    return known[opponent]


def foretold(run: Path) -> None:
    """What each epoch made of games that were held out, and the best of them."""
    people = History.read(run).manifest["start"]["people"]
    for one in History.read(run).measures:
        if one["what"] == "pretraining":
            told(**{**one, "what": "epoch"})
    told(**people["best"], what="people", games=people["games"], cpu_seconds=round(people["cpu_seconds"]))


def saved(people: Sequence[dict[str, Any]], nothing: Sequence[dict[str, Any]]) -> None:
    """When each run first has what the one from nothing has at its end."""
    wanted = nothing[-1]["mean"]
    first = [
        next((one["cpu_seconds"] for one in run if one["mean"] >= wanted), None)
        for run in (people, nothing)
    ]
    told(what="saved", points=wanted, people=first[0], nothing=first[1], people_end=people[-1]["mean"])


def drawn(curves: dict[str, list[dict[str, Any]]]) -> None:
    """Points by CPU-seconds: a colour for each run, a line for each opponent."""
    with styled():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7, 3.6))
        axes = figure.add_subplot()
        for (name, some), colour in zip(curves.items(), COLOURS, strict=False):
            for opponent, line in zip(OPPONENTS, ("-", ":"), strict=True):
                times = [one["cpu_seconds"] for one in some]
                points = [one["points"][opponent] for one in some]
                axes.plot(
                    times, points, line, marker="o", color=colour, label=f"{name}, against {opponent}"
                )
        axes.set(
            xlabel="CPU-seconds, learning from people included",
            ylabel="points of 100",
            ylim=(0, 100),
            xlim=0,
        )
        axes.legend(fontsize=8)
        write_pictures(figure, PICTURE)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("records", nargs="+", help="files of people's games of Othello")
    parser.add_argument("--cpu-seconds", type=float, default=500)
    parser.add_argument("--stop", type=float, default=math.inf, help="after so many of them")
    parser.add_argument("--points", type=int, default=8, help="networks of each run that are measured")
    parser.add_argument("--games", type=int, default=40, help="of each match")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    runs = {PEOPLE: chosen.records, NOTHING: ()}
    paths = {name: trained(name, some, chosen.cpu_seconds, chosen.stop) for name, some in runs.items()}
    foretold(paths[PEOPLE])
    curves = {name: strength(name, path, chosen.points, chosen.games) for name, path in paths.items()}
    saved(curves[PEOPLE], curves[NOTHING])
    drawn(curves)


if __name__ == "__main__":
    main()
