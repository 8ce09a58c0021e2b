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
_LINES = 25
"""Of small print, that fit above each other."""


def draw_ratings(
    path: Path, title: str, ratings: Ratings, versions: Mapping[str, int], least: float | None = None
) -> tuple[Path, Path]:
    """Draw the ratings of versions, and those of other players as lines, into a PNG and an SVG file.

    `versions` gives the number of each version by name; `least` is an increase per version that was to be
    expected. The answer is where the pictures are.
    """
    with styled():
        figure = ratings_figure(ratings, versions, least)
        figure.axes[0].set_title(title)
        return write_pictures(figure, path)


def ratings_figure(
    ratings: Ratings,
    versions: Mapping[str, int],
    least: float | None = None,
    inches: tuple[float, float] = (8, 5),
) -> Figure:
    """What `draw_ratings` draws, without a title; to be asked for and written where pictures are styled."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=inches)
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
    others = {name: ratings.rating(name) for name in ratings.names if name not in versions}
    shown = (*axes.get_ylim(), *others.values())
    for height, names in _levels(others, (max(shown) - min(shown)) / _LINES):
        axes.axhline(height, color=_FAINT, lw=0.8, ls=":")
        axes.annotate(
            names, (1, height), xycoords=("axes fraction", "data"), xytext=(-4, 2),
            textcoords="offset points", ha="right", va="bottom", color=_FAINT, fontsize=8,
        )  # fmt: skip
    axes.set(xlabel="version", ylabel="rating")
    axes.locator_params(axis="x", integer=True)
    axes.legend(loc="best")
    return figure


def _levels(heights: Mapping[str, float], near: float) -> list[tuple[float, str]]:
    """Players as levels, lowest first; of those too near for a name each, the highest has all names."""
    found: list[tuple[float, str]] = []
    words = ""
    for name, height in sorted(heights.items(), key=lambda one: one[1]):
        if found and height - found[-1][0] < near:
            words = f"{words}, {name}"
            found[-1] = found[-1][0], ""
        else:
            words = name
        found.append((height, words))
    return found
