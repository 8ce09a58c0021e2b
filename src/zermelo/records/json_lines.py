"""Our own format: a JSON object on a line for each game, of any game.

`game`, `players`, `moves` and `result` are text; `returns` is null or the result of each player; `date` is
2026-01-31, and `search`, which may be left out, has an object with numbers, or null, for each move.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any

from zermelo.games.base import Game
from zermelo.records.draft import Claim, Draft, Figures, Impossible, Move, sign, told_game
from zermelo.records.record import Record, parsed, verdict
from zermelo.records.replay import Replay

MOST_FIGURES = 32
"""Of a move."""
_LONGEST = 2**20
"""Bytes of a line."""


def drafts(data: bytes, chosen: Game | None) -> Iterator[Draft | Impossible]:
    lines = BytesIO(data)
    while line := lines.readline(_LONGEST + 1):
        whole = len(line) <= _LONGEST
        while not whole and (rest := lines.readline(_LONGEST)) and not rest.endswith(b"\n"):
            pass
        if not line.strip():
            continue
        try:
            if not whole:
                raise Impossible(f"its line is longer than {_LONGEST:,} bytes")
            yield _draft(line, chosen)
        except Impossible as trouble:
            yield trouble


def _draft(line: bytes, chosen: Game | None) -> Draft:
    try:
        one = parsed(line)
    except ValueError as error:
        raise Impossible(str(error)) from None
    first, second = one["players"]
    date = one.get("date", "")
    return Draft(
        told_game(one["game"], chosen),
        [Move(text, figures=figures) for text, figures in zip(one["moves"], _search(one), strict=True)],
        (first, second),
        _claim(one),
        date[:32] if isinstance(date, str) else "",
    )


def _claim(one: Record) -> Claim | None:
    if one["returns"] is None:
        return None
    first, second = (float(value) for value in one["returns"])
    if not all(-1 <= value <= 1 for value in (first, second)):
        raise Impossible("its `returns` must lie between -1 and 1")
    told, loser = one["result"][:200], sign((first, second))
    if told == verdict((first, second)):
        return Claim((first, second))
    # `player 2 resigned` and the like: what the loser did, whatever the board shows.
    return Claim((first, second), told, loser != 0 and told.startswith(f"player {1 if loser < 0 else 2} "))


def _search(one: Record) -> Sequence[Figures | None]:
    search = one.get("search")
    if search is None:
        return [None] * len(one["moves"])
    if not isinstance(search, list) or len(search) != len(one["moves"]):
        raise Impossible("its `search` must have an entry for each move")
    return [_figures(entry, number) for number, entry in enumerate(search, 1)]


def _figures(entry: Any, number: int) -> Figures | None:
    if entry is None:
        return None
    if not isinstance(entry, dict) or len(entry) > MOST_FIGURES or not all(map(_is_number, entry.values())):
        raise Impossible(
            f"its `search` must be null or an object of at most {MOST_FIGURES} numbers", number
        )
    return entry


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def write(game: Replay) -> bytes:
    return f"{json.dumps(game.record())}\n".encode()


def hindrance(game: Replay) -> str:
    return ""


def looks(data: bytes) -> bool:
    return data.lstrip()[:1] == b"{"
