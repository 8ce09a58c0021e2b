"""One simulation: select a leaf, expand it, back its value up; in many trees at once.

Kernels only. A simulation that reaches a finished game, or whose value is known or comes from inside
(random moves, or nothing), is over at once; one that needs an evaluator outside leaves its leaf in a
batch and is ended by `finish`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled, copy_words, internal
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, Floats, Rules, Words
from zermelo.search import noise, rng
from zermelo.search.backup import back_up, prove, take_back, told_for_first
from zermelo.search.cache import ASKED, FOUND, Cache, find, owner_of, place_for
from zermelo.search.expansion import look_ahead, node_of_state, rebuild_table, set_value, win_at_once
from zermelo.search.keys import least_image
from zermelo.search.rng import Stream
from zermelo.search.rollouts import rollout
from zermelo.search.selection import choose
from zermelo.search.tree import (
    AS_IS,
    CANONICAL,
    EXPANDED,
    FULL,
    MEAN,
    NONE,
    OUTSIDE,
    REFUSED,
    ROLLOUT,
    SETTLED,
    UNPROVEN,
    WAITING,
    Batch,
    Scratch,
    Settings,
    Tree,
)

_ANSWERED = 1


@internal
def set_priors(tree: Tree, slot: int, node: int, logits: Floats) -> None:
    """P is the softmax of the logits of legal actions; illegal ones never enter it."""
    first, width = int(tree.node[slot, node].first), int(tree.node[slot, node].width)
    highest = -math.inf
    for i in range(width):
        highest = max(highest, logits[i])
    total = 0.0
    for i in range(width):
        logits[i] = math.exp(logits[i] - highest)
        total += logits[i]
    for i in range(width):
        tree.edge[slot, first + i].P = logits[i] / total


@internal
def answer(tree: Tree, settings: Settings, slot: int, node: int, value: float, scratch: Scratch) -> None:
    """Give a node its evaluation: the value, and the logits of its edges in `scratch.weights`."""
    set_priors(tree, slot, node, scratch.weights)
    set_value(tree, settings, slot, node, max(-1.0, min(1.0, value)))
    tree.node[slot, node].stage = EXPANDED


@internal
def show_images(
    rules: Rules, state: Words, symmetry: int, batch: Batch, scratch: Scratch, stream: Stream
) -> tuple[int, int]:
    """Encode a random image of the state, or all of them; a status and the number of rows."""
    row, images = batch.counts[1], scratch.images.shape[0]
    rows = images if symmetry == MEAN else 1
    for i in range(rows):
        turn = i if symmetry == MEAN else rng.scaled(rng.next_word(stream), images)
        status = abi.transform(rules, state, turn, scratch.image)
        if status >= 0:
            status = abi.encode(rules, scratch.image, batch.planes[row + i])
        if status < 0:
            return status, rows
        batch.shown[row + i].turn = turn
    return GOING, rows


@internal
def ask(
    rules: Rules, tree: Tree, settings: Settings, slot: int, node: int,
    batch: Batch, cache: Cache, scratch: Scratch, stream: Stream,
) -> int:  # fmt: skip
    """Answer a leaf from the cache, or put it into the batch, where the way to it is already; a status,
    or _ANSWERED."""
    state, symmetry = tree.states[slot, node], settings[slot].symmetry
    leaf, row, rows, least = batch.counts[0], batch.counts[1], 1, 0
    if symmetry != AS_IS:
        least = least_image(rules, state, cache.keys.shape[1], scratch)
        if least < 0:
            return least
    elif cache.owner.size > 0:
        copy_words(state, scratch.least)
    if cache.owner.size > 0:
        cache.counts[ASKED] += 1
        place = find(cache, scratch.least, owner_of(settings[slot].evaluator, symmetry))
        if place != NONE:
            cache.counts[FOUND] += 1
            first = int(tree.node[slot, node].first)
            for i in range(tree.node[slot, node].width):
                action = scratch.images[least, tree.edge[slot, first + i].action]
                scratch.weights[i] = cache.logits[place, action]
            answer(tree, settings, slot, node, float(cache.values[place]), scratch)
            return _ANSWERED
        copy_words(scratch.least, batch.key[leaf])
    if symmetry == AS_IS:
        batch.shown[row].turn = 0
        status = abi.encode(rules, state, batch.planes[row])
    elif symmetry == CANONICAL:
        batch.shown[row].turn = least
        status = abi.encode(rules, scratch.least, batch.planes[row])
    else:
        status, rows = show_images(rules, state, symmetry, batch, scratch, stream)
    if status < 0:
        return min(status, FAILED)
    for i in range(row, row + rows):
        batch.shown[i].evaluator = settings[slot].evaluator
    batch.leaf[leaf].slot, batch.leaf[leaf].node = slot, node
    batch.leaf[leaf].row, batch.leaf[leaf].rows, batch.leaf[leaf].least = row, rows, least
    batch.counts[0] += 1
    batch.counts[1] += rows
    return GOING


@internal
def evaluate_inside(
    rules: Rules, tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch, stream: Stream
) -> int:
    """Give a node the value of a random game from it, or 0; a status."""
    if settings[slot].source == ROLLOUT:
        copy_words(tree.states[slot, node], scratch.state)
        plies = rollout(rules, scratch.state, scratch.actions, scratch.returns, stream)
        if plies < 0:
            return min(plies, FAILED)
        set_value(tree, settings, slot, node, scratch.returns[tree.node[slot, node].mover])
    tree.node[slot, node].stage = EXPANDED
    return GOING


@internal
def descend(
    rules: Rules, tree: Tree, settings: Settings, slot: int, path: Words, scratch: Scratch
) -> tuple[int, int]:
    """Follow chosen edges from the root to a node that is new, finished, proven or awaited.

    Returns it (or a status) and the number of edges on the way.
    """
    node, depth = int(tree.root[slot]), 0
    proofs, graph = settings[slot].proofs != 0, settings[slot].graph != 0
    while tree.node[slot, node].stage == EXPANDED:
        if proofs and tree.node[slot, node].proof == UNPROVEN and graph:
            prove(tree, settings, slot, node)  # by what was found on other ways to its children
        if proofs and tree.node[slot, node].proof != UNPROVEN:
            break
        edge = choose(tree, settings, slot, node, scratch)
        if edge < 0 or depth >= path.shape[0]:
            return (REFUSED if edge == REFUSED else FAILED), depth
        path[depth, 0], path[depth, 1] = node, edge
        depth += 1
        tree.edge[slot, edge].pending += 1
        tree.node[slot, node].awaited += 1
        child = int(tree.edge[slot, edge].child)
        if child == NONE:
            copy_words(tree.states[slot, node], scratch.state)
            status = abi.play(rules, scratch.state, tree.edge[slot, edge].action)
            if status < 0:
                return min(status, FAILED), depth
            new = tree.nodes[slot]
            child = node_of_state(rules, tree, settings, slot, status, scratch)
            if child < 0:
                return child, depth
            tree.edge[slot, edge].child = child
            if child == new and settings[slot].lookahead != 0 and status == GOING:
                status = look_ahead(rules, tree, settings, slot, child, scratch)
                if status < 0:
                    return status, depth
            if child == new:
                return child, depth
        node = child
    return node, depth


@internal
def begin(
    rules: Rules, tree: Tree, settings: Settings, slot: int, batch: Batch, cache: Cache,
    scratch: Scratch, stream: Stream,
) -> int:  # fmt: skip
    """Begin to search a slot: look ahead from its root, and have it evaluated if it is not, by putting it
    into the batch with no way to back up (expanding the root is free); a status."""
    root = int(tree.root[slot])
    tree.simulations[slot] = 0
    status = GOING
    if tree.node[slot, root].stage == SETTLED and tree.node[slot, root].plies > 1:
        tree.node[slot, root].proof = UNPROVEN  # it was seen who wins, not by which moves
    if tree.node[slot, root].stage == WAITING and settings[slot].lookahead != 0:
        status = win_at_once(rules, tree, settings, slot, root, scratch)
    if status >= 0 and tree.node[slot, root].stage in (WAITING, SETTLED):
        if settings[slot].source == OUTSIDE:
            batch.leaf[batch.counts[0]].depth = 0
            status = ask(rules, tree, settings, slot, root, batch, cache, scratch, stream)
            if status == GOING:
                return status
        else:
            status = evaluate_inside(rules, tree, settings, slot, root, scratch, stream)
    if status >= 0:
        noise.draw(tree, settings, slot, stream)
    return status


@compiled
def run_slots(
    rules: Rules, tree: Tree, settings: Settings, new: Words, slots: Words, most: int,
    batch: Batch, cache: Cache, scratch: Scratch, streams: Stream,
) -> int:  # fmt: skip
    """Begin to search the new slots; simulate in each of the slots, new or not, until its budget is spent,
    its root is proven or awaited, it is full, `most` simulations are done, or as many leaves as it may
    have wait in the batch; a status.

    `streams` has a random stream for every slot.
    """
    batch.counts[0], batch.counts[1] = 0, 0
    result = GOING
    for i in range(new.size):
        batch.counts[2] = slot = new[i]
        stream = streams[slot : slot + 1]
        status = begin(rules, tree, settings, slot, batch, cache, scratch, stream)
        if status < 0:
            return status
    for i in range(slots.size):
        slot = slots[i]
        batch.counts[2] = slot
        stream = streams[slot : slot + 1]
        root, awaited = int(tree.root[slot]), 0
        if tree.node[slot, root].stage == WAITING:
            continue
        for _ in range(most):
            if (
                tree.simulations[slot] + awaited >= settings[slot].budget
                or awaited >= settings[slot].leaves
            ):
                break
            if settings[slot].proofs != 0 and tree.node[slot, root].proof != UNPROVEN:
                break
            if tree.nodes[slot] + 2 > tree.node.shape[1]:
                result = FULL
                break
            path = batch.path[batch.counts[0]]
            new = tree.nodes[slot]
            node, depth = descend(rules, tree, settings, slot, path, scratch)
            if node < 0:
                return node
            if tree.node[slot, node].stage == WAITING:
                if node < new:
                    # Another simulation waits for this evaluation: give way, nothing is expanded twice.
                    take_back(tree, slot, path, depth)
                    break
                if settings[slot].source == OUTSIDE:
                    batch.leaf[batch.counts[0]].depth = depth
                    status = ask(rules, tree, settings, slot, node, batch, cache, scratch, stream)
                else:
                    status = evaluate_inside(rules, tree, settings, slot, node, scratch, stream)
                if status < 0:
                    return status
                if tree.node[slot, node].stage == WAITING:
                    awaited += 1
                    continue
            value = float(tree.node[slot, node].value)
            if settings[slot].proofs != 0 and tree.node[slot, node].proof != UNPROVEN:
                value = float(tree.node[slot, node].proof)
            status = back_up(
                tree, settings, slot, path, depth, told_for_first(tree, slot, node, value), scratch
            )
            if status < 0:
                return status
    return result


@compiled
def finish(
    rules: Rules, tree: Tree, settings: Settings, batch: Batch, cache: Cache, scratch: Scratch,
    logits: NDArray[np.float32], values: NDArray[np.float32], streams: Stream,
) -> int:  # fmt: skip
    """End the simulations whose leaves were evaluated: priors, value, and the way up, or for a root its
    noise; a status."""
    for leaf in range(batch.counts[0]):
        slot, node, depth = batch.leaf[leaf].slot, batch.leaf[leaf].node, batch.leaf[leaf].depth
        row, rows, least = batch.leaf[leaf].row, batch.leaf[leaf].rows, batch.leaf[leaf].least
        first, width = int(tree.node[slot, node].first), int(tree.node[slot, node].width)
        value, share = 0.0, 1.0 / rows
        for i in range(width):
            scratch.weights[i] = 0.0
        for j in range(row, row + rows):
            value += float(values[j]) * share
            for i in range(width):
                action = scratch.images[batch.shown[j].turn, tree.edge[slot, first + i].action]
                scratch.weights[i] += float(logits[j, action]) * share
        if cache.owner.size > 0:
            owner = owner_of(settings[slot].evaluator, settings[slot].symmetry)
            place = place_for(cache, batch.key[leaf], owner)
            cache.values[place] = value
            for i in range(width):
                action = scratch.images[least, tree.edge[slot, first + i].action]
                cache.logits[place, action] = scratch.weights[i]
        answer(tree, settings, slot, node, value, scratch)
        if depth == 0:
            noise.draw(tree, settings, slot, streams[slot : slot + 1])
        else:
            value = float(tree.node[slot, node].value)
            path = batch.path[leaf]
            status = back_up(
                tree, settings, slot, path, depth, told_for_first(tree, slot, node, value), scratch
            )
            if status < 0:
                batch.counts[2] = slot
                return status
    return GOING


@compiled
def plant(
    rules: Rules, tree: Tree, settings: Settings, slots: Words, states: Words, scratch: Scratch
) -> int:
    """Begin a new tree in each of these slots, with these states as roots; a status."""
    for i in range(slots.size):
        slot = slots[i]
        tree.nodes[slot] = 0
        tree.edges[slot] = 0
        tree.root[slot] = 0
        if settings[slot].graph != 0:
            rebuild_table(rules, tree, slot)
        copy_words(states[i], scratch.state)
        status = abi.returns(rules, scratch.state, scratch.returns)
        if status < 0:
            return status
        status = node_of_state(rules, tree, settings, slot, status, scratch)
        if status < 0:
            return status
    return GOING


@compiled
def find_ended(
    tree: Tree, settings: Settings, slots: Words, deadlines: Floats, now: float, ended: Words
) -> int:
    """Write those of these slots whose budget is spent, whose root is proven, or whose time is over; how
    many there are."""
    count = 0
    for i in range(slots.size):
        slot = slots[i]
        proven = tree.node[slot, tree.root[slot]].proof != UNPROVEN
        if (
            tree.simulations[slot] >= settings[slot].budget
            or (settings[slot].proofs != 0 and proven)
            or deadlines[slot] <= now
        ):
            ended[count] = slot
            count += 1
    return count
