"""The way up: values, visits and proofs, from a leaf to the root. Kernels only."""

from __future__ import annotations

from numba import types

from zermelo.compilation import internal
from zermelo.games.abi import GOING, Words, foreign_call
from zermelo.search.selection import edge_proof
from zermelo.search.tree import OWN, REFUSED, UNPROVEN, Scratch, Settings, Tree

_FLOATS = types.CPointer(types.float64)  # type: ignore[no-untyped-call]
_call_update = foreign_call(types.int64(_FLOATS, _FLOATS))


@internal
def prove(tree: Tree, settings: Settings, slot: int, node: int) -> bool:
    """Give a node its exact value if its edges settle it: one that wins, or the best of all of them.

    With it goes the number of moves to the end: the shortest way to win, the longest to lose.
    """
    best, plies, open_edges = -1, 0, False
    here = tree.node[slot, node]
    for edge in range(here.first, here.first + here.width):
        proof = edge_proof(tree, slot, node, edge)
        if proof == UNPROVEN:
            open_edges = True
            continue
        length = 1 + int(tree.node[slot, tree.edge[slot, edge].child].plies)
        better = length < plies if proof == 1 else length > plies
        if proof > best or plies == 0 or (proof == best and better):
            best, plies = max(best, proof), length
    if open_edges and best != 1:
        return False
    tree.node[slot, node].proof = best
    tree.node[slot, node].plies = plies
    if settings[slot].graph != 0:
        tree.mean[slot, node] = best
    return True


@internal
def told_for_first(tree: Tree, slot: int, node: int, value: float) -> float:
    """A value of the node's mover, told for player 0."""
    return value if tree.node[slot, node].mover == 0 else -value


@internal
def refresh(tree: Tree, slot: int, node: int) -> None:
    """Q(node) = (U(node) + sum of N Q(child)) / (1 + sum of N), with what other ways to the children have
    found since; in a graph only."""
    total = float(tree.node[slot, node].value)
    here = tree.node[slot, node]
    for edge in range(here.first, here.first + here.width):
        if tree.edge[slot, edge].N > 0:
            child = tree.edge[slot, edge].child
            q = tree.mean[slot, child]
            if tree.node[slot, child].mover != tree.node[slot, node].mover:
                q = -q
            tree.edge[slot, edge].W = tree.edge[slot, edge].N * q
            total += tree.edge[slot, edge].W
    if tree.node[slot, node].proof == UNPROVEN:
        tree.mean[slot, node] = total / tree.node[slot, node].visits


@internal
def back_up(
    tree: Tree, settings: Settings, slot: int, path: Words, depth: int, value: float,
    scratch: Scratch,
) -> int:  # fmt: skip
    """Add the value, told for player 0, to every edge on the way, for the mover of its node; a status."""
    status = GOING
    proving = settings[slot].proofs != 0
    for i in range(depth - 1, -1, -1):
        node, edge = path[i, 0], path[i, 1]
        signed = told_for_first(tree, slot, node, value)  # and the other way round
        tree.edge[slot, edge].N += 1
        tree.edge[slot, edge].W += signed
        tree.edge[slot, edge].pending -= 1
        tree.node[slot, node].visits += 1
        tree.node[slot, node].awaited -= 1
        if tree.W2.shape[1] > 0:
            tree.W2[slot, edge] += signed * signed
        if settings[slot].variant == OWN and settings[slot].numbers > 0:
            scratch.value[0] = signed
            if _call_update(settings[slot].update, tree.own[slot, edge], scratch.value) < 0:
                status = REFUSED
        if settings[slot].graph != 0:
            refresh(tree, slot, node)
        if proving and tree.node[slot, node].proof == UNPROVEN:
            proving = edge_proof(tree, slot, node, edge) != UNPROVEN and prove(tree, settings, slot, node)
    tree.simulations[slot] += 1
    return status


@internal
def take_back(tree: Tree, slot: int, path: Words, depth: int) -> None:
    """Undo the virtual losses of a simulation that gives way."""
    for i in range(depth):
        tree.edge[slot, path[i, 1]].pending -= 1
        tree.node[slot, path[i, 0]].awaited -= 1
