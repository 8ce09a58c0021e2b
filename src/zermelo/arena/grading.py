"""A player graded by exact solvers, set by set."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path

from zermelo.arena.mistakes import (
    NONE,
    Asking,
    Judge,
    Mistakes,
    Paper,
    PositionSet,
    in_turn,
    judged,
    position_set,
)
from zermelo.errors import BadParameter, TooManyPositions, UnknownName, UnsuitableGame, listed
from zermelo.exact.position_file import LeftOut, read_positions
from zermelo.exact.sets import SETS, shipped
from zermelo.games.base import Game
from zermelo.games.registry import game as named_game
from zermelo.players.base import HasPlayer, Player
from zermelo.players.registry import player as named_player

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
    game: Game | str,
    player: Player | HasPlayer | str,
    sets: Sequence[str] = (),
    positions: str | Path | None = None,
    seed: int = 0,
    progress: Told = _unheard,
    finished: Callable[[SetGrade], None] = lambda _: None,
    asking: Asking = in_turn,
) -> Grade:
    """Count a player's mistakes in positions that an exact solver has solved.

    Parameters
    ----------
    game
        A game, or its name.
    player
        A player, its name, or a training run. If it has a network, this is graded without search too.
    sets
        Names of position sets, such as `begin-hard` of Connect 4; by default all sets of the game.
    positions
        A file of positions to grade besides, or instead if no sets are named.
    seed
        The random seed.
    progress
        Called with what is being done, how much of it is done, and how much there is.
    finished
        Called with each set when it is done.
    asking
        How and where the player is asked for its moves; by default in this process.

    Returns
    -------
    Grade
        `sets` and their `total`, with the mistakes of the player and of its network alone.

    Examples
    --------
    >>> import zermelo as zm
    >>> grade = zm.grade("tictactoe", "az:sims=0")
    >>> grade.total.mistakes.positions, grade.total.mistakes.results
    (4520, 0)
    """
    begin = time.perf_counter()
    game, player = named_game(game), named_player(player)
    player.check(game.position())
    chosen, left_out = [], list[LeftOut]()
    if sets or positions is None:
        chosen += _named_sets(game, sets, progress)
    if positions is not None:
        brought, left_out = _brought(game, Path(positions), progress)
        chosen.append(brought)
    graded = []
    for one in _graded(player, chosen, seed, progress, asking):
        graded.append(one)
        finished(one)
    seconds = time.perf_counter() - begin
    return Grade(game.name, player.name, tuple(graded), tuple(left_out), seconds)


@dataclass
class _Count:
    """What a player does in a set, as far as it has been asked."""

    player: Player
    asked: PositionSet
    found: Mistakes = NONE

    @property
    def is_done(self) -> bool:
        return self.found.positions == len(self.asked.positions)

    def paper(self, seed: int) -> Paper:
        return Paper(self.player, [one.position for one in self.asked.positions], seed)

    def add(self, first: int, actions: Sequence[int]) -> None:
        """Count moves in a stretch of the positions."""
        self.found += judged(self.player, self.asked.positions[first : first + len(actions)], actions)

    def tell(self, progress: Told) -> None:
        what = f"{self.player.name} in {self.asked.name}"
        progress(what, self.found.positions, len(self.asked.positions))


def _graded(
    player: Player, sets: Sequence[PositionSet], seed: int, progress: Told, asking: Asking
) -> Iterator[SetGrade]:
    """The sets in their order, each as soon as it is done; of a player with a network, that goes first."""
    alone = player.network_alone()
    players = [player] if alone is None or alone == player else [alone, player]
    rows = [[_Count(one, asked) for one in players] for asked in sets]
    counts, waiting = [count for row in rows for count in row], deque(rows)
    counts[0].tell(progress)
    for number, first, actions in asking([count.paper(seed) for count in counts]):
        counts[number].add(first, actions)
        counts[number].tell(progress)
        while waiting and all(count.is_done for count in waiting[0]):
            row = waiting.popleft()
            yield SetGrade(row[-1].asked.name, row[-1].found, None if alone is None else row[0].found)
        if counts[number].is_done and waiting:
            next(count for count in waiting[0] if not count.is_done).tell(progress)


def _named_sets(game: Game, names: Sequence[str], progress: Told) -> list[PositionSet]:
    """The sets of these names, or all there are."""
    if game.name in SETS:
        return [PositionSet(name, shipped(game, name)) for name in names or SETS[game.name]]
    what = f"solving positions of {game.name}"
    progress(what, 0, 0)
    try:
        found = position_set(game, GENERATED, lambda done: progress(what, done, 0))
    except UnsuitableGame as error:
        raise UnsuitableGame(f"{error}. Grade positions near the end of games: --positions FILE") from None
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
