"""New nodes: from a state to a node with its edges. Kernels only."""

from __future__ import annotations

from zermelo.compilation import compiled, copy_words, internal
from zermelo.games import abi
from zermelo.games.abi import FAILED, GOING, OVER, Rules, Words
from zermelo.search.keys import key_hash
from zermelo.search.lookahead import chain, forces, length_of_a_game
from zermelo.search.tree import (
    MOST_AHEAD,
    NO_LIMIT,
    NONE,
    SETTLED,
    TERMINAL,
    UNPROVEN,
    WAITING,
    Scratch,
    Settings,
    Tree,
)


@internal
def place_of(rules: Rules, tree: Tree, slot: int, state: Words) -> int:
    """Where in the slot's table the node of this state is, or would be."""
    last = tree.table.shape[1] - 1
    place = key_hash(state, rules.key_words) & last
    while tree.table[slot, place] != NONE:
        node, equal = tree.table[slot, place], True
        for i in range(rules.key_words):
            equal &= tree.states[slot, node, i] == state[i]
        if equal:
            break
        place = (place + 1) & last
    return int(place)


@internal
def rebuild_table(rules: Rules, tree: Tree, slot: int) -> None:
    """Enter every node of the slot into its table anew."""
    for place in range(tree.table.shape[1]):
        tree.table[slot, place] = NONE
    for node in range(tree.nodes[slot]):
        tree.table[slot, place_of(rules, tree, slot, tree.states[slot, node])] = node


@compiled
def rebuild_tables(rules: Rules, tree: Tree, settings: Settings) -> None:
    for slot in range(settings.size):
        if settings[slot].graph != 0:
            rebuild_table(rules, tree, slot)


@internal
def node_of_state(
    rules: Rules, tree: Tree, settings: Settings, slot: int, status: int, scratch: Scratch
) -> int:
    """The node of the state in `scratch`, a new one with its edges unless a graph has it; or a status.

    A finished game becomes a terminal node with its true value, which nothing ever overwrites; a win,
    draw or loss is proven.
    """
    node = int(tree.nodes[slot])
    if settings[slot].graph != 0:
        place = place_of(rules, tree, slot, scratch.state)
        if tree.table[slot, place] != NONE:
            return int(tree.table[slot, place])
        tree.table[slot, place] = node
    copy_words(scratch.state, tree.states[slot, node])
    tree.node[slot, node].visits = 1
    tree.node[slot, node].awaited = 0
    tree.node[slot, node].first = tree.edges[slot]
    tree.node[slot, node].width = 0
    tree.node[slot, node].proof = UNPROVEN
    tree.node[slot, node].plies = 0
    tree.node[slot, node].mover = 0
    tree.node[slot, node].stage = WAITING
    if status == OVER:
        status = abi.returns(rules, scratch.state, scratch.returns)
        if status != OVER:
            return FAILED
        value = scratch.returns[0]
        if value in (-1.0, 0.0, 1.0):  # other results have a value, but are no win, draw or loss
            tree.node[slot, node].proof = int(value)
        tree.node[slot, node].stage = TERMINAL
        set_value(tree, settings, slot, node, value)
    else:
        set_value(tree, settings, slot, node, 0.0)
        count = abi.legal(rules, scratch.state, scratch.actions)
        mover = abi.mover(rules, scratch.state)
        if count <= 0 or mover < 0:
            return FAILED
        first = int(tree.edges[slot])
        for i in range(count):
            add_edge(tree, slot, first + i, scratch.actions[i], 1.0 / count)
        tree.node[slot, node].mover = mover
        tree.node[slot, node].width = count
        tree.edges[slot] = first + count
    tree.nodes[slot] = node + 1
    return node


@internal
def add_edge(tree: Tree, slot: int, edge: int, action: int, prior: float) -> None:
    tree.edge[slot, edge].action = action
    tree.edge[slot, edge].child = NONE
    tree.edge[slot, edge].N = 0
    tree.edge[slot, edge].W = 0.0
    tree.edge[slot, edge].P = prior
    tree.edge[slot, edge].pending = 0
    if tree.W2.shape[1] > 0:
        tree.W2[slot, edge] = 0.0
    for j in range(tree.own.shape[2]):
        tree.own[slot, edge, j] = 0.0


@internal
def set_value(tree: Tree, settings: Settings, slot: int, node: int, value: float) -> None:
    """The evaluation of a node, for its mover."""
    tree.node[slot, node].value = value
    if settings[slot].graph != 0:
        tree.mean[slot, node] = value


