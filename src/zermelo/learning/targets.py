"""What a searched position teaches: a policy and a value, both for its player to move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import BadParameter
from zermelo.games.abi import Words
from zermelo.search.decision import candidates, proportions
from zermelo.search.result import SearchResult
from zermelo.search.tree import UNPROVEN


@dataclass(frozen=True)
class Lesson:
    """A position of a game, before it is known how the game ends."""

    state: Words
    mover: int
    actions: NDArray[np.int32]
    policy: NDArray[np.float32]
    """A probability for each of the actions."""
    value: float
    """Of the search, for the mover."""
    exact: bool
    """Whether that value is proven."""


def policy_target(result: SearchResult, improved: bool) -> NDArray[np.float32]:
    """Of a position with proven wins, these alone; else Gumbel's improved policy, or the share of visits,
    without moves that are proven to lose. It does not depend on how the move was chosen."""
    policy = np.zeros(len(result.actions))
    some = candidates(result)
    if (result.proofs == 1).any():
        policy[some] = 1.0
    elif improved:
        policy[some] = result.improved[some]
    else:
        policy = proportions(result)
    if not policy.any():
        policy[some] = 1.0
    target: NDArray[np.float32] = (policy / policy.sum()).astype(np.float32)
    return target


def lesson(result: SearchResult, improved: bool) -> Lesson:
    return Lesson(
        state=result.position.state,
        mover=result.position.mover,
        actions=result.actions,
        policy=policy_target(result, improved),
        value=result.value,
        exact=result.proof != UNPROVEN,
    )


def value_target(one: Lesson, returns: tuple[float, ...], search_weight: float) -> float:
    """(1 - w) z + w q: the result of the game and what the search thought; what is proven is itself."""
    if not 0 <= search_weight <= 1:
        raise BadParameter(f"`search_weight` (={search_weight}) must be from 0 to 1")
    if one.exact:
        return one.value
    return (1 - search_weight) * returns[one.mover] + search_weight * one.value
