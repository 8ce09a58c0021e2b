"""What a search found out about its root."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.games.abi import Floats
from zermelo.games.position import Position
from zermelo.search.tree import NONE, UNPROVEN, Settings, Tree


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


def _signed_proofs(tree: Tree, slot: int, node: int) -> NDArray[np.int8]:
    """The exact values of a node's edges for its mover."""
    edges = slice(int(tree.first[slot, node]), int(tree.first[slot, node] + tree.width[slot, node]))
    children = tree.child[slot, edges]
    proofs = np.full(len(children), UNPROVEN, np.int8)
    known = children != NONE
    found = tree.proof[slot, children[known]]
    same = tree.mover[slot, children[known]] == tree.mover[slot, node]
    proofs[known] = np.where(found == UNPROVEN, UNPROVEN, np.where(same, found, -found))
    return proofs


def _best_edge(tree: Tree, slot: int, node: int) -> int:
    """The edge with most visits; a proven win before all, a proven loss after all."""
    first, width = int(tree.first[slot, node]), int(tree.width[slot, node])
    visits, proofs = tree.N[slot, first : first + width], _signed_proofs(tree, slot, node)
    rank = np.where(proofs == 1, 2, np.where(proofs == -1, 0, 1))
    return first + int(np.lexsort((-np.arange(width), visits, rank))[-1])


def _line(tree: Tree, slot: int, most: int = 64) -> tuple[int, ...]:
    actions: list[int] = []
    node = int(tree.root[slot])
    while len(actions) < most and tree.width[slot, node] > 0:
        edge = _best_edge(tree, slot, node)
        if tree.child[slot, edge] == NONE:
            break
        actions.append(int(tree.action[slot, edge]))
        node = int(tree.child[slot, edge])
    return tuple(actions)


def _improved(
    result: Floats, priors: Floats, visits: NDArray[np.int32], scale: float, value: float
) -> Floats:
    tried = visits > 0
    total = int(visits.sum())
    mixed = value
    if total:
        weights = priors[tried]
        mean = float((weights * result[tried]).sum() / max(float(weights.sum()), 1e-30))
        mixed = (value + total * mean) / (1 + total)
    completed = np.where(np.isnan(result), mixed, result)
    logits = np.log(np.maximum(priors, 1e-30)) + (50 + visits.max(initial=0)) * scale * (
        0.5 * completed + 0.5
    )
    weights = np.exp(logits - logits.max())
    return np.asarray(weights / weights.sum(), np.float64)


def read_result(tree: Tree, settings: Settings, slot: int, position: Position) -> SearchResult:
    """Copy what is known about the root of a slot."""
    root = int(tree.root[slot])
    first, width = int(tree.first[slot, root]), int(tree.width[slot, root])
    edges = slice(first, first + width)
    visits, sums = tree.N[slot, edges].copy(), tree.W[slot, edges]
    proofs = _signed_proofs(tree, slot, root)
    if not settings.proofs[slot]:
        proofs[:] = UNPROVEN
    means = np.divide(sums, visits, out=np.full(width, math.nan), where=visits > 0)
    values = np.where(proofs == UNPROVEN, means, proofs)
    priors = tree.P[slot, edges].astype(np.float64)
    evaluation = float(tree.value[slot, root])
    proof = int(tree.proof[slot, root]) if settings.proofs[slot] else UNPROVEN
    value = (evaluation + float(sums.sum())) / (1 + int(visits.sum()))
    return SearchResult(
        position=position,
        actions=tree.action[slot, edges].copy(),
        visits=visits,
        values=values,
        priors=priors,
        proofs=proofs,
        improved=_improved(values, priors, visits, float(settings.value_scale[slot]), evaluation),
        gumbel=tree.root_gumbel[slot, :width].copy(),
        value=float(proof) if proof != UNPROVEN else value,
        proof=proof,
        evaluation=evaluation,
        simulations=int(tree.simulations[slot]),
        line=_line(tree, slot),
    )