@internal
def win_at_once(
    rules: Rules, tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch
) -> int:
    """Settle a new node if one of its moves wins at once: it needs no evaluation. A status."""
    here = tree.node[slot, node]
    for edge in range(here.first, here.first + here.width):
        copy_words(tree.states[slot, node], scratch.state)
        status = abi.play(rules, scratch.state, tree.edge[slot, edge].action)
        if status < 0:
            return min(status, FAILED)
        if status != OVER:
            continue
        if abi.returns(rules, scratch.state, scratch.returns) != OVER:
            return FAILED
        if scratch.returns[tree.node[slot, node].mover] < 1.0:
            continue
        child = node_of_state(rules, tree, settings, slot, status, scratch)
        if child < 0:
            return child
        tree.edge[slot, edge].child = child
        settle(tree, settings, slot, node, 1, 1)
        break
    return GOING


@internal
def settle(tree: Tree, settings: Settings, slot: int, node: int, proof: int, plies: int) -> None:
    """Tell that a node is won or lost in so many plies: it needs no evaluation."""
    tree.node[slot, node].proof = proof
    tree.node[slot, node].plies = plies
    tree.node[slot, node].stage = SETTLED
    set_value(tree, settings, slot, node, float(proof))


@internal
def look_ahead(rules: Rules, tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch) -> int:
    """Settle a new node whose mover wins by force in 1, 3, 5 ... plies, or loses in 2, 4, 6; a status."""
    status = win_at_once(rules, tree, settings, slot, node, scratch)
    if status < 0 or tree.node[slot, node].stage == SETTLED:
        return status
    if settings[slot].chains > 0:
        status = follow_chains(rules, tree, settings, slot, node, scratch)
        if status < 0 or tree.node[slot, node].stage == SETTLED:
            return status
    mover = int(tree.node[slot, node].mover)
    copy_words(tree.states[slot, node], scratch.ahead.states[0])
    deepest = settings[slot].lookahead if scratch.returns.size == 2 else 1
    for plies in range(2, deepest + 1):
        proof = 1 if plies % 2 == 1 else -1
        won, _ = forces(rules, scratch.ahead, mover if proof == 1 else 1 - mover, plies, NO_LIMIT)
        if won < 0:
            return won
        if won > 0:
            settle(tree, settings, slot, node, proof, plies)
            return GOING
    if settings[slot].ends > 0 and scratch.returns.size == 2:
        return look_to_the_end(rules, tree, settings, slot, node, scratch)
    return GOING


@internal
def look_to_the_end(
    rules: Rules, tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch
) -> int:
    """Settle a new node if the end of the game is near, and `ends` moves tell that the mover of the root
    wins; a status. Losses are left open: a player who knows them had fewer points against those who err."""
    ahead, mover = scratch.ahead, int(tree.node[slot, node].mover)
    plies = length_of_a_game(rules, ahead, MOST_AHEAD)
    if plies <= 0:
        return plies
    attacker = int(tree.node[slot, tree.root[slot]].mover)
    won, _ = forces(rules, ahead, attacker, MOST_AHEAD, settings[slot].ends)
    if won > 0:
        settle(tree, settings, slot, node, 1 if mover == attacker else -1, plies)
    return min(won, GOING)


@internal
def follow_chains(
    rules: Rules, tree: Tree, settings: Settings, slot: int, node: int, scratch: Scratch
) -> int:
    """Settle a new node, whose mover does not win at once, if a chain of threats decides it; a status."""
    ahead, mover = scratch.ahead, int(tree.node[slot, node].mover)
    copy_words(tree.states[slot, node], ahead.states[0])
    plies = chain(rules, ahead, mover, settings[slot].chains)
    if plies > 0:
        settle(tree, settings, slot, node, 1, plies)
    if plies != 0:
        return min(plies, GOING)
    stops = abi.threats(rules, ahead.states[0], 1 - mover, 1, ahead.actions[0])
    if stops < 0:
        return min(stops, FAILED)
    if stops > 1:
        settle(tree, settings, slot, node, -1, 2)
    if stops == 1:  # the only answer: does the other's chain go on after it?
        status = abi.play(rules, ahead.states[0], ahead.actions[0, 0])
        if status < 0:
            return min(status, FAILED)
        if status == GOING and abi.mover(rules, ahead.states[0]) != mover:
            plies = chain(rules, ahead, 1 - mover, settings[slot].chains)
            if plies < 0:
                return plies
            if plies > 0:
                settle(tree, settings, slot, node, -1, plies + 1)
    return GOING
