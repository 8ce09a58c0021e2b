"""MyGame, compiled: replace these rules with your own, then run `zermelo check mygame.py`.

A state is a vector of whole numbers, `params` another that tells the board size. The functions are
compiled by Numba: index the vectors, and use plain numbers and loops. zermelo/games/abi.py says what
each function must do, zermelo/games/grid.py has pieces for boards of stones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from zermelo.compilation import compiled, inlined
from zermelo.games import Board, CompiledGame, Encoding, Position, Symmetry, parameter
from zermelo.games.abi import GOING, ILLEGAL, OVER, Floats, Kernels, Planes, Words

# The state: [mover, result, cells ...]. The result is 0 while the game goes on, then 1 or 2 for the
# player who won, or 3 for a draw. Of each cell: 0 empty, 1 first player, 2 second.
MOVER, RESULT, CELLS = 0, 1, 2
# The params: [size, cells, then for each symmetry where every cell goes].
SIZE, COUNT, IMAGES = 0, 1, 2


@compiled
def start(params: Words, state: Words) -> int:
    for i in range(CELLS + params[COUNT]):
        state[i] = 0
    return GOING


@compiled
def mover(params: Words, state: Words) -> int:
    return int(state[MOVER])


@compiled
def legal(params: Words, state: Words, actions: Words) -> int:
    count = 0
    for cell in range(params[COUNT]):
        if state[RESULT] == 0 and state[CELLS + cell] == 0:
            actions[count] = cell
            count += 1
    return count


@inlined
def three_from(params: Words, state: Words, row: int, col: int, down: int, right: int) -> bool:
    """Whether the cell (row, col) and the next two in a direction hold the same stone."""
    size = params[SIZE]
    if row + 2 * down >= size or not 0 <= col + 2 * right < size:
        return False
    first = CELLS + row * size + col
    step = down * size + right
    stone = state[first]
    return bool(stone != 0 and stone == state[first + step] and stone == state[first + 2 * step])


@compiled
def play(params: Words, state: Words, action: int) -> int:
    if state[RESULT] != 0 or not 0 <= action < params[COUNT] or state[CELLS + action] != 0:
        return ILLEGAL
    player = state[MOVER]
    state[CELLS + action] = 1 + player
    state[MOVER] = 1 - player
    full = True
    for row in range(params[SIZE]):
        for col in range(params[SIZE]):
            full = full and state[CELLS + row * params[SIZE] + col] != 0
            across = three_from(params, state, row, col, 0, 1) or three_from(params, state, row, col, 1, 0)
            aslant = three_from(params, state, row, col, 1, 1) or three_from(params, state, row, col, 1, -1)
            if across or aslant:
                state[RESULT] = 1 + player
                return OVER
    if full:
        state[RESULT] = 3
        return OVER
    return GOING


@compiled
def returns(params: Words, state: Words, result: Floats) -> int:
    if state[RESULT] == 0:
        return GOING
    first = 0.0
    if state[RESULT] != 3:
        first = 1.0 if state[RESULT] == 1 else -1.0
    result[0] = first
    result[1] = -first
    return OVER


@compiled
def encode(params: Words, state: Words, planes: Planes) -> int:
    """Two planes: the stones of the player to move, and those of the other."""
    own, count = 1 + state[MOVER], params[COUNT]
    for cell in range(count):
        planes[cell] = state[CELLS + cell] == own
        planes[count + cell] = state[CELLS + cell] == 3 - own
    return GOING


@compiled
def transform(params: Words, state: Words, k: int, image: Words) -> int:
    image[MOVER] = state[MOVER]
    image[RESULT] = state[RESULT]
    for cell in range(params[COUNT]):
        image[CELLS + params[IMAGES + k * params[COUNT] + cell]] = state[CELLS + cell]
    return GOING


class MyGame(CompiledGame):
    """Three in a row on a small board."""

    family = "mygame"
    acyclic = True  # no position can occur twice in one game; leave it out if one can
    size: int = parameter(3, low=3, high=8, help="rows and columns")
    kernels = Kernels(start, mover, legal, play, returns, transform)

    @cached_property
    def board(self) -> Board:
        return Board(self.size, self.size)

    @property
    def num_actions(self) -> int:
        return self.board.num_cells

    @property
    def max_length(self) -> int:
        return self.board.num_cells

    @property
    def state_words(self) -> int:
        return CELLS + self.board.num_cells

    @property
    def key_words(self) -> int:
        """The first words, which decide the future of the game: here, all of them."""
        return self.state_words

    @cached_property
    def params(self) -> Words:
        images = [image for symmetry in self.symmetries for image in symmetry.cells]
        return np.array([self.size, self.board.num_cells, *images], np.int64)

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        return {"own-other": Encoding((2, self.size, self.size), encode, ("own", "other"))}

    def symmetries_of_rules(self) -> tuple[Symmetry, ...]:
        return self.board.symmetries(self.num_actions)

    def action_name(self, position: Position, action: int) -> str:
        return self.board.action_name(action)

    def cells(self, position: Position) -> Sequence[int]:
        return position.state[CELLS:].tolist()  # type: ignore[no-any-return]
