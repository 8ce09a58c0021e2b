"""A search whose best move so far is there at any moment, whatever else the machine does.

A thread that computes is not woken in time on a busy machine: its share is used up. One that slept is.
"""

from __future__ import annotations

import threading
import time

from zermelo.games.position import Position
from zermelo.players.tree import TreePlayer

_INTERVAL = 0.01


class WatchedSearch:
    """A search in a thread of its own, which is the only one that uses the player until it has ended."""

    def __init__(self, player: TreePlayer, position: Position, seed: int, seconds: float) -> None:
        self._player, self._position, self._seed, self._seconds = player, position, seed, seconds
        self._action = -1
        self._error: BaseException | None = None
        self._known, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="search", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with self._player.gradually(self._position, self._seed, self._seconds) as search:
                due, goes_on = 0.0, True
                while goes_on:
                    goes_on = search.advance()
                    if not goes_on or time.monotonic() >= due:
                        self._action = self._player.decide(search.look()[0], self._seed)
                        self._known.set()
                        due = time.monotonic() + _INTERVAL
        except BaseException as error:  # told to whoever waits for the move
            self._error = error
        finally:
            self._known.set()
            self._over.set()

    def action(self, seconds: float) -> int:
        """The move, when the search is over or so many seconds have passed."""
        self._over.wait(seconds)
        self._known.wait()
        if self._error is not None:
            raise self._error
        return self._action

    def join(self) -> None:
        """Wait until the search is over, which it soon is."""
        self._thread.join()
