"""How often a network errs, where exact outcomes are known."""

from __future__ import annotations

import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from zermelo.errors import ZermeloError
from zermelo.web.puzzles import Puzzles
from zermelo.web.runs import Runs
from zermelo.web.thinker import Thinker

_PATIENCE = 1.5
"""Seconds that somebody waits for networks to be graded; the others follow when they ask again."""


class Grades:
    """Mistake rates of the networks of runs, without search: as a run has measured them, or by the graded
    set of its game. Not for the server's own thread, which must not wait."""

    def __init__(self, runs: Runs, puzzles: Puzzles, thinker: Thinker) -> None:
        self._runs, self._puzzles, self._thinker = runs, puzzles, thinker
        self._asked: dict[tuple[Path, int], Future[float]] = {}
        """By file and the time of its last change."""

    def of_run(self, label: str) -> tuple[dict[int, str], str]:
        """What is known of each version, in words, and of the network as it is now."""
        told, until = self._runs.told(label), time.monotonic() + _PATIENCE
        versions = [number for number in self._runs.versions(label) if number]
        now = self._words(told, told["rounds"], self._runs.network(label), until)
        kept = reversed(versions)  # the latest are asked for first
        words = {n: self._words(told, n, self._runs.version(label, n), until) for n in kept}
        return {number: words[number] for number in versions}, now

    def versions(self, label: str) -> dict[int, float]:
        """The mistakes of the versions of a run that has measured none."""
        told, until = self._runs.told(label), time.monotonic() + _PATIENCE
        if told.get("mistakes", True):
            return {}
        found = {
            number: self._graded(told["game"], self._runs.version(label, number), until)
            for number in self._runs.versions(label)
        }
        return {number: share for number, share in found.items() if share is not None}

    def _words(self, told: dict[str, Any], number: int, path: Path, until: float) -> str:
        measured: dict[int, float] = told["mistakes"]
        if number in measured:
            return f"{measured[number]:.1%} mistakes"
        share = self._graded(told["game"], path, until)
        if share is not None:
            return f"{share:.1%} mistakes"
        if measured:
            nearest = min(measured, key=lambda other: abs(other - number))
            return f"about {measured[nearest]:.1%} mistakes"
        return "mistakes not measured yet"

    def _graded(self, game: str, path: Path, until: float) -> float | None:
        """By the graded set of the game, if it has one and there is time; once for each network."""
        if game not in self._puzzles.games():
            return None
        try:
            key = path, path.stat().st_mtime_ns
            if key not in self._asked:
                if time.monotonic() > until:
                    return None
                self._asked[key] = self._thinker.call(lambda: self._puzzles.mistakes(game, path))
            return self._asked[key].result(max(0.0, until - time.monotonic()))
        except (OSError, TimeoutError, ZermeloError):
            return None  # it was replaced, or the thinker has much to do
