"""Games as they travel: in no more bytes than replay has for them, so policies are rounded as it does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from zermelo.games.base import Game
from zermelo.learning.replay import Columns
from zermelo.learning.selfplay import PlayedGame, read, written

_SMALL = {
    "numbers": np.int64, "resigners": np.int8, "resigned": bool, "lengths": np.int32, "moves": np.int32,
    "taught": np.int32, "states": np.int64, "movers": np.int8, "policies": np.float16, "values": np.float32,
    "exact": bool, "full": bool, "surprises": np.float16,
}  # fmt: skip


@dataclass(frozen=True)
class Parcel:
    """What a worker hands over: games that have ended, and what it took."""

    columns: Columns
    versions: dict[int, int]
    """How many of the positions were played with which version of the weights."""
    searched: int
    """Positions, of games that have ended or have not, since the parcel before."""
    begin: float
    end: float
    """By the worker's clock, in seconds since 1970."""
    cpu_seconds: float
    network_seconds: float
    cache_hits: float

    @property
    def games(self) -> int:
        return len(self.columns["numbers"])

    @property
    def positions(self) -> int:
        return len(self.columns["values"])


def packed(game: Game, games: Iterable[PlayedGame]) -> Columns:
    return {name: column.astype(_SMALL[name]) for name, column in written(game, games).items()}


def unpacked(game: Game, columns: Columns) -> list[PlayedGame]:
    return read(game, {**columns, "policies": columns["policies"].astype(np.float32)})
