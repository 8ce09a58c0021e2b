"""Epsilon-greedy against UCB on ten-armed bandits (text 000, section 2.1.1, figure 2.2).

python examples/seeds/bandits.py
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from experiment import Arguments, Facts, Found, run, save
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from zermelo.figures import Table

Floats = NDArray[np.float64]
Choice = Callable[[Floats, Floats, int, np.random.Generator], NDArray[np.intp]]
"""From Q [bandits, arms], N [bandits, arms] and the step to an arm of each bandit."""

ARMS = 10
EPSILON = 0.1
C = 2.0
TEXT_REWARDS = {"epsilon-greedy": 3974.5, "UCB": 4357.4}
TEXT_BEST_TAKEN = {"UCB": 976}


@dataclass(frozen=True)
class Bandits:
    """Normal rewards of each arm, means from [-5, 5] and deviations from [1, 2]."""

    means: Floats  # [bandits, arms]
    deviations: Floats  # [bandits, arms]

    @classmethod
    def drawn(cls, count: int, random: np.random.Generator) -> Bandits:
        return cls(random.uniform(-5, 5, (count, ARMS)), random.uniform(1, 2, (count, ARMS)))


@dataclass(frozen=True)
class Played:
    """What a way of choosing did."""

    rewards: Floats  # [bandits, steps]
    regrets: Floats  # [bandits, steps], the best mean less that of the arm taken
    estimates: Floats  # [bandits, arms], Q at the end
    taken: Floats  # [bandits, arms], N at the end


def epsilon_greedy(Q: Floats, N: Floats, step: int, random: np.random.Generator) -> NDArray[np.intp]:
    """Equation 2.3: any arm with probability epsilon, else the best so far."""
    explored = random.random(len(Q)) < EPSILON
    return np.where(explored, random.integers(0, ARMS, len(Q)), Q.argmax(1))


def ucb(Q: Floats, N: Floats, step: int, random: np.random.Generator) -> NDArray[np.intp]:
    """Equation 2.4: argmax of Q + C sqrt(ln t / N); arms that were never taken come first."""
    bonus = C * np.sqrt(np.log(step) / np.maximum(N, 1))
    scores: Floats = np.where(N > 0, Q + bonus, np.inf)
    best: NDArray[np.intp] = scores.argmax(1)
    return best


def play(bandits: Bandits, choice: Choice, steps: int, random: np.random.Generator) -> Played:
    """So many steps on every bandit."""
    count = len(bandits.means)
    every, best = np.arange(count), bandits.means.max(1)
    Q, N = np.zeros((count, ARMS)), np.zeros((count, ARMS))
    rewards, regrets = np.zeros((count, steps)), np.zeros((count, steps))
    for step in range(1, steps + 1):
        arms = choice(Q, N, step, random)
        mean = bandits.means[every, arms]
        reward = random.normal(mean, bandits.deviations[every, arms])
        N[every, arms] += 1
        Q[every, arms] += (reward - Q[every, arms]) / N[every, arms]
        rewards[:, step - 1], regrets[:, step - 1] = reward, best - mean
    return Played(rewards, regrets, Q, N)


def measure(count: int, steps: int, seed: int) -> tuple[Bandits, dict[str, Played]]:
    """Both ways on the same bandits."""
    bandits = Bandits.drawn(count, np.random.default_rng([seed, 0]))
    ways = {"epsilon-greedy": epsilon_greedy, "UCB": ucb}
    return bandits, {
        name: play(bandits, way, steps, np.random.default_rng([seed, number]))
        for number, (name, way) in enumerate(ways.items(), 1)
    }


def _table(bandits: Bandits, played: dict[str, Played]) -> Table:
    best = bandits.means.argmax(1)
    rows: list[list[object]] = []
    for name, found in played.items():
        totals, taken = found.rewards.sum(1), found.taken[np.arange(len(best)), best]
        error = 1.96 * totals.std() / np.sqrt(len(totals))
        rows.append([
            name, TEXT_REWARDS[name], float(totals[0]), float(totals.mean()), float(error),
            float(found.regrets.sum(1).mean()), TEXT_BEST_TAKEN.get(name), float(taken.mean()),
        ])  # fmt: skip
    columns = [
        "way", "text: reward", "bandit 0: reward", "mean reward", "+-", "mean regret",
        "text: best arm taken", "best arm taken, mean",
    ]  # fmt: skip
    steps = next(iter(played.values())).rewards.shape[1]
    return Table(
        f"{len(best):,} bandits of {ARMS} arms, {steps:,} steps; the text has one bandit", columns, rows
    )


def _picture(bandits: Bandits, played: dict[str, Played]) -> Figure:
    figure = Figure(figsize=(13, 3.8))
    one, values, all_of_them = figure.subplots(1, 3)
    steps = np.arange(1, next(iter(played.values())).rewards.shape[1] + 1)
    for name, found in played.items():
        one.plot(steps, found.rewards[0].cumsum() / steps, label=name)
        all_of_them.plot(steps, found.regrets.mean(0).cumsum(), label=name)
    one.axhline(bandits.means[0].max(), color="black", linewidth=1, linestyle=":", label="best mean")
    one.set(title="a) Mean reward after t steps, bandit 0", xlabel="t", ylabel="mean reward")
    one.legend()
    _draw_values(values, bandits, played)
    all_of_them.set(title="c) Regret, mean of all bandits", xlabel="t", ylabel="regret")
    all_of_them.legend()
    return figure


def _draw_values(axes: Axes, bandits: Bandits, played: dict[str, Played]) -> None:
    arms = np.arange(ARMS)
    axes.errorbar(arms, bandits.means[0], bandits.deviations[0], fmt="k_", label="true, with deviation")
    for shift, (name, found) in zip((-0.15, 0.15), played.items(), strict=True):
        axes.plot(arms + shift, found.estimates[0], "o", label=name)
    axes.set(title="b) Expected reward of each arm, bandit 0", xlabel="arm", ylabel="reward", xticks=arms)
    axes.legend()


def _experiment(chosen: argparse.Namespace) -> Found:
    bandits, played = measure(chosen.bandits, chosen.steps, chosen.seed)
    yield "bandits", _table(bandits, played)
    better = played["UCB"].rewards.sum(1) > played["epsilon-greedy"].rewards.sum(1)
    yield "UCB", Facts("UCB gets more in {better:.1%} of the bandits.", {"better": float(better.mean())})
    save(_picture(bandits, played), chosen.out, "bandits")


def main(words: Sequence[str] | None = None) -> None:
    """What the command line does."""
    parser = Arguments(__doc__)
    parser.size("bandits", 1000, 100, "how many bandits; the text has one")
    parser.size("steps", 1000, 1000, "steps on each")
    run(_experiment, parser, words)


if __name__ == "__main__":
    main()
