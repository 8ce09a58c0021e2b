"""One simulation: select a leaf, expand it, back its value up; in many trees at once.

Kernels only. A simulation that reaches a finished game, or whose value comes from inside (random
moves, or nothing), is over at once; one that needs an evaluator outside leaves its leaf in a batch
and is ended by `finish`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled, copy_words, inlined
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, OVER, Floats, Planes, Rules, Words
from zermelo.search.rng import Stream
from zermelo.search.rollouts import rollout
from zermelo.search.selection import choose, edge_proof
from zermelo.search.tree import (
    EXPANDED,
    NONE,
    OUTSIDE,
    ROLLOUT,
    TERMINAL,
    UNPROVEN,
    WAITING,
    Settings,
    Tree,
)

FULL = -3
"""A status: a slot has no room for another node."""


class Batch(NamedTuple):
    """The leaves of a round that wait for an evaluator, and the ways to them."""

    slot: Words  # [leaves]
    node: Words  # [leaves]
    depth: Words  # [leaves], edges on the way
    path: NDArray[np.int32]  # [leaves, moves, 2], the nodes and edges on the way
    planes: Planes  # [leaves, inputs]


class Scratch(NamedTuple):
    """Room for what a kernel needs meanwhile."""

    actions: Words  # [actions]
    state: Words  # [state_words]
    returns: Floats  # [players]


@inlined
def add_node(rules: Rules, tree: Tree, slot: int, status: int, scratch: Scratch) -> int:
    """Make a node of the state in `scratch`, with its edges; its number, or a status.

    A finished game becomes a terminal node with its true value, which nothing ever overwrites.
    """
    node = int(tree.nodes[slot])
    copy_words(scratch.state, tree.states[slot, node])
    tree.visits[slot, node] = 1
    tree.first[slot, node] = tree.edges[slot]
    tree.width[slot, node] = 0
    tree.value[slot, node] = 0.0
    tree.proof[slot, node] = UNPROVEN
    tree.plies[slot, node] = 0
    tree.mover[slot, node] = 0
    if status == OVER:
        status = abi.returns(rules, scratch.state, scratch.returns)
        if status != OVER:
            return FAILED
        value = scratch.returns[0]
        tree.value[slot, node] = value
        tree.proof[slot, node] = 1 if value > 0 else (-1 if value < 0 else 0)
        tree.stage[slot, node] = TERMINAL
    else:
        count = abi.legal(rules, scratch.state, scratch.actions)
        mover = abi.mover(rules, scratch.state)
        if count <= 0 or mover < 0:
            return FAILED
        first = int(tree.edges[slot])
        for i in range(count):
            edge = first + i
            tree.action[slot, edge] = scratch.actions[i]
            tree.child[slot, edge] = NONE
            tree.N[slot, edge] = 0
            tree.W[slot, edge] = 0.0
            tree.P[slot, edge] = 1.0 / count
            tree.pending[slot, edge] = 0
            if tree.W2.shape[1] > 0:
                tree.W2[slot, edge] = 0.0
        tree.mover[slot, node] = mover
        tree.width[slot, node] = count
        tree.edges[slot] = first + count
        tree.stage[slot, node] = WAITING
    tree.nodes[slot] = node + 1
    return node


@compiled
def plant(rules: Rules, tree: Tree, slot: int, state: Words, scratch: Scratch) -> int:
    """Begin a new tree with this state as its root; a status."""
    tree.nodes[slot] = 0
    tree.edges[slot] = 0
    tree.root[slot] = 0
    tree.simulations[slot] = 0
    copy_words(state, scratch.state)
    status = abi.returns(rules, scratch.state, scratch.returns)
    if status < 0:
        return status
    node = add_node(rules, tree, slot, status, scratch)
    return node if node < 0 else status


@inlined
def set_priors(tree: Tree, slot: int, node: int, logits: NDArray[np.float32]) -> None:
    """P is the softmax of the logits of legal actions; illegal ones never enter it."""
    first, last = int(tree.first[slot, node]), int(tree.first[slot, node] + tree.width[slot, node])
    highest = -math.inf
    for edge in range(first, last):
        highest = max(highest, float(logits[tree.action[slot, edge]]))
    total = 0.0
    for edge in range(first, last):
        total += math.exp(float(logits[tree.action[slot, edge]]) - highest)
    for edge in range(first, last):
        tree.P[slot, edge] = math.exp(float(logits[tree.action[slot, edge]]) - highest) / total


@inlined
def prove(tree: Tree, slot: int, node: int) -> bool:
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
    return True


@inlined
def back_up(
    tree: Tree, settings: Settings, slot: int, path: NDArray[np.int32], depth: int, value: float
) -> None:
    """Add the value, told for player 0, to every edge on the way, for the mover of its node."""
    proving = settings.proofs[slot] != 0
    for i in range(depth - 1, -1, -1):
        node, edge = path[i, 0], path[i, 1]
        signed = value if tree.mover[slot, node] == 0 else -value
        tree.N[slot, edge] += 1
        tree.W[slot, edge] += signed
        tree.pending[slot, edge] -= 1
        tree.visits[slot, node] += 1
        if tree.W2.shape[1] > 0:
            tree.W2[slot, edge] += signed * signed
        if proving and tree.proof[slot, node] == UNPROVEN:
            proving = edge_proof(tree, slot, node, edge) != UNPROVEN and prove(tree, slot, node)
    tree.simulations[slot] += 1


@inlined
def told_for_first(tree: Tree, slot: int, node: int, value: float) -> float:
    """A value of the node's mover, told for player 0."""
    return value if tree.mover[slot, node] == 0 else -value


