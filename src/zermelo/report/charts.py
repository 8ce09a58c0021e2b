"""Charts: lines over the course of a run, as SVG for light and dark pages, and as PNG."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from zermelo.errors import MissingExtra

_INK = "#010203"
"""Stands for the colour of the text around a chart."""
COLOURS = ("#1f77b4", "#e8590c", "#2b8a3e", "#9c36b5", "#c2255c", "#0c8599", "#f08c00", "#868e96")
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
        try:
            import matplotlib as mpl
        except ImportError as error:
            raise MissingExtra("a chart", "plot") from error
        style: dict[Any, Any] = {
            "svg.fonttype": "none", "svg.hashsalt": self.title, "font.family": "sans-serif",
            "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "text.color": _INK,
            "axes.labelcolor": _INK, "axes.edgecolor": _INK, "xtick.color": _INK, "ytick.color": _INK,
            "axes.facecolor": "none", "figure.facecolor": "none", "legend.frameon": False,
        }  # fmt: skip
        with mpl.rc_context(style):
            figure = self._figure()
            svg, png = io.StringIO(), io.BytesIO()
            figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
            figure.savefig(png, format="png", dpi=160, facecolor="white")
        text = svg.getvalue()
        return text[text.index("<svg") :].replace(_INK, "currentColor"), png.getvalue()

    def _figure(self) -> Any:
        from matplotlib.figure import Figure
        from matplotlib.ticker import FuncFormatter, PercentFormatter

        figure = Figure(figsize=(6.4, 3.2), layout="constrained")
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
        axes.grid(alpha=0.2)
        if len(self.lines) > 1:
            axes.legend(fontsize=8)
        return figure


def _rounded(value: float, _place: int) -> str:
    """Thousands and millions in short."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"
