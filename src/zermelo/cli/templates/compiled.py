"""MyGame, compiled: replace these rules with your own, then run `zermelo check mygame.py`."""

from __future__ import annotations

from zermelo.games import ArrayGame, Board, State, Symmetry, array, parameter


class MyGame(ArrayGame):
    """Three in a row on a small board.

    Numba compiles `start`, `mover`, `legal`, `play` and `returns`. They may use numbers, loops, the fields
    of `state`, and attributes of `self` that are numbers or arrays of numbers.
    """

    family = "mygame"
    acyclic = True  # no position can occur twice in one game; leave it out if one can
    side_swap = "identity"  # the game is the same for both players; leave it out if not

    # Parameters are whole numbers: `zermelo check mygame.py:size=4`.
    size: int = parameter(3, low=3, high=8, help="rows and columns")

    @property
    def board(self) -> Board:
        """With a board and a field `cells` the game is drawn and shown to networks by itself."""
        return Board(self.size, self.size)

    @property
    def num_actions(self) -> int:
        """Actions are the numbers 0 to num_actions - 1; here, one for each cell."""
        return self.size * self.size

    @property
    def max_length(self) -> int:
        """No game has more moves than this."""
        return self.size * self.size

    @property
    def fields(self) -> dict[str, object]:
        """What a state holds; all 0 at the start, unless a method `start(self, state)` changes it. Of each
        cell: 0 empty, 1 first player, 2 second. `mover` is the player to move, 0 or 1."""
        return {"cells": array(self.size, self.size), "mover": int, "moves": int}

    def legal(self, state: State, action: int) -> bool:
        return bool(state.cells[action // self.size, action % self.size] == 0)

    def play(self, state: State, action: int) -> None:
        """Change the state."""
        state.cells[action // self.size, action % self.size] = 1 + state.mover
        state.mover = 1 - state.mover
        state.moves += 1

    def returns(self, state: State) -> tuple[float, float] | None:
        """None while the game goes on; then the results of player 0 and player 1."""
        for row in range(self.size):
            for col in range(self.size):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if row + 2 * down < self.size and 0 <= col + 2 * right < self.size:
                        stone = state.cells[row, col]
                        second = state.cells[row + down, col + right]
                        if stone != 0 and stone == second == state.cells[row + 2 * down, col + 2 * right]:
                            return (1.0, -1.0) if stone == 1 else (-1.0, 1.0)
        return (0.0, 0.0) if state.moves == self.num_actions else None

    def symmetries_of_rules(self) -> tuple[Symmetry, ...]:
        """Turning and mirroring the board changes nothing. Leave this out if your game has none."""
        return self.board.symmetries(self.num_actions)
