"""Search trees as arrays: many trees of one game, a row for each.

Every statistic of a move lives on its edge; the edges of a node lie next to each other. A row is a
slot of a pool: its tree, its root, and how it is to be searched.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import JIT_ENABLED
from zermelo.games.abi import Floats, Planes, Words
from zermelo.games.base import Game

NONE = -1
"""No node, no edge."""

# Stages of a node: its evaluation is awaited, or was given; its game is over; or a look ahead has seen
# who wins, so that no evaluation was needed.
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

MOST_AHEAD, MOST_CHAIN, NO_LIMIT = 16, 32, 1 << 60
"""Plies of a look ahead, and of a chain of threats, at most; more moves than anybody waits for."""

# Statuses besides those of the rules: no room for another node; a user's function chose no move.
FULL, REFUSED = -3, -4


def _record(**fields: str) -> Any:
    return np.dtype((np.record, list(fields.items())))


NODE = _record(
    value="f8",  # the evaluation, for the mover
    visits="i4",  # 1 + the visits of the edges
    awaited="i4",  # the sum of `pending` over the edges
    first="i4",  # the first edge
    width="i4",  # the number of edges
    plies="i4",  # moves to the end that a proof found
    mover="i1",
    stage="i1",
    proof="i1",
)
EDGE = _record(
    W="f8",  # sum of values, for the mover of the node
    N="i4",  # visits
    P="f4",  # prior probability
    child="i4",  # NONE until the first visit
    action="i4",
    pending="i4",  # visits whose value is still awaited
)
SETTINGS = _record(
    variant="i8",  # one of VARIANTS, or OWN
    source="i8",  # OUTSIDE, ROLLOUT or UNIFORM
    evaluator="i8",  # its number in the pool
    symmetry="i8",  # one of SYMMETRIES
    budget="i8",  # simulations
    leaves="i8",  # how many evaluations may be awaited at once
    proofs="i8",  # whether exact values travel up the tree
    lookahead="i8",  # how many plies every new node is searched for a forced win or loss
    ends="i8",  # how many moves are tried near the end of a game to tell who wins
    chains="i8",  # how many moves it is searched for a win or loss by a chain of threats
    graph="i8",  # whether equal positions are one node
    considered="i8",  # how many moves of the root Gumbel begins with
    exploration="f8",  # c_puct, or C of UCT
    first_play="f8",  # the value of a move not yet tried; NaN: from the parent
    reduction="f8",  # how much lower than the parent's, with NaN above
    value_scale="f8",  # c_scale of Gumbel
    noise="f8",  # the weight of Dirichlet noise at the root
    noise_alpha="f8",  # its alpha; 0: by the number of moves
    gumbel_noise="i8",  # whether the root has Gumbel noise
    numbers="i8",  # how many numbers a user's functions keep on an edge
    select="i8" if JIT_ENABLED else "O",  # those functions: addresses, or Python where Numba is off
    update="i8" if JIT_ENABLED else "O",
)
LEAF = _record(
    slot="i8",
    node="i8",
    depth="i8",  # edges on the way
    row="i8",  # the first of its rows
    rows="i8",  # how many it has: one for each symmetry under which it is shown
    least="i8",  # the symmetry that makes its key least
)
ROW = _record(
    turn="i8",  # the symmetry under which the leaf is shown
    evaluator="i8",
)

Settings: TypeAlias = NDArray[Any]
"""[slots], of SETTINGS: how each slot is searched."""


class Tree(NamedTuple):
    """The nodes and edges of all slots."""

    states: Words  # [slots, nodes, state_words]
    node: NDArray[Any]  # [slots, nodes], of NODE
    edge: NDArray[Any]  # [slots, edges], of EDGE
    W2: Floats  # [slots, edges], sum of squares; no columns where no variant asks for it
    own: Floats  # [slots, edges, numbers], what a user's functions keep
    mean: Floats  # [slots, nodes], Q of a node, for its mover; no columns without graph search
    table: NDArray[np.int32]  # [slots, places], where a state's node is; no columns without graph search
    nodes: Words  # [slots], nodes in use
    edges: Words  # [slots], edges in use
    root: Words  # [slots]
    simulations: Words  # [slots], done since the search began
    root_prior: Floats  # [slots, actions], P of the root's edges with this search's noise
    root_gumbel: Floats  # [slots, actions], Gumbel noise of the root's edges


class Ahead(NamedTuple):
    """Room for a look ahead: the way from a position to the one that is looked at."""

    states: Words  # [plies + 1, state_words]
    actions: Words  # [plies, actions]
    frames: Words  # [plies, 3]
    killers: Words  # [plies], the move that last decided a position at this ply
    returns: Floats  # [players]


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
    ahead: Ahead


class Batch(NamedTuple):
    """The leaves of a round that wait for an evaluator, and the ways to them."""

    counts: Words  # [3]: leaves, rows, and the slot in which something failed
    leaf: NDArray[Any]  # [leaves], of LEAF
    path: Words  # [leaves, moves, 2], the nodes and edges on the way
    key: Words  # [leaves, state_words], the image of the state that the cache knows it by
    shown: NDArray[Any]  # [rows], of ROW
    planes: Planes  # [rows, inputs]


def new_tree(
    game: Game, slots: int, nodes: int, *, squares: bool = False, graph: bool = False, numbers: int = 0
) -> Tree:
    """Room for `nodes` nodes in each slot. Memory is taken only as it is used."""
    places = 1 << (2 * nodes - 1).bit_length()
    edges, actions = nodes * game.num_actions, game.num_actions
    return Tree(
        states=np.empty((slots, nodes, game.state_words), np.int64),
        node=np.empty((slots, nodes), NODE),
        edge=np.empty((slots, edges), EDGE),
        W2=np.empty((slots, edges if squares else 0)),
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
        ahead=Ahead(
            states=np.empty((MOST_CHAIN + 1, game.state_words), np.int64),
            actions=np.empty((MOST_CHAIN, actions), np.int64),
            frames=np.empty((MOST_CHAIN, 3), np.int64),
            killers=np.full(MOST_AHEAD, NONE, np.int64),
            returns=np.empty(game.num_players),
        ),
    )


def new_batch(game: Game, inputs: int, leaves: int, rows: int) -> Batch:
    one_more = leaves + 1  # the way of a simulation that ends by itself is written past the last
    return Batch(
        counts=np.zeros(3, np.int64),
        leaf=np.empty(one_more, LEAF),
        path=np.empty((one_more, game.max_length + 1, 2), np.int64),
        key=np.empty((one_more, game.state_words), np.int64),
        shown=np.empty(rows, ROW),
        planes=np.empty((rows, inputs), np.float32),
    )


def node_bytes(tree: Tree) -> float:
    """Bytes of one node with its edges, if it has as many as there are actions."""
    last = Tree._fields.index("nodes")
    slots, nodes = tree.node.shape
    return float(sum(array.nbytes for array in tree[:last]) / (slots * nodes))
