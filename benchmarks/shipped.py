"""The trained players that ship: taken from their runs, and graded as the docs say.

    python benchmarks/shipped.py grade                 every player that is there: make grade-shipped
    python benchmarks/shipped.py grade connect4        one of them
    python benchmarks/shipped.py note connect4         write its figures of results.jsonl into its file
    python benchmarks/shipped.py levels connect4       what each level of the dial is worth
    python benchmarks/shipped.py searches connect4     what ways to search make of its network
    python benchmarks/shipped.py openings              how many openings of Connect 4's matches are lost
    python benchmarks/shipped.py losses othello6       in how many of its losses it once had more
    python benchmarks/shipped.py ship connect4 RUN     take the network of a run, with what is known of it
    python benchmarks/shipped.py picture               draw Connect 4 beside AlphaZero.jl, for the README

`grade` and `levels` print JSON lines, as `zermelo reproduce` takes them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import zermelo
from learning import told
from zermelo.arena.match import match
from zermelo.arena.mistakes import Mistakes, every_position, mistakes
from zermelo.arena.openings import random_opening, seed_of
from zermelo.arena.tournament import Entry, tournament
from zermelo.exact.connect4 import Connect4Solver
from zermelo.exact.generic import GenericSolver
from zermelo.exact.sets import shipped
from zermelo.figures import Table, find_figure, read_figures
from zermelo.machine import machine
from zermelo.network.model import read_model, write_model
from zermelo.network.shipped import DIRECTORY, NAMES
from zermelo.pictures import COLOURS, styled, write_pictures
from zermelo.players.az import model_path
from zermelo.players.base import Player
from zermelo.players.levels import LEVELS

ROOT = Path(__file__).parent.parent
RESULTS, FIGURE = ROOT / "results.jsonl", "shipped.{}"
GAMES = {name: game for game, name in NAMES.items()}
MATCH_SIMS, MATCH_GAMES, MATCH_OPENINGS = 400, 100, 4
WON_OPENINGS, WON_PLIES = 50, 8
DECIDED_PLIES = 6
SOLVED_PLIES = 20
LEVEL_GAMES = 20
LEVEL_OPENINGS = {"tictactoe": 1}
"""Random moves before a game between levels where four would decide it."""
OPTIONS = {"connect4": "symmetry=mean,graph=1"}
"""How a player searches where it is measured, besides simulations: the mean of both mirror images is two
evaluations for each."""


@dataclass(frozen=True)
class Positions:
    """Mistakes in sets of positions, of which there must be no more."""

    sets: tuple[str, ...]
    sims: int
    must: float
    best: bool = False
    """Whether all moves count that are not the very best."""

    @property
    def name(self) -> str:
        how = f"{self.sims} simulations" if self.sims else "network alone"
        return f"{'best' if self.best else 'result'} mistakes, {' '.join(self.sets)}, {how}"

    def value(self, game: zermelo.Game, model: Path) -> float:
        found = _mistakes(game, model, self.sims, self.sets)
        return found.not_best_share if self.best else found.share

    def holds(self, value: float) -> bool:
        return value <= self.must

    def told(self, value: float) -> tuple[str, str]:
        return _percent(value), f"at most {_percent(self.must)}"


@dataclass(frozen=True)
class Points:
    """Points of 100 in a match, of which there must be no fewer."""

    against: str
    must: float
    open: bool = False
    """Whether openings of Connect 4 are left out in which the first player wins within a few plies: there
    the second loses, whoever it is."""

    @property
    def name(self) -> str:
        where = f" from openings that last {DECIDED_PLIES} plies" if self.open else ""
        return f"points against {self.against}{where}, {MATCH_SIMS} simulations"

    def value(self, game: zermelo.Game, model: Path) -> float:
        return 100 * sum(map(sum, self._pairs(game, model))) / MATCH_GAMES

    def colours(self, game: zermelo.Game, model: Path) -> dict[str, float]:
        """Points of 50 with the colour of each opening that brought more, and with the other."""
        pairs = self._pairs(game, model)
        return {"better": sum(map(max, pairs)), "worse": sum(map(min, pairs))}

    def _pairs(self, game: zermelo.Game, model: Path) -> list[tuple[float, float]]:
        points = _points(game, model, self.against)
        openings = open_openings(game) if self.open else range(MATCH_GAMES // 2)
        return [(points[2 * k], points[2 * k + 1]) for k in openings]

    def holds(self, value: float) -> bool:
        return value >= self.must

    def told(self, value: float) -> tuple[str, str]:
        return f"{value:.1f}", f"at least {self.must:g}"


@dataclass(frozen=True)
class Won:
    """Wins against `perfect` from openings of Connect 4 that are won for the first player, who it is."""

    sims: int
    must: float

    @property
    def name(self) -> str:
        return f"wins against perfect from {WON_OPENINGS} won openings, {self.sims} simulations"

    def value(self, game: zermelo.Game, model: Path) -> float:
        players = _player(model, self.sims), zermelo.player("perfect")
        positions = list(_won_openings(game))
        while going := [i for i, one in enumerate(positions) if not one.is_over]:
            mover = positions[going[0]].mover
            seeds = [seed_of(0, i, len(positions[i].moves)) for i in going]
            moves = players[mover].choose([positions[i] for i in going], seeds)
            for i, move in zip(going, moves, strict=True):
                positions[i] = positions[i].play(move)
        return sum(one.returns == (1.0, -1.0) for one in positions)

    def holds(self, value: float) -> bool:
        return value >= self.must

    def told(self, value: float) -> tuple[str, str]:
        return f"{value:.0f} of {WON_OPENINGS}", f"at least {self.must:g}"


def _player(model: Path, sims: int) -> Player:
    """The player with this network as it is measured."""
    options = OPTIONS.get(model.stem)
    return zermelo.player(f"az:model={model},sims={sims}" + (f",{options}" if options else ""))


@cache
def _played(game: zermelo.Game, model: Path, against: str) -> list[zermelo.Position]:
    """How each game of a match ended; in Connect 4 of one that is long enough for open openings."""
    games = 2 * (open_openings(game)[-1] + 1) if Connect4Solver.takes(game) else MATCH_GAMES
    players = _player(model, MATCH_SIMS), zermelo.player(against)
    return list(match(game, *players, games, openings=MATCH_OPENINGS).positions)


def _points(game: zermelo.Game, model: Path, against: str) -> list[float]:
    """The points of each game of a match."""
    results = [position.returns or () for position in _played(game, model, against)]
    return [(1 + returns[k % 2]) / 2 for k, returns in enumerate(results)]


@cache
def open_openings(game: zermelo.Game) -> list[int]:
    """The first openings of a match of Connect 4 which the first player does not win within a few plies."""
    solver, found, number = Connect4Solver(game), [], 0
    while len(found) < MATCH_GAMES // 2:
        position = random_opening(game, MATCH_OPENINGS, 0, number)
        if position is not None and not solver.ends_within(position, DECIDED_PLIES):
            found.append(number)
        number += 1
    return found


@cache
def _mistakes(game: zermelo.Game, model: Path, sims: int, sets: tuple[str, ...]) -> Mistakes:
    player, found = _player(model, sims), Mistakes(0, 0, 0)
    for name in sets:
        found += mistakes(player, every_position(game) if name == "all" else shipped(game, name))
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _won_openings(game: zermelo.Game) -> Iterator[zermelo.Position]:
    solver, found, number = Connect4Solver(game), 0, 0
    while found < WON_OPENINGS:
        position = random_opening(game, WON_PLIES, 0, number)
        number += 1
        if position is not None and solver.score(position) > 0:
            found += 1
            yield position


Measure = Positions | Points | Won
MEASURES: dict[str, tuple[Measure, ...]] = {
    "tictactoe": (Positions(("all",), 0, 0.0),),
    "connect4": (
        Positions(("begin-easy", "middle-easy", "end-easy"), 600, 0.002),
        Positions(("begin-medium",), 600, 0.015),
        Positions(("middle-medium",), 600, 0.017),
        Positions(("begin-hard",), 600, 0.06),
        Positions(("plies-10-16",), 600, 0.05),
        Positions(("plies-10-16",), 600, 0.20, best=True),
        Positions(("plies-10-16",), 0, 0.15),
        Won(600, 45),
        Points("uct:sims=1200", 98),
        Points("minimax:depth=6", 98),
        Points("uct:sims=1200", 98, open=True),
        Points("minimax:depth=6", 98, open=True),
    ),
    "othello6": (
        Positions(("endgames",), MATCH_SIMS, 0.05),
        Points("greedy", 90),
        Points("minimax:depth=6", 90),
        Points("uct:sims=5000", 90),
    ),
    "othello8": (Points("minimax:depth=6", 80), Points("uct:sims=5000", 80)),
    "gomoku8": (Points("uct:sims=10000", 80), Points("minimax:depth=4", 80)),
    "gomoku15": (Points("uct:sims=5000", 90), Points("minimax:depth=4", 80)),
}
"""What each player must reach."""


def grade(name: str) -> None:
    """Measure a player, and tell each figure beside the one that it must reach."""
    path, game = DIRECTORY / f"{name}.safetensors", zermelo.game(GAMES[name])
    for measure in MEASURES[name]:
        value = measure.value(game, path)
        reached, asked = measure.told(value)
        colours = measure.colours(game, path) if isinstance(measure, Points) else {}
        told(what="shipped", player=name, measure=measure.name, value=value, holds=measure.holds(value),
             reached=reached, asked=asked, **colours)  # fmt: skip


def note(name: str) -> None:
    """Write the figures that were last measured into the file of a player."""
    path = DIRECTORY / f"{name}.safetensors"
    write_model(replace(read_model(path), results=_grades(name)), path)


def ship(name: str, run: Path, commit: str) -> None:
    """Take the network of a run into the package, with its configuration, machine and commit."""
    model, manifest = read_model(model_path(str(run))), json.loads((run / "manifest.json").read_text())
    known = {
        **model.provenance,
        "cpu_seconds": manifest["cpu_seconds"],
        "configuration": tomllib.loads((run / "config.toml").read_text()),
        "commit": commit,
        "machine": machine(),
    }
    write_model(replace(model, provenance=known, results={}), DIRECTORY / f"{name}.safetensors")


def levels(name: str) -> None:
    """Rate the levels of a player on one scale with others, a random player being 0."""
    game = zermelo.game(GAMES[name])
    known = [f"az:level={level}" for level in range(1, len(LEVELS) + 1)]
    others = ["random", "greedy", "minimax:depth=2", "minimax:depth=4", "uct:sims=100", "uct:sims=1000"]
    players = [Entry(one.replace("az:", "").replace("=", " "), zermelo.player(one)) for one in known]
    players += [Entry(one, zermelo.player(one)) for one in others]
    plies = LEVEL_OPENINGS.get(name, MATCH_OPENINGS)
    result = tournament(game, players, LEVEL_GAMES, openings=plies, anchor=("random", 0.0))
    rows = [
        [one.name, round(one.rating), f"{low:.0f} to {high:.0f}", one.points]
        for one in result.standings()
        for low, high in [one.interval]
    ]
    games = (len(players) - 1) * LEVEL_GAMES
    title = f"{name}, ratings from {LEVEL_GAMES} games of each two, random moves being 0"
    told(what="levels", player=name,
         table=asdict(Table(title, ["player", "rating", "95 %", f"points of {games}"], rows)))  # fmt: skip


def openings() -> None:
    """How many openings of the matches of Connect 4 are lost for the second player, whoever it is."""
    count = MATCH_GAMES // 2
    lost = count - sum(number < count for number in open_openings(zermelo.game("connect4")))
    told(what="openings", openings=count, lost=lost, points=MATCH_GAMES - lost)


def losses(name: str) -> None:
    """Of the games that a player loses to minimax, in how many the exact solver finds a position of the
    last plies in which it had more than a loss."""
    game, model = zermelo.game(GAMES[name]), DIRECTORY / f"{name}.safetensors"
    against = next(
        one.against for one in MEASURES[name] if isinstance(one, Points) and "minimax" in one.against
    )
    points = _points(game, model, against)
    lost = [k for k, value in enumerate(points) if value == 0]
    spoilt = [k for k in lost if _had_more(_played(game, model, against)[k], k % 2)]
    told(
        what="losses", player=name, against=against, plies=SOLVED_PLIES, lost=len(lost), spoilt=len(spoilt)
    )


def _had_more(end: zermelo.Position, player: int) -> bool:
    """Whether a lost game was not lost yet in one of its last positions."""
    solver = GenericSolver(end.game, 100_000_000)
    for ply in range(1, min(SOLVED_PLIES, len(end.moves)) + 1):  # from the end: what is known then helps
        position = end.game.position(list(end.moves[:-ply]))
        value = solver.value_within(position, solver.limit) or 0
        if (value if position.mover == player else -value) >= 0:
            return True
    return False


SEARCHES = {
    "connect4": {
        "one ply ahead": "lookahead=1,chains=0",
        "four plies ahead": "lookahead=4,chains=0",
        "eight plies ahead": "lookahead=8,chains=0",
        "four plies ahead, chains of threats": "lookahead=4",
        "eight plies ahead, chains of threats": "lookahead=8",
        "the same, graph": "graph=1",
        "the same, graph, mean of both mirror images": "graph=1,symmetry=mean",
    },
    "othello6": {
        "one ply ahead": "lookahead=1",
        "four plies ahead": "lookahead=4",
        "the same, to the end if it is near": "lookahead=-1",
    },
}
"""Ways to search with one network."""
SEARCHED = {"connect4": ("plies-10-16", 300, 600), "othello6": ("endgames", 200, 400)}
"""The set of positions, how many of them, and simulations."""


def searches(name: str) -> None:
    """Mistakes in the first positions of a set, and processor time, for each way to search."""
    game, model = zermelo.game(GAMES[name]), DIRECTORY / f"{name}.safetensors"
    which, count, sims = SEARCHED[name]
    positions = shipped(game, which)[:count]
    for way, options in SEARCHES[name].items():
        player = zermelo.player(f"az:model={model},sims={sims},{options}")
        player.choose([positions[0].position], [0])  # compiled and loaded before time counts
        begin = time.process_time()
        found = mistakes(player, positions)
        told(what="search", player=name, name=way, options=options, results=found.share,
             best=found.not_best_share, cpu_seconds=round(time.process_time() - begin, 1))  # fmt: skip


PUBLISHED = {"easy": 0.0, "begin-medium": 0.015, "middle-medium": 0.017, "begin-hard": 0.063}
"""AlphaZero.jl at its best, after 15 to 30 hours with a GPU: result mistakes in sets of these classes."""


def picture() -> None:
    """Draw the mistakes of Connect 4 by set, those of AlphaZero.jl beside them."""
    found = _grades("connect4")
    measures = MEASURES["connect4"][: len(PUBLISHED)]
    with styled():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 2.8))
        axes = figure.subplots()
        shares = {
            "Zermelo, two cores": [found[one.name] for one in measures],
            "AlphaZero.jl, GPU": list(PUBLISHED.values()),
        }
        for place, (name, values) in enumerate(shares.items()):
            where = [x + 0.4 * place - 0.2 for x in range(len(values))]
            bars = axes.bar(
                where, [100 * value for value in values], 0.36, label=name, color=COLOURS[place]
            )
            axes.bar_label(bars, [_percent(value) for value in values], padding=2, fontsize=9)
        axes.set_xticks(range(len(PUBLISHED)), PUBLISHED)
        axes.set_ylabel("moves that change the result, %")
        axes.grid(axis="x", visible=False)
        axes.legend()
        for path in write_pictures(figure, ROOT / "docs" / "figures" / "connect4_mistakes.png"):
            print(path.relative_to(ROOT))


def _grades(name: str) -> dict[str, float]:
    """What was last measured of a player, by measure."""
    rows = find_figure(read_figures(RESULTS), FIGURE.format(name)).value
    return {row["measure"]: row["value"] for row in rows}


def head() -> str:
    """The present commit."""
    words = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    graded = commands.add_parser("grade")
    graded.add_argument("names", nargs="*", metavar="NAME", help=f"of a player: {', '.join(MEASURES)}")
    for name in ("levels", "note"):
        commands.add_parser(name).add_argument("name", choices=list(MEASURES))
    for name in ("picture", "openings"):
        commands.add_parser(name)
    commands.add_parser("searches").add_argument("name", choices=list(SEARCHES))
    commands.add_parser("losses").add_argument("name", choices=["othello6"])
    taken = commands.add_parser("ship")
    taken.add_argument("name", choices=list(MEASURES))
    taken.add_argument("run", type=Path)
    taken.add_argument("--commit", help="that it was trained with; the present one")
    chosen = parser.parse_args()
    if chosen.command == "ship":
        ship(chosen.name, chosen.run, chosen.commit or head())
        return
    if chosen.command in ("picture", "openings"):
        (picture if chosen.command == "picture" else openings)()
        return
    if chosen.command != "grade":
        {"levels": levels, "note": note, "searches": searches, "losses": losses}[chosen.command](
            chosen.name
        )
        return
    there = [name for name in MEASURES if (DIRECTORY / f"{name}.safetensors").exists()]
    if missing := set(chosen.names) - set(there):
        parser.error(f"{', '.join(missing)}: there are {', '.join(there)}")
    for name in chosen.names or there:
        grade(name)


if __name__ == "__main__":
    main()