@inlined
def evaluate_inside(
    rules: Rules, tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch, stream: Stream
) -> int:
    """Give a new node the value of a random game from it, or 0; a status."""
    if settings.source[slot] == ROLLOUT:
        copy_words(tree.states[slot, node], scratch.state)
        plies = rollout(rules, scratch.state, scratch.actions, scratch.returns, stream)
        if plies < 0:
            return plies
        tree.value[slot, node] = scratch.returns[tree.mover[slot, node]]
    tree.stage[slot, node] = EXPANDED
    return GOING


@inlined
def descend(
    rules: Rules, tree: Tree, settings: Settings, slot: int, path: NDArray[np.int32], scratch: Scratch
) -> tuple[int, int]:
    """Follow chosen edges from the root to a node that is new, finished, proven or awaited.

    Returns it (or a status) and the number of edges on the way.
    """
    node, depth = int(tree.root[slot]), 0
    while tree.stage[slot, node] == EXPANDED:
        if settings.proofs[slot] != 0 and depth > 0 and tree.proof[slot, node] != UNPROVEN:
            return node, depth
        edge = choose(tree, settings, slot, node)
        if edge == NONE or depth >= path.shape[0]:
            return FAILED, depth
        path[depth, 0], path[depth, 1] = node, edge
        depth += 1
        tree.pending[slot, edge] += 1
        child = int(tree.child[slot, edge])
        if child == NONE:
            copy_words(tree.states[slot, node], scratch.state)
            status = abi.play(rules, scratch.state, tree.action[slot, edge])
            if status < 0:
                return min(status, FAILED), depth
            child = add_node(rules, tree, slot, status, scratch)
            if child < 0:
                return child, depth
            tree.child[slot, edge] = child
            return child, depth
        node = child
    return node, depth


