"""Search trees as arrays: many trees of one game, a row for each.

Every statistic of a move lives on its edge; the edges of a node lie next to each other. A row is a
slot of a pool: its tree, its root, and how it is to be searched.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.games.abi import Floats, Words
from zermelo.games.base import Game

NONE = -1
"""No node, no edge."""

# Stages of a node.
WAITING, EXPANDED, TERMINAL = 0, 1, 2

UNPROVEN = 2
"""A proof is the exact value of a node for its mover, -1, 0 or 1; or this."""

# How an edge is chosen.
PUCT, GUMBEL, UCT, OMC, PBBM = 0, 1, 2, 3, 4
VARIANTS = {"puct": PUCT, "gumbel": GUMBEL, "uct": UCT, "omc": OMC, "pbbm": PBBM}

# Where the value of a new node comes from: an evaluator outside, or inside the kernel a game of random
# moves, or nothing (value 0, all moves alike).
OUTSIDE, ROLLOUT, UNIFORM = 0, 1, 2


class Tree(NamedTuple):
    """The nodes and edges of all slots."""

    states: Words  # [slots, nodes, state_words]
    mover: NDArray[np.int8]  # [slots, nodes]
    stage: NDArray[np.int8]  # [slots, nodes]
    proof: NDArray[np.int8]  # [slots, nodes]
    plies: NDArray[np.int32]  # [slots, nodes], moves to the end that a proof found
    value: Floats  # [slots, nodes], the evaluation, for the mover
    visits: NDArray[np.int32]  # [slots, nodes], 1 + the visits of the edges
    first: NDArray[np.int32]  # [slots, nodes], the first edge
    width: NDArray[np.int32]  # [slots, nodes], the number of edges
    action: NDArray[np.int32]  # [slots, edges]
    child: NDArray[np.int32]  # [slots, edges], NONE until the first visit
    N: NDArray[np.int32]  # [slots, edges], visits
    W: Floats  # [slots, edges], sum of values, for the mover of the node
    W2: Floats  # [slots, edges], sum of squares; no columns where no variant asks for it
    P: NDArray[np.float32]  # [slots, edges], prior probability
    pending: NDArray[np.int32]  # [slots, edges], visits whose value is still awaited
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
    budget: Words  # [slots], simulations
    leaves: Words  # [slots], how many evaluations may be awaited at once
    proofs: Words  # [slots], whether exact values travel up the tree
    considered: Words  # [slots], how many moves of the root Gumbel begins with
    exploration: Floats  # [slots], c_puct, or C of UCT
    first_play: Floats  # [slots], the value of a move not yet tried; NaN: from the parent
    reduction: Floats  # [slots], how much lower than the parent's, with NaN above
    value_scale: Floats  # [slots], c_scale of Gumbel


def new_tree(game: Game, slots: int, nodes: int, squares: bool = False) -> Tree:
    """Room for `nodes` nodes in each slot. Memory is taken only as it is used."""
    edges, actions = nodes * game.num_actions, game.num_actions
    return Tree(
        states=np.empty((slots, nodes, game.state_words), np.int64),
        mover=np.empty((slots, nodes), np.int8),
        stage=np.empty((slots, nodes), np.int8),
        proof=np.empty((slots, nodes), np.int8),
        plies=np.empty((slots, nodes), np.int32),
        value=np.empty((slots, nodes)),
        visits=np.empty((slots, nodes), np.int32),
        first=np.empty((slots, nodes), np.int32),
        width=np.empty((slots, nodes), np.int32),
        action=np.empty((slots, edges), np.int32),
        child=np.empty((slots, edges), np.int32),
        N=np.empty((slots, edges), np.int32),
        W=np.empty((slots, edges)),
        W2=np.empty((slots, edges if squares else 0)),
        P=np.empty((slots, edges), np.float32),
        pending=np.empty((slots, edges), np.int32),
        nodes=np.zeros(slots, np.int64),
        edges=np.zeros(slots, np.int64),
        root=np.zeros(slots, np.int64),
        simulations=np.zeros(slots, np.int64),
        root_prior=np.zeros((slots, actions)),
        root_gumbel=np.zeros((slots, actions)),
    )


def new_settings(slots: int) -> Settings:
    """The textbook algorithm: PUCT, first play urgency 0, no proofs, one leaf at a time."""
    return Settings(
        variant=np.full(slots, PUCT, np.int64),
        source=np.full(slots, OUTSIDE, np.int64),
        budget=np.zeros(slots, np.int64),
        leaves=np.ones(slots, np.int64),
        proofs=np.zeros(slots, np.int64),
        considered=np.full(slots, 16, np.int64),
        exploration=np.full(slots, 1.25),
        first_play=np.zeros(slots),
        reduction=np.zeros(slots),
        value_scale=np.full(slots, 0.1),
    )


def node_bytes(tree: Tree) -> float:
    """Bytes of one node with its edges, if it has as many as there are actions."""
    last = Tree._fields.index("pending")
    slots, nodes = tree.mover.shape
    return float(sum(array.nbytes for array in tree[: last + 1]) / (slots * nodes))
