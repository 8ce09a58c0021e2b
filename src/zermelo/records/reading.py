"""Games from files of any format, each replayed through the rules; what cannot be is told and left out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from zermelo.errors import RecordError
from zermelo.games.base import Game
from zermelo.records.draft import Draft, Impossible
from zermelo.records.formats import Format, format_named, format_of_content
from zermelo.records.replay import Replay, replay

MOST_BYTES = 2**28
"""Of a file."""
MOST_GAMES = 1_000_000
"""Of a file."""
PATIENCE = 1_000
"""So many things in a row that are no games, and the rest of a file is not looked at."""

_MOST_KEPT = 1_000


class Problem(NamedTuple):
    """Why a game was left out, and where it is; games and moves count from 1."""

    path: str
    game: int | None
    move: int | None
    what: str

    def __str__(self) -> str:
        words = [self.path]
        if self.game is not None:
            words.append(f"game {self.game}")
        if self.move is not None:
            words.append(f"move {self.move}")
        return f"{', '.join(words)}: {self.what}"


class LeftOut:
    """What is left out of files: how much, and the first of it. It can be told of problems."""

    def __init__(self) -> None:
        self.count, self.problems = 0, list[Problem]()

    def __call__(self, problem: Problem) -> None:
        self.count += 1
        if len(self.problems) < _MOST_KEPT:
            self.problems.append(problem)


def read(
    paths: Iterable[str | Path],
    tell: Callable[[Problem], None],
    *,
    format: str | None = None,
    game: Game | None = None,
) -> Iterator[Replay]:
    """The games of files, in order; `tell` hears of what is left out.

    The format of each file is found by its ending or its content, unless one is given. With a game, only
    records of it are read; games that a file cannot name by itself have to be given.
    """
    chosen = format_named(format) if format is not None else None
    for path in paths:
        yield from read_bytes(_content(Path(path)), str(path), tell, format=chosen, game=game)


def _content(path: Path) -> bytes:
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecordError(f"{path} is larger than {MOST_BYTES >> 20} MB; split it")
    return data


def read_bytes(
    data: bytes,
    path: str,
    tell: Callable[[Problem], None],
    *,
    format: Format | None = None,
    game: Game | None = None,
) -> Iterator[Replay]:
    """The games of one file, which `path` is the name of."""
    found = format or format_of_content(path, data)
    missed = 0
    for number, draft in enumerate(found.drafts(data, game), 1):
        if number > MOST_GAMES:
            tell(Problem(path, None, None, f"only the first {MOST_GAMES:,} games are read"))
            return
        if missed >= PATIENCE:
            tell(
                Problem(
                    path, None, None, f"the rest is not read, after {missed:,} things that are no games"
                )
            )
            return
        one = _replayed(draft)
        if isinstance(one, Impossible):
            missed += isinstance(draft, Impossible)
            tell(Problem(path, number, one.move, one.what))
        else:
            missed = 0
            yield dataclasses.replace(one, source=path, number=number)


def _replayed(draft: Draft | Impossible) -> Replay | Impossible:
    if isinstance(draft, Impossible):
        return draft
    try:
        return replay(draft)
    except Impossible as trouble:
        return trouble
