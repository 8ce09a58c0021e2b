"""Fourteen settings for Tic-Tac-Toe, each trained for equally long (text 000, tables 5.1 and 5.2).

python examples/seeds/hyperparameters.py
python examples/seeds/hyperparameters.py --cpu-seconds 20

As in the text each setting is trained for 100 games, fitted twice, and plays as the second player with 100
simulations; the text counts draws against minimax, here against `perfect`. Beside that an exact solver
counts the mistakes in every position. With --cpu-seconds each is trained for so long instead.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from draws_in_training import az, drawn, positions
from experiment import Arguments, Facts, Found, number, run, save
from matplotlib.figure import Figure
from training import SMALL, THESIS, configured, new_run

from zermelo.arena.mistakes import mistakes
from zermelo.cli.output import progress
from zermelo.figures import Table
from zermelo.learning.limits import Limits


@dataclass(frozen=True)
class Setting:
    """A line of table 5.1, and its draws in table 5.2."""

    name: str
    rate: float
    l2: float
    filters: int
    c: float
    alpha: float
    text_draws: int

    @property
    def changes(self) -> dict[str, str]:
        """What differs from the configuration of the text; `decay` is twice the c of c |theta|^2."""
        return {
            "learner.rate": str(self.rate),
            "learner.decay": str(2 * self.l2),
            "network.filters": str(self.filters),
            "selfplay.search.exploration": str(self.c),
            "selfplay.search.noise_alpha": str(self.alpha),
        }


SETTINGS = (
    Setting("A", 1e-2, 0, 16, 1.0, 1.0, 24),
    Setting("B", 1e-3, 0, 16, 1.0, 1.0, 13),
    Setting("C", 1e-3, 0, 32, 1.0, 1.0, 25),
    Setting("D", 1e-2, 1e-4, 16, 1.0, 1.0, 46),
    Setting("E", 1e-3, 1e-4, 32, 1.0, 1.0, 17),
    Setting("F", 1e-2, 0, 32, 1.0, 0.5, 46),
    Setting("G", 1e-3, 0, 32, 1.0, 0.5, 34),
    Setting("H", 1e-2, 1e-4, 32, 1.0, 0.5, 48),
    Setting("I", 1e-3, 1e-4, 32, 1.0, 0.5, 47),
    Setting("J", 1e-3, 0, 32, 1.2, 0.5, 41),
    Setting("K", 1e-3, 1e-4, 32, 1.2, 0.5, 46),
    Setting("L", 1e-3, 0, 32, 0.8, 0.5, 44),
    Setting("M", 1e-3, 1e-4, 32, 0.8, 0.5, 47),
    Setting("N", 1e-3, 1e-4, 64, 1.0, 0.5, 25),
)


@dataclass(frozen=True)
class Measured:
    """One training of a setting."""

    games: int
    draws: int
    alone: int
    """Mistakes of the network alone."""
    searched: int
    """Mistakes with simulations."""


def _name(text: str) -> str:
    if text not in {one.name for one in SETTINGS}:
        raise argparse.ArgumentTypeError(f"{text} is not a setting of table 5.1")
    return text


def train(setting: Setting, limits: Limits, chosen: argparse.Namespace, seed: int) -> Measured:
    """A training of a setting, graded."""
    changes = {"seed": str(seed), **setting.changes, **(SMALL if chosen.quick else {})}
    with new_run(configured(THESIS, {**changes, "rounds.count": "0"})) as trained:
        for _ in trained.train(limits):
            pass
        best = trained.directory.best
        return Measured(
            trained.manifest["games"],
            drawn(az(best, chosen.sims), chosen.games, seed),
            mistakes(az(best, 0), positions(), seed).results,
            mistakes(az(best, chosen.sims), positions(), seed).results,
        )


def _table(found: dict[str, list[Measured]], chosen: argparse.Namespace) -> Table:
    ordered = _ordered(found)
    rows = []
    for one in ordered:
        trained = found[one.name]
        draws = [some.draws for some in trained]
        rows.append([
            one.name, f"{one.rate:g}", f"{one.l2:g}", one.filters, f"{one.c:g}", f"{one.alpha:g}",
            one.text_draws, fmean(draws), f"{min(draws)} to {max(draws)}",
            fmean(some.alone for some in trained), fmean(some.searched for some in trained),
            round(fmean(some.games for some in trained)),
        ])  # fmt: skip
    columns = ["ID", "rate", "L2", "filters", "C", "alpha", "text: draws", "draws", "range",
               "mistakes alone", f"with {chosen.sims}", "games"]  # fmt: skip
    return Table(
        f"Draws of {chosen.games} as the second player with {chosen.sims} simulations, and mistakes in "
        f"4,520 positions; means of {chosen.trainings} trainings",
        columns,
        rows,
    )


def _ordered(found: dict[str, list[Measured]]) -> list[Setting]:
    """As in table 5.2."""
    tried = [one for one in SETTINGS if one.name in found]
    return sorted(tried, key=lambda one: (-one.text_draws, one.name))


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's: that of the ranks, equal values sharing theirs; 0 where all are equal."""

    def ranks(values: Sequence[float]) -> list[float]:
        return [sum(v < value for v in values) + sum(v == value for v in values) / 2 for value in values]

    if len(set(one)) == 1 or len(set(other)) == 1:
        return 0.0
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def _picture(found: dict[str, list[Measured]], games: int) -> Figure:
    figure = Figure(figsize=(11, 4))
    left, right = figure.subplots(1, 2)
    ordered = _ordered(found)
    names = [one.name for one in ordered]
    left.plot(names, [one.text_draws for one in ordered], "ks", label="text")
    right.plot(
        names,
        [fmean(m.alone for m in found[name]) for name in names],
        "_",
        color="tab:orange",
        markersize=14,
    )
    for name in names:
        for one in found[name]:
            left.plot(name, one.draws, ".", color="tab:blue")
            right.plot(name, one.alone, ".", color="tab:orange")
    left.plot([], [], ".", color="tab:blue", label="ours, each training")
    left.set(
        title=f"Draws of {games} as the second player", xlabel="setting", ylabel="draws", ylim=(0, None)
    )
    left.legend()
    right.set(
        title="Mistakes of the network alone, of 4,520", xlabel="setting", ylabel="mistakes", ylim=(0, None)
    )
    return figure


