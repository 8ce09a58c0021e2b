"""What a searched position teaches: a policy and a value, both for its player to move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter
from zermelo.games.abi import Floats, Words
from zermelo.search.decision import Index, candidates, proportions
from zermelo.search.result import SearchResult
from zermelo.search.tree import UNPROVEN


@dataclass(frozen=True)
class Lesson:
    """A position of a game, before it is known how the game ends."""

    state: Words
    mover: int
    policy: NDArray[np.float32]
    """A probability for every action of the game."""
    value: float
    """Of the search, for the mover."""
    exact: bool
    """Whether that value is proven."""
    full: bool = True
    """Whether the search was a full one, so that its policy is worth learning."""
    surprise: float = 0.0
    """How far the policy is from what the network thought: the Kullback-Leibler divergence."""


def policy_target(result: SearchResult, improved: bool, temperature: float = 1.0) -> NDArray[np.float32]:
    """For each move of a position. Of one with proven wins, these alone; else Gumbel's improved policy, or
    the share of visits (sharper or flatter by the temperature), without moves that are proven to lose."""
    some = candidates(result)
    if 1 in result.proofs.tolist():
        policy = _spread(1.0, some, result)
    elif not improved:
        policy = proportions(result, temperature)
    elif len(some) == len(result.actions):
        policy = result.improved
    else:
        policy = _spread(result.improved[some], some, result)
    total = policy.sum()
    if total == 0:
        policy, total = _spread(1.0, some, result), len(some)
    target: NDArray[np.float32] = (policy / total).astype(np.float32)
    return target


def _spread(weights: float | Floats, some: Index, result: SearchResult) -> Floats:
    """These weights for some of the moves, 0 for the others."""
    policy = np.zeros(len(result.actions))
    policy[some] = weights
    return policy


def divergence(target: NDArray[np.float32], prior: NDArray[np.float64]) -> float:
    """KL(target, prior), in nats; rounding does not take it below 0."""
    if not target.all():
        some = target > 0
        target, prior = target[some], prior[some]
    return max(0.0, float((target * np.log(target / np.maximum(prior, 1e-9))).sum()))


def lesson(result: SearchResult, improved: bool, full: bool = True, temperature: float = 1.0) -> Lesson:
    target = policy_target(result, improved, temperature)
    policy = np.zeros(result.position.game.num_actions, np.float32)
    policy[result.actions] = target
    return Lesson(
        state=result.position.state,
        mover=result.position.mover,
        policy=policy,
        value=result.value,
        exact=result.proof != UNPROVEN,
        full=full,
        surprise=divergence(target, result.priors),
    )


def value_target(one: Lesson, returns: tuple[float, ...], search_weight: float) -> float:
    """(1 - w) z + w q: the result of the game and what the search thought; what is proven is itself."""
    if not 0 <= search_weight <= 1:
        raise BadParameter(f"`search_weight` (={search_weight}) must be from 0 to 1")
    if one.exact:
        return one.value
    return (1 - search_weight) * returns[one.mover] + search_weight * one.value
