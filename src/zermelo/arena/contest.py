"""The games of two players, in lock-step unless a player minds; `Playing` is where and how."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial

from zermelo.arena.openings import random_opening, seed_of
from zermelo.errors import BadParameter, Forfeit, IllegalMove
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player


@dataclass(frozen=True)
class Contest:
    """Games 2k and 2k + 1 begin with opening k, of random moves, colours changed: A is first in game 2k.
    Each depends on the seed and its number alone, so a part of a contest is a contest."""

    game: Game
    a: Player
    b: Player
    games: int
    seed: int
    openings: int
    first: int = 0
    """The number of its first game, an even one."""

    def __post_init__(self) -> None:
        if self.first < 0 or self.first % 2:
            raise BadParameter(f"`first` (={self.first}) must be even, and not negative")
        if self.games < 1:
            raise BadParameter(f"`games` (={self.games}) must be at least 1")
        if self.openings < 0:
            raise BadParameter(f"`openings` (={self.openings}) must not be negative")

    def begin(self) -> list[Position]:
        """Where its games begin."""
        numbers = range(self.first, self.first + self.games)
        return [opening(self.game, self.openings, self.seed, number // 2) for number in numbers]


@dataclass(frozen=True)
class Played:
    """A contest that is over."""

    positions: tuple[Position, ...]
    """Where each game ended."""
    seconds: float
    """That it took; if several processes played it, of all of them together."""


Told = Callable[[int, Sequence[Position]], None]
"""Is told where the games stand of the contest with this number."""
Playing = Callable[[Sequence[Contest], Told], Generator[tuple[int, Played]]]
"""Plays contests, and yields each that is over with its number, in any order."""


def opening(game: Game, plies: int, seed: int, number: int) -> Position:
    """The position in which game 2 * number and the one after it begin."""
    position = random_opening(game, plies, seed, number)
    if position is None:
        raise BadParameter(f"`openings` (={plies}): random games of {game.name} do not last that long")
    return position


def in_turn(contests: Sequence[Contest], told: Told) -> Generator[tuple[int, Played]]:
    """Play them in this process, one after the other."""
    for number, contest in enumerate(contests):
        yield number, play(contest, partial(told, number))


def play(contest: Contest, tell: Callable[[Sequence[Position]], None]) -> Played:
    """Play all games; `tell` is told where they stand whenever some have moved on. A player that raises
    `Forfeit` has lost its game; the others go on."""
    begin, a, b, games = time.perf_counter(), contest.a, contest.b, contest.games
    positions = contest.begin()
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
                        _move(player, positions, turn, contest.seed, contest.first)
                        tell(positions)
                live = [g for g in live if not positions[g].is_over]
    finally:
        for player in (a, b):
            player.close()
    return Played(tuple(positions), time.perf_counter() - begin)


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
