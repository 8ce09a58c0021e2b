"""What a search thinks, in the shape that KataGo's analysis engine made familiar.

A win rate is the share of points that the player to move expects: 1 a win, 0.5 a draw, 0 a loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from zermelo.exact import Outcome
from zermelo.games.position import Position
from zermelo.search.config import SearchConfig
from zermelo.search.decision import candidates
from zermelo.search.result import SearchResult
from zermelo.search.tree import UNPROVEN
from zermelo.search.unfolding import Edge, Node, SearchTree
from zermelo.web.picture import place
from zermelo.web.thinker import Lines

MOST_MOVES = 40


def winrate(value: float) -> float:
    return round((1 + value) / 2, 4)


def message(result: SearchResult, lines: Lines, during: bool) -> dict[str, Any]:
    """The moves that were looked at most, and the position itself."""
    position = result.position
    proven = result.proof if result.is_proven else None
    return {
        "type": "analysis",
        "isDuringSearch": during,
        "turnNumber": len(position.moves),
        "moveInfos": [
            _move(result, i, order, lines) for order, i in enumerate(_order(result)[:MOST_MOVES])
        ],
        "rootInfo": {
            "visits": result.simulations,
            "winrate": winrate(result.value),
            "rawWinrate": winrate(result.evaluation),
            "currentPlayer": 1 + position.mover,
            "proven": proven,
        },
    }


def _order(result: SearchResult) -> list[int]:
    """Best first: proven wins, then by visits and prior, proven losses last."""
    good = set(candidates(result))

    def rank(i: int) -> tuple[bool, int, float, float]:
        value = 0.0 if math.isnan(result.values[i]) else float(result.values[i])
        return i not in good, -int(result.visits[i]), -value, -float(result.priors[i])

    return sorted(range(len(result.actions)), key=rank)


def _move(result: SearchResult, i: int, order: int, lines: Lines) -> dict[str, Any]:
    position, action = result.position, int(result.actions[i])
    value, proof = float(result.values[i]), int(result.proofs[i])
    told: dict[str, Any] = {
        "move": position.name(action),
        "action": action,
        "at": place(position, action),
        "order": order,
        "visits": int(result.visits[i]),
        "winrate": None if math.isnan(value) else winrate(value),
        "prior": round(float(result.priors[i]), 4),
        "pv": variation(position, (action, *lines.get(action, ()))),
    }
    if proof != UNPROVEN:
        told["proven"] = {"value": proof, "plies": int(result.plies[i])}
    return told


def variation(position: Position, actions: Sequence[int]) -> list[list[Any]]:
    """Moves one after another: the name of each, its cell, and who makes it."""
    told: list[list[Any]] = []
    for action in actions:
        if position.is_over or action not in position.legal_actions:
            break
        told.append([position.name(action), place(position, action), position.mover])
        position = position.play(action)
    return told


def exact_message(position: Position, outcomes: dict[int, Outcome]) -> dict[str, Any]:
    """The exact outcome of every move, best first."""
    best_first = sorted(outcomes, key=lambda action: outcomes[action], reverse=True)
    return {
        "type": "exact",
        "turnNumber": len(position.moves),
        "best": str(outcomes[best_first[0]]),
        "moves": [
            {
                "move": position.name(action),
                "at": place(position, action),
                "value": outcomes[action].value,
                "plies": outcomes[action].plies,
                "outcome": str(outcomes[action]),
            }
            for action in best_first
        ],
    }


def tree_message(tree: SearchTree, seed: int, config: SearchConfig) -> dict[str, Any]:
    """The tree after a simulation, with N, Q and P on each edge, and S, by which the next one chooses."""
    return {
        "type": "tree",
        "simulations": tree.simulations,
        "seed": seed,
        "turnNumber": len(tree.root.position.moves),
        "path": list(tree.path),
        "variant": str(config.variant),
        "exploration": config.exploration,
        "root": _node(tree.root, config, is_root=True),
    }


def _node(node: Node, config: SearchConfig, is_root: bool = False) -> dict[str, Any]:
    return {
        "mover": node.mover,
        "N": node.visits,
        "value": node.value,
        "evaluation": node.evaluation,
        "proof": node.proof,
        "over": node.position.is_over,
        "edges": [
            {
                "action": edge.action,
                "move": edge.move,
                "at": place(node.position, edge.action),
                "N": edge.visits,
                "Q": None if math.isnan(edge.value) else edge.value,
                "P": edge.prior,
                "S": None if math.isinf(found := score(node, edge, config, is_root)) else found,
                "proven": edge.child is not None and edge.child.proof is not None,
                "child": _node(edge.child, config) if edge.child is not None else None,
            }
            for edge in node.edges
            if is_root or edge.visits
        ],
    }


def score(node: Node, edge: Edge, config: SearchConfig, is_root: bool = False) -> float:
    """What selection compares: Q + c P sqrt(N(node)) / (1 + N) of PUCT, Q + C sqrt(ln N(node) / N) of UCT.

    As in `search/selection.py`, where the same is done in the arrays; infinity for what UCT tries first.
    """
    n = edge.visits
    if config.variant == "uct":
        return edge.value + config.exploration * math.sqrt(math.log(node.visits) / n) if n else math.inf
    q = edge.value if n else config.first_play
    if math.isnan(q):
        tried = 0.0 if is_root else sum(other.prior for other in node.edges if other.visits)
        q = max(-1.0, min(1.0, node.evaluation - config.reduction * math.sqrt(tried)))
    return q + config.exploration * edge.prior * math.sqrt(node.visits) / (1 + n)
