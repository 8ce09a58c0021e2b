"""The move to play after a search: final-move policies.

Proofs come first in all of them: a move that is proven to win is played, one that is proven to lose
only if there is no other. Ties go to the lowest action.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.compilation import Fixed, compiled
from zermelo.errors import BadParameter, listed
from zermelo.games.abi import Floats
from zermelo.naming import name_of
from zermelo.search.result import SearchResult

NEVER = 2**31 - 1
"""More moves than any proof takes."""
SECURITY = 1.0
"""A of the secure child."""


@compiled
def mark_candidates(proofs: NDArray[np.int8], plies: NDArray[np.int32], marks: NDArray[np.bool_]) -> bool:
    """Mark the edges that a policy may choose from: the shortest proven wins, else all that are not
    proven to lose, else the longest proven losses; whether they are proven wins."""
    shortest, longest, won, lost = NEVER, 0, False, True
    for i in range(proofs.size):
        longest = max(longest, int(plies[i]))
        lost = lost and proofs[i] == -1
        if proofs[i] == 1:
            won, shortest = True, min(shortest, int(plies[i]))
    for i in range(proofs.size):
        if won:
            marks[i] = proofs[i] == 1 and plies[i] == shortest
        else:
            marks[i] = plies[i] == longest if lost else proofs[i] != -1
    return won


_mark = Fixed(mark_candidates)


def candidates(result: SearchResult) -> list[int]:
    """The edges that a policy may choose from."""
    marks = np.empty(len(result.proofs), bool)
    _mark(result.proofs, result.plies, marks)
    found: list[int] = marks.nonzero()[0].tolist()
    return found


def _tried(result: SearchResult) -> list[int]:
    """Candidates with a value; all candidates if none has one."""
    some = candidates(result)
    return [i for i in some if not math.isnan(result.values[i])] or some


def _best(some: list[int], *keys: NDArray[Any]) -> int:
    """Of these edges, the one that is greatest by the first key, then by the next ...; no NaN in them."""
    columns = [key.tolist() for key in keys]
    return int(max(some, key=lambda i: (*(column[i] for column in columns), -i)))


def max_child(result: SearchResult) -> int:
    """The highest value."""
    some = _tried(result)
    return _best(some, np.nan_to_num(result.values, nan=-1.0), result.priors)


def robust_child(result: SearchResult) -> int:
    """The most visits; without any, the highest prior."""
    values = np.where(result.visits > 0, result.values, -1.0)
    return _best(candidates(result), result.visits, values, result.priors)


def max_robust_child(result: SearchResult) -> int | None:
    """The move with both the most visits and the highest value; None if there is none (search on)."""
    robust, best = robust_child(result), max_child(result)
    same = result.visits[best] == result.visits[robust] or result.values[best] == result.values[robust]
    return robust if robust == best or same else None


def secure_child(result: SearchResult, security: float = SECURITY) -> int:
    """The highest lower confidence bound, v - A / sqrt(n) (Chaslot et al. 2008)."""
    bounds = np.where(
        result.visits > 0, result.values - security / np.sqrt(np.maximum(result.visits, 1)), -2
    )
    bounds = np.where(result.proofs == 1, 1.0, bounds)
    return _best(_tried(result), bounds, result.priors)


def improved_child(result: SearchResult) -> int:
    """Gumbel's: of the moves with most visits, the best by g + logit + sigma(q)."""
    some, visits = candidates(result), result.visits.tolist()
    most = max([visits[i] for i in some])
    best = [i for i in some if visits[i] == most]
    if len(best) == 1:
        return best[0]
    gumbel, improved = result.gumbel.tolist(), result.improved.tolist()
    return max(best, key=lambda i: gumbel[i] + math.log(max(improved[i], 1e-300)))


def proportions(result: SearchResult, temperature: float = 1.0) -> Floats:
    """Probabilities in proportion to N^(1 / temperature), of candidates only; 0 is the robust child."""
    policy = np.zeros(len(result.actions))
    if temperature == 0:
        policy[robust_child(result)] = 1.0
        return policy
    some = np.array(candidates(result))
    counts = result.visits[some].astype(float)
    if not counts.any():
        counts = result.priors[some]
    some, counts = some[counts > 0], counts[counts > 0]
    logs = np.log(counts)
    with np.errstate(over="ignore"):  # -inf is what a tiny temperature means
        weights = np.exp((logs - logs.max()) / temperature)
    policy[some] = weights / weights.sum()
    return policy


POLICIES: dict[str, Callable[[SearchResult], int]] = {
    "robust": robust_child,
    "max": max_child,
    "max-robust": lambda result: (
        robust if (robust := max_robust_child(result)) is not None else max_child(result)
    ),
    "secure": secure_child,
    "improved": improved_child,
}
DRAWN = ("stochastic", "deterministic", "semi-stochastic")
"""By the visits: drawn in proportion; always the most; drawn at first, and the most from some ply on."""


def decide(
    result: SearchResult,
    policy: str | Callable[[SearchResult], int] = "robust",
    temperature: float = 0.0,
    random: np.random.Generator | None = None,
    drawn_plies: int = 8,
) -> int:
    """The action to play: by a named policy, or a function of one's own from the result to the index of
    a move; drawn by visits if the temperature is above 0."""
    check_temperature(temperature)
    if callable(policy):
        chosen = int(policy(result))
        if not 0 <= chosen < len(result.actions):
            raise BadParameter(
                f"{name_of(policy)} chose move {chosen} of {len(result.actions)}, counted from 0"
            )
        return int(result.actions[chosen])
    check_policy(policy)
    if policy in DRAWN:
        drawn = policy == "stochastic" or (
            policy == "semi-stochastic" and len(result.position.moves) < drawn_plies
        )
        policy, temperature = "robust", (temperature or 1.0) if drawn else 0.0
    if temperature > 0:
        draw = random if random is not None else np.random.default_rng()
        return int(draw.choice(result.actions, p=proportions(result, temperature)))
    return int(result.actions[POLICIES[policy](result)])


def check_temperature(temperature: float) -> None:
    """Raise `BadParameter` unless it is a number from 0 up."""
    if not 0 <= temperature < math.inf:
        raise BadParameter(f"`temperature` (={temperature}) must be a number from 0 up")


def check_policy(policy: str) -> None:
    """Raise `BadParameter` unless there is a policy of this name."""
    if policy not in POLICIES and policy not in DRAWN:
        raise BadParameter(f"`final` (={policy}) must be one of: {listed([*POLICIES, *DRAWN])}")
