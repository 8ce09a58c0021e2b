"""The processes that a command may have work for it: --ray and --workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zermelo.cli.arguments import check_workers
from zermelo.cli.output import err

if TYPE_CHECKING:
    from zermelo.cluster.hall import Hall
    from zermelo.players.base import Player


@contextmanager
def hall_of(ray: str | None, workers: int | None, players: Iterable[Player]) -> Iterator[Hall | None]:
    """The workers of Ray with whom these players are to play, if they are not to play in this process."""
    check_workers(ray, workers)
    if ray is None:
        yield None
        return
    from zermelo.cluster.connection import connected
    from zermelo.cluster.hall import Hall
    from zermelo.cluster.luggage import check_player

    for player in players:
        check_player(player)
    with connected(ray, workers or 0) as cluster:
        err.print(f"moves are made by workers of Ray ({ray}): {cluster.workers}")
        yield Hall(cluster)
