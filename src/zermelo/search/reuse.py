"""A tree that goes on after a move: the part below the position that was reached, the rest given back.

Nothing of an earlier search's noise is in it, since noise lies outside the nodes. Kernels only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled, copy_words, internal
from zermelo.games.abi import Rules, Words
from zermelo.search.expansion import rebuild_table
from zermelo.search.tree import NONE, WAITING, Settings, Tree

_UNSEEN, _SEEN = -1, -2


@internal
def _mark(tree: Tree, slot: int, root: int, target: NDArray[np.int32], stack: NDArray[np.int32]) -> None:
    """Mark every node that can be reached from the root."""
    target[root] = _SEEN
    stack[0], height = root, 1
    while height > 0:
        height -= 1
        node = stack[height]
        here = tree.node[slot, node]
        for edge in range(here.first, here.first + here.width):
            child = tree.edge[slot, edge].child
            if child != NONE and target[child] == _UNSEEN:
                target[child] = _SEEN
                stack[height] = child
                height += 1


@internal
def _move_node(tree: Tree, slot: int, old: int, new: int) -> None:
    copy_words(tree.states[slot, old], tree.states[slot, new])
    tree.node[slot, new] = tree.node[slot, old]
    if tree.mean.shape[1] > 0:
        tree.mean[slot, new] = tree.mean[slot, old]


@internal
def _move_edge(tree: Tree, slot: int, old: int, new: int) -> None:
    tree.edge[slot, new] = tree.edge[slot, old]
    if tree.W2.shape[1] > 0:
        tree.W2[slot, new] = tree.W2[slot, old]
    for j in range(tree.own.shape[2]):
        tree.own[slot, new, j] = tree.own[slot, old, j]


@compiled
def follow(
    rules: Rules, tree: Tree, settings: Settings, slot: int, actions: Words, state: Words,
    target: NDArray[np.int32], stack: NDArray[np.int32],
) -> bool:  # fmt: skip
    """Make the node after these actions, which has this state, the root, and keep only what is below it;
    whether there is one.

    Nodes, and with them their edges, keep their order, so that each moves to a place that is free.
    `target` and `stack` have room for all nodes.
    """
    root = int(tree.root[slot])
    for i in range(actions.size):
        found = NONE
        here = tree.node[slot, root]
        for edge in range(here.first, here.first + here.width):
            if tree.edge[slot, edge].action == actions[i]:
                found = int(tree.edge[slot, edge].child)
        if found == NONE:
            return False
        root = found
    if tree.node[slot, root].stage == WAITING:
        return False
    for i in range(rules.key_words):
        if tree.states[slot, root, i] != state[i]:
            return False
    for node in range(tree.nodes[slot]):
        target[node] = _UNSEEN
    _mark(tree, slot, root, target, stack)
    nodes, edges = 0, 0
    for node in range(tree.nodes[slot]):
        if target[node] == _UNSEEN:
            continue
        target[node] = nodes
        first, width = int(tree.node[slot, node].first), int(tree.node[slot, node].width)
        _move_node(tree, slot, node, nodes)
        tree.node[slot, nodes].first = edges
        for i in range(width):
            _move_edge(tree, slot, first + i, edges + i)
        nodes += 1
        edges += width
    for edge in range(edges):
        if tree.edge[slot, edge].child != NONE:
            tree.edge[slot, edge].child = target[tree.edge[slot, edge].child]
    tree.nodes[slot], tree.edges[slot], tree.root[slot] = nodes, edges, target[root]
    if settings[slot].graph != 0:
        rebuild_table(rules, tree, slot)
    return True
