"""Pictures by matplotlib: one style for all, and the same file for the same figures."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import MissingExtra
from zermelo.files import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"
"""Stands for the colour of the text around a picture, which an SVG takes from its page."""
COLOURS = ("#1f77b4", "#e8590c", "#2b8a3e", "#9c36b5", "#c2255c", "#0c8599", "#f08c00", "#868e96")
_DOTS_PER_INCH = 150
_STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK, "axes.facecolor": "none", "axes.grid": True, "axes.labelcolor": INK,
    "axes.spines.right": False, "axes.spines.top": False, "figure.constrained_layout.use": True,
    "figure.facecolor": "none", "font.family": "sans-serif", "font.size": 10, "grid.alpha": 0.25,
    "legend.frameon": False, "svg.fonttype": "none", "svg.hashsalt": "zermelo", "text.color": INK,
    "xtick.color": INK, "ytick.color": INK,
}  # fmt: skip


def check_drawing() -> None:
    """Raise `MissingExtra` if pictures cannot be drawn."""
    with styled():
        pass


@contextmanager
def styled() -> Iterator[None]:
    """Where pictures are drawn and written; `MissingExtra` if they cannot be."""
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError as error:
        raise MissingExtra("A picture", "plot") from error
    with matplotlib.rc_context(_STYLE):
        yield


def as_svg(figure: Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    found = text.getvalue()
    return found[found.index("<svg") :].replace(INK, "currentColor")


def as_png(figure: Figure) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=_DOTS_PER_INCH, facecolor="white")
    return data.getvalue()


def write_pictures(figure: Figure, path: Path) -> tuple[Path, Path]:
    """Write a PNG and an SVG file with the name of this path; where they are."""
    png, svg = path.with_suffix(".png"), path.with_suffix(".svg")
    replace_file(png, as_png(figure))
    replace_file(svg, as_svg(figure).encode())
    return png, svg
