"""What workers have done since a round of the run asked."""

from __future__ import annotations

import time
from typing import Any

from zermelo.cluster.parcel import Parcel
from zermelo.learning.source import Effort


class Logbook:
    """Figures of a fleet. A position is stale if weights have played it that were not the newest when it
    arrived; it is behind by as many versions."""

    def __init__(self) -> None:
        self.lost = self.deaths = self.unused = 0
        self.cause = ""
        """Of the last death."""
        self.alive_since = 0.0
        """When a worker was last heard of, by the monotonic clock."""
        self._begin = 0.0
        self._paused = 0.0
        self._pausing: float | None = None
        self._parcels: list[Parcel] = []
        self._behind: dict[int, int] = {}
        self._efforts: list[Parcel] = []
        self._cpu_seconds = 0.0

    def begin(self) -> None:
        self.alive_since = self._begin = time.monotonic()

    def write(self, parcel: Parcel, newest: int) -> None:
        self._parcels.append(parcel)
        self._efforts.append(parcel)
        self._cpu_seconds += parcel.cpu_seconds
        for version, positions in parcel.versions.items():
            self._behind[newest - version] = self._behind.get(newest - version, 0) + positions

    def pause(self) -> None:
        self._pausing = self._pausing or time.monotonic()

    def go_on(self) -> None:
        if self._pausing is not None:
            self._paused += time.monotonic() - self._pausing
            self._pausing = None

    def take_effort(self) -> Effort:
        some, self._efforts = self._efforts, []
        seconds = sum(one.end - one.begin for one in some) or 1.0
        return Effort(
            network_share=sum(one.network_seconds for one in some) / seconds,
            cache_hits=sum(one.cache_hits * (one.end - one.begin) for one in some) / seconds,
        )

    def take_cpu_seconds(self) -> float:
        found, self._cpu_seconds = self._cpu_seconds, 0.0
        return found

    def take_metrics(self, learning: tuple[float, float]) -> dict[str, Any]:
        self.go_on()
        now, parcels = time.monotonic(), self._parcels
        positions = sum(one.positions for one in parcels)
        meanwhile = [one for one in parcels if one.begin < learning[1] and one.end > learning[0]]
        found = {
            "positions_per_second": sum(one.searched for one in parcels) / (now - self._begin),
            "stale": sum(n for behind, n in self._behind.items() if behind) / max(1, positions),
            "most_behind": max(self._behind, default=0),
            "paused_seconds": self._paused,
            "deaths": self.deaths,
            "lost": self.lost,
            "learning": list(learning),
            "meanwhile": {
                "parcels": [[one.begin, one.end] for one in meanwhile[:_MOST]],
                "games": sum(one.games for one in meanwhile),
                "positions": sum(one.positions for one in meanwhile),
            },
        }
        self._begin, self._paused, self.deaths, self.lost = now, 0.0, 0, 0
        self._parcels, self._behind = [], {}
        return found


_MOST = 50
"""Parcels of a round whose times are told one by one."""
