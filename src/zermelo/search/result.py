"""What a search found out about its root."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import Fixed, compiled, internal
from zermelo.games.abi import Floats, Words
from zermelo.games.position import Position
from zermelo.search.selection import completed_value, edge_proof, improve_policy
from zermelo.search.tree import NONE, UNPROVEN, Settings, Tree

_LONGEST_LINE = 64


class SearchResult(NamedTuple):
    """The edges of the root; all values are those of the player to move there."""

    position: Position
    actions: NDArray[np.int32]
    visits: NDArray[np.int32]
    values: Floats
    """Q: exact if proven, else the mean; NaN where a move was not tried."""
    priors: Floats
    """P, without noise."""
    proofs: NDArray[np.int8]
    """The exact value of a move, or UNPROVEN."""
    plies: NDArray[np.int32]
    """How many moves a proof takes to the end; 0 where there is none."""
    improved: Floats
    """Gumbel's improved policy, the softmax of logit + sigma(completed Q)."""
    gumbel: Floats
    """The Gumbel noise of this search; 0 where there was none."""
    own: Floats
    """[moves, numbers], what a selection function of one's own keeps on each edge."""
    value: float
    """Of the position: exact if proven, else the mean over all simulations and the evaluation."""
    proof: int
    """The exact value of the position, or UNPROVEN."""
    evaluation: float
    """What the evaluator alone says of the position."""
    simulations: int
    line: tuple[int, ...]
    """The actions of the principal variation: most visits, proven wins first."""

    @property
    def is_proven(self) -> bool:
        return self.proof != UNPROVEN


class Roots(NamedTuple):
    """What is read of the roots of several slots."""

    actions: NDArray[np.int32]  # [roots, actions]
    visits: NDArray[np.int32]  # [roots, actions]
    values: Floats  # [roots, actions]
    priors: Floats  # [roots, actions]
    proofs: NDArray[np.int8]  # [roots, actions]
    plies: NDArray[np.int32]  # [roots, actions]
    improved: Floats  # [roots, actions]
    gumbel: Floats  # [roots, actions]
    own: Floats  # [roots, actions, numbers]
    line: Words  # [roots, moves]
    value: Floats  # [roots]
    evaluation: Floats  # [roots]
    proof: Words  # [roots]
    width: Words  # [roots]
    length: Words  # [roots], of the line


def _new_roots(roots: int, actions: int, numbers: int) -> Roots:
    return Roots(
        actions=np.empty((roots, actions), np.int32),
        visits=np.empty((roots, actions), np.int32),
        values=np.empty((roots, actions)),
        priors=np.empty((roots, actions)),
        proofs=np.empty((roots, actions), np.int8),
        plies=np.empty((roots, actions), np.int32),
        improved=np.empty((roots, actions)),
        gumbel=np.empty((roots, actions)),
        own=np.empty((roots, actions, numbers)),
        line=np.empty((roots, _LONGEST_LINE), np.int64),
        value=np.empty(roots),
        evaluation=np.empty(roots),
        proof=np.empty(roots, np.int64),
        width=np.empty(roots, np.int64),
        length=np.empty(roots, np.int64),
    )


@compiled
def _read_roots(tree: Tree, settings: Settings, slots: Words, roots: Roots) -> None:
    """The edges of each root, its value, and the principal variation."""
    for i in range(slots.size):
        slot = slots[i]
        root = int(tree.root[slot])
        first, width = int(tree.node[slot, root].first), int(tree.node[slot, root].width)
        total = improve_policy(tree, settings, slot, root, roots.improved[i])
        value = float(tree.node[slot, root].value)
        roots.evaluation[i], roots.width[i], roots.proof[i] = value, width, UNPROVEN
        for j in range(width):
            edge = first + j
            roots.actions[i, j] = tree.edge[slot, edge].action
            roots.visits[i, j] = tree.edge[slot, edge].N
            roots.priors[i, j] = tree.edge[slot, edge].P
            roots.values[i, j] = completed_value(tree, settings, slot, root, edge, math.nan)
            roots.improved[i, j] /= total
            roots.gumbel[i, j] = tree.root_gumbel[slot, j]
            roots.proofs[i, j], roots.plies[i, j] = UNPROVEN, 0
            for k in range(tree.own.shape[2]):
                roots.own[i, j, k] = tree.own[slot, edge, k]
            value += tree.edge[slot, edge].W
            if settings[slot].proofs != 0:
                proof = edge_proof(tree, slot, root, edge)
                if proof != UNPROVEN:
                    roots.proofs[i, j], roots.plies[i, j] = (
                        proof,
                        1 + tree.node[slot, tree.edge[slot, edge].child].plies,
                    )
        roots.value[i] = value / tree.node[slot, root].visits
        if settings[slot].proofs != 0 and tree.node[slot, root].proof != UNPROVEN:
            roots.proof[i] = tree.node[slot, root].proof
            roots.value[i] = tree.node[slot, root].proof
        roots.length[i] = _read_line(tree, settings, slot, roots.line[i])


@internal
def _read_line(tree: Tree, settings: Settings, slot: int, line: Words) -> int:
    """Write the principal variation: most visits; before all the shortest proven win, after all the
    longest proven loss."""
    node = int(tree.root[slot])
    for length in range(line.size):
        best, best_rank, best_worth = NONE, -1, 0
        here = tree.node[slot, node]
        for edge in range(here.first, here.first + here.width):
            rank, worth = 1, int(tree.edge[slot, edge].N)
            if settings[slot].proofs != 0:
                proof = edge_proof(tree, slot, node, edge)
                if proof == 1:
                    rank, worth = 2, -int(tree.node[slot, tree.edge[slot, edge].child].plies)
                elif proof == -1:
                    rank, worth = 0, int(tree.node[slot, tree.edge[slot, edge].child].plies)
            if rank > best_rank or (rank == best_rank and worth > best_worth):
                best, best_rank, best_worth = edge, rank, worth
        if best == NONE or tree.edge[slot, best].child == NONE:
            return length
        line[length] = tree.edge[slot, best].action
        node = int(tree.edge[slot, best].child)
    return line.size


_read_fixed = Fixed(_read_roots)


def read_results(
    tree: Tree, settings: Settings, slots: Words, positions: Sequence[Position]
) -> list[SearchResult]:
    """Copy what is known about the roots of these slots."""
    actions = tree.root_prior.shape[1]
    roots = _new_roots(len(slots), actions, tree.own.shape[2])
    _read_fixed(tree, settings, slots, roots)
    per_move = (roots.actions, roots.visits, roots.values, roots.priors, roots.proofs, roots.plies,
                roots.improved, roots.gumbel, roots.own)  # fmt: skip
    per_root = (roots.value, roots.proof, roots.evaluation, tree.simulations[slots])
    lines = (tuple(line[:n].tolist()) for line, n in zip(roots.line, roots.length.tolist(), strict=True))
    rows = zip(
        positions,
        roots.width.tolist(),
        zip(*per_move, strict=True),
        zip(*(column.tolist() for column in per_root), strict=True),
        lines,
        strict=True,
    )
    return [
        SearchResult._make(
            (position, *(some if width == actions else [row[:width] for row in some]), *numbers, line)
        )
        for position, width, some, numbers, line in rows
    ]
