"""English draughts (checkers) in plain Python: a game with pieces, forced captures and kings.

The board is always kept as the player to move sees it, own pieces at the bottom. So the rules know one
direction only, and a network sees the same board whichever side it plays.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from zermelo.games import PythonGame, parameter

MAN, KING = 1, 2  # of the mover; -1 and -2 are the opponent's
NOBODY = -1

# The 32 dark squares as they are usually numbered, less one: from the mover's right, row by row.
SQUARES = [(row, col) for row in range(8) for col in reversed(range(8)) if (row + col) % 2 == 0]
NUMBER = {place: number for number, place in enumerate(SQUARES)}
DIRECTIONS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
FORWARD, ALL = range(2), range(4)  # a man goes in the first two directions only


def _away(steps: int) -> list[list[int]]:
    """Of each square and direction, the square so many steps away; -1 outside the board."""
    return [
        [NUMBER.get((row + steps * up, col + steps * right), -1) for up, right in DIRECTIONS]
        for row, col in SQUARES
    ]


BESIDE, BEYOND = _away(1), _away(2)
CELLS = np.array([8 * (7 - row) + col for row, col in SQUARES])
"""Where each square is on an 8x8 board, the top row first."""
SEEN = np.zeros((5, 4), np.float32)
"""Of each piece, in which of the first four planes it is; negative numbers count from the end."""
SEEN[[MAN, KING, -MAN, -KING], range(4)] = 1


@dataclass(frozen=True)
class State:
    """A position. `moves` follows from the rest, so it is no part of what is compared."""

    squares: tuple[int, ...]
    mover: int
    jumper: int  # the square of a piece in the middle of a multiple jump, or NOBODY
    quiet: int  # moves since the last capture or move of a man
    length: int  # moves since the start
    moves: tuple[int, ...] = field(compare=False)


class Draughts(PythonGame):
    """Capture all pieces of the opponent, or leave them without a move; captures are forced."""

    family = "draughts"
    acyclic = True
    most_quiet: int = parameter(80, 1, 200, "moves without a capture or a man's move that make a draw")
    longest: int = parameter(300, 10, 1000, "moves after which a game is drawn")

    # An action is a square and a direction, seen by the mover: 4 * square + direction. It is a jump if
    # an opponent's piece is next to the square. A multiple jump is several actions of the same player.
    num_actions = 4 * 32
    input_shape = (6, 8, 8)

    @property
    def max_length(self) -> int:
        return self.longest

    def start(self) -> State:
        squares = (MAN,) * 12 + (0,) * 8 + (-MAN,) * 12
        return State(squares, 0, NOBODY, 0, 0, self._moves(squares, NOBODY))

    def mover(self, state: State) -> int:
        return state.mover

    def legal(self, state: State) -> tuple[int, ...]:
        return state.moves

    def _moves(self, squares: tuple[int, ...], jumper: int) -> tuple[int, ...]:
        """Jumps if there are any, else steps; with a jumper, its jumps alone."""
        jumps, steps = [], []
        for square, piece in enumerate(squares):
            if piece <= 0 or jumper not in (NOBODY, square):
                continue
            for direction in ALL if piece == KING else FORWARD:
                beside, beyond = BESIDE[square][direction], BEYOND[square][direction]
                if beside < 0:
                    continue
                if squares[beside] == 0:
                    steps.append(4 * square + direction)
                elif squares[beside] < 0 and beyond >= 0 and squares[beyond] == 0:
                    jumps.append(4 * square + direction)
        return tuple(jumps if jumps or jumper != NOBODY else steps)

    def play(self, state: State, action: int) -> State:
        square, direction = divmod(action, 4)
        squares, piece, target = list(state.squares), state.squares[square], BESIDE[square][direction]
        is_jump = squares[target] != 0
        if is_jump:
            squares[target] = 0
            target = BEYOND[square][direction]
        is_crowned = piece == MAN and target >= 28  # the last four squares are the far row
        squares[square], squares[target] = 0, KING if is_crowned else piece
        quiet = 0 if is_jump or piece == MAN else state.quiet + 1
        board, length = tuple(squares), state.length + 1
        if is_jump and not is_crowned:  # a man that becomes a king stops
            more = self._moves(board, target)
            if more:
                return State(board, state.mover, target, quiet, length, more)
        board = tuple([-piece for piece in reversed(squares)])  # the other player's turn, and view
        return State(board, 1 - state.mover, NOBODY, quiet, length, self._moves(board, NOBODY))

    def returns(self, state: State) -> tuple[float, float] | None:
        if not state.moves:  # no pieces, or none that can move
            return (-1.0, 1.0) if state.mover == 0 else (1.0, -1.0)
        return (0.0, 0.0) if state.quiet >= self.most_quiet or state.length >= self.longest else None

    def encode(self, state: State) -> np.ndarray:
        """Own men and kings, the opponent's, the piece that must jump on, and how near a draw is."""
        planes = np.zeros((6, 64), np.float32)
        planes[:4, CELLS] = SEEN[list(state.squares)].T
        if state.jumper != NOBODY:
            planes[4, CELLS[state.jumper]] = 1
        planes[5] = state.quiet / self.most_quiet
        return planes

    def name_action(self, state: State, action: int) -> str:
        """In the usual notation: squares 1 to 32, `11-15` for a step and `15x22` for a jump."""
        square, direction = divmod(action, 4)
        beside, beyond = BESIDE[square][direction], BEYOND[square][direction]
        if state.squares[beside]:
            return f"{_usual(square, state.mover)}x{_usual(beyond, state.mover)}"
        return f"{_usual(square, state.mover)}-{_usual(beside, state.mover)}"

    def draw_state(self, state: State) -> str:
        """Pieces are x and o, kings X and O; free dark squares are dots. The first player is below."""
        squares, signs = state.squares, " xXOo" if state.mover == 0 else " oOXx"
        if state.mover == 1:
            squares = squares[::-1]
        rows = [["  "] * 8 for _ in range(8)]
        for (row, col), piece in zip(SQUARES, squares, strict=True):
            rows[7 - row][col] = f"{signs[piece] if piece else '.'} "
        return "\n".join("".join(row).rstrip() for row in rows)


def _usual(square: int, mover: int) -> int:
    """The number on a printed board, 1 to 12 where the first player begins."""
    return square + 1 if mover == 0 else 32 - square
