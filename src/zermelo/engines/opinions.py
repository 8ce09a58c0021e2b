"""What a search thinks of the moves, as Leela Zero began to write it and Sabaki reads it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from zermelo.engines.vertices import Vertices
from zermelo.search.decision import SECURITY
from zermelo.search.result import SearchResult

_WHOLE = 10_000


def info(vertices: Vertices, result: SearchResult, lines: Mapping[int, tuple[int, ...]], most: int) -> str:
    """One line for the moves that were tried: those that are proven to win, then those with most visits,
    and those that lose.

    Win rates, and their lower bounds Q - 1 / sqrt(N), are those of the player to move; they and priors are
    told in hundredths of a percent.
    """
    won, lost = result.proofs == 1, result.proofs == -1
    order = np.lexsort((-result.priors, -result.visits, lost, ~won)).tolist()
    tried = [i for i in order if result.visits[i] > 0 or won[i]] or order[:1]
    parts = []
    for rank, i in enumerate(tried[: max(most, 1)]):
        action, visits = int(result.actions[i]), int(result.visits[i])
        value = result.value if math.isnan(result.values[i]) else float(result.values[i])
        bound = value - SECURITY / math.sqrt(max(visits, 1))
        names = _written(vertices, result, (action, *lines.get(action, ())))
        parts.append(
            f"info move {names[0]} visits {visits} winrate {_rate(value)} "
            f"prior {round(_WHOLE * float(result.priors[i]))} lcb {_rate(bound)} order {rank} "
            f"pv {' '.join(names)}"
        )
    return " ".join(parts)


def _rate(value: float) -> int:
    return round(_WHOLE * min(max((1 + value) / 2, 0.0), 1.0))


def _written(vertices: Vertices, result: SearchResult, actions: tuple[int, ...]) -> list[str]:
    names, position = [], result.position
    for action in actions:
        names.append(vertices.vertex(position, action))
        position = position.play(action)
    return names
