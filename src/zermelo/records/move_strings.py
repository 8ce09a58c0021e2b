"""Games of Connect 4 as people write them: a line of columns for each game, such as 44435.

A number after the moves, as in files of solved positions, is not part of the game; `#` begins a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO

from zermelo.games.base import Game
from zermelo.records.draft import Draft, Impossible, Move, quoted, usual_game
from zermelo.records.replay import Replay

_LINE = re.compile(rb"([1-9]+)(?:[ \t]+-?\d+)?")
_MOST_COLUMNS = 9
_LONGEST = 2**16
"""Bytes of a line."""


def drafts(data: bytes, chosen: Game | None) -> Iterator[Draft | Impossible]:
    game = chosen or usual_game("connect4")
    if not _fits(game):
        yield Impossible(f"moves are single columns here, and {game.name} has no board of 1 to 9 columns")
        return
    lines = BytesIO(data)
    while line := lines.readline(_LONGEST):
        said = line.partition(b"#")[0].strip()
        if not said:
            continue
        found = _LINE.fullmatch(said)
        if found is None:
            shown = quoted(said[:80].decode("ascii", "replace"))
            yield Impossible(f"{shown} is not a string of columns, such as 44435")
        else:
            yield Draft(game, [Move(text) for text in found[1].decode()])


def _fits(game: Game) -> bool:
    return game.board is not None and game.board.look == "columns" and game.board.cols <= _MOST_COLUMNS


def write(game: Replay) -> bytes:
    return ("".join(game.position.move_names) + "\n").encode()


def hindrance(game: Replay) -> str:
    if not game.moves:
        return "a game without moves would be an empty line"
    return "" if _fits(game.game) else f"{game.game.name} has no board of 1 to 9 columns"


def looks(data: bytes) -> bool:
    lines = [line.partition(b"#")[0].strip() for line in data[:_LONGEST].splitlines()[:20]]
    said = [line for line in lines if line]
    return bool(said) and _LINE.fullmatch(said[0]) is not None
