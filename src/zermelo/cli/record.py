"""Games in files: one JSON line each, only ever added."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.cli.output import err, out
from zermelo.errors import BadParameter, IllegalMove
from zermelo.records.record import Record, parsed, record, replayed, result

if TYPE_CHECKING:
    from zermelo.games.base import Game
    from zermelo.games.position import Position

__all__ = ["Record", "append", "keep", "last", "left_last", "record", "result", "waits", "writable"]


def writable(path: Path) -> Path:
    """The path, if a file can be there."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise BadParameter(f"no file can be written at {path}: its directory must exist")
    return path


def append(path: Path, records: Iterable[Record]) -> None:
    """Add games to a file with one write, unless the system takes less at a time."""
    lines = "".join(json.dumps(record) + "\n" for record in records)
    rest = f"{_end_of_a_cut_line(path)}{lines}".encode()
    with open(path, "ab", buffering=0) as file:
        while rest:
            rest = rest[file.write(rest) :]


def _end_of_a_cut_line(path: Path) -> str:
    """What has to be written first so that nothing is added to a line that was cut."""
    if not path.is_file() or path.stat().st_size == 0:
        return ""
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return "" if file.read() == b"\n" else "\n"


def unfinished_games() -> Path:
    """The file in which games that were left wait, and how they ended if they were gone on with."""
    from zermelo.exact.book import cache_directory

    return cache_directory() / "unfinished.jsonl"


def keep(left: Sequence[Record], path: Path | None, resumable: bool = True) -> bool:
    """Save games that were left, in the file given and where `--resume` finds them, and say how to go on.

    The answer is whether `--resume` finds them; games that are not `resumable` go to the file alone.
    """
    waiting = unfinished_games() if resumable else None
    saved = [place for place in dict.fromkeys((path, waiting)) if place is not None and _saved(place, left)]
    if saved:
        option = ["--load", str(path)] if saved[0] == path else ["--resume"]
        command = shlex.join(["zermelo", "play", left[-1]["game"], *option])
        out.print(f"saved to {saved[0]}; go on with: {command}", markup=False)
    else:
        for one in left:
            out.print(f"the moves were: {' '.join(one['moves'])}", markup=False)
    return waiting in saved


def _saved(path: Path, left: Sequence[Record]) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        append(path, left)
    except OSError as error:
        err.print(f"cannot be saved: {error}", markup=False)
        return False
    return True


def _refuse(trouble: str) -> None:
    raise BadParameter(trouble)


def last(path: Path, game: Game, broken: Callable[[str], None] = _refuse) -> tuple[Position, list[str]]:
    """The last game of this kind in a file, as it stands and with its players; it must not be over.

    `broken` is told of lines that are not games.
    """
    if not path.exists():
        raise BadParameter(f"there is no game of {game.name} to go on with: {path} does not exist")
    found = None
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            one = parsed(line)
        except ValueError as error:
            broken(f"line {number} of {path} is not a game: {error}")
            continue
        if one["game"] == game.name:
            found = one
    if found is None:
        raise BadParameter(f"there is no game of {game.name} in {path}")
    if found["returns"] is not None:
        raise BadParameter(f"the last game of {game.name} in {path} is over: {found['result']}")
    try:
        position = replayed(game, found["moves"])
    except IllegalMove as error:
        raise BadParameter(f"the last game of {game.name} in {path} cannot be replayed: {error}") from None
    return position, list(found["players"])


def left_last(game: Game) -> tuple[Position, list[str]]:
    """The game that `--resume` finds; a line that was spoilt does not cost the others."""
    return last(
        unfinished_games(), game, lambda trouble: err.print(f"passed over: {trouble}", markup=False)
    )


def waits(position: Position) -> bool:
    """Whether `--resume` finds a game that stands here."""
    try:
        found, _ = last(unfinished_games(), position.game, lambda _trouble: None)
    except (BadParameter, OSError):
        return False
    return found.moves == position.moves
