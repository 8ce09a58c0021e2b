"""Matches: two players, both colours, varied openings, games in lock-step unless a player minds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zermelo.arena.intervals import wilson
from zermelo.arena.openings import random_opening, seed_of
from zermelo.errors import BadParameter, Forfeit, IllegalMove
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player


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
    positions: tuple[Position, ...]
    """Where each game ended; A was first in games 0, 2, 4 ..."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def seated(self, seat: int) -> tuple[int, int, int]:
        """Wins, draws and losses of the games in which A was first (0) or second (1)."""
        results = [position.returns or () for position in self.positions[seat::2]]
        return _tally([returns[seat] for returns in results])

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


def opening(game: Game, plies: int, seed: int, number: int) -> Position:
    """The position in which game 2 * number and the one after it begin."""
    position = random_opening(game, plies, seed, number)
    if position is None:
        raise BadParameter(f"`openings` (={plies}): random games of {game.name} do not last that long")
    return position


def match(
    game: Game,
    a: Player,
    b: Player,
    games: int = 100,
    seed: int = 0,
    openings: int = 2,
    progress: Callable[[Sequence[Position]], None] = lambda _positions: None,
    first: int = 0,
) -> MatchResult:
    """Play `games` games; game 2k and 2k + 1 begin with opening k, of random moves, colours changed.

    `progress` is told where all games stand whenever some have moved on. A match may go on where another
    ended: `first` is the number of its first game, an even one. A player that raises `Forfeit` has lost
    its game; the others go on.
    """
    if first < 0 or first % 2:
        raise BadParameter(f"`first` (={first}) must be even, and not negative")
    if games < 1:
        raise BadParameter(f"`games` (={games}) must be at least 1")
    if openings < 0:
        raise BadParameter(f"`openings` (={openings}) must not be negative")
    begin = time.perf_counter()
    positions = [opening(game, openings, seed, (first + number) // 2) for number in range(games)]
    for player in (a, b):
        player.check(positions[0])
    at_once = 1 if a.one_game_at_a_time or b.one_game_at_a_time else games
    try:
        for begun in range(0, games, at_once):
            live = list(range(begun, min(games, begun + at_once)))
            while live:
                for player, parity in ((a, 0), (b, 1)):
                    going = [g for g in live if not positions[g].is_over]
                    turn = [g for g in going if (positions[g].mover + g) % 2 == parity]
                    if turn:
                        _move(player, positions, turn, seed, first)
                        progress(positions)
                live = [g for g in live if not positions[g].is_over]
    finally:
        for player in (a, b):
            player.close()
    seconds = time.perf_counter() - begin
    results = [position.returns or () for position in positions]
    tally = _tally([returns[number % 2] for number, returns in enumerate(results)])
    return MatchResult(game.name, a.name, b.name, *tally, seconds, tuple(positions))


def _tally(values: Sequence[float]) -> tuple[int, int, int]:
    """How many are wins, draws and losses."""
    return sum(v > 0 for v in values), sum(v == 0 for v in values), sum(v < 0 for v in values)


def _move(player: Player, positions: list[Position], turn: Sequence[int], seed: int, first: int) -> None:
    asked = [positions[g] for g in turn]
    seeds = [seed_of(seed, first + g, len(positions[g].moves)) for g in turn]
    try:
        actions = player.choose(asked, seeds)
    except Forfeit as error:
        if len(turn) > 1:  # which game it was is found out by asking for one after the other
            for g in turn:
                _move(player, positions, [g], seed, first)
        else:
            positions[turn[0]] = asked[0].forfeited(asked[0].mover, str(error))
        return
    for g, action in zip(turn, actions, strict=True):
        if action not in positions[g].legal_actions:
            raise IllegalMove(
                f"{player.name} chose action {action}, which is not legal in {positions[g]!r}"
            )
        positions[g] = positions[g].play(action)
