"""How rules written as Python methods become functions for kernels.

The state vector of such a game holds a key (128 bits of a digest of the Python state), the number of its
path (64 bits that depend on every move since the start), its facts (mover, whether the game is over,
which actions are legal), and the moves themselves, packed. Nothing in it depends on the process: a vector
can be stored, sent and read again anywhere. Where the Python state is not at hand, the moves are played
again.

Kernels ask about a vector much more often than they make a move. So whatever they ask for is written into
it when the move is made, and read by compiled functions. The methods of the game are called for a move that
was not made before, for planes, and for the result of a finished game. States at hand are found by their
path, never by their key: two ways to one position may differ in what the key leaves out.
"""

from __future__ import annotations

import ctypes
import dataclasses
import enum
import hashlib
import marshal
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import islice
from operator import attrgetter, index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types

from zermelo.compilation import Fixed, compiled, inlined
from zermelo.errors import RulesError, Terminated, blamed_line
from zermelo.games.abi import (
    FAILED,
    GOING,
    ILLEGAL,
    OVER,
    SIGNATURES,
    Floats,
    Kernels,
    Planes,
    Words,
    foreign_call,
)
from zermelo.games.bits import bit, lowest

if TYPE_CHECKING:
    from zermelo.games.adapters.python import PythonGame

State = Any
_PLAIN_GAME = str(Path(__file__).with_name("python.py"))

KEY_WORDS = 2
_PATH, _FACTS, _LEGAL = 2, 3, 4
"""Words of a vector; from _LEGAL on a bit for each action, then the moves."""
_COUNT_BITS = 32
_COUNT = (1 << _COUNT_BITS) - 1
_OVER_BIT, _LISTED_BIT = 40, 41
"""Facts: the number of moves, the mover, whether the game is over, and whether Python lists the legal
actions because there is no room for their bits (or they have doubles, which `check` is to see)."""
_MOST_BITS = 512
"""Actions whose legality is kept in the vector."""
_FEW_ACTIONS = 12
"""So few that all sets of legal actions may be kept."""
_UNMASKED = b"?"
_FLAGS, _IS_OVER = 8 * _FACTS + _OVER_BIT // 8, 1
"""Where a vector tells that the game is over, as bytes."""

_head_words, _two_words = struct.Struct("<4q").pack, struct.Struct("<2q").unpack

# What the `params` of such a game hold: sizes, then addresses of callbacks.
_WORDS, _FIRST, _BITS, _PER_WORD = range(4)
_AT_PLAY, _AT_LEGAL, _AT_RETURNS, _AT_ENCODE, _AT_TRANSFORM = range(4, 9)

_STATE, _INT = SIGNATURES["play"].args[1], types.int64
_CALLBACKS = {  # after the state, most get its path, and `play` the path after the move
    "play": _INT(_STATE, _INT, _INT, _INT),
    "legal": _INT(_STATE, _INT, SIGNATURES["legal"].args[2]),
    "returns": _INT(_STATE, _INT, SIGNATURES["returns"].args[2]),
    "encode": _INT(_STATE, _INT, SIGNATURES["encode"].args[2]),
    "transform": _INT(_STATE, _INT, _STATE),
}
_call_play, _call_legal, _call_returns, _call_encode, _call_transform = map(
    foreign_call, _CALLBACKS.values()
)


# Functions of the ABI.


