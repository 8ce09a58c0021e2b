"""Draws during and after training, on Tic-Tac-Toe (text 000, section 5.1.3, figures 5.2 and 5.4).

python examples/seeds/draws_in_training.py

The configuration of the text is trained. Along the way the network, with 100 simulations, plays as the
second player against the perfect player, as UCT with as many iterations does; afterwards both play with
several numbers of iterations. The network is kept in the directory of the pictures.

The text's opponent is minimax. One that always plays the same of equally good moves would make all games
of the network, which draws nothing either, the same game; `perfect` plays any of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from experiment import Arguments, Facts, Found, run, save
from matplotlib.figure import Figure
from training import SMALL, THESIS, configured, new_run

import zermelo
from zermelo.arena.mistakes import every_position, mistakes
from zermelo.cli.output import err, progress
from zermelo.errors import BadParameter
from zermelo.exact.graded import Graded
from zermelo.figures import Table
from zermelo.learning.limits import Limits
from zermelo.learning.round import Round
from zermelo.learning.run import Run
from zermelo.network.model import write_model
from zermelo.players.az import AzPlayer
from zermelo.players.base import Player
from zermelo.players.tree import UctPlayer

MODEL = "000-tictactoe.safetensors"
TEXT_DURING = {0: "UCT: 53", 100: "68"}
TEXT_AFTER = {1: ("87", ""), 200: ("", "fewer than 70")}
"""By iterations: the network's draws of 100, and UCT's."""


@dataclass(frozen=True)
class Checkpoint:
    """How the network is after so many games."""

    games: int
    draws: int
    """As the second player against the perfect one."""
    mistakes: int
    """Of the network alone, in all positions."""


After = dict[int, tuple[int, int]]
"""By iterations: draws of the network, and of UCT."""


def drawn(player: Player, games: int, seed: int) -> int:
    """Draws as the second player in so many games from the empty board, against the perfect player."""
    game, perfect = zermelo.game("tictactoe"), zermelo.player("perfect")
    return zermelo.match(game, player, perfect, 2 * games, seed, openings=0).seated(1)[1]


@cache
def positions() -> list[Graded]:
    """Every position of Tic-Tac-Toe with a move to make, with the exact outcome of each move."""
    return every_position(zermelo.game("tictactoe"))


def az(model: Path, sims: int) -> AzPlayer:
    """The network as the text plays it: C = 1, nothing proven."""
    return AzPlayer(model=str(model), sims=sims, c=1.0, proofs=False)


def uct(sims: int) -> UctPlayer:
    """UCT as the text plays it: C = sqrt 2, nothing proven."""
    return UctPlayer(sims=sims, proofs=False)


def train(
    trained: Run, rounds: int, every: int, sims: int, per_match: int, seed: int
) -> tuple[list[Round], list[Checkpoint]]:
    """Train, and measure every so many rounds."""
    total = int(trained.within(Limits(rounds=rounds)).rounds)
    done, checkpoints = [], []
    with progress("training", total, "rounds") as display:
        for one in trained.train(Limits(rounds=total)):
            done.append(one)
            display(one.round)
            if one.round % every == 0 or one.round == total:
                checkpoints.append(_checkpoint(trained, one.games, sims, per_match, seed))
    return done, checkpoints


def _checkpoint(trained: Run, games: int, sims: int, per_match: int, seed: int) -> Checkpoint:
    best = trained.directory.best
    return Checkpoint(
        games,
        drawn(az(best, sims), per_match, seed),
        mistakes(az(best, 0), positions(), seed).results,
    )


def _during(
    rounds: Sequence[Round], checkpoints: Sequence[Checkpoint], baseline: int, games: int, sims: int
) -> Table:
    rows: list[list[object]] = [[0, TEXT_DURING[0], baseline, None, None, None, None]]
    for one in checkpoints:
        (last,) = (found for found in rounds if found.games == one.games)
        rows.append(
            [one.games, TEXT_DURING.get(one.games, ""), one.draws, f"{last.draws:.0%}", one.mistakes,
             last.policy_loss, last.value_loss]
        )  # fmt: skip
    columns = [
        "games", "text: draws", "draws", "draws in self-play", "mistakes alone of 4,520",
        "policy loss", "value loss",
    ]  # fmt: skip
    return Table(
        f"Draws of {games} as the second player with {sims} simulations; the line of 0 games is UCT",
        columns,
        rows,
    )


def _after(found: After, games: int) -> Table:
    rows = [
        [number, *TEXT_AFTER.get(number, ("", "")), network, rollouts]
        for number, (network, rollouts) in found.items()
    ]
    columns = ["iterations", "text: network", "text: UCT", "network", "UCT"]
    return Table(f"Draws of {games} as the second player after training", columns, rows)


def _picture(
    rounds: Sequence[Round], checkpoints: Sequence[Checkpoint], baseline: int,
    found: After,
) -> Figure:  # fmt: skip
    figure = Figure(figsize=(14, 4))
    left, middle, right = figure.subplots(1, 3)
    games = [one.games for one in checkpoints]
    left.plot(games, [one.draws for one in checkpoints], ".-", label="network")
    left.axhline(baseline, color="tab:orange", linestyle=":", label="UCT")
    numbers = [str(number) for number in found]
    middle.plot(numbers, [network for network, _ in found.values()], ".-", label="network")
    middle.plot(numbers, [rollouts for _, rollouts in found.values()], ".:", label="UCT")
    for name, losses in (
        ("policy", [r.policy_loss for r in rounds]),
        ("value", [r.value_loss for r in rounds]),
    ):
        right.plot([one.games for one in rounds], losses, label=name)
    left.set(title="a) Draws during training", xlabel="games of self-play", ylabel="draws")
    middle.set(title="b) Draws after training", xlabel="iterations", ylabel="draws")
    right.set(title="Losses", xlabel="games of self-play", ylabel="loss")
    for axes in (left, middle, right):
        axes.set_ylim(bottom=0)
        axes.legend()
    return figure


def _experiment(chosen: argparse.Namespace) -> Found:
    config = configured(chosen.config, {"seed": str(chosen.seed), **(SMALL if chosen.quick else {})})
    if config.game != "tictactoe":
        raise BadParameter(f"{chosen.config} is for {config.game}; this experiment is one of tictactoe")
    kept = chosen.out / MODEL
    with new_run(config) as trained:
        rounds, checkpoints = train(
            trained, chosen.rounds, chosen.every, chosen.sims, chosen.games, chosen.seed
        )
        write_model(trained.model(), kept)
    baseline = drawn(uct(chosen.sims), chosen.games, chosen.seed)
    found = {}
    for number in chosen.iterations:
        # The first iteration of the text asks the network about the root; here that is not counted.
        network = az(kept, 0 if number == 1 else number)
        found[number] = (
            drawn(network, chosen.games, chosen.seed),
            drawn(uct(number), chosen.games, chosen.seed),
        )
    yield "during", _during(rounds, checkpoints, baseline, chosen.games, chosen.sims)
    yield "after", _after(found, chosen.games)
    last, seconds = rounds[-1], sum(one.play_seconds + one.learn_seconds for one in rounds)
    text = (
        "Losses at the end: {loss:.2f}, of the value {value:.2f}; in the text about 0.36 in all, of the "
        "value below 0.1.\nPlaying and learning took {seconds:.0f} seconds; in the text about 200."
    )
    figures = {"loss": last.policy_loss + last.value_loss, "value": last.value_loss, "seconds": seconds}
    yield "training", Facts(text, figures)
    err.print(f"\nwrote {kept}")
    save(_picture(rounds, checkpoints, baseline, found), chosen.out, "draws_in_training")


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.add_argument("--config", type=Path, default=THESIS, help="what is trained (that of the text)")
    parser.size("rounds", 20, 2, "rounds of training, at most as many as the configuration has")
    parser.size("every", 2, 1, "rounds between two measurements")
    parser.size("sims", 100, 10, "simulations during training")
    parser.size("iterations", (1, 20, 100, 200), (1, 20), "iterations that are tried after training")
    parser.size("games", 100, 10, "games of each match")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()
