"""How often a player errs, by exact solvers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.arena.openings import random_opening
from zermelo.errors import BadParameter, TooManyPositions, UnsuitableGame
from zermelo.exact.graded import Graded
from zermelo.games.base import Game
from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.players.perfect import PerfectPlayer

_MOST_SOLVED = 200_000
"""Positions that a generic solver looks at for one question."""
_SMALL = 10_000
"""A game with so many positions or fewer is graded in all of them."""


@dataclass(frozen=True)
class Mistakes:
    """Of how many positions, in how many a move changed the result, or was not the very best."""

    positions: int
    results: int
    not_best: int

    @property
    def share(self) -> float:
        return self.results / self.positions


def every_position(game: Game, limit: int = 100_000) -> list[Graded]:
    """Every position of a small game with a move to make, graded."""
    waiting, judge = [game.position()], PerfectPlayer()
    found: dict[bytes, Position] = {}
    while waiting:
        position = waiting.pop()
        if position.is_over or position.key in found:
            continue
        if len(found) == limit:
            raise TooManyPositions(f"{game.name} has more than {limit:,} positions")
        found[position.key] = position
        waiting += [position.play(action) for action in position.legal_actions]
    return [Graded(position, judge.outcomes(position)) for position in found.values()]


def random_positions(
    game: Game, count: int, plies: tuple[int, int], seed: int = 0, telling: bool = True
) -> list[Graded]:
    """Different positions after random moves, graded; `telling` ones only, unless asked otherwise."""
    judge, found = PerfectPlayer(limit=_MOST_SOLVED), {}
    chance, low, high = np.random.default_rng(seed), *plies
    for number in range(100 * count):
        position = random_opening(game, int(chance.integers(low, high + 1)), seed, number)
        if position is None:
            break
        if position.key in found:
            continue
        graded = Graded(position, judge.outcomes(position))
        if graded.is_telling or not telling:
            found[position.key] = graded
            if len(found) == count:
                return list(found.values())
    raise BadParameter(f"random games of {game.name} do not lead to {count} such positions")


def exam(game: Game, count: int) -> list[Graded]:
    """Positions in which mistakes can be counted: all of a small game, else some from the middle of it in
    which not every move keeps the result."""
    try:
        return every_position(game, _SMALL)
    except TooManyPositions:
        plies = (10, 16) if game.max_length >= 32 else (game.max_length // 3, game.max_length // 2)
    try:
        return random_positions(game, count, plies)
    except (TooManyPositions, UnsuitableGame) as error:
        raise UnsuitableGame(f"mistakes of {game.name} cannot be counted: {error}") from error


def mistakes(player: Player, positions: Sequence[Graded], seed: int = 0) -> Mistakes:
    """What a player does in these positions."""
    chosen = player.choose([one.position for one in positions], [seed + i for i in range(len(positions))])
    pairs = list(zip(positions, chosen, strict=True))
    return Mistakes(
        len(pairs),
        sum(not one.keeps_the_result(action) for one, action in pairs),
        sum(not one.is_best(action) for one, action in pairs),
    )
