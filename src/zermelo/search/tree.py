"""Search trees as arrays: many trees of one game, a row for each.

Every statistic of a move lives on its edge; the edges of a node lie next to each other. A row is a
slot of a pool: its tree, its root, and how it is to be searched.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import JIT_ENABLED
from zermelo.games.abi import Floats, Planes, Words
from zermelo.games.base import Game

NONE = -1
"""No node, no edge."""

# Stages of a node: its evaluation is awaited, or was given; its game is over; or one of its moves was
# seen to win at once, so that no evaluation was needed.
WAITING, EXPANDED, TERMINAL, SETTLED = 0, 1, 2, 3

UNPROVEN = 2
"""A proof is the exact value of a node for its mover, -1, 0 or 1; or this."""

# How an edge is chosen; the last is a user's own function.
PUCT, GUMBEL, UCT, OMC, PBBM, OWN = 0, 1, 2, 3, 4, 5
VARIANTS = {"puct": PUCT, "gumbel": GUMBEL, "uct": UCT, "omc": OMC, "pbbm": PBBM}

# Where the value of a new node comes from: an evaluator outside, or inside the kernel a game of random
# moves, or nothing (value 0, all moves alike).
OUTSIDE, ROLLOUT, UNIFORM = 0, 1, 2

# Under which symmetry an evaluator outside sees a position: none; the one that makes its key least; any,
# by chance; or all, of whose answers the mean is taken.
AS_IS, CANONICAL, RANDOM, MEAN = 0, 1, 2, 3
SYMMETRIES = {"none": AS_IS, "canonical": CANONICAL, "random": RANDOM, "mean": MEAN}

# Statuses besides those of the rules: no room for another node; a user's function chose no move.
FULL, REFUSED = -3, -4


class Tree(NamedTuple):
    """The nodes and edges of all slots."""

    states: Words  # [slots, nodes, state_words]
    mover: NDArray[np.int8]  # [slots, nodes]
    stage: NDArray[np.int8]  # [slots, nodes]
    proof: NDArray[np.int8]  # [slots, nodes]
    plies: NDArray[np.int32]  # [slots, nodes], moves to the end that a proof found
    value: Floats  # [slots, nodes], the evaluation, for the mover
    visits: NDArray[np.int32]  # [slots, nodes], 1 + the visits of the edges
    awaited: NDArray[np.int32]  # [slots, nodes], the sum of `pending` over the edges
    first: NDArray[np.int32]  # [slots, nodes], the first edge
    width: NDArray[np.int32]  # [slots, nodes], the number of edges
    action: NDArray[np.int32]  # [slots, edges]
    child: NDArray[np.int32]  # [slots, edges], NONE until the first visit
    N: NDArray[np.int32]  # [slots, edges], visits
    W: Floats  # [slots, edges], sum of values, for the mover of the node
    W2: Floats  # [slots, edges], sum of squares; no columns where no variant asks for it
    P: NDArray[np.float32]  # [slots, edges], prior probability
    pending: NDArray[np.int32]  # [slots, edges], visits whose value is still awaited
    own: Floats  # [slots, edges, numbers], what a user's functions keep
    mean: Floats  # [slots, nodes], Q of a node, for its mover; no columns without graph search
    table: NDArray[np.int32]  # [slots, places], where a state's node is; no columns without graph search
    nodes: Words  # [slots], nodes in use
    edges: Words  # [slots], edges in use
    root: Words  # [slots]
    simulations: Words  # [slots], done since the search began
    root_prior: Floats  # [slots, actions], P of the root's edges with this search's noise
    root_gumbel: Floats  # [slots, actions], Gumbel noise of the root's edges


class Settings(NamedTuple):
    """How each slot is searched."""

    variant: Words  # [slots], one of VARIANTS
    source: Words  # [slots], OUTSIDE, ROLLOUT or UNIFORM
    evaluator: Words  # [slots], its number in the pool
    symmetry: Words  # [slots], one of SYMMETRIES
    budget: Words  # [slots], simulations
    leaves: Words  # [slots], how many evaluations may be awaited at once
    proofs: Words  # [slots], whether exact values travel up the tree
    lookahead: Words  # [slots], whether every new node is searched for a move that wins at once
    graph: Words  # [slots], whether equal positions are one node
    considered: Words  # [slots], how many moves of the root Gumbel begins with
    exploration: Floats  # [slots], c_puct, or C of UCT
    first_play: Floats  # [slots], the value of a move not yet tried; NaN: from the parent
    reduction: Floats  # [slots], how much lower than the parent's, with NaN above
    value_scale: Floats  # [slots], c_scale of Gumbel
    select: NDArray[Any]  # [slots], a user's functions: addresses (Python functions where Numba is off)
    update: NDArray[Any]
    numbers: Words  # [slots], how many numbers they keep on an edge


class Scratch(NamedTuple):
    """Room for what a kernel needs meanwhile."""

    actions: Words  # [actions]
    state: Words  # [state_words]
    image: Words  # [state_words]
    least: Words  # [state_words]
    returns: Floats  # [players]
    weights: Floats  # [actions]
    edges: Words  # [actions]
    N: Floats  # [actions], and so on: the moves that a user's function chooses from
    Q: Floats
    P: Floats
    own: Floats  # [actions * numbers]
    value: Floats  # [1]
    images: Words  # [symmetries, actions], where each symmetry takes each action


class Batch(NamedTuple):
    """The leaves of a round that wait for an evaluator, and the ways to them."""

    counts: Words  # [3]: leaves, rows, and the slot in which something failed
    slot: Words  # [leaves]
    node: Words  # [leaves]
    depth: Words  # [leaves], edges on the way
    path: Words  # [leaves, moves, 2], the nodes and edges on the way
    row: Words  # [leaves], the first of a leaf's rows
    rows: Words  # [leaves], how many it has: one for each symmetry under which it is shown
    least: Words  # [leaves], the symmetry that makes its key least
    key: Words  # [leaves, key_words], the key that the cache knows it by
    planes: Planes  # [rows, inputs]
    turn: Words  # [rows], the symmetry under which the leaf is shown
    evaluator: Words  # [rows]


def new_tree(
    game: Game, slots: int, nodes: int, *, squares: bool = False, graph: bool = False, numbers: int = 0
) -> Tree:
    """Room for `nodes` nodes in each slot. Memory is taken only as it is used."""
    places = 1 << (2 * nodes - 1).bit_length()
    edges, actions = nodes * game.num_actions, game.num_actions
    return Tree(
        states=np.empty((slots, nodes, game.state_words), np.int64),
        mover=np.empty((slots, nodes), np.int8),
        stage=np.empty((slots, nodes), np.int8),
        proof=np.empty((slots, nodes), np.int8),
        plies=np.empty((slots, nodes), np.int32),
        value=np.empty((slots, nodes)),
        visits=np.empty((slots, nodes), np.int32),
        awaited=np.empty((slots, nodes), np.int32),
        first=np.empty((slots, nodes), np.int32),
        width=np.empty((slots, nodes), np.int32),
        action=np.empty((slots, edges), np.int32),
        child=np.empty((slots, edges), np.int32),
        N=np.empty((slots, edges), np.int32),
        W=np.empty((slots, edges)),
        W2=np.empty((slots, edges if squares else 0)),
        P=np.empty((slots, edges), np.float32),
        pending=np.empty((slots, edges), np.int32),
        own=np.empty((slots, edges if numbers else 0, numbers)),
        mean=np.empty((slots, nodes if graph else 0)),
        table=np.empty((slots, places if graph else 0), np.int32),
        nodes=np.zeros(slots, np.int64),
        edges=np.zeros(slots, np.int64),
        root=np.zeros(slots, np.int64),
        simulations=np.zeros(slots, np.int64),
        root_prior=np.zeros((slots, actions)),
        root_gumbel=np.zeros((slots, actions)),
    )


def new_settings(slots: int) -> Settings:
    """The textbook algorithm: PUCT, first play urgency 0, no proofs, one leaf at a time."""
    function = np.int64 if JIT_ENABLED else object
    return Settings(
        variant=np.full(slots, PUCT, np.int64),
        source=np.full(slots, OUTSIDE, np.int64),
        evaluator=np.zeros(slots, np.int64),
        symmetry=np.full(slots, AS_IS, np.int64),
        budget=np.zeros(slots, np.int64),
        leaves=np.ones(slots, np.int64),
        proofs=np.zeros(slots, np.int64),
        lookahead=np.zeros(slots, np.int64),
        graph=np.zeros(slots, np.int64),
        considered=np.full(slots, 16, np.int64),
        exploration=np.full(slots, 1.25),
        first_play=np.zeros(slots),
        reduction=np.zeros(slots),
        value_scale=np.full(slots, 0.1),
        select=np.zeros(slots, function),
        update=np.zeros(slots, function),
        numbers=np.zeros(slots, np.int64),
    )


def new_scratch(game: Game, numbers: int = 0) -> Scratch:
    actions = game.num_actions
    return Scratch(
        actions=np.empty(actions, np.int64),
        state=np.empty(game.state_words, np.int64),
        image=np.empty(game.state_words, np.int64),
        least=np.empty(game.state_words, np.int64),
        returns=np.empty(game.num_players),
        weights=np.empty(actions),
        edges=np.empty(actions, np.int64),
        N=np.empty(actions),
        Q=np.empty(actions),
        P=np.empty(actions),
        own=np.empty(actions * max(1, numbers)),
        value=np.empty(1),
        images=np.array([symmetry.actions for symmetry in game.symmetries], np.int64),
    )


def new_batch(game: Game, inputs: int, leaves: int, rows: int) -> Batch:
    one_more = leaves + 1  # the way of a simulation that ends by itself is written past the last
    return Batch(
        counts=np.zeros(3, np.int64),
        slot=np.empty(one_more, np.int64),
        node=np.empty(one_more, np.int64),
        depth=np.empty(one_more, np.int64),
        path=np.empty((one_more, game.max_length + 1, 2), np.int64),
        row=np.empty(one_more, np.int64),
        rows=np.empty(one_more, np.int64),
        least=np.empty(one_more, np.int64),
        key=np.empty((one_more, game.key_words), np.int64),
        planes=np.empty((rows, inputs), np.float32),
        turn=np.empty(rows, np.int64),
        evaluator=np.empty(rows, np.int64),
    )


def node_bytes(tree: Tree) -> float:
    """Bytes of one node with its edges, if it has as many as there are actions."""
    last = Tree._fields.index("nodes")
    slots, nodes = tree.mover.shape
    return float(sum(array.nbytes for array in tree[:last]) / (slots * nodes))