def _experiment(chosen: argparse.Namespace) -> Found:
    rounds = 1 if chosen.quick else 2
    limits = Limits(cpu_seconds=chosen.cpu_seconds) if chosen.cpu_seconds else Limits(rounds=rounds)
    tried = [one for one in SETTINGS if one.name in chosen.settings]
    found: dict[str, list[Measured]] = {one.name: [] for one in tried}
    with progress("training", len(tried) * chosen.trainings, "trainings") as display:
        for k in range(chosen.trainings):
            for place, one in enumerate(tried, 1):
                found[one.name].append(train(one, limits, chosen, chosen.seed + k))
                display(k * len(tried) + place)
    yield "settings", _table(found, chosen)
    text = [one.text_draws for one in tried]
    draws = [fmean(m.draws for m in found[one.name]) for one in tried]
    right = [-fmean(m.alone for m in found[one.name]) for one in tried]
    sentence = (
        "Rank correlation with the draws of the text: {draws:.2f} of our draws, {mistakes:.2f} of few "
        "mistakes alone."
    )
    ranks = {"draws": correlation(text, draws), "mistakes": correlation(text, right)}
    yield "ranks", Facts(sentence, ranks)
    save(_picture(found, chosen.games), chosen.out, "hyperparameters")


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    names = tuple(one.name for one in SETTINGS)
    parser.size("settings", names, ("H", "B"), "which of them are trained", _name)
    parser.size("trainings", 1, 1, "trainings of each setting, with other seeds")
    parser.size("games", 50, 5, "games of each match; the text does not say how many")
    parser.size("sims", 100, 10, "simulations in matches and for mistakes")
    parser.size("cpu-seconds", 0.0, 0.0, "processor time of each training; 0: 100 games", number)
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()
