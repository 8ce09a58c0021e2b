"""Games written as ordinary Python methods, with any kind of state, behind the same kernels.

The state vector of such a game is content-addressed: two key words that are a 128-bit digest of the
Python state, then the moves that led to it, packed into words. Equal states have equal keys, in every
process and on every day, so a vector can be stored, sent and read again anywhere: where the Python
state is not at hand, the moves are played again. A bounded number of states is kept at hand.
"""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import hashlib
import marshal
import threading
import traceback
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.errors import BadParameter, RulesError
from zermelo.games.abi import FAILED, GOING, ILLEGAL, OVER, SIGNATURES, Kernels, Planes, Words
from zermelo.games.base import Encoding, Game
from zermelo.games.board import Symmetry, identity
from zermelo.games.drawing import board_text

if TYPE_CHECKING:
    from zermelo.games.position import Position

State = Any
Key = tuple[int, int]

_KEY_WORDS = 2
_COUNT = 2
_HISTORY = 3

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
        if self.board is not None and self.num_actions in (self.board.num_cells, self.board.num_cells + 1):
            return self.board.action_name(action)
        return str(action)

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
        return self._bridge.find(position.state).state

    def action_name(self, position: Position, action: int) -> str:
        return self.name_action(self.state_of(position), action)

    def draw(self, position: Position) -> str:
        return self.draw_state(self.state_of(position))

    def cells(self, position: Position) -> Sequence[int]:
        return self.cells_of(self.state_of(position))

    @property
    def key_words(self) -> int:
        return _KEY_WORDS

    @property
    def state_words(self) -> int:
        return _HISTORY + -(-self.max_length // _actions_per_word(self))

    @cached_property
    def params(self) -> Words:
        return np.zeros(1, np.int64)

    @property
    def _bridge(self) -> _Bridge:
        bridge = _bridges.get(self)
        if bridge is None:
            bridge = _bridges[self] = _Bridge(self)
        return bridge

    @property
    def kernels(self) -> Any:
        return self._bridge.kernels

    @cached_property
    def encodings(self) -> Mapping[str, Encoding]:
        low, high = self.input_range
        if self.input_shape is not None:
            return {"inputs": Encoding(self.input_shape, self._bridge.encode, (), low, high)}
        if self.board is None:
            raise BadParameter(
                f"{self.family} has no board, so it must say what a network sees: "
                "give it `input_shape` and `encode(state)`"
            )
        return self.board_encodings(self.board, self._bridge.encode)

    def failure(self, status: int, state: Words) -> Exception:
        return self._bridge.failure(status)

    def forget(self) -> None:
        self._bridge.forget()

    def altered(self, state: Words) -> bool:
        return self._bridge.digest(self._bridge.find(state).state) != (state[0], state[1])


def _bits(game: Game) -> int:
    """Bits that hold one action."""
    return max(1, (game.num_actions - 1).bit_length())


def _actions_per_word(game: Game) -> int:
    return 64 // _bits(game)


@dataclasses.dataclass
class _Entry:
    """A Python state that is at hand, and its legal actions once they are known."""

    state: State
    legal: tuple[int, ...] | None = None


class _Bridge:
    """The functions of the ABI for one Python game: callbacks from C, and the states at hand."""

    def __init__(self, game: PythonGame) -> None:
        self._game = game
        self._at_hand: dict[Key, _Entry] = {}
        self._failed = threading.local()  # kernels of several threads may run at once
        self._words = ctypes.c_int64 * game.state_words
        self._actions = ctypes.c_int64 * game.num_actions
        self._results = ctypes.c_double * game.num_players
        roles = ["start", "mover", "legal", "play", "returns", "transform"]
        if type(game).heuristic is not PythonGame.heuristic:
            roles.append("heuristic")
        self.kernels = Kernels(*(self._callback(role) for role in roles))
        self.encode = self._callback("encode")

    def _callback(self, role: str) -> Any:
        """A C function that runs a method of this bridge and turns exceptions into a status."""
        method: Callable[..., float] = getattr(self, f"_{role}")

        def call(_params: int, pointer: int, *rest: int) -> float:
            try:
                return method(self._words.from_address(pointer), *rest)
            except BaseException as error:  # compiled callers cannot carry exceptions
                words = self._words.from_address(pointer)
                self._failed.error = error
                self._failed.where = (role, self._moves(words) if role != "start" else [])
                return FAILED

        arguments = [ctypes.c_int64] * len(SIGNATURES[role].args)
        result = ctypes.c_double if role == "heuristic" else ctypes.c_int64
        return ctypes.CFUNCTYPE(result, *arguments)(call)

    # States.

    def digest(self, state: State) -> Key:
        plain = marshal.dumps(_plain(self._game.key(state)), 0)
        data = hashlib.blake2b(plain, digest_size=16).digest()
        return (
            int.from_bytes(data[:8], "little", signed=True),
            int.from_bytes(data[8:], "little", signed=True),
        )

    def _keep(self, key: Key, state: State) -> _Entry:
        most = self._game.states_at_hand
        if len(self._at_hand) >= most:
            for old in list(self._at_hand)[: 1 + most // 4]:
                self._at_hand.pop(old, None)
        entry = self._at_hand[key] = _Entry(state)
        return entry

    def forget(self) -> None:
        self._at_hand.clear()

    def find(self, words: Any) -> _Entry:
        """The Python state behind a vector: at hand, or made again from its moves."""
        key = int(words[0]), int(words[1])
        entry = self._at_hand.get(key)
        if entry is not None:
            return entry
        state = self._game.start()
        for action in self._moves(words):
            state = self._game.play(state, action)
        return self._keep(key, state)

    def _moves(self, words: Any) -> list[int]:
        count = min(max(int(words[_COUNT]), 0), self._game.max_length)
        bits, per_word = _bits(self._game), _actions_per_word(self._game)
        mask = (1 << bits) - 1
        return [
            (int(words[_HISTORY + i // per_word]) >> (bits * (i % per_word))) & mask for i in range(count)
        ]

    def _legal_actions(self, entry: _Entry) -> tuple[int, ...]:
        if entry.legal is None:
            over = self._game.returns(entry.state) is not None
            entry.legal = () if over else tuple(sorted(map(index, self._game.legal(entry.state))))
        return entry.legal

    # The functions of the ABI.

    def _start(self, words: Any) -> int:
        state = self._game.start()
        ctypes.memset(words, 0, ctypes.sizeof(words))
        words[0], words[1] = key = self.digest(state)
        self._keep(key, state)
        return GOING if self._game.returns(state) is None else OVER

    def _mover(self, words: Any) -> int:
        entry = self.find(words)
        if self._game.returns(entry.state) is not None:
            return 0
        player = index(self._game.mover(entry.state))
        if not 0 <= player < self._game.num_players:
            raise ValueError(f"the mover is {player}, not one of the players 0 and 1")
        return player

    def _legal(self, words: Any, pointer: int) -> int:
        legal = self._legal_actions(self.find(words))
        if legal and not 0 <= legal[0] <= legal[-1] < self._game.num_actions:
            raise ValueError(
                f"legal actions {legal[0]} to {legal[-1]}, not 0 to {self._game.num_actions - 1}"
            )
        if len(legal) > self._game.num_actions:
            raise ValueError(f"{len(legal)} legal actions, but num_actions is {self._game.num_actions}")
        self._actions.from_address(pointer)[: len(legal)] = list(legal)
        return len(legal)

    def _play(self, words: Any, action: int) -> int:
        entry = self.find(words)
        if action not in self._legal_actions(entry):
            return ILLEGAL
        count = words[_COUNT]
        if count >= self._game.max_length:
            raise ValueError(f"a game of more than max_length (={self._game.max_length}) moves")
        state = self._game.play(entry.state, action)
        words[0], words[1] = key = self.digest(state)
        word, place = divmod(count, _actions_per_word(self._game))
        words[_HISTORY + word] |= action << (_bits(self._game) * place)
        words[_COUNT] = count + 1
        if key not in self._at_hand:
            self._keep(key, state)
        return GOING if self._game.returns(state) is None else OVER

    def _returns(self, words: Any, pointer: int) -> int:
        result = self._game.returns(self.find(words).state)
        if result is None:
            return GOING
        if len(result) != self._game.num_players:
            raise ValueError(f"{len(result)} results for {self._game.num_players} players")
        self._results.from_address(pointer)[:] = [float(value) for value in result]
        return OVER

    def _heuristic(self, words: Any) -> float:
        value = float(self._game.heuristic(self.find(words).state))
        if not -1 <= value <= 1:
            raise ValueError(f"the heuristic is {value}, not between -1 and 1")
        return value

    def _encode(self, words: Any, pointer: int) -> int:
        planes = np.ascontiguousarray(self._game.encode(self.find(words).state), np.float32)
        wanted = self._game.encoding()
        if planes.size != wanted.size:
            raise ValueError(
                f"encode gave {planes.size} numbers; the shape {wanted.shape} has {wanted.size}"
            )
        ctypes.memmove(pointer, planes.ctypes.data, planes.nbytes)
        return GOING

    def _transform(self, words: Any, k: int, pointer: int) -> int:
        """Play the images of the moves: symmetries of a Python game leave its first state as it is."""
        if k == 0:
            ctypes.memmove(pointer, words, ctypes.sizeof(words))
            return GOING
        image = self._words.from_address(pointer)
        images = self._game.symmetries[k].actions
        status = self._start(image)
        for action in self._moves(words):
            status = self._play(image, images[action])
            if status < 0:
                raise ValueError(
                    f"symmetry `{self._game.symmetries[k].name}` turns action {action} into "
                    f"{images[action]}, which is not legal there; perhaps a rule treats one direction "
                    "differently, or the first position does not look the same under it"
                )
        return GOING

    def failure(self, status: int) -> Exception:
        """What the rules raised, told with the moves that led there."""
        error: BaseException | None = getattr(self._failed, "error", None)
        if error is None:
            return RulesError(f"the rules of {self._game.name} failed with status {status}")
        role, moves = self._failed.where
        self._failed.error = None
        if isinstance(error, KeyboardInterrupt):
            raise error
        frame = traceback.extract_tb(error.__traceback__)[-1]
        after = f" after the actions {' '.join(map(str, moves))}" if moves else ""
        told = RulesError(
            f"`{role}` of {self._game.name} raised {type(error).__name__}: {error}{after} "
            f"({frame.filename}:{frame.lineno})"
        )
        told.__cause__ = error
        return told


_bridges: dict[PythonGame, _Bridge] = {}
"""One for each distinct game, for ever: kernels hold the addresses of its callbacks."""


_ATOMS = frozenset((type(None), int, str, bytes))


def _plain(value: Any) -> Any:
    """The value as nested tuples of numbers and text, the same for equal values in every process."""
    if type(value) in _ATOMS:
        return value
    if isinstance(value, tuple | list):
        atoms = _ATOMS.issuperset(map(type, value))
        return tuple(value) if atoms else tuple([_plain(item) for item in value])
    if isinstance(value, enum.Enum):
        return (type(value).__name__, _plain(value.value))
    if isinstance(value, bool | int | np.bool_ | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):  # 1.0 is 1, and -0.0 is 0
        number = float(value)
        return int(number) if number.is_integer() else number
    if isinstance(value, np.ndarray) and value.dtype != object:
        return ("array", value.shape, value.dtype.str, value.tobytes())
    if isinstance(value, set | frozenset):
        return ("set", tuple(sorted((_plain(item) for item in value), key=_order)))
    if isinstance(value, dict):
        return ("dict", tuple(sorted(((_plain(k), _plain(v)) for k, v in value.items()), key=_order)))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [field.name for field in dataclasses.fields(value) if field.compare]
        return (type(value).__name__, *(_plain(getattr(value, name)) for name in fields))
    raise TypeError(
        f"a state of type {type(value).__name__} cannot be compared: give the game a method "
        "`key(self, state)` that returns numbers, text or tuples of these"
    )


def _order(value: Any) -> bytes:
    return marshal.dumps(value, 0)
