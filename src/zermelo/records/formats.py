"""The formats there are, and which of them a file has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import NamedTuple

from zermelo.errors import RecordError, UnknownName, listed
from zermelo.games.base import Game
from zermelo.naming import did_you_mean
from zermelo.records import ggf, json_lines, move_strings, psq, sgf, wthor
from zermelo.records.draft import Draft, Impossible
from zermelo.records.replay import Replay


class Format(NamedTuple):
    """A way to write games down."""

    name: str
    endings: tuple[str, ...]
    """Of file names."""
    drafts: Callable[[bytes, Game | None], Iterator[Draft | Impossible]]
    """The games of a file, which may all be told to be of one game."""
    write: Callable[[Replay], bytes]
    """A game as it stands in a file."""
    hindrance: Callable[[Replay], str]
    """Why a game cannot be written; nothing if it can."""
    looks: Callable[[bytes], bool]
    """Whether a file may be of this format."""
    single: bool = False
    """Whether a file holds just one game."""
    head: Callable[[int, Replay], bytes] | None = None
    """What stands before the games: so many, of which this is the last."""


FORMATS = {
    one.name: one
    for one in (
        Format(
            "jsonl",
            (".jsonl", ".json", ".ndjson"),
            json_lines.drafts,
            json_lines.write,
            json_lines.hindrance,
            json_lines.looks,
        ),
        Format("psq", (".psq",), psq.drafts, psq.write, psq.hindrance, psq.looks, single=True),
        Format("ggf", (".ggf",), ggf.drafts, ggf.write, ggf.hindrance, ggf.looks),
        Format("sgf", (".sgf",), sgf.drafts, sgf.write, sgf.hindrance, sgf.looks),
        Format(
            "moves",
            (".moves",),
            move_strings.drafts,
            move_strings.write,
            move_strings.hindrance,
            move_strings.looks,
        ),
        Format(
            "wthor", (".wtb",), wthor.drafts, wthor.write, wthor.hindrance, wthor.looks, head=wthor.head
        ),
    )
}
"""In the order in which they are tried."""


def format_named(name: str) -> Format:
    if name not in FORMATS:
        hint = did_you_mean(name, FORMATS)
        raise UnknownName(f"no format of records is called `{name}`.{hint} There are: {listed(FORMATS)}")
    return FORMATS[name]


def format_of(path: str) -> Format | None:
    """The format that the ending of a file's name stands for."""
    ending = PurePath(path).suffix.lower()
    return next((one for one in FORMATS.values() if ending in one.endings), None)


def format_of_content(path: str, data: bytes) -> Format:
    """The format of a file by its ending, or by what is in it."""
    found = format_of(path) or next((one for one in FORMATS.values() if one.looks(data)), None)
    if found is None:
        raise RecordError(f"{path} has none of the formats {listed(FORMATS)}; --from says which it is")
    return found
