"""What a searched position teaches: a policy and a value, both for its player to move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import Fixed, compiled
from zermelo.errors import BadParameter
from zermelo.games.abi import Floats, Words
from zermelo.search.decision import mark_candidates, proportions
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


@compiled
def _policy_target(
    actions: NDArray[np.int32], weights: Floats, priors: Floats, proofs: NDArray[np.int8],
    plies: NDArray[np.int32], marks: NDArray[np.bool_], policy: NDArray[np.float32],
) -> None:  # fmt: skip
    """Write the policy of a search: candidates by their weights; if these say nothing, by their priors; if
    these do not either, or all are proven wins, all alike."""
    won = mark_candidates(proofs, plies, marks)
    total, prior, count = 0.0, 0.0, 0
    for i in range(actions.size):
        if marks[i]:
            total += weights[i]
            prior += priors[i]
            count += 1
    for i in range(actions.size):
        if not marks[i]:
            policy[actions[i]] = 0.0
        elif won or total + prior == 0:
            policy[actions[i]] = 1.0 / count
        else:
            policy[actions[i]] = weights[i] / total if total > 0 else priors[i] / prior


@compiled
def divergence(policy: NDArray[np.float32], actions: NDArray[np.int32], priors: Floats) -> float:
    """KL(policy, prior), in nats; rounding does not take it below 0."""
    total = 0.0
    for i in range(actions.size):
        wanted = float(policy[actions[i]])
        if wanted > 0:
            total += wanted * math.log(wanted / max(priors[i], 1e-9))
    return max(0.0, total)


_write_policy, _divergence = Fixed(_policy_target), Fixed(divergence)


def policy_target(result: SearchResult, improved: bool, temperature: float = 1.0) -> NDArray[np.float32]:
    """For each action of the game. Of a position with proven wins, the shortest alone; else Gumbel's
    improved policy, or the share of visits (sharper or flatter by the temperature), without moves that are
    proven to lose."""
    if improved:
        weights = result.improved
    else:
        weights = result.visits.astype(float) if temperature == 1 else proportions(result, temperature)
    policy = np.zeros(result.position.game.num_actions, np.float32)
    marks = np.empty(len(result.actions), bool)
    _write_policy(result.actions, weights, result.priors, result.proofs, result.plies, marks, policy)
    return policy


def lesson(result: SearchResult, improved: bool, full: bool = True, temperature: float = 1.0) -> Lesson:
    policy = policy_target(result, improved, temperature)
    return Lesson(
        state=result.position.state,
        mover=result.position.mover,
        policy=policy,
        value=result.value,
        exact=result.proof != UNPROVEN,
        full=full,
        surprise=_divergence(policy, result.actions, result.priors),
    )


def value_targets(
    lessons: Sequence[Lesson], returns: tuple[float, ...], search_weight: float
) -> NDArray[np.float32]:
    """For each position of a game (1 - w) z + w q: what came of it and what the search thought. What is
    proven is itself; for positions before it, what came of them is the mean of that and the game's result:
    later mistakes spoil the result, but often enough they undo one that was made before the proof."""
    if not 0 <= search_weight <= 1:
        raise BadParameter(f"`search_weight` (={search_weight}) must be from 0 to 1")
    found = np.empty(len(lessons), np.float32)
    came = returns
    for i in range(len(lessons) - 1, -1, -1):
        one = lessons[i]
        if one.exact:
            found[i] = one.value
            if len(returns) == 2:
                first = (returns[0] + (one.value if one.mover == 0 else -one.value)) / 2
                came = first, -first
        else:
            found[i] = (1 - search_weight) * came[one.mover] + search_weight * one.value
    return found
