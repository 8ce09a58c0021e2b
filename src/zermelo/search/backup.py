"""The way up: values, visits and proofs, from a leaf to the root. Kernels only."""

from __future__ import annotations

from numba import types

from zermelo.compilation import internal
from zermelo.games.abi import Words, foreign_call
from zermelo.search.selection import edge_proof
from zermelo.search.tree import OWN, UNPROVEN, Scratch, Settings, Tree

_FLOATS = types.CPointer(types.float64)  # type: ignore[no-untyped-call]
_call_update = foreign_call(types.int64(_FLOATS, _FLOATS))


@internal
def prove(tree: Tree, settings: Settings, slot: int, node: int) -> bool:
    """Give a node its exact value if its edges settle it: one that wins, or the best of all of them.

    With it goes the number of moves to the end: the shortest way to win, the longest to lose.
    """
    best, plies, open_edges = -1, 0, False
    for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
        proof = edge_proof(tree, slot, node, edge)
        if proof == UNPROVEN:
            open_edges = True
            continue
        length = 1 + int(tree.plies[slot, tree.child[slot, edge]])
        better = length < plies if proof == 1 else length > plies
        if proof > best or plies == 0 or (proof == best and better):
            best, plies = max(best, proof), length
    if open_edges and best != 1:
        return False
    tree.proof[slot, node] = best
    tree.plies[slot, node] = plies
    if settings.graph[slot] != 0:
        tree.mean[slot, node] = best
    return True


@internal
def told_for_first(tree: Tree, slot: int, node: int, value: float) -> float:
    """A value of the node's mover, told for player 0."""
    return value if tree.mover[slot, node] == 0 else -value


@internal
def refresh(tree: Tree, slot: int, node: int) -> None:
    """Q(node) = (U(node) + sum of N Q(child)) / (1 + sum of N), with what other ways to the children have
    found since; in a graph only."""
    total = float(tree.value[slot, node])
    for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
        if tree.N[slot, edge] > 0:
            child = tree.child[slot, edge]
            q = tree.mean[slot, child]
            if tree.mover[slot, child] != tree.mover[slot, node]:
                q = -q
            tree.W[slot, edge] = tree.N[slot, edge] * q
            total += tree.W[slot, edge]
    if tree.proof[slot, node] == UNPROVEN:
        tree.mean[slot, node] = total / tree.visits[slot, node]


@internal
def back_up(
    tree: Tree, settings: Settings, slot: int, path: Words, depth: int, value: float,
    scratch: Scratch,
) -> None:  # fmt: skip
    """Add the value, told for player 0, to every edge on the way, for the mover of its node."""
    proving = settings.proofs[slot] != 0
    for i in range(depth - 1, -1, -1):
        node, edge = path[i, 0], path[i, 1]
        signed = value if tree.mover[slot, node] == 0 else -value
        tree.N[slot, edge] += 1
        tree.W[slot, edge] += signed
        tree.pending[slot, edge] -= 1
        tree.visits[slot, node] += 1
        tree.awaited[slot, node] -= 1
        if tree.W2.shape[1] > 0:
            tree.W2[slot, edge] += signed * signed
        if settings.variant[slot] == OWN and settings.numbers[slot] > 0:
            scratch.value[0] = signed
            _call_update(settings.update[slot], tree.own[slot, edge], scratch.value)
        if settings.graph[slot] != 0:
            refresh(tree, slot, node)
        if proving and tree.proof[slot, node] == UNPROVEN:
            proving = edge_proof(tree, slot, node, edge) != UNPROVEN and prove(tree, settings, slot, node)
    tree.simulations[slot] += 1


@internal
def take_back(tree: Tree, slot: int, path: Words, depth: int) -> None:
    """Undo the virtual losses of a simulation that gives way."""
    for i in range(depth):
        tree.pending[slot, path[i, 1]] -= 1
        tree.awaited[slot, path[i, 0]] -= 1
