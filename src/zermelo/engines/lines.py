"""What another program writes to us, line by line, with the time at which it came."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple, Protocol

LONGEST = 1 << 16
"""Bytes of a line; the rest of a longer one is not read as another."""
_MOST_WAITING = 1024


class Line(NamedTuple):
    """A line without its end, and when it came, by `time.monotonic()`."""

    text: str
    arrived: float


class Lines(Protocol):
    """Lines in their order."""

    def __iter__(self) -> Iterator[Line]: ...

    @property
    def waiting(self) -> bool:
        """Whether the next line, or the end, is there already."""


class StreamLines:
    """The lines of a stream, read by a thread, so that a search hears them come."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._queue: queue.Queue[Line | None] = queue.Queue(_MOST_WAITING)
        threading.Thread(target=self._read, name="lines", daemon=True).start()

    def _read(self) -> None:
        while data := self._stream.readline(LONGEST):
            arrived, rest = time.monotonic(), data
            while rest and not rest.endswith(b"\n"):
                rest = self._stream.readline(LONGEST)
            self._queue.put(Line(data.decode("utf-8", "replace").rstrip("\r\n"), arrived))
        self._queue.put(None)

    def __iter__(self) -> Iterator[Line]:
        while line := self._queue.get():
            yield line

    @property
    def waiting(self) -> bool:
        return not self._queue.empty()
