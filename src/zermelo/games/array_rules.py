"""How the methods and fields of an `ArrayGame` become the functions of the ABI.

The functions here read the state vector and the parameters as records, remember the end of the game and
the last action, refuse illegal actions, apply symmetries to arrays and write the default planes. `Machine`
binds them to the rules and the layout of one game.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from textwrap import dedent
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import NumbaError, TypingError
from numba.extending import intrinsic
from numpy.typing import NDArray

from zermelo.compilation import JIT_ENABLED, compile_failure, compiled, internal
from zermelo.errors import BadParameter, RulesError
from zermelo.games.abi import FAILED, GOING, ILLEGAL, OVER, Floats, Kernels, Planes, Words

if TYPE_CHECKING:
    from zermelo.games.array_game import ArrayGame

RULES = ("start", "mover", "legal", "play", "returns", "transform", "heuristic", "encode")
"""The methods that are compiled."""
NO_ACTION = -1

# State vectors as records.


class Layout:
    """Where named numbers and arrays lie in a vector of words: wide ones first, so that all are aligned."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        formats = {name: _number_type(name, kind) for name, kind in fields.items()}
        names = sorted(formats, key=lambda name: -formats[name].base.itemsize)
        ends = np.cumsum([0, *(formats[name].itemsize for name in names)])
        self.words = -(-int(ends[-1]) // 8)
        self.dtype = np.dtype(
            {
                "names": names,
                "formats": [formats[name] for name in names],
                "offsets": [int(end) for end in ends[:-1]],
                "itemsize": 8 * self.words,
            },
            align=True,
        )

    @property
    def names(self) -> tuple[str, ...]:
        return self.dtype.names or ()

    def place(self, name: str) -> tuple[np.dtype[Any], int]:
        """The type of a field, and its first byte."""
        fields: Any = self.dtype.fields
        return fields[name][:2]  # type: ignore[no-any-return]

    def images(self, cells: Sequence[int], shape: tuple[int, int] | None) -> Words:
        """Where each byte goes when the cells of a board of this shape go there: arrays that end in the
        cells, or in rows and columns, move unless they are not `on_board`; everything else stays."""
        images = np.arange(8 * self.words)
        for name in self.names:
            kind, offset = self.place(name)
            fits = kind.shape[-1:] == (len(cells),) or kind.shape[-2:] == shape
            stays = kind.metadata is not None and not kind.metadata.get("on_board", True)
            if cells and fits and not stays:
                octets = np.arange(offset, offset + kind.itemsize).reshape(
                    -1, len(cells), kind.base.itemsize
                )
                images[octets] = octets[:, list(cells)]
        return images


def _number_type(name: str, kind: Any) -> np.dtype[Any]:
    with suppress(TypeError):
        dtype = np.dtype(np.int64 if kind is int else kind)
        if dtype.base.kind in "biuf":
            return dtype
    raise BadParameter(
        f"field `{name}` (={kind!r}) must be `int`, another type of numbers, or `array(...)`"
    )


class View:
    """A vector of words whose fields are attributes, for Python; compiled code has the same in records."""

    def __init__(self, words: NDArray[Any], dtype: np.dtype[Any]) -> None:
        octets = words.view(np.uint8)[: dtype.itemsize]
        object.__setattr__(self, "_record", octets.view(dtype)[0])

    def __getattr__(self, name: str) -> Any:
        try:
            value = self.__dict__["_record"][name]
        except ValueError:
            raise AttributeError(f"a state has no field `{name}`") from None
        return value if isinstance(value, np.ndarray) else value.item()

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value


class _CheckedView(View):
    """The same for rules that run as Python, to find their mistakes."""

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        return value.view(_CheckedArray) if isinstance(value, np.ndarray) else value

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, _wrapped(value, self._record[name].dtype))


class _CheckedArray(np.ndarray[Any, Any]):
    """An array whose indices count from 0: a negative one is seldom meant. Its numbers are Python's."""

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        value = super().__getitem__(index)
        return value if isinstance(value, np.ndarray) else value.item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        super().__setitem__(index, _wrapped(value, self.dtype))

    def _check(self, index: Any) -> None:
        for one in index if isinstance(index, tuple) else (index,):
            if isinstance(one, int | np.integer) and one < 0:
                raise IndexError(f"index {one} is negative")


