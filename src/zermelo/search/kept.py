"""What a pool keeps between searches: trees that may go on, and the numbers of evaluators."""

from __future__ import annotations

from collections.abc import Callable, Container

from zermelo.search.evaluator import Evaluator, Inside

FARTHEST = 4
"""How many moves a position may lie after the one whose tree goes on."""
MOST_EVALUATORS = 16

Moves = tuple[int, ...]


class KeptTrees:
    """The slots of finished searches, found by the moves that led to their positions."""

    def __init__(self) -> None:
        self._slots: dict[Moves, list[int]] = {}

    def __contains__(self, slot: object) -> bool:
        return any(slot in slots for slots in self._slots.values())

    def add(self, moves: Moves, slot: int) -> None:
        self._slots.setdefault(moves, []).append(slot)

    def take(self, moves: Moves, suits: Callable[[int], bool]) -> int | None:
        """The slot of a tree that suits, of this position or one a few moves before."""
        for length in range(len(moves), max(-1, len(moves) - FARTHEST - 1), -1):
            for slot in self._slots.get(moves[:length], ()):
                if suits(slot):
                    return self._drop(moves[:length], slot)
        return None

    def take_oldest(self) -> int:
        moves, slots = next(iter(self._slots.items()))
        return self._drop(moves, slots[0])

    def drop(self, unsuitable: Callable[[int], bool]) -> None:
        """No longer keep these."""
        for moves, slots in list(self._slots.items()):
            for slot in filter(unsuitable, list(slots)):
                self._drop(moves, slot)

    def _drop(self, moves: Moves, slot: int) -> int:
        self._slots[moves].remove(slot)
        if not self._slots[moves]:
            del self._slots[moves]
        return slot


class Numbering:
    """The numbers by which kernels and the cache know evaluators; none is ever given again."""

    def __init__(self) -> None:
        self._known: dict[int, Evaluator | Inside] = {}
        self._last = 0

    def __len__(self) -> int:
        return len(self._known)

    def __getitem__(self, number: int) -> Evaluator | Inside:
        return self._known[number]

    def of(self, evaluator: Evaluator | Inside) -> int:
        for number, known in self._known.items():
            if known is evaluator or known == evaluator:
                return number
        self._last += 1
        self._known[self._last] = evaluator
        return self._last

    def prune(self, used: Container[int]) -> list[int]:
        """When there are many, forget those that are not in use; their numbers."""
        if len(self._known) < MOST_EVALUATORS:
            return []
        unused = [number for number in self._known if number not in used]
        for number in unused:
            del self._known[number]
        return unused
