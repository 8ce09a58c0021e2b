"""A position of a game, for people: immutable, printable, comparable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import index
from typing import Any

import numpy as np

from zermelo.compilation import Fixed
from zermelo.errors import BadParameter, IllegalMove, listed
from zermelo.games import abi
from zermelo.games.abi import Planes, Words
from zermelo.games.base import Game

_play, _mover = Fixed(abi.play), Fixed(abi.mover)


class Position:
    """A position and the moves that led to it. Equal positions may have different moves.

    Examples
    --------
    >>> import zermelo as zm
    >>> position = zm.game("tictactoe").position("5 1 9")
    >>> print(position)
    O 2 3
    4 X 6
    7 8 X
    >>> position.mover, position.legal_actions, position.returns
    (1, (1, 2, 3, 5, 6, 7), None)
    >>> position.play("3").move_names
    ('5', '1', '9', '3')
    >>> position == zm.game("tictactoe").position("9 1 5")
    True
    """

    def __init__(
        self, game: Game, state: Words, before: Position | None = None, action: int | None = None
    ) -> None:
        if state.shape != (game.state_words,) or state.dtype != np.int64:
            wanted = f"a vector of {game.state_words} int64"
            raise BadParameter(f"a state of {game.name} is {wanted}, not {state.dtype}{state.shape}")
        self.game = game
        self.before = before
        """The position before the last move; None at the start."""
        self.last_action = action
        self._state = np.array(state)  # contiguous, and nobody else's

    forfeit: str = ""
    """Why the game is over although the rules do not say so."""

    @classmethod
    def start(cls, game: Game) -> Position:
        state = np.zeros(game.state_words, np.int64)
        status = abi.start(game.rules(), state)
        if status < 0:
            raise game.failure(status, state)
        return cls(game, state)

    @property
    def state(self) -> Words:
        """The state vector; a copy, so that a position never changes."""
        return self._state.copy()

    @property
    def key(self) -> bytes:
        """Equal for equal positions of one game."""
        return self._state[: self.game.key_words].tobytes()

    @cached_property
    def mover(self) -> int:
        """The player to move: 0 or 1."""
        return self._checked(_mover(self.game.rules(), self._state))

    @cached_property
    def legal_actions(self) -> tuple[int, ...]:
        actions = np.empty(self.game.num_actions, np.int64)
        count = self._checked(abi.legal(self.game.rules(), self._state, actions))
        return tuple(actions[:count].tolist())

    @cached_property
    def returns(self) -> tuple[float, ...] | None:
        """The result of each player, 1 for a win and -1 for a loss; None while the game goes on."""
        result = np.full(self.game.num_players, np.nan)
        status = self._checked(abi.returns(self.game.rules(), self._state, result))
        return tuple(result.tolist()) if status == abi.OVER else None

    @property
    def is_over(self) -> bool:
        return self.returns is not None

    def planes(self, encoding: str | None = None) -> Planes:
        """What a network sees of this position."""
        chosen = self.game.encoding(encoding)
        planes = np.empty(chosen.size, np.float32)
        self._checked(abi.encode(self.game.rules(encoding), self._state, planes))
        return planes.reshape(chosen.shape)

    def transformed(self, k: int) -> Position:
        """The image of this position under symmetry k of the game; without its moves."""
        if not 0 <= k < len(self.game.symmetries):
            raise BadParameter(
                f"`k` (={k}) must be 0 to {len(self.game.symmetries) - 1} in {self.game.name}"
            )
        image = np.zeros_like(self._state)
        self._checked(abi.transform(self.game.rules(), self._state, k, image))
        return Position(self.game, image)

    def _checked(self, status: int) -> int:
        if status < 0:
            raise self.game.failure(status, self._state)
        return int(status)

    # Moves.

    def play(self, move: int | str) -> Position:
        """The position after this move: an action, or a move as players write it."""
        action = self.parse(move) if isinstance(move, str) else index(move)
        if self.forfeit:
            raise self._illegal(f"action {action}", names=False)
        state = self._state.copy()
        status = (
            _play(self.game.rules(), state, action) if 0 <= action < self.game.num_actions else abi.ILLEGAL
        )
        if status == abi.ILLEGAL:
            raise self._illegal(f"action {action}", names=False)
        after = Position.__new__(Position)
        after.game, after.before, after.last_action, after._state = self.game, self, action, state
        if self._checked(status) == abi.GOING:
            after.__dict__["returns"] = None  # known already, and asked of every position
        return after

    def play_all(self, moves: str | Sequence[int]) -> Position:
        """The position after these moves: actions, or text such as `"4 4 3"` or `"443"`."""
        position = self
        for move in self._split(moves) if isinstance(moves, str) else moves:
            position = position.play(move)
        return position

    def forfeited(self, player: int, reason: str) -> Position:
        """This position with the game over: the player has lost it, though not by the rules."""
        if self.game.num_players != 2 or self.is_over:
            raise BadParameter(f"nobody can forfeit {self!r}: it is over, or has more than two players")
        ended = Position(self.game, self._state, self.before, self.last_action)
        ended.__dict__["returns"] = tuple(-1.0 if seat == player else 1.0 for seat in range(2))
        ended.forfeit = reason
        return ended

    def _split(self, text: str) -> Sequence[str]:
        words = text.replace(",", " ").split()
        if len(words) == 1 and words[0].isdigit() and len(words[0]) > 1:
            names = {self.name(action) for action in self.legal_actions}
            if all(len(name) == 1 for name in names):
                return list(words[0])
        return words

    def name(self, action: int) -> str:
        """The action as players write it in this position."""
        return self.game.action_name(self, action)

    def parse(self, text: str) -> int:
        """The action that players write like this; capitals matter only between legal moves."""
        wanted = text.strip()
        names = {self.name(action): action for action in self.legal_actions}
        if wanted in names:
            return names[wanted]
        folded = [a for name, a in names.items() if name.casefold() == wanted.casefold()]
        if len(folded) != 1:
            raise self._illegal(f"`{text}`")
        return folded[0]

    def _illegal(self, move: str, names: bool = True) -> IllegalMove:
        where = f"in {self.game.name}"
        if self.move_names:
            where += f" after {' '.join(self.move_names)}"
        if self.is_over:
            return IllegalMove(f"{move} cannot be played {where}: the game is over")
        if not names:
            return IllegalMove(f"{move} is not legal {where}; legal actions: {listed(self.legal_actions)}")
        legal = listed(self.name(action) for action in self.legal_actions)
        return IllegalMove(f"{move} is not legal {where}; legal: {legal}")

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The actions that led here."""
        actions: list[int] = []
        position, known = self, ()
        while position.last_action is not None and position.before is not None and not known:
            actions.append(position.last_action)
            position = position.before
            known = position.__dict__.get("moves", ())
        return (*known, *reversed(actions))

    @cached_property
    def move_names(self) -> tuple[str, ...]:
        """The moves that led here, as players write them."""
        names: list[str] = []
        position = self
        while position.before is not None and position.last_action is not None:
            names.append(position.before.name(position.last_action))
            position = position.before
        return tuple(reversed(names))

    # Shown and compared.

    def __str__(self) -> str:
        return self.game.draw(self)

    def __repr__(self) -> str:
        return f"{self.game!r}.position({' '.join(self.move_names)!r})"

    def _repr_svg_(self) -> str:
        return self.game.svg(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.game == other.game and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return rebuilt, (self.game, self.state, self.moves)


def rebuilt(game: Game, state: Words, moves: tuple[int, ...]) -> Position:
    """From the moves, if they lead from the first position to this state."""
    position = game.position(moves) if moves else Position(game, state)
    return position if np.array_equal(position.state, state) else Position(game, state)