def _wrapped(value: Any, kind: np.dtype[Any]) -> Any:
    """A whole number that is too large for 64 bits, as compiled code has it: bits and hashes are meant to
    wrap around. In a narrower field that is a mistake, and NumPy raises an error."""
    if isinstance(value, int) and kind in (np.int64, np.uint64):
        return np.uint64(value % 2**64).astype(kind)
    return value


def _pointer_caster(offset: int, target: Any) -> Any:
    """A function for kernels that sees the bytes from `offset` on behind a pointer as `target`."""

    @intrinsic
    def cast(_context: Any, pointer: Any) -> tuple[Any, Callable[..., Any]]:
        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            octets = builder.bitcast(values[0], ir.IntType(8).as_pointer())
            shifted = builder.gep(octets, [ir.Constant(ir.IntType(64), offset)])
            return builder.bitcast(shifted, context.get_value_type(target))

        return target(pointer), generate

    return cast


@intrinsic
def _compiled_scratch(_context: Any, count: Any) -> tuple[Any, Callable[..., Any]]:
    def generate(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.alloca(ir.IntType(64), size=values[0])

    return types.CPointer(types.int64)(types.int64), generate  # type: ignore[no-untyped-call]


def _interpreted_scratch(count: int) -> Words:
    return np.full(count, -0x5CA7C4, np.int64).view(_CheckedArray)


scratch: Any = _compiled_scratch if JIT_ENABLED else _interpreted_scratch
"""`scratch(n)`: n whole numbers for use inside a rule, such as a stack; at first they hold anything."""


@intrinsic
def _compiled_write(_context: Any, result: Any, target: Any) -> tuple[Any, Callable[..., Any]]:
    """Write a result that is a pair, or an optional one; whether there was one."""
    inner = result.type if isinstance(result, types.Optional) else result
    if result is not types.none and not (isinstance(inner, types.BaseTuple) and len(inner) == 2):
        raise TypingError("`returns` must give None, or the results of player 0 and player 1")

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        def write(pair: Any) -> None:
            numbers = cgutils.unpack_tuple(builder, pair)  # type: ignore[no-untyped-call]
            for i, (number, kind) in enumerate(zip(numbers, inner, strict=True)):
                place = builder.gep(values[1], [ir.Constant(ir.IntType(64), i)])
                builder.store(context.cast(builder, number, kind, types.float64), place)

        flag = ir.IntType(1)
        if result is types.none:
            return flag(0)
        if inner is result:
            write(values[0])
            return flag(1)
        optional = context.make_helper(builder, result, value=values[0])
        there = cgutils.as_bool_bit(builder, optional.valid)  # type: ignore[no-untyped-call]
        with builder.if_then(there):
            write(optional.data)
        return there

    return types.boolean(result, target), generate


def _interpreted_write(result: Sequence[float] | None, target: Floats) -> bool:
    if result is not None:
        target[0], target[1] = result
    return result is not None


# The functions of the ABI. `Machine` binds them to a game: it gives these names a meaning.

STATE_WORDS = KEY_WORDS = CELLS = NUM_PLANES = NUM_VALUES = 0
as_game: Any = None
as_state: Any = None
as_cells: Any = None
as_octets: Any = None
as_planes: Any = None
write_result: Any = None
rule_start: Any = None
rule_mover: Any = None
rule_legal: Any = None
rule_play: Any = None
rule_returns: Any = None
rule_transform: Any = None
rule_heuristic: Any = None
rule_encode: Any = None


def _start(params: Words, words: Words) -> int:
    for i in range(STATE_WORDS):
        words[i] = 0
    words[KEY_WORDS] = NO_ACTION
    game, state = as_game(params), as_state(words)
    rule_start(game, state)
    if rule_returns(game, state) is not None:
        state._over = 1
        return OVER
    return GOING


def _mover(params: Words, words: Words) -> int:
    state = as_state(words)
    return 0 if state._over != 0 else rule_mover(as_game(params), state)


def _legal(params: Words, words: Words, actions: Words) -> int:
    game, state = as_game(params), as_state(words)
    count = 0
    if state._over == 0:
        for action in range(game._num_actions):
            actions[count] = action
            count += 1 if rule_legal(game, state, action) else 0
    return count


def _play(params: Words, words: Words, action: int) -> int:
    game, state = as_game(params), as_state(words)
    if state._over != 0 or action < 0 or action >= game._num_actions:
        return ILLEGAL
    if not rule_legal(game, state, action):
        return ILLEGAL
    rule_play(game, state, action)
    words[KEY_WORDS] = action
    if rule_returns(game, state) is not None:
        state._over = 1
        return OVER
    return GOING


def _returns(params: Words, words: Words, result: Floats) -> int:
    state = as_state(words)
    if state._over == 0:
        return GOING
    write_result(rule_returns(as_game(params), state), result)
    return OVER


def _transform(params: Words, words: Words, k: int, image: Words) -> int:
    game, source, target = as_game(params), as_octets(words), as_octets(image)
    for i in range(8 * KEY_WORDS):
        target[game._bytes[k, i]] = source[i]
    last = words[KEY_WORDS]
    image[KEY_WORDS] = last if last == NO_ACTION else game._actions[k, last]
    rule_transform(game, as_state(image), k)
    return GOING


def _heuristic(params: Words, words: Words) -> float:
    return rule_heuristic(as_game(params), as_state(words))  # type: ignore[no-any-return]


def _encode_board(params: Words, words: Words, planes: Planes) -> int:
    game, state, cells = as_game(params), as_state(words), as_cells(words)
    mover = 0 if state._over != 0 else rule_mover(game, state)
    for cell in range(CELLS):
        if not 0 <= cells[cell] < NUM_VALUES:
            return FAILED
    for plane in range(NUM_PLANES):
        for cell in range(CELLS):
            planes[plane * CELLS + cell] = game._planes[mover, plane, cells[cell]]
    return GOING


def _encode(params: Words, words: Words, planes: Planes) -> int:
    rule_encode(as_game(params), as_state(words), as_planes(planes).planes)
    return GOING


class Machine:
    """The functions of the ABI for one game, compiled or not."""

    def __init__(self, game: ArrayGame, jit: bool) -> None:
        self._game, self._jit = game, jit
        family = type(game)
        board = game.board
        constants, layout = game.constant_layout, game.layout
        rules = {name: getattr(family, name) for name in RULES}
        for name, rule in rules.items():
            if name != "encode" or game.input_shape is not None:
                _check_rule(game, name, rule, constants.names, layout)
        methods = _Methods(family, jit)
        self._rules = {name: methods[name] for name in rules}
        self._types = [numba.from_dtype(one.dtype) for one in (constants, layout)] if jit else []
        names: dict[str, Any] = {f"rule_{name}": rule for name, rule in self._rules.items()}
        names |= {"STATE_WORDS": game.state_words, "KEY_WORDS": game.key_words}
        names |= {"CELLS": board.num_cells if board is not None else 0}
        names |= {"NUM_VALUES": 1 + len(board.contents) if board is not None else 0}
        names |= {"NUM_PLANES": len(board.plane_names(game.shows_turn)) if board is not None else 0}
        planes = np.dtype([("planes", np.float32, game.input_shape or ())])
        offset, element = 0, np.dtype(np.int64)
        if "cells" in game.fields:
            kind, offset = layout.place("cells")
            element = kind.base
        if jit:
            pointer: Any = types.CPointer
            names |= {
                "as_game": _pointer_caster(0, self._types[0]),
                "as_state": _pointer_caster(0, self._types[1]),
                "as_octets": _pointer_caster(0, pointer(types.uint8)),
                "as_cells": _pointer_caster(offset, pointer(numba.from_dtype(element))),
                "as_planes": _pointer_caster(0, numba.from_dtype(planes)),
                "write_result": _compiled_write,
            }
        else:
            names |= {
                "as_game": partial(View, dtype=constants.dtype),
                "as_state": partial(_CheckedView, dtype=layout.dtype),
                "as_octets": lambda words: words.view(np.uint8),
                "as_cells": lambda words: words.view(np.uint8)[offset : 8 * layout.words].view(element),
                "as_planes": partial(_CheckedView, dtype=planes),
                "write_result": _interpreted_write,
            }
        self._names = names
        # One compilation for each layout; the rules themselves belong to the stamp of the disk cache.
        shape = repr((family.__module__, family.__qualname__, layout.dtype, constants.dtype, planes))
        self._digest = hashlib.blake2b(shape.encode(), digest_size=8).hexdigest()
        functions: list[Callable[..., Any]] = [_start, _mover, _legal, _play, _returns, _transform]
        if game.has_heuristic:
            functions.append(_heuristic)
        self.kernels = Kernels(*map(self._bound, functions))
        self.encode = self._bound(_encode_board if game.input_shape is None else _encode)

    def _bound(self, function: Callable[..., Any]) -> Any:
        assert isinstance(function, FunctionType)
        bound = FunctionType(function.__code__, {**globals(), **self._names}, function.__name__)
        bound.__qualname__ = f"{function.__name__}_{self._digest}"
        return compiled(bound) if self._jit else bound

    def compile_each(self) -> None:
        """Raise a `RulesError` for the first rule that does not compile by itself."""
        more: dict[str, list[Any]] = {
            "legal": [types.int64],
            "play": [types.int64],
            "transform": [types.int64],
        }
        shape = self._game.input_shape
        if shape is not None:
            more["encode"] = [types.Array(types.float32, len(shape), "C")]
        for name, rule in self._rules.items():
            if name == "encode" and shape is None:
                continue
            try:
                rule.compile((*self._types, *more.get(name, [])))
            except NumbaError as error:
                place, reason = compile_failure(rule, error)
                raise RulesError(
                    f"`{name}` does not compile ({place}): {reason} Rules may use numbers, loops, the "
                    "fields of the state, and attributes of the game that are numbers or arrays of "
                    "numbers. --debug shows more"
                ) from error


# Methods as functions.


class _Methods:
    """The methods of a class of games as functions, compiled or not, with the methods that they call."""

    def __init__(self, family: type, jit: bool) -> None:
        self._family, self._jit = family, jit
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = None  # being made
            function = self._calling_functions(getattr(self._family, name), name)
            self._made[name] = internal(function) if self._jit else _interpreted(function)
        return self._made[name]

    def _calling_functions(self, method: FunctionType, name: str) -> FunctionType:
        """The method itself; or if it calls others, a function that calls `_method_other(self, ...)` where
        it has `self.other(...)`: compiled code knows no methods."""
        source = _Source(method)
        calls = [call for call in source.calls() if callable(getattr(self._family, call.func.attr, None))]
        if not calls:
            return method
        functions: dict[str, Any] = {}
        for call in calls:
            called = call.func.attr
            functions[f"_method_{called}"] = self[called]
            if functions[f"_method_{called}"] is None:
                raise RulesError(f"`{called}` calls itself {source.place(call)}; compiled rules cannot")
            if not isinstance(inspect.getattr_static(self._family, called), staticmethod):
                call.args.insert(0, call.func.value)
            call.func = ast.copy_location(ast.Name(f"_method_{called}", ast.Load()), call.func)
        qualname = f"{self._family.__qualname__}.{name}"  # each class has its own, in the disk cache too
        return source.function({**method.__globals__, **functions}, qualname)


class _Source:
    """What the author of a method wrote."""

    def __init__(self, method: FunctionType) -> None:
        self._method, self._code = method, method.__code__
        self.this = self._code.co_varnames[0] if self._code.co_argcount else ""
        try:
            self.tree = ast.parse(dedent(inspect.getsource(method)))
        except (OSError, SyntaxError):  # there is none: Numba itself will tell what is wrong
            self.tree = ast.Module([], [])

    def place(self, node: ast.expr) -> str:
        return f"({self._code.co_filename}:{self._code.co_firstlineno + node.lineno - 1})"

    def attributes(self, name: str) -> Iterator[ast.Attribute]:
        """Where it uses attributes of this variable."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == name:
                yield node

    def calls(self) -> list[Any]:
        """Where it calls methods of its own object."""
        own = set(self.attributes(self.this))
        return [node for node in ast.walk(self.tree) if isinstance(node, ast.Call) and node.func in own]

    def function(self, namespace: dict[str, Any], qualname: str) -> FunctionType:
        """What the tree says now, as a function."""
        (definition,) = self.tree.body
        assert isinstance(definition, ast.FunctionDef)
        definition.decorator_list = []
        ast.increment_lineno(self.tree, self._code.co_firstlineno - 1)
        module = compile(self.tree, self._code.co_filename, "exec")
        codes = (one for one in module.co_consts if isinstance(one, CodeType))
        code = next(one for one in codes if one.co_name == definition.name)
        enclosing = inspect.getclosurevars(self._method).nonlocals
        function = FunctionType(code, {**namespace, **enclosing}, code.co_name, self._method.__defaults__)
        function.__qualname__ = qualname
        return function


def _check_rule(
    game: ArrayGame, name: str, rule: FunctionType, constants: Collection[str], layout: Layout
) -> None:
    """Raise an error for a rule that is not written yet, or that uses what compiled code cannot know."""
    _check_arguments(game, name, rule)
    source = _Source(rule)
    if "NotImplementedError" in rule.__code__.co_names:
        place = f"({rule.__code__.co_filename}:{rule.__code__.co_firstlineno})"
        raise RulesError(f"`{name}` of {game.family} is not written yet {place}")
    for node in source.attributes(source.this):
        is_method = isinstance(getattr(type(game), node.attr, None), FunctionType)
        if node.attr not in constants and not is_method:
            raise RulesError(
                f"`{source.this}.{node.attr}` in `{name}` is no number, array of numbers or method, and "
                f"compiled rules can use nothing else of the game {source.place(node)}"
            )
    for node in source.attributes(rule.__code__.co_varnames[1]):
        if node.attr not in layout.names:
            known = ", ".join(one for one in layout.names if one != "_over")
            raise RulesError(
                f"`{ast.unparse(node)}` in `{name}` is no field: there are {known} {source.place(node)}"
            )


def _check_arguments(game: ArrayGame, name: str, rule: Any) -> None:
    """Raise an error for a rule that cannot be called as `ArrayGame` declares it."""
    declared = next(vars(cls)[name] for cls in reversed(type(game).__mro__) if name in vars(cls))
    should = _signature(declared)
    if not isinstance(rule, FunctionType):
        raise RulesError(f"`{name}` of {game.family} must be a method, {should}")
    most = rule.__code__.co_argcount
    if not most - len(rule.__defaults__ or ()) <= declared.__code__.co_argcount <= most:
        place = f"({rule.__code__.co_filename}:{rule.__code__.co_firstlineno})"
        raise RulesError(f"a compiled game has {should}, and {game.family} has {_signature(rule)} {place}")


def _signature(rule: FunctionType) -> str:
    arguments = rule.__code__.co_varnames[: rule.__code__.co_argcount]
    return f"`{rule.__name__}({', '.join(arguments)})`"


def names_in(family: type, rules: Iterable[str]) -> set[str]:
    """The names of attributes and globals in these methods, and in functions and methods that they call."""
    found: set[str] = set()
    waiting, seen = [getattr(family, rule) for rule in rules], set[Any]()
    while waiting:
        one = waiting.pop()
        function = getattr(one, "py_func", one)
        if isinstance(function, FunctionType) and function not in seen:
            seen.add(function)
            names = function.__code__.co_names
            found.update(names)
            around = inspect.getclosurevars(function)
            waiting += [*around.globals.values(), *around.nonlocals.values()]
            waiting += [getattr(family, name, None) for name in names]
    return found


def _interpreted(function: Any, known: dict[Any, Any] | None = None) -> Any:
    """A rule as plain Python, with what it calls."""
    known = {_compiled_scratch: _interpreted_scratch} if known is None else known
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, FunctionType):
        return plain
    if plain not in known:
        space, cells = dict(plain.__globals__), tuple(CellType() for _ in plain.__closure__ or ())
        known[plain] = FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, cells)

        def inner(value: Any) -> Any:
            if value is _compiled_scratch or hasattr(value, "py_func"):
                return known.get(value) or _interpreted(value, known)
            return value

        space |= {name: inner(space[name]) for name in plain.__code__.co_names if name in space}
        for cell, compiled_cell in zip(cells, plain.__closure__ or (), strict=True):
            cell.cell_contents = inner(compiled_cell.cell_contents)
    return known[plain]
