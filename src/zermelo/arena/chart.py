"""A picture of ratings by version, with the line that fits them, as figure 8 of seed 002."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.arena.ratings import Ratings
from zermelo.arena.trend import trend
from zermelo.errors import MissingExtra
from zermelo.files import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK, _FAINT, _POINTS, _LEAST = "#24292f", "#8c959f", "#0969da", "#e16f24"


def check_drawing() -> None:
    """Raise `MissingExtra` if pictures cannot be drawn."""
    _figure_class()


def draw_ratings(
    path: Path, title: str, ratings: Ratings, versions: Mapping[str, int], least: float | None = None
) -> tuple[Path, Path]:
    """Draw the ratings of versions, and those of other players as lines, into a PNG and an SVG file.

    `versions` gives the number of each version by name; `least` is an increase per version that was to be
    expected. The answer is where the pictures are.
    """
    figure = _drawn(title, ratings, versions, least)
    found = path.with_suffix(".png"), path.with_suffix(".svg")
    import matplotlib

    for one in found:
        data = BytesIO()
        # Without these two the same ratings would give another SVG file each time.
        with matplotlib.rc_context({"svg.hashsalt": "zermelo"}):
            metadata = {"Date": None} if one.suffix == ".svg" else None
            figure.savefig(data, format=one.suffix[1:], dpi=150, metadata=metadata)
        replace_file(one, data.getvalue())
    return found


def _figure_class() -> type[Figure]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("a picture of ratings", "plot") from error
    return Figure


def _drawn(title: str, ratings: Ratings, versions: Mapping[str, int], least: float | None) -> Figure:
    figure = _figure_class()(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    x = list(versions.values())
    y = [ratings.rating(name) for name in versions]
    away = [rating - ratings.interval(name)[0] for name, rating in zip(versions, y, strict=True)]
    axes.errorbar(x, y, away, fmt="o", color=_POINTS, capsize=3, ms=5, label="rating, with 95 %")
    line, ends = trend(ratings, versions), (min(x), max(x))
    label = f"fitted: {line.per_version:+.3g} per version"
    axes.plot(ends, [line.at(end) for end in ends], color=_INK, lw=1.5, label=label)
    if least is not None:
        heights = [y[0] + least * (end - x[0]) for end in ends]
        axes.plot(ends, heights, color=_LEAST, lw=1.5, ls="--", label=f"least expected: {least:+.3g}")
    for name in ratings.names:
        if name not in versions:
            height = ratings.rating(name)
            axes.axhline(height, color=_FAINT, lw=0.8, ls=":")
            axes.annotate(
                name, (1, height), xycoords=("axes fraction", "data"), xytext=(-4, 2),
                textcoords="offset points", ha="right", va="bottom", color=_FAINT, fontsize=8,
            )  # fmt: skip
    axes.set(title=title, xlabel="version", ylabel="rating")
    axes.locator_params(axis="x", integer=True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, loc="best")
    return figure
