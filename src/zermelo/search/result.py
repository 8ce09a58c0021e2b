"""What a search found out about its root."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import compiled, inlined
from zermelo.games.abi import Floats, Words
from zermelo.games.position import Position
from zermelo.search import selection
from zermelo.search.tree import NONE, UNPROVEN, Settings, Tree

_LONGEST_LINE = 64


@dataclass(frozen=True)
class SearchResult:
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


@compiled
def _read_root(
    tree: Tree,
    settings: Settings,
    slot: int,
    values: Floats,
    proofs: NDArray[np.int8],
    plies: NDArray[np.int32],
    improved: Floats,
    line: Words,
) -> int:
    """Values, proofs and improved policy of the root's edges, and the principal variation: its length."""
    root = int(tree.root[slot])
    first, width = int(tree.first[slot, root]), int(tree.width[slot, root])
    mixed = selection.mixed_value(tree, settings, slot, root)
    most = selection.most_visits(tree, slot, root)
    highest = -math.inf
    for i in range(width):
        edge = first + i
        proofs[i], plies[i] = UNPROVEN, 0
        if settings.proofs[slot] != 0:
            proofs[i] = selection.edge_proof(tree, slot, root, edge)
            if proofs[i] != UNPROVEN:
                plies[i] = 1 + tree.plies[slot, tree.child[slot, edge]]
        values[i] = selection.completed_value(tree, settings, slot, root, edge, math.nan)
        improved[i] = selection.improved_logit(tree, settings, slot, root, edge, mixed, most)
        highest = max(highest, improved[i])
    total = 0.0
    for i in range(width):
        improved[i] = math.exp(improved[i] - highest)
        total += improved[i]
    for i in range(width):
        improved[i] /= total
    return _read_line(tree, settings, slot, line)


@inlined
def _read_line(tree: Tree, settings: Settings, slot: int, line: Words) -> int:
    """Write the principal variation: most visits, proven wins before all, losses after all."""
    node = int(tree.root[slot])
    for length in range(line.size):
        best, best_rank, best_visits = NONE, -1, -1
        for edge in range(tree.first[slot, node], tree.first[slot, node] + tree.width[slot, node]):
            rank = 1
            if settings.proofs[slot] != 0:
                proof = selection.edge_proof(tree, slot, node, edge)
                rank = 2 if proof == 1 else (0 if proof == -1 else 1)
            visits = int(tree.N[slot, edge])
            if rank > best_rank or (rank == best_rank and visits > best_visits):
                best, best_rank, best_visits = edge, rank, visits
        if best == NONE or tree.child[slot, best] == NONE:
            return length
        line[length] = tree.action[slot, best]
        node = int(tree.child[slot, best])
    return line.size


def read_result(tree: Tree, settings: Settings, slot: int, position: Position) -> SearchResult:
    """Copy what is known about the root of a slot."""
    root = int(tree.root[slot])
    first, width = int(tree.first[slot, root]), int(tree.width[slot, root])
    edges = slice(first, first + width)
    values, improved, proofs = np.empty(width), np.empty(width), np.empty(width, np.int8)
    plies = np.empty(width, np.int32)
    line = np.empty(_LONGEST_LINE, np.int64)
    length = _read_root(tree, settings, slot, values, proofs, plies, improved, line)
    evaluation = float(tree.value[slot, root])
    proof = int(tree.proof[slot, root]) if settings.proofs[slot] else UNPROVEN
    mean = (evaluation + float(tree.W[slot, edges].sum())) / int(tree.visits[slot, root])
    return SearchResult(
        position=position,
        actions=tree.action[slot, edges].copy(),
        visits=tree.N[slot, edges].copy(),
        values=values,
        priors=tree.P[slot, edges].astype(np.float64),
        proofs=proofs,
        plies=plies,
        improved=improved,
        gumbel=tree.root_gumbel[slot, :width].copy(),
        value=float(proof) if proof != UNPROVEN else mean,
        proof=proof,
        evaluation=evaluation,
        simulations=int(tree.simulations[slot]),
        line=tuple(line[:length].tolist()),
    )
