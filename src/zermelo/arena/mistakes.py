"""How often a player errs, by exact solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from zermelo.arena.intervals import Interval, wilson
from zermelo.arena.openings import random_opening
from zermelo.errors import BadParameter, IllegalMove, TooManyPositions, UnsuitableGame
from zermelo.exact import Outcome
from zermelo.exact.graded import Graded
from zermelo.exact.sets import SETS, shipped
from zermelo.games.adapters.python import PythonGame
from zermelo.games.base import Game
from zermelo.games.connect import Connect
from zermelo.games.position import Position
from zermelo.players.base import Player
from zermelo.players.perfect import PerfectPlayer
from zermelo.players.tree import TreePlayer
from zermelo.search.rollouts import random_games

_MOST_SOLVED = 200_000
"""Positions that a generic solver looks at for one question."""
_SMALL = 10_000
"""A game with so many positions or fewer is graded in all of them."""
_AT_ONCE = 256
"""Positions that a player that searches them side by side gets at once; others get a few."""

Told = Callable[[int], None]
"""Is told how much is done."""


def _unheard(done: int) -> None: ...


@dataclass(frozen=True)
class Mistakes:
    """Of how many positions, in how many a move changed the result, or was not the very best."""

    positions: int
    results: int
    not_best: int

    @property
    def share(self) -> float:
        """Of positions in which the result was changed."""
        return self.results / self.positions

    @property
    def interval(self) -> Interval:
        """95 % of `share`."""
        return wilson(self.share, self.positions)

    @property
    def not_best_share(self) -> float:
        return self.not_best / self.positions

    @property
    def not_best_interval(self) -> Interval:
        """95 % of `not_best_share`."""
        return wilson(self.not_best_share, self.positions)

    def __add__(self, other: Mistakes) -> Mistakes:
        return Mistakes(
            self.positions + other.positions, self.results + other.results, self.not_best + other.not_best
        )


NONE = Mistakes(0, 0, 0)
"""In no positions."""


@dataclass(frozen=True)
class PositionSet:
    """Graded positions under a name."""

    name: str
    positions: Sequence[Graded]


class Judge:
    """Grades positions; `limit` is for each, not for all that the generic solver remembers."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._player, self._is_new = PerfectPlayer(limit=limit), True

    def grade(self, position: Position) -> Graded:
        return Graded(position, self._outcomes(position))

    def _outcomes(self, position: Position) -> dict[int, Outcome]:
        was_new, self._is_new = self._is_new, False
        try:
            return self._player.outcomes(position)
        except TooManyPositions:
            self._player, self._is_new = PerfectPlayer(limit=self._limit), True
            if was_new:
                raise TooManyPositions(
                    f"more than {self._limit:,} positions follow after {len(position.moves)} moves"
                ) from None
        return self._outcomes(position)


def every_position(game: Game, limit: int = 100_000, progress: Told = _unheard) -> list[Graded]:
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
        progress(0)
        waiting += [position.play(action) for action in position.legal_actions]
    graded = []
    for position in found.values():
        graded.append(Graded(position, judge.outcomes(position)))
        progress(len(graded))
    return graded


def random_positions(
    game: Game,
    count: int,
    plies: tuple[int, int],
    seed: int = 0,
    telling: bool = True,
    progress: Told = _unheard,
) -> list[Graded]:
    """Different positions after random moves, graded; `telling` ones only, unless asked otherwise."""
    judge, found = Judge(_MOST_SOLVED), {}
    chance, low, high = np.random.default_rng(seed), *plies
    for number in range(100 * count):
        position = random_opening(game, int(chance.integers(low, high + 1)), seed, number)
        if position is None:
            break
        if position.key in found:
            continue
        graded = judge.grade(position)
        if graded.is_telling or not telling:
            found[position.key] = graded
            progress(len(found))
            if len(found) == count:
                return list(found.values())
    raise BadParameter(f"random games of {game.name} do not lead to {count} such positions")


