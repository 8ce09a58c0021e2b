"""Compiled games written as methods over named numbers and arrays."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike

from zermelo.compilation import JIT_ENABLED
from zermelo.errors import BadParameter, RulesError
from zermelo.games.abi import FAILED, Kernels, Rules, Words
from zermelo.games.adapters.python import PythonGame
from zermelo.games.array_rules import NO_ACTION, RULES, Layout, Machine, View, names_in
from zermelo.games.base import CompiledGame, Encoding
from zermelo.games.board import Board, Symmetry, identity
from zermelo.games.drawing import board_text

if TYPE_CHECKING:
    from zermelo.games.position import Position

State = Any
"""Inside the rules: an object with the fields of the game, which may be read and written."""


def array(*shape: int, dtype: DTypeLike = np.int16, on_board: bool = True) -> np.dtype[Any]:
    """An array among the `fields` of a state. It holds whole numbers from -32768 to 32767, unless you give
    another `dtype`; `np.int8` (-128 to 127) halves the memory.

    An array that ends in the number of cells, or in the rows and columns, follows the symmetries of the
    board; with `on_board=False` it stays as it is.

    Examples
    --------
    >>> from zermelo.games import array
    >>> array(7)
    dtype(('<i2', (7,)))
    """
    return np.dtype((dtype, shape), metadata={"on_board": on_board})


class ArrayGame(CompiledGame):
    """A game with compiled rules over named numbers and arrays.

    It brings `fields`, `legal`, `play`, `returns`, `num_actions` and `max_length`, and `start` where not
    all numbers are 0 at the start. A field `mover` tells who moves, unless there is a method for it. With
    a `board` and a field `cells` the game is drawn and encoded by itself; without, it brings `draw_state`,
    `input_shape` and `encode`.

    The rules are compiled: use numbers, loops, `state.FIELD`, and of `self` parameters and other
    attributes that are numbers or arrays of numbers. Call functions of the module that are decorated with
    `inlined`. Nothing checks the bounds of arrays; `zermelo check` runs the rules uncompiled too, which
    does.

    Examples
    --------
    >>> from zermelo.games import ArrayGame, Board, array
    >>> class FirstOfThree(ArrayGame):
    ...     family = "first-of-three"
    ...     num_actions = max_length = 3
    ...     board = Board(1, 3)
    ...     fields = {"cells": array(3), "mover": int}
    ...
    ...     def legal(self, state, action):
    ...         return state.cells[action] == 0
    ...
    ...     def play(self, state, action):
    ...         state.cells[action] = 1 + state.mover
    ...         state.mover = 1 - state.mover
    ...
    ...     def returns(self, state):
    ...         if state.cells[1] == 0:
    ...             return None
    ...         return (1.0, -1.0) if state.cells[1] == 1 else (-1.0, 1.0)
    >>> FirstOfThree().position("2").returns
    (1.0, -1.0)
    """

    plain: ClassVar[type[PythonGame] | str | None] = None
    """The same game in plain Python, or its file beside this one: `check` compares the two."""

    @property
    @abstractmethod
    def fields(self) -> Mapping[str, Any]:
        """What a state holds, by name: `int` for a number, `array(...)` for an array. All of it decides
        the future of the game."""

    # The rules: compiled.

    def start(self, state: State) -> None:
        """Write the first state; every number is 0 before."""

    def mover(self, state: State) -> int:
        """The player to move, 0 or 1; not asked once the game is over."""
        return state.mover  # type: ignore[no-any-return]

    @abstractmethod
    def legal(self, state: State, action: int) -> bool:
        """Whether this action is legal; not asked once the game is over."""

    @abstractmethod
    def play(self, state: State, action: int) -> None:
        """Change the state by a legal action."""

    @abstractmethod
    def returns(self, state: State) -> tuple[float, float] | None:
        """None while the game goes on; then each player's result, 1 for a win and -1 for a loss."""

    def transform(self, state: State, k: int) -> None:
        """Change a state whose cells were moved by symmetry k, where more depends on direction."""

    def heuristic(self, state: State) -> float:
        """How good an unfinished state looks to the player to move, -1 to 1."""
        return 0.0

    def encode(self, state: State, planes: Any) -> None:
        """Write an array of `input_shape`, from the side of the player to move."""
        raise NotImplementedError(
            f"{self.family} has an `input_shape`, so it needs `encode(state, planes)`"
        )

    # Not compiled.

    @property
    def input_shape(self) -> tuple[int, ...] | None:
        """The shape of what `encode` writes, where it is not made from the board."""
        return None

    @property
    def input_range(self) -> tuple[float, float]:
        """The least and the greatest value that `encode` writes."""
        return 0.0, 1.0

    def failure(self, status: int, state: Words) -> Exception:
        from zermelo.games.position import Position

        if self.board is not None and status == FAILED:
            values = [value for value in self.cells(Position(self, state)) if value]
            if strange := [value for value in values if self.board.piece(value) is None]:
                return RulesError(
                    f"a cell of {self.name} holds {strange[0]}, which no plane shows; name every kind of "
                    "piece in `Board(..., pieces=...)`"
                )
        return super().failure(status, state)

    def cells_of(self, state: State) -> Sequence[int]:
        """For games with a board, the value of each cell."""
        return state.cells.ravel().tolist()  # type: ignore[no-any-return]

    def name_action(self, state: State, action: int) -> str:
        """The move as players write it."""
        return self.default_action_name(action)

    def draw_state(self, state: State) -> str:
        """The state as lines of text."""
        if self.board is None:
            return "\n".join(f"{name} {getattr(state, name)}" for name in self.fields)
        return board_text(self.board, self.cells_of(state))

    def symmetries_of_rules(self) -> tuple[Symmetry, ...]:
        """The identity alone; a subclass may list more."""
        return (identity(self.board.num_cells if self.board is not None else 0, self.num_actions),)

    def swapped(self, state: State) -> None:
        """Change a state whose players were exchanged, where more than `cells` and `mover` tells them
        apart; for games with a `side_swap`."""

    # From here on, how this becomes a game like any other.

    @cached_property
    def layout(self) -> Layout:
        """Where the fields lie in a state vector."""
        taken = [
            name
            for name in self.fields
            if isinstance(getattr(ArrayGame, name, None), property | cached_property)
        ]
        if taken:
            raise BadParameter(f"a field of {self.family} may not be called `{taken[0]}`: a game has that")
        return Layout({**self.fields, "_over": np.int8})

    @property
    def key_words(self) -> int:
        return self.layout.words

    @property
    def state_words(self) -> int:
        return self.layout.words + 1  # the last action

    @cached_property
    def _constants(self) -> dict[str, Any]:
        """What compiled functions read: numbers and arrays that the rules name, and tables made here."""
        values: dict[str, Any] = {}
        for name in sorted(names_in(type(self), RULES)):  # the same layout in every process
            value = getattr(self, name, None)
            if isinstance(value, (int, float, np.generic, np.ndarray, list, tuple)):
                with suppress(ValueError):  # rows of different lengths are no array
                    values[name] = np.asarray(value)
        for symmetry in self.symmetries:
            if not symmetry.permutes(self.board, self.num_actions):
                cells = f"{self.board.num_cells} cells and " if self.board is not None else ""
                raise RulesError(
                    f"symmetry `{symmetry.name}` of {self.family} is no permutation of the {cells}"
                    f"{self.num_actions} actions"
                )
        values["_num_actions"] = np.asarray(self.num_actions)
        values["_actions"] = np.array([symmetry.actions for symmetry in self.symmetries])
        values["_bytes"] = np.array([self._byte_images(symmetry) for symmetry in self.symmetries])
        if self.board is not None:
            values["_planes"] = self.board.plane_table(self.shows_turn).astype(np.float64)
        for name, value in values.items():
            if value.dtype == np.uint64 and value.size and value.max() > np.iinfo(np.int64).max:
                raise RulesError(
                    f"`{name}` of {self.family} holds {value.max()}: compiled rules have 64 bits with a "
                    "sign, so write it as np.int64"
                )
        wide = {"b": np.int64, "i": np.int64, "u": np.int64, "f": np.float64}
        return {
            name: value.astype(wide[value.dtype.kind])
            for name, value in values.items()
            if value.dtype.kind in wide and value.size
        }

    def _byte_images(self, symmetry: Symmetry) -> Words:
        shape = (self.board.rows, self.board.cols) if self.board is not None else None
        return self.layout.images(symmetry.cells, shape)

    @cached_property
    def constant_layout(self) -> Layout:
        return Layout({name: np.dtype((v.dtype, v.shape)) for name, v in self._constants.items()})

    @cached_property
    def params(self) -> Words:
        words = np.zeros(self.constant_layout.words, np.int64)
        view = View(words, self.constant_layout.dtype)
        for name, value in self._constants.items():
            setattr(view, name, value)
        return words

    @property
    def kernels(self) -> Kernels:
        return self._machine.kernels

    @property
    def has_heuristic(self) -> bool:
        """Whether the game has one of its own."""
        return type(self).heuristic is not ArrayGame.heuristic

    @property
    def _machine(self) -> Machine:
        machine = _machines.get(self)
        if machine is None:
            machine = _machines[self] = Machine(self, JIT_ENABLED)
        return machine

    @cached_property
    def interpreted(self) -> Machine:
        """The same functions uncompiled: slow, but an index outside an array is an error with its line."""
        return Machine(self, jit=False)

    def _shows_cells(self, board: Board) -> bool:
        """Whether the field `cells` is what lies on the board."""
        if "cells" not in self.fields or type(self).cells_of is not ArrayGame.cells_of:
            return False
        return int(np.prod(np.dtype(self.fields["cells"]).shape)) == board.num_cells

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        kernel = self._machine.encode
        if self.input_shape is not None:
            return {"inputs": Encoding(self.input_shape, kernel, (), *self.input_range)}
        if self.board is None or not self._shows_cells(self.board):
            raise BadParameter(
                f"{self.family} has no board with a field `cells` of as many numbers, so it must say what "
                "a network sees: give it `input_shape` and `encode(state, planes)`"
            )
        return self.board_encodings(self.board, kernel)

    def _compile(self, encoding: Encoding) -> Rules:
        try:
            return super()._compile(encoding)
        except RulesError:
            self._machine.compile_each()
            raise

    def state_of(self, position: Position) -> State:
        """The state of a position, with its fields as attributes; a copy."""
        return View(position.state, self.layout.dtype)

    def action_name(self, position: Position, action: int) -> str:
        return self.name_action(self.state_of(position), action)

    def draw(self, position: Position) -> str:
        return self.draw_state(self.state_of(position))

    def cells(self, position: Position) -> Sequence[int]:
        return self.cells_of(self.state_of(position))

    def last_cell(self, position: Position) -> int | None:
        board, last = self.board, int(position.state[-1])
        if board is None or not board.fits(self.num_actions) or last in (NO_ACTION, board.num_places):
            return None
        if board.look != "columns":
            return last
        column = list(self.cells(position))[last :: board.cols]
        return next((last + row * board.cols for row, cell in enumerate(column) if cell), None)

    def swapped_words(self, words: Words) -> Words:
        """A state vector with the players exchanged, as `side_swap` says."""
        swap, image = self.side_symmetry, words.copy()
        assert swap is not None
        octets = image.view(np.uint8)
        octets[self._byte_images(swap)] = words.view(np.uint8)[: 8 * self.layout.words]
        view = View(image, self.layout.dtype)
        if self.board is not None and "cells" in self.fields:
            view.cells = np.array(self.board.swapped_values)[view.cells]
        if "mover" in self.fields:
            view.mover = 1 - view.mover
        self.swapped(view)
        return image

    def plain_game(self) -> PythonGame:
        """The game that `plain` names, with the parameters of this one."""
        from zermelo.games.registry import game_in_file

        family: Any = self.plain
        if isinstance(family, str):
            family = game_in_file(str(Path(self.source or "").parent / family))
        if not (isinstance(family, type) and issubclass(family, PythonGame)):
            raise BadParameter(f"`plain` of {self.family} must be a PythonGame, or the name of its file")
        names = {field.name for field in dataclasses.fields(family)}
        return family(**{name: value for name, value in self.parameters.items() if name in names})


_machines: dict[ArrayGame, Machine] = {}
"""One for each distinct game, for ever: kernels hold the addresses of its functions."""
