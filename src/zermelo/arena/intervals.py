"""How sure a measured share is."""

from __future__ import annotations

import math

Interval = tuple[float, float]


def wilson(share: float, n: int, z: float = 1.96) -> Interval:
    """Wilson's interval (1927) for a share of n trials; 95 % unless `z` says otherwise."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)