@inlined
def _extended(path: int, action: int) -> int:
    """The path after one more move: SplitMix64's finaliser over both."""
    word = np.uint64(path) + (np.uint64(action) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.int64(word ^ (word >> np.uint64(31)))  # type: ignore[return-value]


@compiled
def _mover(params: Words, state: Words) -> int:
    return int(state[_FACTS] >> _COUNT_BITS) & 255


@compiled
def _legal(params: Words, state: Words, actions: Words) -> int:
    if state[_FACTS] & bit(_LISTED_BIT):
        return int(_call_legal(params[_AT_LEGAL], state, state[_PATH], actions))
    count = 0
    for i in range(_LEGAL, params[_FIRST]):
        word = state[i]
        while word != 0:
            actions[count] = 64 * (i - _LEGAL) + lowest(word)
            count += 1
            word &= word - 1
    return count


@compiled
def _play(params: Words, state: Words, action: int) -> int:
    if action < 0:
        return ILLEGAL
    if not state[_FACTS] & bit(_LISTED_BIT):
        inside = action < 64 * (params[_FIRST] - _LEGAL)
        if not inside or not state[_LEGAL + (action >> 6)] & bit(action & 63):
            return ILLEGAL
    path = _extended(state[_PATH], action)
    status = int(_call_play(params[_AT_PLAY], state, state[_PATH], path, action))
    if status < 0:
        return status
    facts = state[_FACTS]
    place = (facts & _COUNT) - 1
    state[params[_FIRST] + place // params[_PER_WORD]] |= np.int64(action) << np.int64(
        params[_BITS] * (place % params[_PER_WORD])
    )
    return OVER if facts & bit(_OVER_BIT) else GOING


@compiled
def _returns(params: Words, state: Words, returns: Floats) -> int:
    if not state[_FACTS] & bit(_OVER_BIT):
        return GOING
    return int(_call_returns(params[_AT_RETURNS], state, state[_PATH], returns))


@compiled
def _encode(params: Words, state: Words, planes: Planes) -> int:
    return int(_call_encode(params[_AT_ENCODE], state, state[_PATH], planes))


@compiled
def _transform(params: Words, state: Words, k: int, image: Words) -> int:
    if k != 0:
        return int(_call_transform(params[_AT_TRANSFORM], state, k, image))
    for i in range(params[_WORDS]):
        image[i] = state[i]
    return GOING


@compiled
def _unpack(params: Words, state: Words, moves: Words, paths: Words) -> None:
    """Write the moves of a state, and the path before each of them."""
    path, bits = 0, params[_BITS]
    for i in range(moves.size):
        word = state[params[_FIRST] + i // params[_PER_WORD]]
        moves[i] = (word >> (bits * (i % params[_PER_WORD]))) & (bit(bits) - 1)
        paths[i] = path
        path = _extended(path, moves[i])


_play_on = Fixed(_play)


def words_of(game: PythonGame) -> int:
    """How long a state vector is."""
    return _LEGAL + _legal_words(game) + -(-game.max_length // actions_per_word(game))


def _legal_words(game: PythonGame) -> int:
    return -(-game.num_actions // 64) if game.num_actions <= _MOST_BITS else 0


def _bits(game: PythonGame) -> int:
    """Bits that hold one action."""
    return max(1, (game.num_actions - 1).bit_length())


def actions_per_word(game: PythonGame) -> int:
    return 63 // _bits(game)


class _Asked(Exception):
    """A method that was asked about a new state has raised the cause of this."""

    def __init__(self, role: str) -> None:
        self.role = role


class _Wrong(ValueError):
    """A method has given what it must not give."""


class Bridge:
    """The functions of the ABI for one Python game: callbacks from C, and the states at hand."""

    def __init__(self, game: PythonGame, has_heuristic: bool) -> None:
        self._game = game
        self._known: dict[int, tuple[State, bytes]] = {}
        """By the path to it, a state and what its vector begins with."""
        self._results: dict[int, Any] = {}
        self._lists: dict[int, tuple[int, ...]] = {}
        """Of some of them: the result, and the legal actions that the vector does not tell."""
        self._most = game.max_length
        self._failed = threading.local()  # kernels of several threads may run at once
        words = _legal_words(game)
        self._bit = {action: 1 << action for action in range(game.num_actions)} if words else {}
        self._no_actions = bytes(8 * words)
        self._masks: dict[tuple[int, ...], bytes] = {}
        """Bits of legal actions that came before, where there are few."""
        self._head = ctypes.c_char * (8 * (_LEGAL + words))
        self._vector: Any = ctypes.c_int64 * game.state_words
        self._actions = ctypes.c_int64 * game.num_actions
        self._returned = ctypes.c_double * game.num_players
        self._callbacks = [self._callback(role, len(kind.args)) for role, kind in _CALLBACKS.items()]
        addresses = [ctypes.cast(callback, ctypes.c_void_p).value for callback in self._callbacks]
        sizes = [game.state_words, _LEGAL + words, _bits(game), actions_per_word(game)]
        self.params = np.array([*sizes, *addresses], np.int64)
        heuristic = None
        if has_heuristic:
            heuristic = self._callback("heuristic", 2, 1, ctypes.c_double)
        start = self._callback("start", 2, 1)
        self.kernels = Kernels(start, _mover, _legal, _play, _returns, _transform, heuristic)
        self.encode = _encode

    def _callback(self, role: str, arguments: int, state: int = 0, result: Any = ctypes.c_int64) -> Any:
        """A C function that runs a method of this bridge and turns exceptions into a status. `state` tells
        which argument is the vector."""
        method: Callable[..., float] = getattr(self, f"_{role}")

        def call(*given: int) -> float:
            try:
                return method(*given)
            except BaseException as error:  # compiled callers cannot carry exceptions
                moves = [] if role == "start" else self.moves(self._vector.from_address(given[state]))
                if isinstance(error, _Asked):
                    new = [given[-1]] if role == "play" else []
                    self._failed.where = error.role, moves + new
                    self._failed.error = error.__cause__
                else:
                    self._failed.where = role, moves
                    self._failed.error = error
                return FAILED

        return ctypes.CFUNCTYPE(result, *[ctypes.c_int64] * arguments)(call)

    # States.

    def digest(self, state: State) -> tuple[int, int]:
        """The key words of a state."""
        plain = marshal.dumps(_plain(self._game.key(state)), 0)
        return _two_words(hashlib.blake2b(plain, digest_size=16).digest())

    def find(self, words: Any) -> State:
        """The Python state behind a vector: at hand, or played again from the last on its path that is."""
        path = int(words[_PATH])
        known = self._known.get(path)
        if known is not None:
            return known[0]
        moves, paths = self._moves_and_paths(words)
        begin = len(moves)
        while begin > 0 and known is None:
            begin -= 1
            known = self._known.get(paths[begin])
        state = self._game.start() if known is None else known[0]
        for action in moves[begin:]:
            state = self._game.play(state, action)
        self._keep(path, state, bytes(memoryview(words).cast("B")[: ctypes.sizeof(self._head)]))
        return state

    def altered(self, words: Words) -> bool:
        """Whether the Python state behind a vector is not as it was."""
        if self._game.keyed_by_moves:
            return False
        return self.digest(self.find(words)) != (words[0], words[1])

    def forget(self, words: Words | None = None) -> None:
        """Drop the Python state of a vector, or all of them."""
        for kept in (self._known, self._results, self._lists):
            if words is None:
                kept.clear()
            else:
                kept.pop(int(words[_PATH]), None)

    def moves(self, words: Any) -> list[int]:
        """The moves that led to a vector."""
        return self._moves_and_paths(words)[0]

    def _moves_and_paths(self, words: Any) -> tuple[list[int], list[int]]:
        count = min(int(words[_FACTS]) & _COUNT, self._most)
        moves, paths = np.empty((2, count), np.int64)
        _unpack(self.params, np.frombuffer(words, np.int64), moves, paths)
        return moves.tolist(), paths.tolist()

    def _keep(self, path: int, state: State, head: bytes) -> None:
        known, most = self._known, self._game.states_at_hand
        if len(known) >= most:
            oldest = list(islice(known, 1 + most // 4))
            for kept in (known, self._results, self._lists):
                if kept:
                    for one in oldest:
                        kept.pop(one, None)
        known[path] = state, head

    def _new(self, state: State, path: int, count: int) -> bytes:
        """Ask a new state everything that its vector tells, and keep it; what the vector begins with."""
        game, role = self._game, "key"
        try:
            key = (path, count) if game.keyed_by_moves else self.digest(state)
            role = "returns"
            result = game.returns(state)
            facts, mask = count, self._no_actions
            if result is not None:
                facts |= 1 << _OVER_BIT
            else:
                role = "legal"
                legal = tuple(game.legal(state))
                mask = self._masks.get(legal) or self._mask(legal)
                role = "mover"
                player = index(game.mover(state))
                if not 0 <= player < game.num_players:
                    raise _Wrong(f"the mover is {player}, not one of the players 0 and 1")
                facts |= player << _COUNT_BITS
                if mask is _UNMASKED:
                    role = "legal"
                    self._lists[path] = self._listed(legal)
                    facts, mask = facts | 1 << _LISTED_BIT, self._no_actions
        except BaseException as error:
            raise _Asked(role) from error
        head = _head_words(*key, path, facts) + mask
        self._keep(path, state, head)
        if result is not None:
            self._results[path] = result
        return head

    def _mask(self, legal: tuple[int, ...]) -> bytes:
        """A bit for each legal action, or `_UNMASKED` if there are other things among them."""
        try:
            bits = sum(map(self._bit.__getitem__, legal))
        except (KeyError, TypeError):
            return _UNMASKED
        if bits.bit_count() != len(legal):
            return _UNMASKED
        mask = bits.to_bytes(len(self._no_actions), "little")
        if self._game.num_actions <= _FEW_ACTIONS:
            self._masks[legal] = mask
        return mask

    def _listed(self, legal: Sequence[int]) -> tuple[int, ...]:
        """Legal actions in their order, if they are some."""
        found, most = tuple(sorted(map(index, legal))), self._game.num_actions
        if found and not 0 <= found[0] <= found[-1] < most:
            raise _Wrong(f"legal actions {found[0]} to {found[-1]}, not 0 to {most - 1}")
        if len(found) > most:
            raise _Wrong(f"{len(found)} legal actions, but num_actions is {most}")
        return found

    # Callbacks.

    def _start(self, _params: int, pointer: int) -> int:
        known = self._known.get(0)
        head = known[1] if known else self._new(self._game.start(), 0, 0)
        ctypes.memset(pointer, 0, ctypes.sizeof(self._vector))
        self._head.from_address(pointer).raw = head
        return OVER if head[_FLAGS] & _IS_OVER else GOING

    def _play(self, pointer: int, path: int, after: int, action: int) -> int:
        known = self._known.get(after)
        if known is not None:
            head = known[1]
        else:
            vector = self._vector.from_address(pointer)
            facts = vector[_FACTS]
            if facts >> _LISTED_BIT & 1 and action not in self._legal_actions(path, vector):
                return ILLEGAL
            count = (facts & _COUNT) + 1
            if count > self._most:
                raise _Wrong(f"a game of more than max_length (={self._most}) moves")
            before = self._known.get(path)
            state = before[0] if before is not None else self.find(vector)
            head = self._new(self._game.play(state, action), after, count)
        self._head.from_address(pointer).raw = head
        return GOING

    def _legal_actions(self, path: int, vector: Any) -> tuple[int, ...]:
        """Legal actions of an unfinished game, where the vector does not tell them."""
        legal = self._lists.get(path)
        if legal is None:
            legal = self._lists[path] = self._listed(self._game.legal(self.find(vector)))
        return legal

    def _legal(self, pointer: int, path: int, actions: int) -> int:
        legal = self._legal_actions(path, self._vector.from_address(pointer))
        self._actions.from_address(actions)[: len(legal)] = list(legal)
        return len(legal)

    def _returns(self, pointer: int, path: int, results: int) -> int:
        result: Any = self._results.get(path)
        if result is None:
            result = self._game.returns(self.find(self._vector.from_address(pointer)))
        try:
            returned: list[Any] = [float(value) for value in result]
        except TypeError:
            returned = []
        if len(returned) != self._game.num_players:
            raise _Wrong(
                f"the result is {result!r}; it must be None while the game goes on, then a number for "
                f"each of the {self._game.num_players} players"
            )
        self._returned.from_address(results)[:] = returned
        return OVER

    def _heuristic(self, _params: int, pointer: int) -> float:
        value = float(self._game.heuristic(self.find(self._vector.from_address(pointer))))
        if not -1 <= value <= 1:
            raise _Wrong(f"the heuristic is {value}, not between -1 and 1")
        return value

    def _encode(self, pointer: int, path: int, planes: int) -> int:
        known = self._known.get(path)
        state = known[0] if known is not None else self.find(self._vector.from_address(pointer))
        inputs = np.asarray(self._game.encode(state), np.float32)
        if inputs.size != self._inputs:
            shape = self._game.encoding().shape
            raise _Wrong(f"encode gave {inputs.size} numbers; the shape {shape} has {self._inputs}")
        self._planes.from_address(planes).raw = inputs.tobytes()
        return GOING

    @cached_property
    def _inputs(self) -> int:
        return self._game.encoding().size

    @cached_property
    def _planes(self) -> Any:
        return ctypes.c_char * (4 * self._inputs)

    def _transform(self, pointer: int, k: int, target: int) -> int:
        """Play the images of the moves: symmetries of a Python game leave its first state as it is."""
        self._start(0, target)
        image = np.frombuffer(self._vector.from_address(target), np.int64)
        symmetry = self._game.symmetries[k]
        for action in self.moves(self._vector.from_address(pointer)):
            turned = symmetry.actions[action]
            status = _play_on(self.params, image, turned)
            if status == FAILED:
                return FAILED
            if status < 0:
                raise _Wrong(
                    f"symmetry `{symmetry.name}` turns action {action} into {turned}, which is not legal "
                    "there; perhaps a rule treats one direction differently, or the first position does "
                    "not look the same under it"
                )
        return GOING

    # Failures.

    def failure(self, status: int) -> Exception:
        """What the rules raised, told with the moves that led there."""
        error: BaseException | None = getattr(self._failed, "error", None)
        if error is None:
            return RulesError(f"the rules of {self._game.name} failed with status {status}")
        role, moves = self._failed.where
        self._failed.error = None
        if isinstance(error, KeyboardInterrupt | Terminated):
            raise error
        raised = "" if isinstance(error, _Wrong) else f" raised {type(error).__name__}"
        after = f" after the actions {' '.join(map(str, moves))}" if moves else ""
        told = RulesError(
            f"`{role}` of {self._game.name}{raised}: {error}{after} ({self._place(error, role)})"
        )
        told.__cause__ = error
        return told

    def _place(self, error: BaseException, role: str) -> str:
        """The file and line that raised, of those who wrote the game; else where its method begins."""
        if line := blamed_line(error, _file_of(type(self._game))):
            return line
        names = ("symmetries_of_rules" if role == "transform" else role, "start")
        methods = (getattr(type(self._game), name, None) for name in names)
        codes = [code for method in methods if (code := getattr(method, "__code__", None))]
        own = [code for code in codes if code.co_filename != _PLAIN_GAME]
        return f"{own[0].co_filename}:{own[0].co_firstlineno}" if own else self._game.family


def _file_of(family: type) -> str:
    """Where a class is written; nothing if it is in no file."""
    return getattr(sys.modules.get(family.__module__), "__file__", None) or ""


_ATOMS = frozenset((type(None), int, str))
_fields: dict[type, Callable[[Any], tuple[Any, ...]]] = {}
"""Of dataclasses that were seen, what gives the fields by which they are compared."""
_small = [struct.Struct(f"{size}b").pack for size in range(513)]
"""By length: packs a tuple of integers from -128 to 127; raises on anything else."""


def _plain(value: Any) -> Any:
    """The value as nested tuples of numbers and text, the same for equal values in every process."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if kind is tuple:
        return _packed(value) or _plain(list(value))
    if kind in _fields:
        return (kind.__name__, *map(_plain, _fields[kind](value)))
    if isinstance(value, bytes):
        return ("bytes", value)
    if isinstance(value, tuple | list):
        items = tuple([_plain(item) for item in value])
        return _packed(items) or items
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
        names = [field.name for field in dataclasses.fields(value) if field.compare]
        _fields[kind] = attrgetter(*names) if len(names) > 1 else partial(_attributes, names)
        return _plain(value)
    raise TypeError(
        f"a state of type {type(value).__name__} cannot be compared: give the game a method "
        "`key(self, state)` that returns numbers, text or tuples of these"
    )


def _packed(numbers: tuple[Any, ...]) -> bytes | None:
    """A byte for each, if all are numbers from -128 to 127; else nothing."""
    try:
        return _small[len(numbers)](*numbers)
    except (struct.error, IndexError, TypeError):
        return None


def _attributes(names: Sequence[str], value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in names)


def _order(value: Any) -> bytes:
    return marshal.dumps(value, 0)
