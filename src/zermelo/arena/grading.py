"""A player graded by exact solvers, set by set."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path

from zermelo.arena.mistakes import Judge, Mistakes, PositionSet, mistakes, position_set
from zermelo.errors import BadParameter, TooManyPositions, UnknownName, listed
from zermelo.exact.position_file import LeftOut, read_positions
from zermelo.exact.sets import SETS, shipped
from zermelo.games.base import Game
from zermelo.players.base import Player

GENERATED = 200
"""Positions that are solved for a game of which no set ships."""
_MOST_SOLVED = 10_000_000
"""Positions that a generic solver looks at for one position of a file."""

Told = Callable[[str, int, int], None]
"""Is told what is being done, how much of it is done, and how much there is; 0 if that is not known."""


def _unheard(what: str, done: int, total: int) -> None: ...


@dataclass(frozen=True)
class SetGrade:
    """Mistakes in the positions of a set."""

    name: str
    mistakes: Mistakes
    network_alone: Mistakes | None = None
    """Of the network without search, if the player has one."""


@dataclass(frozen=True)
class Grade:
    """What a player does in sets of positions."""

    game: str
    player: str
    sets: tuple[SetGrade, ...]
    left_out: tuple[LeftOut, ...]
    """Lines of the file that are not positions, or contradict the solver."""
    seconds: float

    @property
    def total(self) -> SetGrade:
        alone = [one.network_alone for one in self.sets if one.network_alone is not None]
        return SetGrade(
            "total",
            reduce(add, (one.mistakes for one in self.sets)),
            reduce(add, alone) if alone else None,
        )


def grade(
    game: Game,
    player: Player,
    sets: Sequence[str] = (),
    positions: str | Path | None = None,
    seed: int = 0,
    progress: Told = _unheard,
    finished: Callable[[SetGrade], None] = lambda _: None,
) -> Grade:
    """Count a player's mistakes in the sets of these names, or in a file of positions, or in both; in all
    sets of the game, if none are named. `finished` is told of each set when it is done."""
    begin = time.perf_counter()
    player.check(game.position())
    chosen, left_out = [], list[LeftOut]()
    if sets or positions is None:
        chosen += _named_sets(game, sets, progress)
    if positions is not None:
        brought, left_out = _brought(game, Path(positions), progress)
        chosen.append(brought)
    graded = []
    for one in chosen:
        alone, found = player.network_alone(), None
        if alone is not None and alone != player:
            found = _counted(alone, one, seed, progress)
        counted = _counted(player, one, seed, progress)
        graded.append(SetGrade(one.name, counted, counted if alone == player else found))
        finished(graded[-1])
    seconds = time.perf_counter() - begin
    return Grade(game.name, player.name, tuple(graded), tuple(left_out), seconds)


def _counted(player: Player, one: PositionSet, seed: int, progress: Told) -> Mistakes:
    what, total = f"{player.name} in {one.name}", len(one.positions)
    progress(what, 0, total)
    return mistakes(player, one.positions, seed, lambda done: progress(what, done, total))


def _named_sets(game: Game, names: Sequence[str], progress: Told) -> list[PositionSet]:
    """The sets of these names, or all there are."""
    if game.name in SETS:
        return [PositionSet(name, shipped(game, name)) for name in names or SETS[game.name]]
    what = f"solving positions of {game.name}"
    progress(what, 0, 0)
    found = position_set(game, GENERATED, lambda done: progress(what, done, 0))
    if unknown := set(names) - {found.name}:
        raise UnknownName(f"{game.name} has no set `{listed(sorted(unknown))}`; it has: {found.name}")
    return [found]


def _brought(game: Game, path: Path, progress: Told) -> tuple[PositionSet, list[LeftOut]]:
    """The positions of a file, solved; and the lines that are left out, in order."""
    lines, left_out = read_positions(game, path)
    what, judge, good = f"solving positions of {path.name}", Judge(_MOST_SOLVED), []
    for number, line in enumerate(lines):
        progress(what, number, len(lines))
        try:
            graded = judge.grade(line.position)
        except TooManyPositions as error:
            left_out.append(LeftOut(line.number, str(error)))
            continue
        if trouble := line.contradiction(graded):
            left_out.append(LeftOut(line.number, trouble))
        else:
            good.append(graded)
    left_out.sort(key=lambda one: one.number)
    if not good:
        first = left_out[0]
        raise BadParameter(
            f"no line of {path} is a position to grade; line {first.number}: {first.reason}"
            + (f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else "")
        )
    return PositionSet(path.name, good), left_out
