"""How far a solver has come, told to whoever watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace

from zermelo.exact.outcome import Outcome


@dataclass(frozen=True)
class Progress:
    """What a solver tells a few times a second."""

    positions: int
    """Looked at so far."""
    window: tuple[Outcome, Outcome] | None
    """The worst and the best outcome still possible for the player to move; None: any."""
    move: int = 0
    """Which of all `moves` of the position is being looked at, from 1; 0: the position itself."""
    moves: int = 0


Watcher = Callable[[Progress], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watching(tell: Watcher) -> Iterator[None]:
    """Have `tell` called while solvers work inside this block; an error that it raises stops them."""
    token = _watcher.set(tell)
    try:
        yield
    finally:
        _watcher.reset(token)


def report(positions: int, window: tuple[Outcome, Outcome] | None) -> None:
    if tell := _watcher.get():
        tell(Progress(positions, window))


@contextmanager
def move_of(number: int, moves: int, same_mover: bool) -> Iterator[None]:
    """What is solved inside this block is a move of the position that is asked for."""
    tell = _watcher.get()
    if tell is None:
        yield
        return

    def seen_before(progress: Progress) -> None:
        window = progress.window
        if window is not None:
            low, high = (outcome.before for outcome in window)
            window = (low, high) if same_mover else (-high, -low)
        tell(replace(progress, window=window, move=number, moves=moves))

    with watching(seen_before):
        yield
