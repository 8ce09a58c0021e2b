"""Connect 4 positions that were solved before, kept in files.

A file is a row of 16-byte records: the canonical key (8 bytes, little-endian; see `connect4_kernel`),
rows, columns, score, a zero, and the CRC-32 of these 12 bytes. Records are only ever appended, each
with one write, so that several programs may share a file and an interrupted one costs at most the
last record. One file ships with the package (`benchmarks/connect4_book.py` makes it); one grows in
the user's cache directory.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

from zermelo.files import replace_file

_RECORD = struct.Struct("<qBBbx")
_CHECK = struct.Struct("<I")
RECORD_SIZE = _RECORD.size + _CHECK.size

Entry = tuple[int, int, int, int]  # rows, cols, canonical key, score

SHIPPED = Path(__file__).parent / "data" / "connect4_book.bin"


def cache_directory() -> Path:
    """Where Zermelo keeps what nobody has to look after: $ZERMELO_CACHE, or the system's usual place."""
    if named := os.environ.get("ZERMELO_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "zermelo"


class Book:
    """Scores by canonical key: those that ship, and those of a file that grows.

    A damaged file is set aside under another name and begun again with the records that are whole;
    nothing is lost. Where the file cannot be written the book remembers for this session only.
    """

    def __init__(self, path: Path | None = None, shipped: Path | None = SHIPPED) -> None:
        self.path = path or cache_directory() / "connect4_book.bin"
        self._scores: dict[tuple[int, int, int], int] = {}
        if shipped and shipped.exists():
            self._learn(read_records(shipped.read_bytes())[0])
        self._learn(self._load())

    def __len__(self) -> int:
        return len(self._scores)

    def score(self, rows: int, cols: int, key: int) -> int | None:
        """The score of the position with this canonical key, for its player to move."""
        return self._scores.get((rows, cols, key))

    def add(self, rows: int, cols: int, key: int, score: int) -> None:
        if self.score(rows, cols, key) == score:
            return
        self._scores[rows, cols, key] = score
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "ab", buffering=0) as file:
                file.write(write_records([(rows, cols, key, score)]))

    def _learn(self, entries: Iterable[Entry]) -> None:
        for rows, cols, key, score in entries:
            self._scores[rows, cols, key] = score

    def _load(self) -> list[Entry]:
        try:
            data = self.path.read_bytes()
        except OSError:
            return []
        entries, whole = read_records(data)
        if not whole:
            with contextlib.suppress(OSError):
                self._set_aside(entries)
        return entries

    def _set_aside(self, entries: list[Entry]) -> None:
        number = 1
        while (aside := self.path.with_suffix(f".damaged{number}")).exists():
            number += 1
        self.path.rename(aside)
        replace_file(self.path, write_records(entries))


def write_records(entries: Iterable[Entry]) -> bytes:
    parts = []
    for rows, cols, key, score in entries:
        part = _RECORD.pack(key, rows, cols, score)
        parts.append(part + _CHECK.pack(zlib.crc32(part)))
    return b"".join(parts)


def read_records(data: bytes) -> tuple[list[Entry], bool]:
    """The records that are whole, and whether all are."""
    entries = []
    for at in range(0, len(data) - RECORD_SIZE + 1, RECORD_SIZE):
        part = data[at : at + _RECORD.size]
        if _CHECK.unpack_from(data, at + _RECORD.size)[0] == zlib.crc32(part):
            key, rows, cols, score = _RECORD.unpack(part)
            entries.append((rows, cols, key, score))
    return entries, len(entries) * RECORD_SIZE == len(data)
