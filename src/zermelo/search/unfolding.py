"""A search tree to look at: its most visited part, as plain data that draws itself."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import BadParameter
from zermelo.games.abi import Floats
from zermelo.games.position import Position
from zermelo.search.tree import NONE, UNPROVEN, Settings, Tree
from zermelo.search.tree_drawing import tree_svg

_MOST_LEVELS = 64


@dataclass(frozen=True)
class Edge:
    """A move of a node."""

    action: int
    move: str
    """The action as players write it."""
    visits: int
    """N."""
    value: float
    """Q, for the mover of the node: exact if proven, else the mean; NaN where the move was not tried."""
    prior: float
    """P, without noise."""
    child: Node | None = None
    """None where the move was not tried, or what follows is not unfolded."""


@dataclass(frozen=True)
class Node:
    """A position in the tree, and its moves."""

    position: Position
    mover: int
    """Whose values these are: the player to move, or player 0 where the game is over."""
    visits: int
    """N: 1 + the visits of all its moves."""
    evaluation: float
    """What the evaluator said of the position; the result where the game is over."""
    value: float
    """Exact if proven, else the mean of the evaluation and of all simulations."""
    proof: int | None
    """The exact value, if it is known."""
    plies: int
    """How many moves a proof takes to the end."""
    edges: tuple[Edge, ...]

    def edge(self, move: str) -> Edge:
        """The edge of a move, as players write it."""
        action = self.position.parse(move)
        return next(edge for edge in self.edges if edge.action == action)

    def after(self, *moves: str) -> Node:
        """The node that these moves lead to."""
        node = self
        for move in moves:
            child = node.edge(move).child
            if child is None:
                raise BadParameter(f"the tree does not go on with {move} after {node.position!r}")
            node = child
        return node


@dataclass(frozen=True)
class SearchTree:
    """The tree of a search; in a notebook it shows itself."""

    root: Node
    simulations: int
    path: tuple[int, ...] = ()
    """Actions that are drawn in colour: the way of the last simulation, as far as it is unfolded."""

    def path_since(self, before: SearchTree) -> tuple[int, ...]:
        """The actions of the one simulation that was made since then, as far as both trees show them."""
        path: list[int] = []
        old, new = before.root, self.root
        while True:
            for was, now in zip(old.edges, new.edges, strict=True):
                if now.visits > was.visits:
                    break
            else:
                return tuple(path)
            path.append(now.action)
            if was.child is None or now.child is None:
                return tuple(path)
            old, new = was.child, now.child

    def _repr_svg_(self) -> str:
        return tree_svg(self)


class _Place(NamedTuple):
    """A node that is to be unfolded: those with most visits first, then those found first."""

    visits: int  # less than 0, for a heap
    order: int
    node: int
    level: int
    parent: int  # its place in the list of nodes
    edge: int  # which of the parent's
    action: int


def unfold(
    tree: Tree, settings: Settings, slot: int, position: Position, levels: int = 3, nodes: int = 200
) -> SearchTree:
    """The tree of a slot whose root is this position: the nodes with most visits, at most so many, and at
    most so many levels below the root. Equal positions of a graph are told once for each way to them."""
    if not 0 <= levels <= _MOST_LEVELS:
        raise BadParameter(f"`levels` (={levels}) must be from 0 to {_MOST_LEVELS}")
    if nodes < 1:
        raise BadParameter(f"`nodes` (={nodes}) must be at least 1")
    heap = [_Place(0, 0, int(tree.root[slot]), 0, NONE, NONE, NONE)]
    places, positions, pushed = list[_Place](), list[Position](), 1
    while heap and len(places) < nodes:
        place = heapq.heappop(heap)
        positions.append(position if not places else positions[place.parent].play(place.action))
        places.append(place)
        if place.level == levels:
            continue
        edges = _edges(tree, slot, place.node)
        columns = (edges[name].tolist() for name in ("N", "child", "action"))
        for i, (visits, child, action) in enumerate(zip(*columns, strict=True)):
            if child != NONE:
                below = _Place(-visits, pushed, child, place.level + 1, len(places) - 1, i, action)
                heapq.heappush(heap, below)
                pushed += 1
    children: list[dict[int, Node]] = [{} for _ in places]
    for i in range(len(places) - 1, 0, -1):  # children come after their parents
        node = _node(tree, settings, slot, places[i].node, positions[i], children[i])
        children[places[i].parent][places[i].edge] = node
    root = _node(tree, settings, slot, places[0].node, position, children[0])
    return SearchTree(root, int(tree.simulations[slot]))


def expected_lines(tree: Tree, slot: int, moves: int, length: int = 12) -> dict[int, tuple[int, ...]]:
    """Of the root's most visited moves, by their actions: the moves that follow, each the most visited."""
    edges = _edges(tree, slot, int(tree.root[slot]))
    found: dict[int, tuple[int, ...]] = {}
    for i in np.argsort(-edges["N"], kind="stable")[:moves].tolist():
        line: list[int] = []
        node = int(edges["child"][i])
        while node != NONE and len(line) < length:
            below = _edges(tree, slot, node)
            if not below.size or not below["N"].any():
                break
            best = int(below["N"].argmax())
            line.append(int(below["action"][best]))
            node = int(below["child"][best])
        found[int(edges["action"][i])] = tuple(line)
    return found


def _edges(tree: Tree, slot: int, node: int) -> Any:
    first, width = int(tree.node[slot, node].first), int(tree.node[slot, node].width)
    return tree.edge[slot, first : first + width]


def _node(
    tree: Tree, settings: Settings, slot: int, node: int, position: Position, children: dict[int, Node]
) -> Node:
    here, edges = tree.node[slot, node], _edges(tree, slot, node)
    proof = None if here.proof == UNPROVEN else int(here.proof)
    if proof is not None:
        value = float(proof)
    elif settings[slot]["graph"]:
        value = float(tree.mean[slot, node])
    else:
        value = float((here.value + edges["W"].sum()) / here.visits)
    return Node(
        position=position,
        mover=int(here.mover),
        visits=int(here.visits),
        evaluation=float(here.value),
        value=value,
        proof=proof,
        plies=int(here.plies),
        edges=tuple(
            Edge(action, position.name(action), visits, q, prior, children.get(i))
            for i, (action, visits, q, prior) in enumerate(
                zip(
                    edges["action"].tolist(),
                    edges["N"].tolist(),
                    _values(tree, settings, slot, here, edges).tolist(),
                    edges["P"].tolist(),
                    strict=True,
                )
            )
        ),
    )


def _values(tree: Tree, settings: Settings, slot: int, here: Any, edges: Any) -> Floats:
    """Q of each edge, for the mover of its node."""
    tried = edges["N"] > 0
    values = np.where(tried, edges["W"] / np.maximum(edges["N"], 1), np.nan)
    if settings[slot]["proofs"]:
        known = edges["child"] != NONE
        children = tree.node[slot, edges["child"][known]]
        exact = np.where(children["mover"] == here.mover, children["proof"], -children["proof"])
        values[known] = np.where(children["proof"] == UNPROVEN, values[known], exact)
    return values
