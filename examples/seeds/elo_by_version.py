"""Figure 8 of seed 002: the rating of Connect 4 networks by version, with the untrained one at 100.

    python examples/seeds/elo_by_version.py                     # trains for an hour, or goes on
    python examples/seeds/elo_by_version.py --run runs/connect4 # rates the versions that a run has kept
    python examples/seeds/elo_by_version.py --quick             # Tic-Tac-Toe, seconds

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

import zermelo
from zermelo.arena import seed002
from zermelo.arena.chart import draw_ratings
from zermelo.arena.tournament import Entry, TournamentResult, tournament
from zermelo.errors import ZermeloError
from zermelo.learning.callbacks import Versions
from zermelo.learning.config import completed, read_toml
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.learning.versions import versions
from zermelo.pictures import check_drawing
from zermelo.players.az import AzPlayer

CONFIG = Path(__file__).parents[2] / "configs" / "seeds" / "002-connect4.toml"
TINY = {
    "network.blocks": "1", "network.filters": "16", "selfplay.parallel": "32", "rounds.games": "32",
    "selfplay.search.simulations": "16",
}  # fmt: skip
MOST_VERSIONS = 20


def main(words: Sequence[str] | None = None) -> None:
    """Train, unless there is a run, and rate its versions."""
    options = parsed(words)
    check_drawing()
    path = options.run
    if path is None:
        path = options.out / ("elo-quick" if options.quick else "elo")
        train(path, options.minutes, options.set, options.quick)
    result = rated(path, options.games, options.sims)
    show(result)
    for picture in draw(result, options.out / "elo_by_version.png"):
        print(f"wrote {picture}")


def parsed(words: Sequence[str] | None) -> argparse.Namespace:
    """The command line; what the text gives is the default."""
    parser = argparse.ArgumentParser(description="Rating by version, as figure 8 of seed 002.")
    parser.add_argument("--run", type=Path, help="a run whose kept versions are rated; nothing is trained")
    parser.add_argument("--minutes", type=float, default=60.0, help="of training (60)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="train otherwise than the text says"
    )
    parser.add_argument("--games", type=int, help="that each two versions play (20)")
    parser.add_argument("--sims", type=int, help="simulations for each move (50)")
    parser.add_argument(
        "--out", type=Path, default=Path("figures"), help="where the run and pictures go (figures)"
    )
    parser.add_argument("--quick", action="store_true", help="Tic-Tac-Toe, in seconds")
    options = parser.parse_args(words)
    options.games = options.games or (6 if options.quick else 20)
    options.sims = options.sims or (4 if options.quick else 50)
    return options


def train(path: Path, minutes: float, changes: Sequence[str], quick: bool) -> None:
    """Train as seed 002 does and keep every version; a run that is there goes on."""
    values = {"game": "tictactoe"} if quick else read_toml(CONFIG.read_text())
    wanted = {key: value for key, _, value in (change.partition("=") for change in changes)}
    config = completed(values, {**TINY, **wanted} if quick else wanted)
    limits = Limits(rounds=5) if quick else Limits(seconds=60 * minutes)
    for done in Run(path, config).train(limits, [Versions(1)]):
        said = (
            ""
            if done.gate is None
            else f", {done.gate:.0%} of the points: " + ("accepted" if done.accepted else "refused")
        )
        print(f"round {done.round}, {done.seconds / 60:.1f} minutes{said}", flush=True)


def rated(path: Path, games: int, sims: int) -> TournamentResult:
    """Every version against every other; version 0 is the untrained network."""
    game = zermelo.game(str(read_toml((path / "config.toml").read_text())["game"]))
    entries = [
        Entry(f"version {number}", AzPlayer(model=str(model), sims=sims), number)
        for number, model in enumerate(versions(path, game, MOST_VERSIONS).values())
    ]
    return tournament(
        game, entries, games, anchor=("version 0", seed002.UNTRAINED), record=path / "tournament.jsonl"
    )


def show(result: TournamentResult) -> None:
    """The table, and what the text says beside it."""
    ratings, names = result.on_seed_scale, list(result.versions)
    neighbours = [result.pairing(b, a) for a, b in pairwise(names)]
    chained = seed002.chained([seed002.score(p.wins, p.draws, p.losses) for p in neighbours if p])
    print(f"\n{result.game}, rating on the scale of seed 002 (usual scale in brackets)")
    print(f"{'':12} {'all games together':>19} {'95 %':>16} {'':9} {'equation 53':>12}")
    for name, chain in zip(names, chained, strict=True):
        low, high = ratings.interval(name)
        print(
            f"{name:12} {ratings.rating(name):19.0f} {f'{low:.0f} to {high:.0f}':>16} "
            f"{f'({result.ratings.rating(name):.0f})':>9} {chain:12.0f}"
        )
    line = result.trend(ratings)
    if line is None:
        raise SystemExit("there is only one version; train for longer")
    low, high = line.interval
    print(f"\n{'':35} {'here':>8} {'seed 002':>9}")
    print(f"{'fitted increase per version':35} {line.per_version:8.0f} {seed002.INCREASE:9.0f}")
    print(f"{'  95 %':35} {f'{low:.0f} to {high:.0f}':>8}")
    print(f"{'the theta it amounts to (64)':35} {seed002.theta(line.per_version):8.1f} {2.8:9.1f}")
    print(f"{'least increase, for theta 1.3 (63)':35} {seed002.least_increase():8.0f} {105:9.0f}")


def draw(result: TournamentResult, path: Path) -> tuple[Path, Path]:
    """The figure: ratings by version, the fitted line, and the least increase that was to be expected."""
    title = f"{result.game}: rating by version, untrained = 100, scale of seed 002"
    return draw_ratings(path, title, result.on_seed_scale, result.versions, seed002.least_increase())


if __name__ == "__main__":
    try:
        main()
    except ZermeloError as error:
        raise SystemExit(f"error: {error}") from error
