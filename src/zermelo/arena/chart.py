"""A picture of ratings by version, with the line that fits them, as figure 8 of seed 002."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.arena.ratings import Ratings
from zermelo.arena.trend import trend
from zermelo.pictures import COLOURS, INK, styled, write_pictures

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_POINTS, _LEAST, *_, _FAINT = COLOURS


def draw_ratings(
    path: Path, title: str, ratings: Ratings, versions: Mapping[str, int], least: float | None = None
) -> tuple[Path, Path]:
    """Draw the ratings of versions, and those of other players as lines, into a PNG and an SVG file.

    `versions` gives the number of each version by name; `least` is an increase per version that was to be
    expected. The answer is where the pictures are.
    """
    with styled():
        return write_pictures(_drawn(title, ratings, versions, least), path)


def _drawn(title: str, ratings: Ratings, versions: Mapping[str, int], least: float | None) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5))
    axes = figure.add_subplot()
    x = list(versions.values())
    y = [ratings.rating(name) for name in versions]
    away = [rating - ratings.interval(name)[0] for name, rating in zip(versions, y, strict=True)]
    axes.errorbar(x, y, away, fmt="o", color=_POINTS, capsize=3, ms=5, label="rating, with 95 %")
    line, ends = trend(ratings, versions), (min(x), max(x))
    label = f"fitted: {line.per_version:+.3g} per version"
    axes.plot(ends, [line.at(end) for end in ends], color=INK, lw=1.5, label=label)
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
    axes.legend(loc="best")
    return figure