@compiled
def run_slot(
    rules: Rules, tree: Tree, settings: Settings, slot: int, most: int,
    batch: Batch, filled: int, scratch: Scratch, stream: Stream,
) -> int:  # fmt: skip
    """Simulate in one slot until its budget is spent, its root is proven, `most` simulations are done,
    or as many leaves as it may have wait in the batch; the new length of the batch, or a status."""
    root, awaited = int(tree.root[slot]), 0
    for _ in range(most):
        if tree.simulations[slot] + awaited >= settings.budget[slot]:
            break
        if settings.proofs[slot] != 0 and tree.proof[slot, root] != UNPROVEN:
            break
        if awaited >= settings.leaves[slot]:
            break
        if tree.nodes[slot] >= tree.mover.shape[1]:
            return FULL
        path = batch.path[filled]
        new_nodes = tree.nodes[slot]
        node, depth = descend(rules, tree, settings, slot, path, scratch)
        if node < 0:
            return node
        if tree.stage[slot, node] == WAITING and node < new_nodes:
            # Another simulation waits for this node's evaluation: give way, no node is expanded twice.
            for i in range(depth):
                tree.pending[slot, path[i, 1]] -= 1
            break
        if tree.stage[slot, node] == WAITING and settings.source[slot] == OUTSIDE:
            batch.slot[filled], batch.node[filled], batch.depth[filled] = slot, node, depth
            status = abi.encode(rules, tree.states[slot, node], batch.planes[filled])
            if status < 0:
                return min(status, FAILED)
            filled += 1
            awaited += 1
            continue
        if tree.stage[slot, node] == WAITING:
            status = evaluate_inside(rules, tree, settings, slot, node, scratch, stream)
            if status < 0:
                return min(status, FAILED)
        value = float(tree.value[slot, node])
        if settings.proofs[slot] != 0 and tree.proof[slot, node] != UNPROVEN:
            value = float(tree.proof[slot, node])
        back_up(tree, settings, slot, path, depth, told_for_first(tree, slot, node, value))
    return filled


@compiled
def run_slots(
    rules: Rules, tree: Tree, settings: Settings, slots: Words, most: int,
    batch: Batch, scratch: Scratch, streams: Stream, filled: Words,
) -> int:  # fmt: skip
    """`run_slot` for each of these slots; `filled` gets the length of the batch. A status.

    `streams` has a random stream for every slot.
    """
    filled[0] = 0
    status = GOING
    for i in range(slots.size):
        slot = slots[i]
        stream = streams[slot : slot + 1]
        length = run_slot(rules, tree, settings, slot, most, batch, filled[0], scratch, stream)
        if length == FULL:
            status = FULL
        elif length < 0:
            return length
        else:
            filled[0] = length
    return status


@compiled
def finish(
    tree: Tree,
    settings: Settings,
    batch: Batch,
    filled: int,
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
) -> None:
    """End the simulations whose leaves were evaluated: priors, value, and the way up."""
    for i in range(filled):
        slot, node = batch.slot[i], batch.node[i]
        set_priors(tree, slot, node, logits[i])
        value = max(-1.0, min(1.0, float(values[i])))
        tree.value[slot, node] = value
        tree.stage[slot, node] = EXPANDED
        depth = batch.depth[i]
        if depth > 0:
            back_up(tree, settings, slot, batch.path[i], depth, told_for_first(tree, slot, node, value))


@compiled
def begin_slots(
    rules: Rules, tree: Tree, settings: Settings, slots: Words, batch: Batch,
    scratch: Scratch, streams: Stream,
) -> int:  # fmt: skip
    """Evaluate roots that are not yet: inside, or by putting them into the batch with no way to back
    up (expanding the root is free); the length of the batch, or a status."""
    filled = 0
    for i in range(slots.size):
        slot = slots[i]
        root = int(tree.root[slot])
        if tree.stage[slot, root] != WAITING:
            continue
        if settings.source[slot] != OUTSIDE:
            stream = streams[slot : slot + 1]
            status = evaluate_inside(rules, tree, settings, slot, root, scratch, stream)
        else:
            batch.slot[filled], batch.node[filled], batch.depth[filled] = slot, root, 0
            status = abi.encode(rules, tree.states[slot, root], batch.planes[filled])
            filled += 1
        if status < 0:
            return min(status, FAILED)
    return filled


@compiled
def reset_root(tree: Tree, slots: Words) -> None:
    """The root's priors without noise, and no Gumbel noise."""
    for i in range(slots.size):
        slot = slots[i]
        root = tree.root[slot]
        for j in range(tree.width[slot, root]):
            tree.root_prior[slot, j] = tree.P[slot, tree.first[slot, root] + j]
            tree.root_gumbel[slot, j] = 0.0
