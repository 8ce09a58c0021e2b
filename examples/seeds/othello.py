"""Othello on 6x6 against random, greedy and minimax players (text 004, "Experiments with Othello").

python examples/seeds/othello.py --model runs/othello
python examples/seeds/othello.py --cpu-minutes 30

Without a model the configuration of the text is trained, in --run, where it goes on if it is called again:
80 rounds of 100 games, which took the text 3 days on a GPU, or for --cpu-minutes. The text says how it went
in words only, and names neither the depth of minimax nor the number of games.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

from experiment import Arguments, Facts, Found, number, run, save, whole
from opponents import SEATS, bars, different, matches
from training import CONFIGS, SMALL, begun, configured

import zermelo
from zermelo.arena.match import MatchResult
from zermelo.cli.output import err
from zermelo.figures import Table
from zermelo.learning.limits import Limits
from zermelo.learning.run import Run
from zermelo.network.model import Model, read_model, untrained, write_model
from zermelo.players.az import AzPlayer, model_path

GAME = "othello:size=6"
CONFIG = CONFIGS / "004-othello.toml"
OPPONENTS = ("random", "greedy", "minimax:depth=2", "minimax:depth=4")
QUICK = {**SMALL, "network.filters": "8", "gate.games": "2", "rounds.count": "1"}


def train(path: Path, cpu_minutes: float, quick: bool, seed: int) -> Model:
    """Train in a directory, or go on there; by the text's rounds, or for so long if that is sooner."""
    config = configured(CONFIG, {"seed": str(seed), **(QUICK if quick else {})})
    trained = Run(path, config)
    limits = Limits(cpu_seconds=60 * cpu_minutes) if cpu_minutes else Limits()
    for done in trained.train(trained.within(limits)):
        err.print(
            f"round {done.round}: {done.games} games, {done.cpu_seconds / 60:.1f} minutes of processor time"
        )
    return trained.model()


def _table(found: dict[str, MatchResult], before: dict[str, MatchResult], games: int, sims: int) -> Table:
    rows = []
    for name, result in found.items():
        for seat, word in enumerate(SEATS):
            wins, draws, losses = result.seated(seat)
            rows.append(
                [name, word, wins, draws, losses, before[name].seated(seat)[0], different(result, seat)]
            )
    columns = ["opponent", "moving", "won", "drawn", "lost", "won untrained", "different beginnings"]
    return Table(f"{games} games each, {sims} simulations", columns, rows)


def _experiment(chosen: argparse.Namespace) -> Found:
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        if chosen.model:
            model = read_model(model_path(chosen.model))
        else:
            path = begun(chosen.run or place / "run", chosen.new)
            model = train(path, chosen.cpu_minutes, chosen.quick, chosen.seed)
        found = []
        blank = untrained(zermelo.game(GAME), model.architecture, model.encoding, chosen.seed)
        for name, network in (("trained", model), ("untrained", blank)):
            write_model(network, place / f"{name}.safetensors")
            player = AzPlayer(model=str(place / f"{name}.safetensors"), sims=chosen.sims, c=1.0)
            found.append(
                matches(f"the {name} network plays", GAME, player, chosen.opponents, chosen.games,
                        chosen.openings, chosen.seed)
            )  # fmt: skip
    yield "matches", _table(found[0], found[1], chosen.games, chosen.sims)
    known = model.provenance
    text = (
        "The network: {rounds} rounds, {games:,} games, {minutes:.0f} minutes. In the text: 80 rounds of "
        '100 games, 3 days on a K80; against random, greedy and minimax "it performed pretty well".'
    )
    figures = {name: known.get(name, 0) for name in ("rounds", "games")}
    yield "network", Facts(text, {**figures, "minutes": known.get("seconds", 0) / 60})
    save(bars(found[0], f"Othello 6x6, {chosen.sims} simulations"), chosen.out, "othello")


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.add_argument("--model", default="", help="a run or a model file, instead of training")
    parser.size("run", Path("runs/seeds/004-othello"), None, "where training is kept", Path)
    parser.add_argument("--new", action="store_true", help="train anew, whatever is kept there")
    parser.size("cpu-minutes", 0.0, 0.0, "processor time of the training; 0: all 80 rounds", number)
    parser.size("opponents", OPPONENTS, ("random", "minimax:depth=2"), "against whom", str)
    parser.size("sims", 25, 5, "simulations for a move")
    parser.size("games", 50, 4, "games moving first, and as many moving second")
    parser.add_argument("--openings", type=whole, default=4, help="random moves before each game (4)")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()