def position_set(game: Game, count: int, progress: Told = _unheard) -> PositionSet:
    """Where mistakes can be counted: in all positions of a small game, else in some from the middle of it
    in which not every move keeps the result; those that ship, if there are so many."""
    if game.name in SETS:
        name = SETS[game.name][-1]
        if count <= len(positions := shipped(game, name)):
            return PositionSet(name, positions[:count])
    try:
        return PositionSet("all", every_position(game, _SMALL, progress))
    except TooManyPositions:
        pass
    trouble: Exception
    for low, high in _middles(game, progress):
        try:
            found = random_positions(game, count, (low, high), progress=progress)
            return PositionSet(f"plies-{low}-{high}", found)
        except (TooManyPositions, UnsuitableGame, BadParameter) as error:
            trouble = error
    raise UnsuitableGame(
        f"mistakes of {game.name} cannot be counted: no set of solved positions ships for it, and "
        f"positions of random games are too hard to solve here ({trouble})"
    ) from trouble


def _middles(game: Game, progress: Told) -> list[tuple[int, int]]:
    """After how many moves to look for positions, first choice first; the next if solving takes too long,
    which in a long game, or in one in plain Python, is not tried again."""
    longest = 0
    for number in range(100):
        longest = max(longest, random_games(game, 1, first=number).moves)
        progress(0)
    if longest >= 40:
        first = longest - 32 if isinstance(game, Connect) else 10  # so Connect 4 is solved quickly
        return [(first, first + 6)]
    middles = [
        (10, 16) if longest >= 32 else (longest // 3, longest // 2),
        (longest // 2, 2 * longest // 3),
        (2 * longest // 3, 5 * longest // 6),
    ]
    return middles[:1] if isinstance(game, PythonGame) else middles


def exam(game: Game, count: int, progress: Told = _unheard) -> list[Graded]:
    """The positions of `position_set`."""
    return list(position_set(game, count, progress).positions)


@dataclass(frozen=True)
class Paper:
    """What a player is asked: a move in each of some positions. The chance of move i is that of `seed` + i,
    so a part of a paper is a paper."""

    player: Player
    positions: Sequence[Position]
    seed: int = 0

    def part(self, first: int, count: int) -> Paper:
        """So many of its questions, from this one on."""
        return replace(self, positions=self.positions[first : first + count], seed=self.seed + first)


Asking = Callable[[Sequence[Paper]], Iterator[tuple[int, int, list[int]]]]
"""Yields the moves in a stretch of a paper, with the number of the paper and that of the first of these
positions, in any order."""


def in_turn(papers: Sequence[Paper]) -> Iterator[tuple[int, int, list[int]]]:
    """Ask the players in this process, paper after paper."""
    for number, paper in enumerate(papers):
        at_once = _AT_ONCE if isinstance(paper.player, TreePlayer) else 8
        for first in range(0, len(paper.positions), at_once):
            some = paper.part(first, at_once)
            seeds = [some.seed + i for i in range(len(some.positions))]
            yield number, first, paper.player.choose(some.positions, seeds)


def judged(player: Player, positions: Sequence[Graded], actions: Sequence[int]) -> Mistakes:
    """What moves of a player in these positions are worth."""
    results = not_best = 0
    for one, action in zip(positions, actions, strict=True):
        if action not in one.outcomes:
            raise IllegalMove(f"{player.name} chose action {action}, not legal in {one.position!r}")
        results += not one.keeps_the_result(action)
        not_best += not one.is_best(action)
    return Mistakes(len(positions), results, not_best)


def mistakes(
    player: Player, positions: Sequence[Graded], seed: int = 0, progress: Told = _unheard
) -> Mistakes:
    """What a player does in these positions."""
    found = NONE
    for _, first, actions in in_turn([Paper(player, [one.position for one in positions], seed)]):
        found += judged(player, positions[first : first + len(actions)], actions)
        progress(found.positions)
    return found
