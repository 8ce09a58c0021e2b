"""Games written as ordinary Python methods, with any kind of state, behind the same kernels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.errors import BadParameter
from zermelo.games.abi import Planes, Words
from zermelo.games.adapters.bridge import KEY_WORDS, Bridge, State, words_of
from zermelo.games.base import Encoding, Game
from zermelo.games.board import Symmetry, identity
from zermelo.games.drawing import board_text

if TYPE_CHECKING:
    from zermelo.games.position import Position

LONGEST_GAME = 1024
"""A game of another library that is unfinished after this many moves is drawn."""


class PythonGame(Game):
    """A game whose rules are ordinary methods. States may be anything; they must never be changed.

    It brings `start`, `mover`, `legal`, `play`, `returns`, `num_actions` and `max_length`. With a
    `board` and `cells_of` it is drawn and encoded by itself; without, it brings `draw_state`,
    `input_shape` and `encode`. Of other states than numbers, text, tuples, lists, sets, dicts,
    arrays and dataclasses of these it also brings `key`.

    Examples
    --------
    >>> import zermelo as zm
    >>> class Ten(zm.PythonGame):
    ...     '''Count on by 1, 2 or 3; who says ten wins.'''
    ...     family, num_actions, max_length, input_shape = "ten", 3, 10, (11,)
    ...     def start(self): return 0, 0  # the last number, and the player to move
    ...     def mover(self, state): return state[1]
    ...     def legal(self, state): return range(min(3, 10 - state[0]))
    ...     def play(self, state, action): return state[0] + action + 1, 1 - state[1]
    ...     def returns(self, state):
    ...         won = (1.0, -1.0) if state[1] == 1 else (-1.0, 1.0)
    ...         return won if state[0] == 10 else None
    ...     def encode(self, state): return [float(state[0] == n) for n in range(11)]
    ...     def name_action(self, state, action): return str(state[0] + action + 1)
    ...     def draw_state(self, state): return f"said: {state[0]}"
    >>> zm.check(Ten(), games=20).passed
    True
    >>> zm.analyse(Ten(), "1", player="perfect").best.move
    '2'
    """

    states_at_hand: ClassVar[int] = 100_000
    """How many states are kept; any other is made again from its moves when it is needed."""
    keyed_by_moves: ClassVar[bool] = False
    """Whether two positions are the same only if the same moves led to them; then `key` is not asked."""
    reads_context: ClassVar[bool] = False
    """Whether `encode` or `draw_state` show something that `key` leaves out, such as the last move."""

    @abstractmethod
    def start(self) -> State:
        """The first state."""

    @abstractmethod
    def mover(self, state: State) -> int:
        """The player to move, 0 or 1; not asked once the game is over."""

    @abstractmethod
    def legal(self, state: State) -> Sequence[int]:
        """The legal actions; not asked once the game is over."""

    @abstractmethod
    def play(self, state: State, action: int) -> State:
        """The state after a legal action. A new one: `state` stays as it is."""

    @abstractmethod
    def returns(self, state: State) -> Sequence[float] | None:
        """None while the game goes on; then each player's result, 1 for a win and -1 for a loss."""

    def key(self, state: State) -> Any:
        """What makes two states the same position, in plain data."""
        return state

    def cells_of(self, state: State) -> Sequence[int]:
        """For games with a board, of each cell: 0 empty, 1 first player, 2 second, or a value that
        `Board(pieces=...)` gives a piece."""
        raise NotImplementedError(f"{self.family} has a board, so it needs `cells_of(state)`")

    @property
    def input_shape(self) -> tuple[int, ...] | None:
        """The shape of what `encode` returns, where it is not made from the board."""
        return None

    @property
    def input_range(self) -> tuple[float, float]:
        """The least and the greatest value in what `encode` returns."""
        return 0.0, 1.0

    def encode(self, state: State) -> Any:
        """What a network sees, from the side of the player to move. By default, a plane for each kind of
        piece (own, the other's, nobody's), and one for who moves unless `side_swap` is the identity."""
        mover = self.mover(state) if self.returns(state) is None else 0
        cells = np.asarray(self.cells_of(state), np.uint8)
        return self._plane_table[mover].take(cells, axis=1)

    @cached_property
    def _plane_table(self) -> Planes:
        assert self.board is not None
        return self.board.plane_table(self.shows_turn)

    def swapped(self, state: State) -> State:
        """The state with the players exchanged, for games with a `side_swap`; `check` asks for it."""
        raise NotImplementedError(f"{self.family} has a `side_swap`, so it needs `swapped(state)`")

    def heuristic(self, state: State) -> float:
        """How good an unfinished state looks to the player to move, -1 to 1. By default 0: who knows."""
        return 0.0

    def name_action(self, state: State, action: int) -> str:
        """The move as players write it."""
        return self.default_action_name(action)

    def draw_state(self, state: State) -> str:
        """The state as lines of text."""
        return str(state) if self.board is None else board_text(self.board, self.cells_of(state))

    def symmetries_of_rules(self) -> tuple[Symmetry, ...]:
        """The identity alone; a subclass may list more, that all leave the first state as it is."""
        cells = self.board.num_cells if self.board is not None else 0
        return (identity(cells, self.num_actions),)

    # From here on, how this becomes a game like any other.

    def state_of(self, position: Position) -> State:
        """The Python state of a position."""
        return self._bridge.find(position.state)

    def action_name(self, position: Position, action: int) -> str:
        return self.name_action(self.state_of(position), action)

    def draw(self, position: Position) -> str:
        return self.draw_state(self.state_of(position))

    def cells(self, position: Position) -> Sequence[int]:
        return self.cells_of(self.state_of(position))

    @property
    def key_words(self) -> int:
        return KEY_WORDS

    @property
    def state_words(self) -> int:
        return words_of(self)

    @cached_property
    def params(self) -> Words:
        return self._bridge.params

    @property
    def _bridge(self) -> Bridge:
        bridge = _bridges.get(self)
        if bridge is None:
            bridge = _bridges[self] = Bridge(self, type(self).heuristic is not PythonGame.heuristic)
        return bridge

    @property
    def kernels(self) -> Any:
        return self._bridge.kernels

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        low, high = self.input_range
        if self.input_shape is not None:
            return {
                "inputs": Encoding(self.input_shape, self._bridge.encode, (), low, high, self.reads_context)
            }
        if self.board is None:
            raise BadParameter(
                f"{self.family} has no board, so it must say what a network sees: "
                "give it `input_shape` and `encode(state)`"
            )
        return self.board_encodings(self.board, self._bridge.encode, self.reads_context)

    def failure(self, status: int, state: Words) -> Exception:
        return self._bridge.failure(status)

    def forget(self, state: Words | None = None) -> None:
        self._bridge.forget(state)

    def altered(self, state: Words) -> bool:
        return self._bridge.altered(state)


_bridges: dict[PythonGame, Bridge] = {}
"""One for each distinct game, for ever: kernels hold the addresses of its callbacks."""
