"""Draughts on 6x6 with optional captures, one at a time: a small game with kinds of pieces."""

from zermelo.games import Board, PythonGame, Symmetry

SIZE = 6
STEPS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class MiniDraughts(PythonGame):
    """Who cannot move has lost; 60 moves are a draw. A state is (cells, mover, moves made)."""

    family = "mini_draughts"
    num_actions = 4 * SIZE * SIZE
    max_length = 60
    board = Board(SIZE, SIZE, labels="up", pieces={"man": "xo", "king": "XO"})

    @property
    def side_swap(self):
        cells = tuple(map(int, self.board.reflections["half turn"]))
        return Symmetry(
            "half turn", cells, tuple(4 * cells[a // 4] + 3 - a % 4 for a in range(self.num_actions))
        )

    def swapped(self, state):
        return self.board.swapped(state[0], "half turn"), 1 - state[1], state[2]

    def start(self):
        row = [(0, 2, 0, 2, 0, 2), (0,) * 6, (0,) * 6, (0,) * 6, (0,) * 6, (1, 0, 1, 0, 1, 0)]
        return sum(row, ()), 0, 0

    def mover(self, state):
        return state[1]

    def steps(self, value):
        """Which steps a piece may take: men go up (first player) or down, kings everywhere."""
        return {1: (0, 1), 2: (2, 3), 3: (0, 1, 2, 3), 4: (0, 1, 2, 3)}[value]

    def crowning_row(self, player):
        return 0 if player == 0 else SIZE - 1

    def target(self, state, action):
        """Where the move ends and the cell that it captures, or None if it is not legal."""
        cells, mover, _ = state
        cell, step = divmod(action, 4)
        if cells[cell] not in (1 + mover, 3 + mover) or step not in self.steps(cells[cell]):
            return None
        (row, col), (down, right) = divmod(cell, SIZE), STEPS[step]
        for length in (1, 2):
            r, c = row + length * down, col + length * right
            if not (0 <= r < SIZE and 0 <= c < SIZE):
                return None
            if cells[SIZE * r + c] == 0:
                return SIZE * r + c, SIZE * (row + down) + col + right
            if cells[SIZE * r + c] in (1 + mover, 3 + mover):
                return None
        return None

    def legal(self, state):
        own = (1 + state[1], 3 + state[1])
        actions = (
            4 * cell + step for cell in range(SIZE * SIZE) if state[0][cell] in own for step in range(4)
        )
        return [action for action in actions if self.target(state, action)]

    def play(self, state, action):
        cells, mover, count = list(state[0]), state[1], state[2]
        end, captured = self.target(state, action)
        piece, cells[action // 4] = cells[action // 4], 0
        cells[captured] = 0
        cells[end] = 3 + mover if end // SIZE == self.crowning_row(mover) else piece
        return tuple(cells), 1 - mover, count + 1

    def returns(self, state):
        if state[2] == self.max_length:
            return (0.0, 0.0)
        if self.legal(state):
            return None
        return (-1.0, 1.0) if state[1] == 0 else (1.0, -1.0)

    def cells_of(self, state):
        return state[0]

    def name_action(self, state, action):
        end, _ = self.target(state, action)
        return f"{self.board.cell_name(action // 4)}-{self.board.cell_name(end)}"
