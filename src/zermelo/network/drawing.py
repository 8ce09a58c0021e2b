"""A network as a picture: planes on the left, the tower, and the heads on the right."""

from __future__ import annotations

from html import escape

from zermelo.network.architecture import Architecture, Shape

_STYLE = (
    "text{font:13px ui-sans-serif,system-ui,sans-serif;fill:#24292f;text-anchor:middle;"
    "dominant-baseline:central}"
    ".note{fill:#6e7781;font-size:12px}"
    "rect{stroke-width:1.5}"
    ".in{fill:#eaeef2;stroke:#8c959f}.tower{fill:#ddf4ff;stroke:#218bff}"
    ".policy{fill:#dafbe1;stroke:#2da44e}.value{fill:#fff1e5;stroke:#e16f24}"
    "path{fill:none;stroke:#8c959f;stroke-width:1.5}.tip{fill:#8c959f;stroke:none}"
    "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.note{fill:#9198a1}"
    ".in{fill:#30363d}.tower{fill:#0c2d6b}.policy{fill:#033a16}.value{fill:#4d2000}}"
)
_Point = tuple[int, int]
_GAP = 26
_WAY = 36
_WIDE = 116
_BLOCK = 22
_TALL = 110
_ROW = 74
_MOST_BLOCKS = 12
"""As many are drawn one by one; of more, only the first and the last few."""


class _Picture:
    """Shapes that are added from left to right; it grows with them."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.width = 0

    def box(self, kind: str, x: int, y: int, width: int, height: int, *lines: str) -> int:
        """A box whose middle is at height y; its right side."""
        self.parts.append(
            f'<rect class="{kind}" x="{x}" y="{y - height // 2}" width="{width}" height="{height}" rx="5"/>'
        )
        for i, line in enumerate(lines):
            self.text(x + width // 2, y + 17 * i - 17 * (len(lines) - 1) // 2, line)
        self.width = max(self.width, x + width)
        return x + width

    def step(self, kind: str, begin: _Point, y: int, *lines: str, note: str = "") -> _Point:
        """An arrow and a box at height y; the middle of its right side."""
        x, middle = begin
        self.arrow(x, middle, x + _WAY, y)
        end = self.box(kind, x + _WAY, y, _WIDE, 40, *lines)
        if note:
            self.text(x + _WAY + _WIDE // 2, y - 31, note, "note")
        return end, y

    def text(self, x: int, y: int, line: str, kind: str = "") -> None:
        look = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x}" y="{y}"{look}>{escape(line)}</text>')

    def arrow(self, x: int, y: int, end: int, to: int) -> None:
        """From a right side to the next left side, with a bend if the heights differ."""
        middle = x + (end - x) // 2
        way = f"M{x} {y}H{end - 5}" if y == to else f"M{x} {y}H{middle}V{to}H{end - 5}"
        self.parts.append(f'<path d="{way}"/>')
        self.parts.append(f'<path class="tip" d="M{end - 7} {to - 4}L{end} {to}L{end - 7} {to + 4}z"/>')

    def skip(self, x: int, end: int, y: int) -> None:
        """The way around a block."""
        self.parts.append(f'<path d="M{x} {y}C{x} {y - 24} {end} {y - 24} {end} {y}"/>')


def network_svg(architecture: Architecture, shape: Shape) -> str:
    """The network as a picture for light and dark pages."""
    picture = _Picture()
    rows = 2 + architecture.reply + architecture.moves_left
    height = max(_ROW * rows, _TALL + 60) + 40
    middle, first = height // 2, height // 2 - _ROW * (rows - 1) // 2
    x = _tower(picture, architecture, shape, middle)
    _heads(picture, architecture, shape, (x, middle), first)
    width = picture.width + 20
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img"><style>{_STYLE}</style>'
    )
    return "".join([begin, *picture.parts, "</svg>\n"])


def _heads(picture: _Picture, architecture: Architecture, shape: Shape, tower: _Point, y: int) -> None:
    """A row for each head, the first at height y; auxiliary ones branch off after the layers they share."""
    logits = "logits", f"{shape.actions} {'cells' if architecture.per_cell else 'actions'}"
    answer = ("softmax", "win, draw, loss") if architecture.value == "wdl" else ("tanh", "-1 to 1")
    policy = value = tower
    row = y + _ROW * architecture.reply
    if shape.has_planes:
        policy = picture.step("policy", tower, row, "convolution", f"1x1, {architecture.policy_filters}")
        value = picture.step(
            "value", tower, row + _ROW, "convolution", f"1x1, {architecture.value_filters}"
        )
    hidden = picture.step("value", value, row + _ROW, "dense", f"{architecture.value_hidden}")
    picture.step("policy", policy, row, *logits, note="policy")
    picture.step("value", hidden, row + _ROW, *answer, note="value")
    if architecture.reply:
        picture.step("policy", policy, y, *logits, note="the opponent's reply")
    if architecture.moves_left:
        picture.step("value", hidden, row + 2 * _ROW, "number", "of moves", note="moves left")


def _tower(picture: _Picture, architecture: Architecture, shape: Shape, y: int) -> int:
    """Inputs, stem and blocks; where the last one ends."""
    below = y + _TALL // 2 + 18
    if shape.has_planes:
        planes, rows, cols = shape.inputs
        shown = min(planes, 4)
        for i in range(shown):
            x = picture.box("in", 20 + 9 * i, y - 9 * (shown - 1) // 2 + 9 * i, 60, 60)
        picture.text((20 + x) // 2, below, f"{planes} planes, {rows}x{cols}", "note")
        kind = "convolution", f"3x3, {architecture.filters}"
        unit = "residual block" if architecture.residual else "convolution"
    else:
        x = picture.box("in", 44, y, _BLOCK, _TALL)
        picture.text(55, below, f"{shape.inputs[0]} inputs", "note")
        kind, unit = ("dense", f"{architecture.filters}"), "dense layer"
    picture.arrow(x, y, x + _GAP, y)
    begin = x = picture.box("tower", x + _GAP, y, 96, _TALL, *kind)
    for number in _drawn(architecture.blocks):
        if number is None:
            picture.text(x + _GAP, y, "...")
            x += 2 * _GAP
            continue
        if shape.has_planes and architecture.residual:
            picture.skip(x + 8, x + _GAP + _BLOCK + 8, y - _TALL // 2 - 4)
        picture.arrow(x, y, x + _GAP, y)
        x = picture.box("tower", x + _GAP, y, _BLOCK, _TALL)
    if architecture.blocks:
        unit += "s" if architecture.blocks > 1 else ""
        pooled = " with pooling" if architecture.pooling and shape.has_planes else ""
        picture.text((begin + x) // 2, below, f"{architecture.blocks} {unit}{pooled}", "note")
    return x


def _drawn(blocks: int) -> list[int | None]:
    """The numbers of the blocks that are drawn; None stands for those left out."""
    if blocks <= _MOST_BLOCKS:
        return list(range(blocks))
    return [0, 1, 2, None, blocks - 2, blocks - 1]
