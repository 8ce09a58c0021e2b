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
    """Lines of which each waits until so much has been said about the one before, or for a while."""

    def __init__(self, texts, answers, lines):
        super().__init__(texts)
        self._answers, self._lines, self._before, self._since = answers, lines, 0, time.monotonic()

    def __iter__(self):
        for line in super().__iter__():
            self._before, self._since = len(self._answers), time.monotonic()
            yield line

    @property
    def waiting(self):
        said = len(self._answers) - self._before
        return said >= self._lines or time.monotonic() - self._since > 20
