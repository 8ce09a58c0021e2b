"""MyGame: replace these rules with your own, then run `zermelo check mygame.py`."""

from __future__ import annotations

from zermelo.games import Board, PythonGame, Symmetry, parameter

# A state can be anything: a tuple, a dataclass, a list ... as long as nobody changes it in place.
# This one is (cells, mover): of each cell 0 empty, 1 first player, 2 second; and whose turn it is.
State = tuple[tuple[int, ...], int]


class MyGame(PythonGame):
    """Three in a row on a small board."""

    family = "mygame"
    acyclic = True  # no position can occur twice in one game; leave it out if one can
    side_swap = "identity"  # the game is the same for both players; leave this and `swapped` out if not

    # Parameters are whole numbers: `zermelo check mygame.py:size=4`.
    size: int = parameter(3, low=3, high=8, help="rows and columns")

    @property
    def board(self) -> Board:
        """With a board and `cells_of` the game is drawn and shown to networks by itself."""
        return Board(self.size, self.size)

    @property
    def num_actions(self) -> int:
        """Actions are the numbers 0 to num_actions - 1; here, one for each cell."""
        return self.size * self.size

    @property
    def max_length(self) -> int:
        """No game has more moves than this."""
        return self.size * self.size

    def start(self) -> State:
        return (0,) * (self.size * self.size), 0

    def mover(self, state: State) -> int:
        """Player 0 or 1. The same player may move twice in a row."""
        return state[1]

    def legal(self, state: State) -> list[int]:
        return [cell for cell, content in enumerate(state[0]) if content == 0]

    def play(self, state: State, action: int) -> State:
        """A new state; the old one must stay as it is."""
        cells, mover = list(state[0]), state[1]
        cells[action] = 1 + mover
        return tuple(cells), 1 - mover

    def returns(self, state: State) -> tuple[float, float] | None:
        """None while the game goes on; then the results of player 0 and player 1."""
        cells = state[0]
        for cell, content in enumerate(cells):
            row, col = divmod(cell, self.size)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                inside = row + 2 * down < self.size and 0 <= col + 2 * right < self.size
                step = down * self.size + right
                if content and inside and content == cells[cell + step] == cells[cell + 2 * step]:
                    return (1.0, -1.0) if content == 1 else (-1.0, 1.0)
        return None if 0 in cells else (0.0, 0.0)

    def cells_of(self, state: State) -> tuple[int, ...]:
        return state[0]

    def swapped(self, state: State) -> State:
        """The same position with the players exchanged: the other's stones, and the other to move."""
        return self.board.swapped(state[0]), 1 - state[1]

    def symmetries_of_rules(self) -> tuple[Symmetry, ...]:
        """Turning and mirroring the board changes nothing. Leave this out if your game has none."""
        return self.board.symmetries(self.num_actions)
