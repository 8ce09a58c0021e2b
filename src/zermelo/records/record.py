"""A game as one JSON object: who played, which moves, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from zermelo.games.base import Game
from zermelo.games.position import Position

Record = dict[str, Any]


def record(position: Position, players: Sequence[str], resigned: int | None = None) -> Record:
    """A game as it stands; `resigned` is the player who gave up."""
    returns = position.returns
    if resigned is not None:
        returns = tuple(-1.0 if player == resigned else 1.0 for player in range(2))
    return {
        "game": position.game.name,
        "players": list(players),
        "moves": list(position.move_names),
        "returns": returns,
        "result": f"player {1 + resigned} resigned" if resigned is not None else result(position),
        "date": date.today().isoformat(),
    }


def result(position: Position) -> str:
    """How a game ended, in words."""
    told = verdict(position.returns)
    return f"{told}: {position.forfeit}" if position.forfeit else told


def verdict(returns: Sequence[float] | None) -> str:
    if returns is None:
        return "unfinished"
    first, second = returns
    return "a draw" if first == second else f"player {1 if first > second else 2} wins"


def replayed(game: Game, moves: Sequence[str]) -> Position:
    """The position after these moves, as players write them."""
    position = game.position()
    for move in moves:
        position = position.play(move)
    return position


def parsed(line: bytes | str) -> Record:
    """A line as a game; a `ValueError` says what is wrong with it."""
    try:
        one = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("it is not JSON, or was cut") from None
    if not isinstance(one, dict):
        raise ValueError("it is not a JSON object")
    for field, (kind, fits) in _FIELDS.items():
        if field not in one:
            raise ValueError(f"it has no `{field}`")
        if not fits(one[field]):
            raise ValueError(f"its `{field}` (={_shortened(json.dumps(one[field]))}) must be {kind}")
    return one


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else text[:80] + " ..."


def _are(kind: type | tuple[type, ...], values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


_FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "game": ("a name", lambda value: isinstance(value, str)),
    "players": ("two names", lambda value: _are(str, value) and len(value) == 2),
    "moves": ("a list of moves as players write them", lambda value: _are(str, value)),
    "returns": (
        "null or two numbers",
        lambda value: value is None or (_are((int, float), value) and len(value) == 2),
    ),
    "result": ("a text", lambda value: isinstance(value, str)),
}
"""What is read of a game, and what it must be."""
