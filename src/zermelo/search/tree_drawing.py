"""A search tree as a picture: boards from the top down, N, Q and P beside every move."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from zermelo.errors import BadParameter
from zermelo.games.drawing import placed
from zermelo.games.position import Position

if TYPE_CHECKING:
    from zermelo.search.unfolding import Edge, Node, SearchTree

_COLUMN = 104
_BOARD = 72
_LINE = 15
_WAY = 40
"""From the words below a board to those above the next one."""
_LEVEL = _BOARD + 5 * _LINE + _WAY
_MARGIN = 12
_MOST_MOVES = 8
"""Of one node."""
# A picture that is a document of its own follows the reader's choice of light or dark; inside a page it has
# the colours of the page.
_STYLE = (
    "svg:root{color:#24292f}@media(prefers-color-scheme:dark){svg:root{color:#e6edf3}}"
    ".zt text.zl{font:12px ui-sans-serif,system-ui,sans-serif;fill:currentColor;text-anchor:middle;"
    "dominant-baseline:auto}.zt text.zm{font-weight:bold;font-size:14px}"
    ".zt .zp{stroke:#d97706;fill:none}.zt .zw{stroke:currentColor;fill:none;opacity:.55}"
    ".zt .zu{opacity:.45}.zt .zd{stroke-dasharray:3 4}"
)


@dataclass
class _Box:
    """A board of the picture."""

    position: Position
    edge: Edge | None
    node: Node | None
    level: int
    on_path: bool
    boxes: list[_Box] = field(default_factory=list)
    left_out: int = 0
    """Moves that are not drawn."""
    x: float = 0.0

    @property
    def top(self) -> float:
        """Of the board."""
        return _MARGIN + self.level * _LEVEL

    @property
    def bottom(self) -> float:
        """Of the words below it."""
        return self.top + _BOARD + _LINE + 4


def tree_svg(tree: SearchTree, boards: int = 24) -> str:
    """The tree as a picture for light and dark pages, with so many boards at most: its path, the moves of
    the root, then what the search visited most. Moves that were not tried are pale."""
    if boards < 1:
        raise BadParameter(f"`boards` (={boards}) must be at least 1")
    boxes = _boxes(tree, boards)
    width, height = _lay_out(boxes[0]), max(box.bottom for box in boxes) + _MARGIN
    parts = [part for box in boxes for part in (*_ways(box), *_shown(box))]
    title = f"{tree.simulations} simulations of {tree.root.position.game.name}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" class="zt"><title>{escape(title)}</title><style>{_STYLE}</style>'
        f"{''.join(parts)}</svg>\n"
    )


def _boxes(tree: SearchTree, boards: int) -> list[_Box]:
    """The boards to draw, the root first; in each box those below it, in the order of the moves."""
    root = _Box(tree.root.position, None, tree.root, 0, True)
    boxes, pushed = [root], 0
    heap: list[tuple[bool, bool, int, float, int, _Box, Edge]] = []

    def push(box: _Box) -> None:
        nonlocal pushed
        if box.node is None:
            return
        step = tree.path[box.level : box.level + 1] if box.on_path else ()
        box.left_out = len(box.node.edges)
        for edge in box.node.edges:
            pushed += 1
            prior = 0.0 if math.isnan(edge.prior) else edge.prior
            key = edge.action not in step, box is not root, -edge.visits, -prior
            heapq.heappush(heap, (*key, pushed, box, edge))

    push(root)
    while heap and len(boxes) < boards:
        off_path, _, _, _, _, above, edge = heapq.heappop(heap)
        if len(above.boxes) == _MOST_MOVES:
            continue
        after = edge.child.position if edge.child else above.position.play(edge.action)
        box = _Box(after, edge, edge.child, above.level + 1, not off_path)
        above.boxes.append(box)
        above.left_out -= 1
        boxes.append(box)
        push(box)
    for box in boxes:
        box.boxes.sort(key=lambda below: below.edge.action if below.edge else 0)
    return boxes


def _lay_out(root: _Box) -> float:
    """Give every box its place: a column for each that has none below it; the width of them all."""
    order, stack = list[_Box](), [root]
    while stack:
        order.append(stack.pop())
        stack.extend(reversed(order[-1].boxes))
    columns = 0
    for box in order:
        if not box.boxes:
            box.x = _MARGIN + _COLUMN * (columns + 0.5)
            columns += 1
    for box in reversed(order):
        if box.boxes:
            box.x = (box.boxes[0].x + box.boxes[-1].x) / 2
    return 2 * _MARGIN + max(columns, 2) * _COLUMN


def _ways(box: _Box) -> list[str]:
    """The lines to the boxes below, thicker with more visits."""
    lines = []
    total = max(1, box.node.visits - 1) if box.node else 1
    for below in box.boxes:
        end, middle = below.top - 3.2 * _LINE, (box.bottom + below.top - 3 * _LINE) / 2
        way = f"M{box.x:g} {box.bottom:g}C{box.x:g} {middle:g} {below.x:g} {middle:g} {below.x:g} {end:g}"
        visits = below.edge.visits if below.edge else 0
        look = "zp" if below.on_path else "zw" if visits else "zw zd"
        thickness = 1 + 3 * visits / total + below.on_path
        lines.append(f'<path class="{look}" stroke-width="{thickness:.2g}" d="{way}"/>')
    return lines


def _shown(box: _Box) -> list[str]:
    """The words above a board, the board, and the words below it."""
    tried = box.edge is None or box.edge.visits > 0
    picture = placed(box.position.game.svg(box.position, framed=False), box.x, box.top, _BOARD)
    parts = [picture if tried or box.on_path else f'<g class="zu">{picture}</g>']
    if box.edge is not None:
        parts.append(_text(box.x, box.top - 2 * _LINE - 6, box.edge.move, "zl zm"))
        for i, line in enumerate(_numbers(box.edge)):
            parts.append(_text(box.x, box.top - (1 - i) * _LINE - 6, line))
    below = _verdict(box)
    if box.left_out:
        below += f"{', ' if below else ''}{box.left_out} more"
    return [*parts, _text(box.x, box.top + _BOARD + _LINE, below)] if below else parts


def _numbers(edge: Edge) -> list[str]:
    """N, Q and P, as far as they are known."""
    visits = f"N {edge.visits}" + ("" if math.isnan(edge.value) else f"  Q {_rounded(edge.value)}")
    return [visits] if math.isnan(edge.prior) else [visits, f"P {_rounded(edge.prior)}"]


def _verdict(box: _Box) -> str:
    """What is known of a position that was visited, for its player to move."""
    returns, node = box.position.returns, box.node
    if returns is not None and (node or (box.edge and box.edge.visits)):
        winner = max(range(len(returns)), key=lambda player: returns[player])
        return f"{('first', 'second')[winner]} wins" if len(set(returns)) > 1 else "draw"
    if node is None:
        return ""
    words = [f"N {node.visits}"] if box.edge is None else []
    if node.proof is not None:
        word = {1: "won", 0: "drawn", -1: "lost"}[node.proof]
        words.append(f"{word} in {node.plies}" if node.proof else word)
    elif not math.isnan(node.evaluation):
        words.append(f"v {_rounded(node.evaluation)}")
    return ", ".join(words)


def _rounded(number: float) -> str:
    return f"{round(number, 2) + 0.0:.2f}"  # never -0.00


def _text(x: float, y: float, line: str, look: str = "zl") -> str:
    return f'<text class="{look}" x="{x:g}" y="{y:g}">{escape(line)}</text>'
