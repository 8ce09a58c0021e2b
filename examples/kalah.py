"""Kalah: a game with extra turns, in plain Python, with a dataclass as its state."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.games import PythonGame, parameter

MOST = 15
"""Seeds in a house that a network can tell from more."""
SWITCHES = np.eye(MOST + 1, dtype=np.float32)[[min(seeds, MOST) for seeds in range(201)]]
"""Of each number of seeds in a house, which of the switches is on."""


@dataclass(frozen=True)
class State:
    """`pits` holds the first player's houses and store, then the second player's."""

    pits: tuple[int, ...]
    mover: int


class Kalah(PythonGame):
    """Sow seeds around the board; the last seed in one's own store gives another turn."""

    family = "kalah"
    acyclic = True
    houses: int = parameter(6, 1, 10, "houses of each player")
    seeds: int = parameter(4, 1, 10, "seeds in each house at the start")

    @property
    def num_actions(self) -> int:
        return self.houses

    @property
    def max_length(self) -> int:
        """Of S seeds in play, at most S * (houses - 1) moves go by before one of them reaches a store."""
        seeds = 2 * self.houses * self.seeds
        return seeds + (self.houses - 1) * seeds * (seeds + 1) // 2

    @property
    def input_shape(self) -> tuple[int, ...]:
        return (2 * self.houses * (MOST + 1) + 2,)

    def start(self) -> State:
        side = (self.seeds,) * self.houses + (0,)
        return State(side + side, 0)

    def mover(self, state: State) -> int:
        return state.mover

    def legal(self, state: State) -> list[int]:
        first = state.mover * (self.houses + 1)
        return [house for house in range(self.houses) if state.pits[first + house]]

    def play(self, state: State, action: int) -> State:
        size, pits = self.houses + 1, list(state.pits)
        first, mine = state.mover * size, state.mover * size + self.houses
        theirs = (1 - state.mover) * size + self.houses
        pit = first + action
        hand, pits[pit] = pits[pit], 0
        while hand:
            pit = (pit + 1) % (2 * size)
            if pit != theirs:
                pits[pit] += 1
                hand -= 1
        opposite = 2 * self.houses - pit
        if first <= pit < mine and pits[pit] == 1 and pits[opposite]:
            pits[mine] += 1 + pits[opposite]
            pits[pit] = pits[opposite] = 0
        if not any(pits[: self.houses]) or not any(pits[size : size + self.houses]):
            for player in (0, 1):
                houses = slice(player * size, player * size + self.houses)
                pits[player * size + self.houses] += sum(pits[houses])
                pits[houses] = [0] * self.houses
        return State(tuple(pits), state.mover if pit == mine else 1 - state.mover)

    def returns(self, state: State) -> tuple[float, float] | None:
        first, second = state.pits[self.houses], state.pits[-1]
        if first + second < sum(state.pits):
            return None
        result = float(first > second) - float(first < second)
        return result, -result

    def encode(self, state: State) -> np.ndarray:
        """The stores as shares of all seeds; then the mover's houses and the other's, a switch for each
        number of seeds: whether the last one ends in the store is a matter of exact numbers."""
        size = self.houses + 1
        own, other = state.pits[:size], state.pits[size:]
        if state.mover == 1:
            own, other = other, own
        inputs = np.empty(2 + 2 * self.houses * (MOST + 1), np.float32)
        inputs[0], inputs[1] = (side[-1] / (2 * self.houses * self.seeds) for side in (own, other))
        inputs[2:] = SWITCHES[list(own[:-1] + other[:-1])].ravel()
        return inputs

    def name_action(self, state: State, action: int) -> str:
        return str(action + 1)

    def draw_state(self, state: State) -> str:
        size = self.houses + 1
        own = " ".join(f"{seeds:2}" for seeds in state.pits[: self.houses])
        other = " ".join(f"{seeds:2}" for seeds in reversed(state.pits[size:-1]))
        store = " " * len(own)
        return f"     {other}\n{state.pits[-1]:3}  {store} {state.pits[self.houses]:3}\n     {own}"
