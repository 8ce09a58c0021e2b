"""Nim with one heap, the smallest game one can write: take one to three, the last one wins."""

from __future__ import annotations

from zermelo.games import PythonGame, parameter

State = tuple[int, int]  # stones left, player to move


class Nim(PythonGame):
    """Take up to `most` stones from a heap; who takes the last one wins."""

    family = "nim"
    acyclic = True
    heap: int = parameter(21, 1, 1000, "stones at the start")
    most: int = parameter(3, 1, 100, "stones one may take")

    @property
    def num_actions(self) -> int:
        return self.most

    @property
    def max_length(self) -> int:
        return self.heap

    @property
    def input_shape(self) -> tuple[int, ...]:
        return (self.heap + 1,)

    def start(self) -> State:
        return self.heap, 0

    def mover(self, state: State) -> int:
        return state[1]

    def legal(self, state: State) -> list[int]:
        return list(range(min(self.most, state[0])))

    def play(self, state: State, action: int) -> State:
        return state[0] - (action + 1), 1 - state[1]

    def returns(self, state: State) -> tuple[float, float] | None:
        if state[0] > 0:
            return None
        return (-1.0, 1.0) if state[1] == 0 else (1.0, -1.0)

    def encode(self, state: State) -> list[float]:
        return [float(state[0] == stones) for stones in range(self.heap + 1)]

    def name_action(self, state: State, action: int) -> str:
        return str(action + 1)

    def draw_state(self, state: State) -> str:
        return f"{state[0]:3} {'|' * state[0]}"
