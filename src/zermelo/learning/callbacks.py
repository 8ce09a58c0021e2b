"""What happens along the way of a run, and changes nothing of what it learns.

A callback of one's own is a subclass of `Callback`, handed to `Run.train`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from zermelo.arena.match import MatchResult, match_within
from zermelo.arena.mistakes import exam, mistakes
from zermelo.errors import OutOfTime, UnsuitableGame
from zermelo.exact.graded import Graded
from zermelo.exact.progress import watching
from zermelo.learning.limits import TOLERATED_SECONDS, TOLERATED_SHARE
from zermelo.learning.round import Clock
from zermelo.machine import usable_cores
from zermelo.network.model import write_model
from zermelo.players.az import AzPlayer
from zermelo.players.base import Player
from zermelo.players.registry import player
from zermelo.players.tree import TreePlayer

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

    def final_seconds(self, run: Run) -> float:
        """How long `ends` may take; asked before every round. The last one ends that much before the time
        limit."""
        return 0.0


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


_GRACE_SECONDS = 1.0
"""Measuring may take this long in the shortest of runs."""
_PROBED = 4
"""Simulations of a search that is timed to see how many are affordable."""
_FEWEST_SIMULATIONS = 8


class Strength(Callback):
    """Measures the network against players, and by exact solvers, within its share of the time of the run.

    Where the share does not allow for a whole match, it plays fewer games; where not even two games fit,
    both sides search less, and where that is not enough it measures nothing and says so once.
    """

    def __init__(
        self, positions: Sequence[Graded] | None = None, say: Callable[[str], None] = lambda _text: None
    ) -> None:
        self.positions = positions
        """In which mistakes are counted; None: as many as the configuration says, if the game can be
        solved."""
        self._say = say
        self._said: set[str] = set()
        self._used = self._needed = 0.0
        """Seconds that measuring has taken, and that it takes to be worth it."""
        self._took = math.inf
        """Seconds that it took when it last brought something."""
        self._solving = 0.0
        """Seconds that are not enough to solve positions."""
        self._since = 0.0
        """Seconds of the run before this call."""

    def begins(self, run: Run) -> None:
        self._since = run.spent["seconds"]
        for name in run.config.watch.against:
            player(name).check(run.game.position())

    def final_seconds(self, run: Run) -> float:
        total = run.limits.seconds_left(0.0, 0.0, usable_cores())
        if not run.config.watch.share or not math.isfinite(total):
            return 0.0
        most = min(run.config.watch.share * total, max(TOLERATED_SECONDS, TOLERATED_SHARE * total))
        return min(most, 1.5 * self._took + _GRACE_SECONDS)

    def round_ends(self, run: Run, done: Round) -> None:
        allowed = min(self._allowed(run), run.seconds_left)
        if allowed >= max(_GRACE_SECONDS, self._needed):
            self.measure(run, allowed)

    def ends(self, run: Run) -> None:
        if run.config.watch.share and run.manifest["rounds"] > run.manifest["measured"].get("round", 0):
            left = run.limits.seconds_left(**run.spent, cores=usable_cores())
            self.measure(run, min(left, max(_GRACE_SECONDS, self._allowed(run))))
        if self.positions is None and self._solving > _GRACE_SECONDS:
            self._say_once(
                "solving",
                f"solving positions of {run.game.name} takes longer than measuring may take, so mistakes "
                "are not counted; see `watch.graded` and `watch.share`",
            )

    def _allowed(self, run: Run) -> float:
        """Seconds x that measuring may take now: used + x = share (spent + x)."""
        share = run.config.watch.share
        left = share * (run.spent["seconds"] - self._since) - self._used
        return float(left / (1 - share)) if share < 1 else math.inf

    def measure(self, run: Run, seconds: float = math.inf) -> None:
        """Measure for so long at most."""
        clock, watch = Clock(), run.config.watch
        if self.positions is None and not watch.graded:
            self.positions = []
        if self.positions is None and seconds / 2 > self._solving:
            self._solve(run, seconds / 2)
        values: dict[str, Any] = {}
        if watch.games and watch.against:
            each = (seconds - clock.seconds) * (0.6 if self.positions else 1.0) / len(watch.against)
            results = dict(self._results(run, each))
            if len(results) == len(watch.against):
                values["against"] = {name: result.score for name, result in results.items()}
                if [*results] == list(watch.against) and all(
                    result.games >= watch.games for result in results.values()
                ):
                    values["score"] = min(values["against"].values())
        if self.positions:
            values |= self._mistakes(run, seconds - clock.seconds)
        if values:
            run.measure("strength", values)
        self._used += clock.seconds
        self._needed = clock.seconds if values else 2 * seconds
        if values:
            self._took = clock.seconds

    def _results(self, run: Run, seconds: float) -> Iterator[tuple[str, MatchResult]]:
        """Matches against each player, by the name that it played under, if games are affordable."""
        watch, clock = run.config.watch, Clock()
        for name in watch.against:
            own: Player = AzPlayer(model=str(run.directory.best), sims=watch.simulations)
            other, begin = player(name), clock.seconds
            pace = _game_seconds(run, seconds, own, other)
            factor = min(1.0, (seconds - (clock.seconds - begin)) / max(2 * pace, 1e-9))
            if factor < 1:
                own, other = _weaker(own, factor), _weaker(other, factor)
            if min(_simulations(own), _simulations(other)) < _FEWEST_SIMULATIONS:
                self._say_once(
                    f"against {name}",
                    f"a game against {name} takes longer here than measuring may take so far, so it is not "
                    "played; see `watch.share` and `watch.against`",
                )
                continue
            if factor < 1:
                self._say_once(
                    f"against {name}",
                    f"to save time, strength is measured with fewer simulations, such as {own.name} "
                    f"against {other.name}",
                )
            left = seconds - (clock.seconds - begin)
            result = match_within(left, run.game, own, other, watch.games, run.config.seed)
            if result is not None:
                yield (name if factor == 1 else other.name), result

    def _mistakes(self, run: Run, seconds: float) -> dict[str, float]:
        """The share of moves that change the result, with and without search, if there is time for it."""
        assert self.positions is not None
        found, clock = {}, Clock()
        for name, sims in (("mistakes_alone", 0), ("mistakes", run.config.watch.simulations)):
            own = AzPlayer(model=str(run.directory.best), sims=sims).until(
                time.monotonic() + seconds - clock.seconds
            )

            def check_time(_done: int) -> None:
                if clock.seconds > seconds:
                    raise OutOfTime

            try:
                found[name] = mistakes(own, self.positions, progress=check_time).share
                check_time(0)  # the last searches may have been cut short
            except OutOfTime:
                self._say_once(
                    "mistakes",
                    f"counting mistakes in {len(self.positions):,} positions takes longer than measuring "
                    "may take; see `watch.graded` and `watch.share`",
                )
                return {}
        return found

    def _solve(self, run: Run, seconds: float) -> None:
        """Find positions to count mistakes in, if they are solved in time; if not, try again when there is
        twice as much of it."""
        clock = Clock()

        def check_time(_progress: object) -> None:
            if clock.seconds > seconds:
                raise OutOfTime

        try:
            with watching(check_time):
                self.positions = exam(run.game, run.config.watch.graded, check_time)
        except UnsuitableGame:
            self.positions = []
        except OutOfTime:
            self._solving = 2 * seconds

    def _say_once(self, about: str, text: str) -> None:
        """Say this unless something was said about the same."""
        if about not in self._said:
            self._said.add(about)
            self._say(text)


def _game_seconds(run: Run, seconds: float, *players: Player) -> float:
    """About how long a game of these two takes, from the pace of short searches; for so long at most."""
    position, total, end = run.game.position(), 0.0, time.monotonic() + seconds
    length = run.speed.game_length or 0.6 * run.game.max_length
    for one in players:
        sims = _simulations(one)
        short = _weaker(one, min(1.0, _PROBED / sims))
        hurried = short.until(end)
        try:
            hurried.choose([position], [0])  # loads the network
            run.game.forget()
            clock = Clock()
            hurried.choose([position], [1])
        except OutOfTime:
            return math.inf
        total += clock.seconds * (sims / _simulations(short) if math.isfinite(sims) else 1.0) * length / 2
    return total


def _simulations(one: Player) -> float:
    """Of a search; infinity for a player that does not count them."""
    if not isinstance(one, TreePlayer) or one.time or getattr(one, "level", 0):
        return math.inf
    return one.sims or math.inf


def _weaker(one: Player, factor: float) -> Player:
    """The same player with fewer simulations, if it counts them."""
    sims = _simulations(one)
    if not math.isfinite(sims):
        return one
    assert isinstance(one, TreePlayer)
    return replace(one, sims=max(1, int(sims * factor)))


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
