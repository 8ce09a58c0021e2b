"""How a run with a time limit divides its time: how long an iteration is, and how much of it is playing.

A run without one has iterations of a fixed size, so that it can be repeated exactly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from zermelo.learning.config import RoundsConfig, TrainConfig

FIRST_SECONDS = 15.0
"""Length of the first iteration, so that its network is on disk after 20 seconds."""
_FIRST_SHARE = 0.25
"""The same for short runs, as a share of the run: on disk after a third of it."""
_GROWTH = 0.1
"""Later iterations take this share of the time that has passed."""
_LEAST_SECONDS, _LEAST_SHARE = 6.0, 1 / 30
"""They take this long at least, or this share of a shorter run."""
_OVERHEAD_SECONDS = 0.5
"""To write an iteration and to load its weights, at first; then it is measured."""
_PLAYING = 0.2, 0.8
"""The least and the greatest share of an iteration that is spent playing."""
_GAME_SECONDS, _GAME_SHARE = 10.0, 0.15
"""How long a game may take: so many seconds, or this share of the time that has passed."""
FEWEST_GAMES = 8
"""Games at once, at least: fewer make poor batches."""
_KEPT = 0.5
"""How much an earlier measurement counts after another one."""


@dataclass(frozen=True)
class Budget:
    """What an iteration may take."""

    play_seconds: float = math.inf
    learn_seconds: float = math.inf
    parallel: int = 0
    """Games at once, at most; 0: as many as configured."""


UNLIMITED = Budget()


@dataclass
class Speed:
    """What playing and learning cost on this machine, as far as is known."""

    position_seconds: float = 0.0
    """To search one position; 0: not known."""
    step_seconds: float = 0.0
    """Of one gradient step; 0: not known."""
    overhead_seconds: float = _OVERHEAD_SECONDS
    """Of an iteration, besides playing and learning."""
    simulations_per_second: float = 0.0
    rollouts_per_second: float = 0.0
    """Simulations with random playouts instead of the network."""
    game_length: float = 0.0
    """Moves of a game, on average."""

    _sums: dict[str, tuple[float, float]] = field(default_factory=dict)
    """What was measured: seconds and count, by name."""

    def update(self, name: str, seconds: float, count: float) -> None:
        """Take in that `count` of these took so long. A few of them say little: the single game that ends
        first does not tell what a position costs."""
        if count > 0:
            known = getattr(self, name)
            before = self._sums.get(name, (known, float(known > 0)))
            total, counted = _KEPT * before[0] + seconds, _KEPT * before[1] + count
            self._sums[name] = total, counted
            setattr(self, name, total / counted)


def is_timed(rounds: RoundsConfig) -> bool:
    """Whether iterations may be sized by the clock: not where the configuration fixes their size."""
    return not (rounds.whole or rounds.epochs or rounds.steps)


class Schedule:
    """Plans iterations of a run that may take `total` seconds."""

    def __init__(self, config: TrainConfig, total: float, speed: Speed, workers: int = 1) -> None:
        self.config, self.total, self.speed, self.workers = config, total, speed, workers

    def budget(self, passed: float, left: float, warm: bool, is_first: bool, simulations: int) -> Budget:
        """The next iteration, after so many seconds, with so many left; `warm`: played with random
        playouts, `simulations` for each move."""
        if is_first:
            seconds = min(FIRST_SECONDS, _FIRST_SHARE * self.total)
        else:
            seconds = max(min(_LEAST_SECONDS, _LEAST_SHARE * self.total), _GROWTH * passed)
        if left < 1.5 * seconds + self.speed.overhead_seconds:
            seconds = left
        seconds = max(0.1, seconds - self.speed.overhead_seconds)
        playing = seconds * (0.5 if is_first else self._playing_share())
        return Budget(playing, seconds - playing, self._parallel(passed, playing, warm, simulations))

    def games_ahead(self, budget: Budget, owed: float) -> float:
        """Backlog of games to allow while the learner makes the `owed` gradient steps: as many as the next
        iteration can learn from at the configured replay ratio."""
        speed, config = self.speed, self.config
        if not speed.step_seconds or not speed.game_length:
            return math.inf
        steps = budget.learn_seconds / speed.step_seconds
        steps -= max(0.0, owed - steps)
        return max(0.0, steps) * config.learner.batch / config.rounds.uses / speed.game_length

    @property
    def least_seconds(self) -> float:
        """Less time than this is not worth another iteration."""
        return self.speed.overhead_seconds + 2 * self.speed.step_seconds + 0.1

    def _playing_share(self) -> float:
        """So that both keep up with each other at the configured replay ratio."""
        speed, config = self.speed, self.config
        learning = config.rounds.uses / config.learner.batch * speed.step_seconds
        if not speed.position_seconds or not learning:
            return 0.5
        share = speed.position_seconds / (speed.position_seconds + learning)
        return float(min(max(share, _PLAYING[0]), _PLAYING[1]))

    def _parallel(self, passed: float, playing: float, warm: bool, simulations: int) -> int:
        """Games at once: as many as end within the time that a game may take, all of them together."""
        speed, most = self.speed, self.config.selfplay.parallel
        per_second = speed.rollouts_per_second if warm else speed.simulations_per_second
        per_second *= self.workers
        if not per_second or not speed.game_length:
            return most
        longest = max(min(_GAME_SECONDS, _GAME_SHARE * self.total), _GAME_SHARE * passed)
        game_seconds = playing / 3 if warm else longest
        one_game = speed.game_length * max(1, simulations) / per_second
        return max(min(FEWEST_GAMES * self.workers, most), min(most, round(game_seconds / one_game)))
