"""Learning from people's games, before the first game of self-play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.games.abi import Words
from zermelo.games.position import Position
from zermelo.learning.archive import Archive
from zermelo.learning.learner import Learner, Losses
from zermelo.learning.replay import Columns
from zermelo.learning.start import StartConfig
from zermelo.network.evaluators import OnnxEvaluator

_MOST_HELD_OUT = 15_000
"""Positions: enough for a percentage, and measured in a moment."""
_BATCH = 512

Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Measured:
    """What a network makes of games that it has not learnt from."""

    loss: float
    """The cross-entropy of the moves that were made, over the legal ones, and the squared error."""
    accuracy: float
    """The share of moves that are the network's first choice, where there was more than one to choose."""
    winners: float
    """The share of positions of decided games in which it gives the winner the better chances."""
    squared_error: float
    """Of the value, from -1 to 1."""
    games: int
    """In which this was measured."""


class HeldOut:
    """The positions of some games, with what was played in them and how they ended."""

    def __init__(self, archive: Archive, games: Words, encoding: str) -> None:
        self.games = len(games)
        replay = archive.replay(games, encoding)
        self._window = replay.window()
        states = replay.latest(len(replay))["states"]
        self._legal = np.zeros((len(states), archive.game.num_actions), bool)
        for row, state in zip(self._legal, states, strict=True):
            row[list(Position(archive.game, state).legal_actions)] = True

    def __len__(self) -> int:
        return len(self._window)

    def measure(self, network: OnnxEvaluator, value_weight: float) -> Measured:
        logits, values, played, results = [], [], [], []
        for sample in self._window.in_order(_BATCH):
            some, told = network(sample.planes.reshape(-1, *network.shape.inputs))
            logits.append(some)
            values.append(told)
            played.append(sample.policy.argmax(1))
            results.append(sample.value)
        move, result = np.concatenate(played), np.concatenate(results)
        scores = np.where(self._legal, np.concatenate(logits).astype(float), -np.inf)
        choice, chosen = self._legal.sum(1) > 1, scores.argmax(1)
        top = scores.max(1)
        entropy = top + np.log(np.exp(scores - top[:, None]).sum(1)) - scores[np.arange(len(move)), move]
        errors, agreed = np.concatenate(values) - result, np.concatenate(values) * result > 0
        squared = _mean(np.square(errors)[~np.isnan(result)])
        return Measured(
            loss=_mean(entropy) + value_weight * squared,
            accuracy=_mean((chosen == move)[choice]),
            winners=_mean(agreed[np.abs(result) > 0]),
            squared_error=squared,
            games=self.games,
        )


def _mean(values: NDArray[Any]) -> float:
    """0 where there are none."""
    return float(values.mean()) if len(values) else 0.0


@dataclass(frozen=True)
class Epoch:
    """What an epoch over people's games did; number 0 is the network before all of them."""

    epoch: int
    positions: int
    """That were learnt from, in all epochs until now."""
    steps: int
    policy_loss: float
    value_loss: float
    held_out: Measured
    best: bool
    """Whether it foretells games that were held out better than after all epochs before."""

    def told(self) -> dict[str, Any]:
        """As data; figures of games that were held out begin so."""
        found = {**vars(self), **{f"held_out_{k}": v for k, v in asdict(self.held_out).items()}}
        del found["held_out"]
        return found


class Pretraining:
    """Epochs over people's games, until games that were held out are not foretold any better."""

    def __init__(
        self, archive: Archive, learner: Learner, config: StartConfig, encoding: str, seed: int,
        augment: bool = True,
    ) -> None:  # fmt: skip
        self.archive, self.learner, self.config = archive, learner, config
        self._encoding, self._seed, self._augment = encoding, seed, augment
        self.games, held = archive.split(config.held_out, _MOST_HELD_OUT, seed)
        self.held_out = HeldOut(archive, held, encoding)
        network = learner.network
        self._evaluator = OnnxEvaluator(network.architecture, network.shape, learner.weights())
        self.last: Epoch | None = None
        self.best: Epoch | None = None
        self.weights: Weights = learner.weights()
        """After the best epoch."""
        self.learnt = 0
        """Positions of the epoch that is not over."""

    def restore(self, weights: Weights, best: Mapping[str, Any], last: Mapping[str, Any]) -> None:
        """Go on after an epoch, with the weights of the best; the learner has its state."""
        self.weights, self.best, self.last = weights, _epoch(best), _epoch(last)

    def epochs(self, used: Callable[[], float]) -> Iterator[Epoch]:
        """One after the other; `used` tells the share of the time that is over."""
        if self.last is None:
            yield self._measured(Losses(0.0, 0.0), 0, 0)
        assert self.last is not None
        parts = self.archive.parts(self.games, self.config.positions, self._seed)
        for games in islice(parts, self.last.epoch, self.config.epochs):
            if used() >= 1 or self.is_over:
                return
            yield self._learn(games, used)

    @property
    def is_over(self) -> bool:
        """Whether games that were held out have not been foretold better for some epochs."""
        if self.last is None or self.best is None:
            return False
        return self.last.epoch - self.best.epoch >= self.config.patience

    def kept(self, count: int) -> Columns:
        """So many positions of games that were learnt from, drawn anew; those whose result is known."""
        games = self.archive.drawn(self.games, count, self._seed)
        found = self.archive.replay(games, self._encoding).latest(count)
        known = np.isfinite(found["values"])
        return {name: column[known] for name, column in found.items()}

    def _learn(self, games: Words, used: Callable[[], float]) -> Epoch:
        assert self.last is not None
        window = self.archive.replay(games, self._encoding).window()
        random = np.random.default_rng([self._seed, self.last.epoch])
        losses, self.learnt = [], 0
        for sample in window.epochs(0, 1, self.learner.config.batch, random, self._augment):
            progress = max(used(), (self.last.epoch + self.learnt / len(window)) / self.config.epochs)
            losses.append(self.learner.step(sample, min(1.0, progress)))
            self.learnt += len(sample.value)
            if progress >= 1:
                break
        return self._measured(Losses.mean(losses), len(losses), self.learnt)

    def _measured(self, losses: Losses, steps: int, positions: int) -> Epoch:
        weights = self.learner.weights()
        self._evaluator.replace(weights)
        found = self.held_out.measure(self._evaluator, self.learner.config.value_weight)
        better = self.best is None or found.loss < self.best.held_out.loss
        before = self.last
        self.last = Epoch(
            epoch=before.epoch + 1 if before else 0,
            positions=positions + (before.positions if before else 0),
            steps=steps + (before.steps if before else 0),
            policy_loss=losses.policy,
            value_loss=losses.value,
            held_out=found,
            best=better,
        )
        if better:
            self.best, self.weights = self.last, weights
        return self.last


def _epoch(told: Mapping[str, Any]) -> Epoch:
    """An epoch from its data."""
    held = {k.removeprefix("held_out_"): v for k, v in told.items() if k.startswith("held_out_")}
    rest = {k: v for k, v in told.items() if not k.startswith("held_out_")}
    return Epoch(held_out=Measured(**held), **rest)
