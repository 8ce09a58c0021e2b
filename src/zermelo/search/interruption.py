"""Ctrl-C as an answer rather than an error: think until told to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """Inside, a first Ctrl-C is only noted, and the function that this gives then says so; a second one
    is an error as usual. Only the main thread hears Ctrl-C."""
    heard = False

    def note(*_signal: Any) -> None:
        nonlocal heard
        if heard:
            raise KeyboardInterrupt
        heard = True

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: heard
    finally:
        signal.signal(signal.SIGINT, before)
