"""Games in files: one JSON line each, only ever added."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.cli.output import err, out
from zermelo.errors import BadParameter, IllegalMove

if TYPE_CHECKING:
    from zermelo.games.base import Game
    from zermelo.games.position import Position

Record = dict[str, Any]


def record(position: Position, players: Sequence[str], resigned: int | None = None) -> Record:
    """A game as it stands; `resigned` is the player who gave up."""
    returns = position.returns
    if resigned is not None:
        returns = tuple(-1.0 if player == resigned else 1.0 for player in range(2))
    return {
        "game": position.game.name,
        "players": list(players),
        "moves": list(position.move_names),
        "returns": returns,
        "result": f"player {1 + resigned} resigned" if resigned is not None else result(position),
        "date": date.today().isoformat(),
    }


def result(position: Position) -> str:
    if position.returns is None:
        return "unfinished"
    first, second = position.returns
    return "a draw" if first == second else f"player {1 if first > second else 2} wins"


def writable(path: Path) -> Path:
    """The path, if a file can be there."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise BadParameter(f"no file can be written at {path}: its directory must exist")
    return path


def append(path: Path, records: Iterable[Record]) -> None:
    """Add games to a file with one write."""
    lines = "".join(json.dumps(record) + "\n" for record in records)
    with open(path, "ab", buffering=0) as file:
        file.write(lines.encode())


def unfinished_games() -> Path:
    """The file in which games that were left wait, and how they ended if they were gone on with."""
    from zermelo.exact.book import cache_directory

    return cache_directory() / "unfinished.jsonl"


def keep(left: Sequence[Record], path: Path | None) -> None:
    """Save games that were left, and say where: in the file given, else where `--resume` finds them."""
    for place in filter(None, (path, unfinished_games())):
        try:
            if place != path:
                place.parent.mkdir(parents=True, exist_ok=True)
            append(place, left)
        except OSError as error:
            err.print(f"cannot be saved: {error}", markup=False)
            continue
        option = ["--load", str(path)] if place == path else ["--resume"]
        command = shlex.join(["zermelo", "play", left[-1]["game"], *option])
        out.print(f"saved to {place}; go on with: {command}", markup=False)
        return
    for one in left:
        out.print(f"the moves were: {' '.join(one['moves'])}", markup=False)


def last(path: Path, game: Game) -> tuple[Position, list[str]]:
    """The last game of this kind in a file, as it stands and with its players; it must not be over."""
    if not path.exists():
        raise BadParameter(f"there is no game of {game.name} to go on with: {path} does not exist")
    found = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            one = json.loads(line)
            if one["game"] == game.name:
                found = one
        except (ValueError, TypeError, KeyError):
            raise BadParameter(f"line {number} of {path} is not a game") from None
    if found is None:
        raise BadParameter(f"there is no game of {game.name} in {path}")
    if found["returns"] is not None:
        raise BadParameter(f"the last game of {game.name} in {path} is over: {found['result']}")
    position = game.position()
    try:
        for move in found["moves"]:
            position = position.play(move)
    except IllegalMove as error:
        raise BadParameter(f"the last game of {game.name} in {path} cannot be replayed: {error}") from None
    return position, list(found["players"])
