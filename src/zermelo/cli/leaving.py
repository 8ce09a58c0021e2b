"""How a command leaves when somebody else wants it to."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zermelo.errors import Terminated


@contextmanager
def ended_by_the_system() -> Iterator[None]:
    """Leave in good order when the window is closed or the system shuts down."""

    def leave(number: int, _: Any) -> None:
        raise Terminated(128 + number)

    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = [signal.signal(number, leave) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def leave_threads() -> None:
    """End the process with success although a thread may be at work. One that compiles cannot be stopped,
    and when Python ends in order it is taken out of the middle of LLVM, which then aborts."""
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
