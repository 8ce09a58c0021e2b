"""Charts: lines over the course of a run, as SVG for light and dark pages, and as PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING

from zermelo.pictures import COLOURS, as_png, as_svg, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Line = tuple[Sequence[float], Sequence[float]]


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
    errors: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By name of a line: half of the interval around each value."""

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
            if name in self.errors:
                low = [v - e for v, e in zip(values, self.errors[name], strict=True)]
                high = [v + e for v, e in zip(values, self.errors[name], strict=True)]
                axes.fill_between(where, low, high, color=colour, alpha=0.15, linewidth=0)
        if self.logarithmic:
            axes.set_xscale("log")
            axes.set_yscale("log")
        else:
            axes.xaxis.set_major_formatter(FuncFormatter(_rounded))
        if self.share:
            axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=None))
            axes.set_ylim(bottom=0)
        axes.set_xlabel(self.across)
        axes.set_ylabel(self.up)
        if len(self.lines) > 1:
            axes.legend(fontsize=8)
        return figure


def _rounded(value: float, _place: int) -> str:
    """Thousands and millions in short."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
