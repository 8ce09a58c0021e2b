"""Hex, with compiled rules: `zermelo train examples/hex.py:size=7 --minutes 3`."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from zermelo.games import ArrayGame, Board, State, Symmetry, array, parameter, scratch

AROUND = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))


class Hex(ArrayGame):
    """The first player connects top and bottom, the second left and right. A draw is impossible."""

    family = "hex"
    acyclic = True
    side_swap = "diagonal"
    size: int = parameter(5, low=2, high=19, help="rows and columns")

    @cached_property
    def board(self) -> Board:
        return Board(self.size, self.size)

    @property
    def num_actions(self) -> int:
        return self.size * self.size

    max_length = num_actions

    @property
    def fields(self) -> dict[str, object]:
        return {"cells": array(self.num_actions), "mover": int, "winner": int}

    @cached_property
    def neighbours(self) -> np.ndarray:
        """The six cells around each cell; -1 outside the board."""
        rows, cols = np.divmod(np.arange(self.num_actions)[:, None], self.size)
        rows, cols = rows + [down for down, _ in AROUND], cols + [right for _, right in AROUND]
        inside = (rows >= 0) & (rows < self.size) & (cols >= 0) & (cols < self.size)
        return np.where(inside, rows * self.size + cols, -1)

    def legal(self, state: State, action: int) -> bool:
        return bool(state.cells[action] == 0)

    def play(self, state: State, action: int) -> None:
        """Place a stone and follow its group, marked by 3, to both edges."""
        stone, low, high = 1 + state.mover, False, False
        group, count, done = scratch(self.num_actions), 1, 0
        group[0], state.cells[action] = action, 3
        while done < count:
            cell, done = group[done], done + 1
            line = cell % self.size if state.mover else cell // self.size
            low, high = low or line == 0, high or line == self.size - 1
            for near in self.neighbours[cell]:
                if near >= 0 and state.cells[near] == stone:
                    group[count], state.cells[near], count = near, 3, count + 1
        for i in range(count):
            state.cells[group[i]] = stone
        state.winner = stone if low and high else 0
        state.mover = 1 - state.mover

    def returns(self, state: State) -> tuple[float, float] | None:
        if state.winner == 0:
            return None
        return (1.0, -1.0) if state.winner == 1 else (-1.0, 1.0)

    def symmetries_of_rules(self) -> tuple[Symmetry, ...]:
        return tuple(self.board.symmetry(name, self.num_actions) for name in ("identity", "half turn"))
