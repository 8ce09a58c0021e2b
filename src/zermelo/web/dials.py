"""Dials: how strong an opponent plays, as the page offers it.

An opponent has a word and parts, a part one or more modes, and a mode is a slider with values and their
labels. The name of the opponent is its word and, after a colon, the chosen value of every part.
"""

from __future__ import annotations

from typing import Any

from zermelo.games.base import Game
from zermelo.players.levels import LEVELS

TIMES = (1, 2, 5, 10, 30)
"""Seconds for a move."""
_WORDS = ("beginner", "easy", "casual", "friendly", "steady", "solid", "sharp", "strong", "expert", "best")

Dial = dict[str, Any]


def opponent(title: str, word: str, hint: str, *parts: list[Dial]) -> dict[str, Any]:
    return {"title": title, "word": word, "hint": hint, "parts": list(parts)}


def dial(title: str, values: list[str], labels: list[str], start: int) -> Dial:
    return {"title": title, "values": values, "labels": labels, "start": start}


def levels() -> Dial:
    values = [f"level={number}" for number in range(1, len(LEVELS) + 1)]
    labels = [f"level {number}, {word}" for number, word in enumerate(_WORDS, 1)]
    return dial("Level", values, labels, 4)


def simulations(counts: tuple[int, ...], start: int) -> Dial:
    labels = [f"{count:,} simulations for a move" if count else "no search" for count in counts]
    return dial("Simulations", [f"sims={count}" for count in counts], labels, start)


def times() -> Dial:
    labels = [f"{seconds} second{'s' * (seconds > 1)} for a move" for seconds in TIMES]
    return dial("Time", [f"time={seconds}" for seconds in TIMES], labels, 1)


def with_a_network(*first: Dial) -> list[Dial]:
    """How strong a network plays."""
    return [*first, simulations((0, 25, 100, 400, 1600, 5000, 20_000), 2), times()]


def deepest(game: Game) -> int:
    """How many moves ahead minimax may look."""
    for most, depth in ((9, 8), (40, 6), (120, 4)):
        if game.num_actions <= most:
            return depth
    return 3


def depths(game: Game) -> Dial:
    found = range(1, deepest(game) + 1)
    labels = [f"{depth} move{'s' * (depth > 1)} ahead" for depth in found]
    return dial("Depth", [f"depth={depth}" for depth in found], labels, len(found) // 2)
