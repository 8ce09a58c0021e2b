"""The pictures that this package draws, from SVG to PNG.

They are made of rectangles, circles, paths, texts and groups, with colours from attributes or from a style
sheet of single tags and classes; that is all that is read here.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from zermelo.errors import BadParameter

Look = dict[str, str]

_UNITS = 100
"""SVG units to the inch."""
_INHERITED = ("fill", "stroke", "stroke-width", "font-size", "font-family", "text-anchor",
              "dominant-baseline", "opacity")  # fmt: skip
_SIZES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "z": 0, "Z": 0}
"""The numbers that each command of a path takes."""


def png(svg: str, scale: float = 2.0) -> bytes:
    """A picture of ours as PNG, on white, so many dots to the unit."""
    from matplotlib.figure import Figure

    root = ElementTree.fromstring(svg)  # noqa: S314 (drawn by ourselves a moment ago)
    left, top, width, height = (float(word) for word in root.attrib["viewBox"].split())
    figure = Figure(figsize=(width / _UNITS, height / _UNITS), facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(left, left + width)
    axes.set_ylim(top + height, top)
    axes.axis("off")
    rules = [rule for element in root.iter() if _tag(element) == "style" for rule in _rules(element.text)]
    _draw(axes, root, {"fill": "#000", "font-size": "16"}, rules)
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=_UNITS * scale)
    return written.getvalue()


def _tag(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _rules(sheet: str | None) -> Iterator[tuple[str, Look]]:
    """Selectors and what they set; what depends on the screen is left out."""
    plain = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet or "")
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", plain):
        for selector in selectors.split(","):
            yield selector.strip(), _declared(body)


def _declared(body: str) -> Look:
    """`name:value` pairs; the short form of a font as its size."""
    found = dict(part.split(":", 1) for part in body.split(";") if ":" in part)
    found = {name.strip(): value.strip() for name, value in found.items()}
    if size := re.search(r"([\d.]+)px", found.get("font", "")):
        found["font-size"] = size[1]
    return found


def _look(element: ElementTree.Element, inherited: Look, rules: list[tuple[str, Look]]) -> Look:
    found = dict(inherited)
    found |= {name: value for name, value in element.attrib.items() if name in _INHERITED}
    classes = element.attrib.get("class", "").split()
    for selector, body in rules:
        if selector == _tag(element) or selector[1:] in classes:
            found |= body
    return found | _declared(element.attrib.get("style", ""))


def _draw(axes: Any, element: ElementTree.Element, inherited: Look, rules: list[tuple[str, Look]]) -> None:
    kind, look = _tag(element), _look(element, inherited, rules)
    if kind in ("svg", "g"):
        for child in element:
            _draw(axes, child, {k: v for k, v in look.items() if k in _INHERITED}, rules)
    elif kind == "text":
        _write(axes, element, look)
    elif kind in ("rect", "circle", "path"):
        axes.add_patch(_patch(kind, element, look))
    elif kind not in ("style", "title"):
        raise BadParameter(f"a <{kind}> cannot be drawn as PNG")


def _number(element: ElementTree.Element, name: str) -> float:
    return float(element.attrib.get(name, "0").removesuffix("px"))


def _patch(kind: str, element: ElementTree.Element, look: Look) -> Any:
    from matplotlib.patches import Circle, FancyBboxPatch, PathPatch

    opacity = float(look.get("opacity", "1"))
    paint: dict[str, Any] = {
        "facecolor": _colour(look.get("fill", "none")),
        "edgecolor": _colour(look.get("stroke", "none")),
        "linewidth": float(look.get("stroke-width", "1").removesuffix("px")) * 72 / _UNITS,
        "alpha": opacity if opacity < 1 else None,
    }
    if kind == "circle":
        return Circle((_number(element, "cx"), _number(element, "cy")), _number(element, "r"), **paint)
    if kind == "rect":
        rounding = f"round,pad=0,rounding_size={_number(element, 'rx') or 1e-9}"
        corner = _number(element, "x"), _number(element, "y")
        size = _number(element, "width"), _number(element, "height")
        return FancyBboxPatch(corner, *size, boxstyle=rounding, **paint)
    return PathPatch(_path(element.attrib["d"]), **paint)


def _path(text: str) -> Any:
    """Absolute moves, lines and curves."""
    from matplotlib.path import Path

    points: list[tuple[float, float]] = []
    codes: list[Any] = []
    for command, rest in re.findall(r"([MLHVCzZ])([^MLHVCzZ]*)", text):
        numbers = [float(word) for word in re.findall(r"-?[\d.]+", rest)]
        if len(numbers) != _SIZES[command]:
            raise BadParameter(f"`{command}{rest}` of a path cannot be drawn as PNG")
        if command == "H":
            numbers = [numbers[0], points[-1][1]]
        elif command == "V":
            numbers = [points[-1][0], numbers[0]]
        elif command in "zZ":
            numbers = list(points[-1])
        points += zip(numbers[::2], numbers[1::2], strict=True)
        kind = {"M": Path.MOVETO, "C": Path.CURVE4, "z": Path.CLOSEPOLY, "Z": Path.CLOSEPOLY}
        codes += [kind.get(command, Path.LINETO)] * (len(numbers) // 2)
    return Path(points, codes)


def _write(axes: Any, element: ElementTree.Element, look: Look) -> None:
    where = {"middle": "center", "end": "right"}.get(look.get("text-anchor", "start"), "left")
    central = look.get("dominant-baseline") == "central"
    axes.text(
        _number(element, "x"),
        _number(element, "y"),
        (element.text or "").replace("$", r"\$"),
        color=_colour(look["fill"]),
        fontsize=float(look["font-size"].removesuffix("px")) * 72 / _UNITS,
        family="monospace" if "mono" in look.get("font-family", "") else "sans-serif",
        weight="bold" if look.get("font-weight") == "bold" else "normal",
        ha=where,
        va="center_baseline" if central else "baseline",
    )


def _colour(text: str) -> str:
    return "#24292f" if text == "currentColor" else text
