"""A whole game, looked at move by move: values, mistakes and their cost."""

from __future__ import annotations

from typing import Any

from zermelo.exact import Outcome
from zermelo.games.position import Position
from zermelo.search.decision import robust_child
from zermelo.search.result import SearchResult

SIMULATIONS = {"az": 400, "uct": 4000}
"""For each position, unless the game is long."""
_MOST = {"az": 20_000, "uct": 300_000}
"""For all positions together."""
MISTAKE, BLUNDER = 0.10, 0.25
"""Of the points that are expected, what such a move costs at least."""


def simulations(word: str, positions: int) -> int:
    """For each of so many positions, by a player of this kind."""
    return max(1, min(SIMULATIONS.get(word, 400), _MOST.get(word, 20_000) // positions))


def searched(result: SearchResult) -> dict[str, Any]:
    """What a search says of a position, for the first player."""
    position = result.position
    best = int(result.actions[robust_child(result)])
    value = result.value if position.mover == 0 else -result.value
    return {"winrate": round((1 + value) / 2, 4), "best": position.name(best)}


def at_the_end(position: Position) -> dict[str, Any]:
    assert position.returns is not None
    return {"winrate": (1 + position.returns[0]) / 2, "best": None}


def costs(positions: list[Position], verdicts: dict[int, dict[str, Any]]) -> None:
    """Write into each verdict what the move that was made there costs, by the search after it or, where
    the exact outcome is known, by that."""
    for ply, verdict in verdicts.items():
        verdict.pop("cost", None)
        if ply + 1 >= len(positions) or positions[ply].is_over:
            continue
        position, move = positions[ply], positions[ply + 1].last_action
        assert move is not None
        exact: dict[str, tuple[int, int]] | None = verdict.get("exact")
        name = position.name(move)
        if exact is not None and name in exact:
            outcomes = {key: Outcome(*one) for key, one in exact.items()}
            cost = (max(outcomes.values()).value - outcomes[name].value) / 2
        elif ply + 1 in verdicts:
            sign = 1 if position.mover == 0 else -1
            cost = max(0.0, sign * (verdict["winrate"] - verdicts[ply + 1]["winrate"]))
            if name == verdict["best"]:
                cost = 0.0
        else:
            continue
        verdict["cost"] = round(cost, 4)
        verdict["mark"] = "??" if cost >= BLUNDER else "?" if cost >= MISTAKE else ""


def with_outcomes(
    verdict: dict[str, Any], position: Position, outcomes: dict[int, Outcome]
) -> dict[str, Any]:
    """The same with exact outcomes, which decide."""
    best = max(outcomes.values())
    value = best.value if position.mover == 0 else -best.value
    moves = [action for action, outcome in outcomes.items() if outcome == best]
    return {
        **verdict,
        "winrate": (1 + value) / 2,
        "best": position.name(moves[0]),
        "outcome": str(best),
        "exact": {position.name(action): (o.value, o.plies) for action, o in outcomes.items()},
    }
