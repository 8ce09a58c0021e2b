"""Matches: two players, both colours, varied openings."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce

from zermelo.arena.contest import Contest, Playing, in_turn
from zermelo.arena.intervals import wilson
from zermelo.errors import OutOfTime
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.games.registry import game as named_game
from zermelo.players.base import HasPlayer, Player
from zermelo.players.registry import player as named_player


@dataclass(frozen=True)
class MatchResult:
    """The outcome from the side of player A."""

    game: str
    a: str
    b: str
    wins: int
    draws: int
    losses: int
    seconds: float
    positions: tuple[Position, ...] = field(repr=False)
    """Where each game ended; A was first in games 0, 2, 4 ... Games that are not over do not count."""

    @classmethod
    def of(cls, contest: Contest, positions: Sequence[Position], seconds: float) -> MatchResult:
        """Of a contest whose games ended, or stand, in these positions."""
        tally = _tally(positions, 0, 1)
        return cls(contest.game.name, contest.a.name, contest.b.name, *tally, seconds, tuple(positions))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def __add__(self, other: MatchResult) -> MatchResult:
        """Both as one match; the first has an even number of games."""
        return MatchResult(
            self.game, self.a, self.b, self.wins + other.wins, self.draws + other.draws,
            self.losses + other.losses, self.seconds + other.seconds, self.positions + other.positions,
        )  # fmt: skip

    def seated(self, seat: int) -> tuple[int, int, int]:
        """Wins, draws and losses of the games in which A was first (0) or second (1)."""
        return _tally(self.positions, seat)

    @property
    def score(self) -> float:
        """Points per game: 1 for a win, a half for a draw."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % of the score, by Wilson's formula for the variance that these results have.

        Draws make it smaller than p (1 - p). By how much is estimated with one more win and one more
        loss, so that a few draws do not look like certainty.
        """
        n, p = self.games, self.score
        q = (n * p + 1) / (n + 2)
        variance = (self.wins + 1 + self.draws / 4) / (n + 2) - q * q
        z = 1.96 * math.sqrt(variance / (q * (1 - q)))
        return wilson(p, n, z)


def match(
    game: Game | str,
    a: Player | HasPlayer | str,
    b: Player | HasPlayer | str,
    games: int = 100,
    seed: int = 0,
    openings: int = 2,
    progress: Callable[[Sequence[Position]], None] = lambda _positions: None,
    first: int = 0,
    playing: Playing = in_turn,
) -> MatchResult:
    """Play games between two players; each opening is played twice, with colours changed.

    Parameters
    ----------
    game
        A game, or its name.
    a, b
        The players: objects, names, or training runs.
    games
        The number of games. Games 2k and 2k + 1 begin with opening k.
    seed
        The random seed.
    openings
        The number of random moves with which each game begins.
    progress
        Called with all positions whenever some games have moved on.
    first
        The number of the first game, an even one: a match may continue another.
    playing
        How and where games are played; by default in this process.

    Returns
    -------
    MatchResult
        `wins`, `draws`, `losses`, `score` and its 95 % `interval`, from the side of A. A player that raises
        `Forfeit` has lost its game; the others go on.

    Examples
    --------
    >>> import zermelo as zm
    >>> result = zm.match("connect4", "uct:sims=50", "random", games=20)
    >>> result.games
    20
    >>> result.score > 0.7
    True
    """
    contest = Contest(named_game(game), named_player(a), named_player(b), games, seed, openings, first)
    begin = time.perf_counter()
    ((_, played),) = playing([contest], lambda _number, positions: progress(positions))
    return MatchResult.of(contest, played.positions, time.perf_counter() - begin)


def match_within(
    seconds: float, game: Game, a: Player, b: Player, games: int, seed: int = 0, openings: int = 2
) -> MatchResult | None:
    """As many of these games as fit into the time: two, and then as many as their pace allows. A game that
    the time cuts short does not count; None if none was finished."""
    begin, found = time.monotonic(), list[MatchResult]()
    a, b = (one.until(begin + seconds) for one in (a, b))

    def check_time(_positions: Sequence[Position]) -> None:
        if time.monotonic() - begin > seconds:
            raise OutOfTime

    played = 0
    while played < games:
        count = 2
        if played:
            passed = time.monotonic() - begin
            count = 2 * int(min(games, (seconds - passed) / (2 * passed / played)))
        count = min(count, games - played)
        if count < 1:
            break
        try:
            found.append(match(game, a, b, count, seed, openings, check_time, first=played))
        except OutOfTime:
            break
        played += count
    return reduce(MatchResult.__add__, found) if found else None


def _tally(positions: Sequence[Position], *seats: int) -> tuple[int, int, int]:
    """How many games A has won, drawn and lost from these seats."""
    ended = [(number % 2, position.returns) for number, position in enumerate(positions)]
    values = [returns[seat] for seat, returns in ended if returns is not None and seat in seats]
    return sum(v > 0 for v in values), sum(v == 0 for v in values), sum(v < 0 for v in values)
