"""Time for a move against simulations, and over a game (text 003, figures 5 and 7).

python examples/seeds/search_time.py
python examples/seeds/search_time.py --model tictactoe=runs/tictactoe --model connect4=runs/connect4

One search at a time on one thread, with the text's networks, untrained unless models are given: time hardly
depends on what was learnt, except that proofs end a search. Then UCT. Processor time is told, so that other
work beside it does not count. The game of the second part is game 3 of the text, in which its program moves
second with 100 simulations.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from experiment import Arguments, Facts, Found, count, run, save
from matplotlib.figure import Figure

import zermelo
from zermelo.cli.output import progress
from zermelo.figures import Table
from zermelo.network.architecture import Architecture
from zermelo.network.model import untrained, write_model
from zermelo.players.az import AzPlayer
from zermelo.players.tree import TreePlayer, UctPlayer

GAMES = ("tictactoe", "connect4")
TEXT_SIMULATIONS = {"tictactoe": 60, "connect4": 600}
"""In training; `num_searches` of table 2."""
GAME_3 = (2, 3, 3, 3, 4, 3, 4, 3, 3, 2, 4, 4, 1, 1, 2, 2, 2, 2, 4, 4, 1, 1)
"""Columns from 0, the text's own notation; its program has every second move."""

Times = dict[tuple[str, str, int], float]
"""Seconds, by game, player and simulations."""


def model_of(game: str, given: dict[str, Path], directory: Path) -> Path:
    """A model that was given, or the text's network, untrained."""
    if game in given:
        return given[game]
    path = directory / f"{game}.safetensors"
    network = Architecture.preset(f"seed003-{game}")
    write_model(untrained(zermelo.game(game), network, "own-other-empty"), path)
    return path


def players(model: Path, sims: int) -> dict[str, TreePlayer]:
    """The network as the text searches, with Zermelo's proofs, and UCT."""
    name = str(model)
    return {
        "network": AzPlayer(model=name, sims=sims, proofs=False, cached=0, threads=1),
        "network, proofs": AzPlayer(model=name, sims=sims, cached=0, threads=1),
        "UCT": UctPlayer(sims=sims, proofs=False),
    }


def seconds(player: TreePlayer, position: zermelo.Position, repeats: int, seed: int) -> float:
    """The median processor time of a search, after one that is not counted."""
    player.search([position], [seed])
    times = []
    for repeat in range(repeats):
        begin = time.process_time()
        player.search([position], [seed + repeat])
        times.append(time.process_time() - begin)
    return statistics.median(times)


def by_simulations(models: dict[str, Path], sims: Sequence[int], repeats: int, seed: int) -> Times:
    """From the empty board."""
    found: Times = {}
    with progress("searching", len(models) * len(sims), "numbers of simulations") as display:
        for done, (game, number) in enumerate(((g, n) for g in models for n in sims), 1):
            start = zermelo.game(game).position()
            for name, player in players(models[game], number).items():
                found[game, name, number] = seconds(player, start, repeats, seed)
            display(done)
    return found


def by_turn(model: Path, sims: int, repeats: int, seed: int) -> dict[str, list[float]]:
    """Before each move of the text's program in its third game."""
    position, found = zermelo.game("connect4").position(), dict[str, list[float]]()
    searchers = players(model, sims)
    for ply, column in enumerate(GAME_3):
        if ply % 2 == 1:
            for name, player in searchers.items():
                found.setdefault(name, []).append(seconds(player, position, repeats, seed))
        position = position.play(column)
    return found


def _tables(times: Times, turns: dict[str, list[float]], sims: int) -> list[Table]:
    names = list(turns)
    numbers = sorted({number for _, _, number in times})
    pairs = [(game, name) for game in GAMES for name in names]
    rows = [[number, *(1000 * times[game, name, number] for game, name in pairs)] for number in numbers]
    over = [[turn + 1, *(1000 * turns[name][turn] for name in names)] for turn in range(len(GAME_3) // 2)]
    return [
        Table(
            "Milliseconds for a move from the empty board",
            ["simulations", *(f"{g}, {n}" for g, n in pairs)],
            rows,
        ),
        Table(
            f"Milliseconds for a move of Connect 4 with {sims} simulations, turn by turn",
            ["turn", *names],
            over,
        ),
    ]


def _picture(times: Times, turns: dict[str, list[float]], sims: int) -> Figure:
    figure = Figure(figsize=(14, 4))
    *panels, last = figure.subplots(1, 3)
    for axes, game in zip(panels, GAMES, strict=True):
        for name in turns:
            numbers = sorted(number for g, n, number in times if (g, n) == (game, name))
            axes.loglog(numbers, [1000 * times[game, name, number] for number in numbers], ".-", label=name)
        axes.set(title=game, xlabel="simulations", ylabel="milliseconds")
    for name, found in turns.items():
        last.plot(range(1, len(found) + 1), [1000 * one for one in found], ".-", label=name)
    last.set(
        title=f"connect4, game 3 of the text, {sims} simulations", xlabel="turn", ylabel="milliseconds"
    )
    for axes in (*panels, last):
        axes.legend()
    return figure


def _experiment(chosen: argparse.Namespace) -> Found:
    with tempfile.TemporaryDirectory() as directory:
        models = {game: model_of(game, dict(chosen.model), Path(directory)) for game in GAMES}
        times = by_simulations(models, chosen.sims, chosen.repeats, chosen.seed)
        turns = by_turn(models["connect4"], chosen.turn_sims, chosen.repeats, chosen.seed)
    by_number, by_turns = _tables(times, turns, chosen.turn_sims)
    yield "simulations", by_number
    yield "turns", by_turns
    text = (
        "The text shows its times as pictures, and says of the second that time decreases rapidly."
        "\nHere the last turn takes {share:.0%} of the first."
    )
    yield "last turn", Facts(text, {"share": turns["network"][-1] / turns["network"][0]})
    save(_picture(times, turns, chosen.turn_sims), chosen.out, "search_time")


def named_model(text: str) -> tuple[str, Path]:
    """GAME=MODEL."""
    game, _, path = text.partition("=")
    if game not in GAMES or not path:
        raise argparse.ArgumentTypeError(f"{text} is not GAME=MODEL, with tictactoe or connect4")
    return game, Path(path)


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.add_argument(
        "--model",
        action="append",
        type=named_model,
        default=[],
        help="GAME=RUN_OR_FILE; may be given twice",
    )
    parser.size("sims", (10, 30, 60, 100, 300, 600), (2, 10), "numbers of simulations")
    parser.size("turn-sims", 100, 5, "simulations for each turn of game 3", count)
    parser.size("repeats", 3, 1, "searches of which the median is taken")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()
