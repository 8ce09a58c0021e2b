"""How many simulations may be made before somebody looks at the clock."""

from __future__ import annotations

import time
from typing import Any

from numpy.typing import NDArray

SECONDS = 0.005
"""About as late as a search may end because of its last simulations."""
_FASTER = 4


class Pace:
    """Bounds the calls of a kernel by what simulations took before; the first is of one simulation."""

    def __init__(self) -> None:
        self._most = 1
        self._made = 0
        self._begin = 0.0

    def begin(self, most: int, simulations: NDArray[Any]) -> int:
        """How many simulations to make at most in each slot, of which so many were made before."""
        self._begin, self._made = time.perf_counter(), int(simulations.sum())
        return min(most, self._most)

    def end(self, simulations: NDArray[Any]) -> None:
        """So many are made now."""
        seconds = max(time.perf_counter() - self._begin, 1e-9)
        fitting = int(SECONDS / seconds * max(1, int(simulations.sum()) - self._made))
        self._most = max(1, min(_FASTER * self._most, fitting))
