"""Charts: lines over the course of a run, and bars by move, as SVG for light and dark pages, and as PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any, Protocol

from zermelo.pictures import COLOURS, as_png, as_svg, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_INSIDE = 3
"""Lines whose names find a place among them."""
Line = tuple[Sequence[float], Sequence[float]]


class Drawing(Protocol):
    """Whatever has a title and can be drawn."""

    @property
    def title(self) -> str: ...

    def pictures(self) -> tuple[str, bytes]: ...


@dataclass(frozen=True)
class Chart:
    """What is drawn: lines by name, over one axis."""

    title: str
    across: str
    up: str
    lines: Mapping[str, Line]
    """By name: where, and how much."""
    share: bool = False
    """Whether values are shares from 0 to 1, shown in percent."""
    logarithmic: bool = False
    """Of both axes."""

    def pictures(self) -> tuple[str, bytes]:
        """As SVG, and as PNG."""
        with styled():
            figure = self._figure()
            return as_svg(figure), as_png(figure)

    def _figure(self) -> Figure:
        from matplotlib.figure import Figure
        from matplotlib.ticker import FuncFormatter, PercentFormatter

        figure = Figure(figsize=(6.4, 3.2))
        axes = figure.add_subplot()
        for colour, (name, (where, values)) in zip(cycle(COLOURS), self.lines.items(), strict=False):
            marker = "o" if len(where) < 30 else None
            axes.plot(where, values, color=colour, label=name, linewidth=1.6, marker=marker, markersize=3)
        if self.logarithmic:
            axes.set_xscale("log")
            axes.set_yscale("log")
            for axis in (axes.xaxis, axes.yaxis):
                _number_logarithms(axis)
        else:
            axes.xaxis.set_major_formatter(FuncFormatter(_rounded))
        if self.share:
            axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
            axes.set_ylim(bottom=0)
        axes.set_xlabel(self.across)
        axes.set_ylabel(self.up)
        if len(self.lines) > _MOST_INSIDE:
            figure.legend(loc="outside right upper", fontsize=8)
        elif len(self.lines) > 1:
            axes.legend(fontsize=8)
        return figure


@dataclass(frozen=True)
class Bars:
    """What is thought of each move, where there is no board to show it on."""

    title: str
    moves: Sequence[str]
    shares: Mapping[str, Sequence[float]]
    """By name: of each move, from 0 to 1."""
    values: Sequence[float]
    """Of each move, from -1 to 1; not a number if it was not tried."""

    def pictures(self) -> tuple[str, bytes]:
        """As SVG, and as PNG."""
        with styled():
            figure = self._figure()
            return as_svg(figure), as_png(figure)

    def _figure(self) -> Figure:
        from matplotlib.figure import Figure
        from matplotlib.ticker import PercentFormatter

        figure = Figure(figsize=(6.4, 1.6 + 0.3 * len(self.moves)))
        left, right = figure.subplots(1, 2, sharey=True)
        thick = 0.8 / len(self.shares)
        for number, (name, shares) in enumerate(self.shares.items()):
            places = [i - 0.4 + thick * (number + 0.5) for i in range(len(self.moves))]
            left.barh(places, shares, thick, color=COLOURS[number], label=name)
        left.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        left.set_yticks(range(len(self.moves)), self.moves)
        left.invert_yaxis()
        left.set(xlabel="share", ylabel="move")
        right.barh(range(len(self.moves)), self.values, 0.6, color=COLOURS[2])
        right.set(xlabel="value", xlim=(-1, 1))
        figure.legend(loc="outside upper left", ncols=len(self.shares), fontsize=8)
        return figure


def _number_logarithms(axis: Any) -> None:
    """1, 2, 5, 10 and so on, as people write them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(_rounded))
    axis.set_minor_formatter(NullFormatter())


def _rounded(value: float, _place: int) -> str:
    """Thousands and millions in short."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
