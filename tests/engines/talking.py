"""Servers in this process, which read from a list and write to another."""

import time

from zermelo.engines.lines import Line


class Listed:
    """Lines of a list; while there are more, the next is waiting."""

    def __init__(self, texts):
        self._texts = list(texts)[::-1]

    def __iter__(self):
        while self._texts:
            yield Line(self._texts.pop(), time.monotonic())

    @property
    def waiting(self):
        return bool(self._texts)

    @property
    def left(self):
        return len(self._texts)


class Patient(Listed):
    """Lines of which each waits a while before it is there."""

    def __init__(self, texts, seconds):
        super().__init__(texts)
        self._seconds, self._since = seconds, time.monotonic()

    def __iter__(self):
        for line in super().__iter__():
            self._since = time.monotonic()
            yield line

    @property
    def waiting(self):
        return time.monotonic() - self._since > self._seconds
