"""The rating of Connect 4 networks by version, the untrained one being 100 (text 002, figure 8).

    python examples/seeds/elo_by_version.py                       # trains for an hour, or goes on
    python examples/seeds/elo_by_version.py --model runs/connect4 # rates the versions that a run has kept
    python examples/seeds/elo_by_version.py --quick               # Tic-Tac-Toe, seconds

A version is, as in the text, a network that was accepted: one that won 1.3 times as often as it lost
against the version before. The text does not say how many games its ratings are from, nor how many
versions it has; here each two versions play 20 games, as in its match for acceptance, and there are as many
versions as time allows.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from experiment import Arguments, Found, run
from training import CONFIGS, begun, configured

import zermelo
from zermelo.arena import seed002
from zermelo.arena.chart import draw_ratings
from zermelo.arena.tournament import Entry, TournamentResult, tournament
from zermelo.arena.trend import Trend
from zermelo.cli.output import err, progress
from zermelo.errors import BadParameter
from zermelo.figures import Table
from zermelo.learning.callbacks import Versions
from zermelo.learning.config import read_toml
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.learning.versions import versions
from zermelo.players.az import AzPlayer

CONFIG = CONFIGS / "002-connect4.toml"
QUICK = {
    "game": "tictactoe", "network.blocks": "1", "network.filters": "16", "selfplay.parallel": "32",
    "rounds.games": "32", "rounds.positions": "0", "selfplay.search.simulations": "16", "gate.games": "0",
}  # fmt: skip
MOST_VERSIONS = 20


def train(path: Path, cpu_minutes: float, changes: dict[str, str], quick: bool) -> None:
    """Train as the text does and keep every version; a run that is there goes on."""
    trained = Run(path, configured(CONFIG, {**(QUICK if quick else {}), **changes}))
    limits = Limits(rounds=5) if quick else Limits(cpu_seconds=60 * cpu_minutes)
    for done in trained.train(limits, [Versions(1)]):
        said = (
            ""
            if done.gate is None
            else f", {done.gate:.0%} of the points: " + ("accepted" if done.accepted else "refused")
        )
        err.print(f"round {done.round}, {done.cpu_seconds / 60:.1f} minutes of processor time{said}")


def rated(path: Path, games: int, sims: int, seed: int) -> TournamentResult:
    """Every version against every other; version 0 is the untrained network."""
    if not (path / "config.toml").is_file():
        raise BadParameter(f"{path} is not the directory of a run")
    game = zermelo.game(str(read_toml((path / "config.toml").read_text())["game"]))
    entries = [
        Entry(f"version {number}", AzPlayer(model=str(model), sims=sims), number)
        for number, model in enumerate(versions(path, game, MOST_VERSIONS).values())
    ]
    pairs = len(entries) * (len(entries) - 1) // 2
    with progress("versions play", pairs * games, "games") as display:
        return tournament(
            game,
            entries,
            games,
            seed,
            anchor=("version 0", seed002.UNTRAINED),
            record=path / "tournament.jsonl",
            progress=lambda done, _: display(done),
        )


def _table(result: TournamentResult) -> Table:
    ratings, names = result.on_seed_scale, list(result.versions)
    neighbours = [result.pairing(b, a) for a, b in pairwise(names)]
    chained = seed002.chained([seed002.score(p.wins, p.draws, p.losses) for p in neighbours if p])
    rows: list[list[object]] = []
    for name, chain in zip(names, chained, strict=True):
        low, high = ratings.interval(name)
        rows.append(
            [name, round(ratings.rating(name)), f"{low:.0f} to {high:.0f}",
             round(result.ratings.rating(name)), round(chain)]
        )  # fmt: skip
    columns = ["", "rating, all games together", "95 %", "usual scale", "by equation 53"]
    return Table(f"{result.game}, rating on the scale of the text", columns, rows)


def _increase(line: Trend) -> Table:
    low, high = line.interval
    rows: list[list[object]] = [
        ["fitted increase per version", round(seed002.INCREASE), round(line.per_version)],
        ["95 %", None, f"{low:.0f} to {high:.0f}"],
        ["the theta it amounts to (64)", 2.8, seed002.theta(line.per_version)],
        ["least increase, for theta 1.3 (63)", 105, round(seed002.least_increase())],
    ]
    return Table("Figure 8", ["", "text", "here"], rows)


def _experiment(chosen: argparse.Namespace) -> Found:
    path = chosen.model
    if path is None:
        path = begun(chosen.run or chosen.out / "elo-quick", chosen.new)
        train(path, chosen.cpu_minutes, {"seed": str(chosen.seed), **dict(chosen.set)}, chosen.quick)
    result = rated(path, chosen.games, chosen.sims, chosen.seed)
    line = result.trend(result.on_seed_scale)
    if line is None:
        raise BadParameter(f"{path} has only one version; train for longer")
    yield "versions", _table(result)
    yield "increase", _increase(line)
    title = f"{result.game}: rating by version, untrained = 100, scale of text 002"
    for picture in draw_ratings(
        chosen.out / "elo_by_version.png",
        title,
        result.on_seed_scale,
        result.versions,
        seed002.least_increase(),
    ):
        err.print(f"wrote {picture}")


def change(text: str) -> tuple[str, str]:
    """KEY=VALUE."""
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text} is not KEY=VALUE")
    return key, value


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.add_argument(
        "--model", type=Path, help="a run whose kept versions are rated, instead of training"
    )
    parser.size("run", Path("runs/seeds/002-connect4"), None, "where training is kept", Path)
    parser.add_argument("--new", action="store_true", help="train anew, whatever is kept there")
    parser.add_argument(
        "--set", action="append", type=change, default=[], metavar="KEY=VALUE",
        help="train otherwise than the text does",
    )  # fmt: skip
    parser.size("cpu-minutes", 60, 1, "processor time of the training")
    parser.size("games", 20, 6, "games of each two versions")
    parser.size("sims", 50, 4, "simulations for a move")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()
