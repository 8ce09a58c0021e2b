"""What happens along the way of a run, and changes nothing of what it learns.

A callback of one's own is a subclass of `Callback`, handed to `Run.train`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.match import match
from zermelo.arena.mistakes import exam, mistakes
from zermelo.errors import UnsuitableGame
from zermelo.exact.graded import Graded
from zermelo.network.model import write_model
from zermelo.players.az import AzPlayer
from zermelo.players.registry import player

if TYPE_CHECKING:
    from zermelo.learning.pretraining import Epoch
    from zermelo.learning.round import Round
    from zermelo.learning.run import Run
    from zermelo.learning.selfplay import PlayedGame


class Callback:
    """Is told what happens in a training run; override the methods that you need.

    Examples
    --------
    >>> import zermelo as zm
    >>> class Lengths(zm.Callback):
    ...     def begins(self, run):
    ...         self.lengths = []
    ...     def game_ends(self, run, game):
    ...         self.lengths.append(len(game.position.moves))
    ...     def round_ends(self, run, done):
    ...         run.measure("lengths", {"longest": max(self.lengths)})
    >>> small = {"network.blocks": 1, "network.filters": 8, "rounds.games": 32, "watch.graded": 0}
    >>> watched = zm.train(
    ...     "tictactoe", run="runs/watched", rounds=1, settings=small, callbacks=[Lengths()], progress=False
    ... )
    >>> 5 <= watched.measures[0]["longest"] <= 9
    True
    """

    def begins(self, run: Run) -> None:
        """Before the first round of this call."""

    def epoch_ends(self, run: Run, epoch: Epoch) -> None:
        """An epoch over people's games is over and on disk."""

    def game_ends(self, run: Run, game: PlayedGame) -> None:
        """A game of self-play is over."""

    def round_ends(self, run: Run, done: Round) -> None:
        """A round is over and on disk. `run.measure` writes down what was found."""

    def ends(self, run: Run) -> None:
        """After the last round of this call."""


class Versions(Callback):
    """Keeps the network every so many rounds."""

    def __init__(self, every: int) -> None:
        self.every = every

    def round_ends(self, run: Run, done: Round) -> None:
        if done.round % self.every == 0:
            write_model(run.model(), run.directory.version(done.round))


class Changes(Callback):
    """Measures how far the weights have moved: in this round, and since the call began; as shares of
    their own length."""

    def begins(self, run: Run) -> None:
        self.first = self.last = run.learner.weights()

    def round_ends(self, run: Run, done: Round) -> None:
        now = run.learner.weights()
        run.measure("changes", {"moved": _change(self.last, now), "moved_in_all": _change(self.first, now)})
        self.last = now


def _change(before: Mapping[str, NDArray[np.float32]], after: Mapping[str, NDArray[np.float32]]) -> float:
    names = [name for name in before if name.endswith(".weight")]
    moved = sum(float(np.square(after[name] - before[name]).sum()) for name in names)
    return float(np.sqrt(moved / sum(float(np.square(before[name]).sum()) for name in names)))


class Games(Callback):
    """Keeps some of the games, for a look at them: every so many-th."""

    def __init__(self, every: int = 1) -> None:
        self.every = every
        self.kept: list[PlayedGame] = []

    def game_ends(self, run: Run, game: PlayedGame) -> None:
        if game.number % self.every == 0:
            self.kept.append(game)


class Strength(Callback):
    """Measures the network against players, and by exact solvers, as often as its share of time allows."""

    def __init__(self, positions: Sequence[Graded] | None = None) -> None:
        self.positions = positions
        """In which mistakes are counted; None: as many as the configuration says, if the game can be
        solved."""
        self._next, self._shortest = 0.0, math.inf

    def begins(self, run: Run) -> None:
        for name in run.config.watch.against:
            player(name).check(run.game.position())
        if self.positions is None:
            with suppress(UnsuitableGame):
                self.positions = exam(run.game, run.config.watch.graded) if run.config.watch.graded else []

    def round_ends(self, run: Run, done: Round) -> None:
        if run.config.watch.share and time.monotonic() >= self._next:
            self.measure(run)

    def ends(self, run: Run) -> None:
        if run.manifest["rounds"] > run.manifest["measured"].get("round", 0):
            self.measure(run)

    def measure(self, run: Run) -> None:
        begin, watch, found = time.monotonic(), run.config.watch, {}
        own = AzPlayer(model=str(run.directory.best), sims=watch.simulations)
        if watch.games:
            for name in watch.against:
                found[name] = match(run.game, own, player(name), watch.games, run.config.seed).score
        values: dict[str, Any] = {"score": min(found.values()), "against": found} if found else {}
        if self.positions:
            values["mistakes"] = mistakes(own, self.positions).share
            alone = AzPlayer(model=str(run.directory.best), sims=0)
            values["mistakes_alone"] = mistakes(alone, self.positions).share
        if values:
            run.measure("strength", values)
        now, share = time.monotonic(), run.config.watch.share
        self._shortest = min(self._shortest, now - begin)  # the first may have been slow for its compiling
        self._next = now + self._shortest * (1 - share) / share if share else math.inf


class TensorBoard(Callback):
    """Writes the metrics for TensorBoard too."""

    @staticmethod
    def is_installed() -> bool:
        return find_spec("tensorboard") is not None

    def begins(self, run: Run) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.writer = SummaryWriter(str(run.directory.path / "tensorboard"))

    def round_ends(self, run: Run, done: Round) -> None:
        for name, value in {**run.manifest["measured"], **vars(done)}.items():
            if isinstance(value, (int, float)):
                self.writer.add_scalar(name, value, done.games)

    def ends(self, run: Run) -> None:
        self.writer.close()
