"""A place for a worker: who is there, what was asked of it, and which games it has."""

from __future__ import annotations

from typing import Any

from zermelo.cluster.worker import Shift
from zermelo.learning.selfplay import PlayedGame


class Member:
    """A worker, or the place of one that has died."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.handle: Any = None
        self.calls: list[Any] = []
        """Under way, in the order in which they are answered."""
        self.games: list[PlayedGame] = []
        """Under way, for the next who comes here; kept until that one is ready."""
        self.numbers: set[int] = set()
        """Of games that were handed out and have not come back."""
        self.process = 0
        self.deaths, self.not_before = 0, 0.0
        self._answers = 0

    def hire(self, handle: Any, arguments: tuple[Any, ...]) -> None:
        self.handle, self._answers = handle, 0
        self.numbers = {one.number for one in self.games}
        self.calls = [handle.here.remote(), handle.begin.remote(*arguments)]

    def heard(self, answer: int | None) -> None:
        """It has answered: which process it is, then that it is ready."""
        self.process = answer or self.process
        self._answers += 1
        if self.is_ready:
            self.games = []

    @property
    def is_placed(self) -> bool:
        return self.handle is not None and self._answers >= 1

    @property
    def is_ready(self) -> bool:
        return self.handle is not None and self._answers >= 2

    @property
    def shifts(self) -> list[Any]:
        return list(self.calls) if self.is_ready else []

    def work(self, shift: Shift) -> None:
        self.numbers.update(shift.numbers)
        self.calls.append(self.handle.play.remote(shift))

    def leave(self) -> Any:
        return self.handle.leave.remote()

    def dismiss(self, ray: Any) -> int:
        """End the worker; how many games are lost with it."""
        lost = len(self.numbers - {one.number for one in self.games})
        if self.handle is not None:
            ray.kill(self.handle)
        self.handle, self.calls, self.numbers, self._answers = None, [], set(), 0
        return lost
