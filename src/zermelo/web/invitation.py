"""An address as a QR code."""

from __future__ import annotations


def modules(address: str) -> list[str]:
    """Rows of 0 and 1; none where the library for it is missing."""
    try:
        import segno
    except ModuleNotFoundError:
        return []
    return ["".join(str(module & 1) for module in row) for row in segno.make(address, error="l").matrix]
