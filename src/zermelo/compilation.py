"""How Python becomes machine code: one decorator, one disk cache, one way to hear of it.

Numba's own cache watches only the file a function stands in. A kernel that calls functions of
other files, or uses their constants, would stay as it was when those change; so `compiled` makes
the stamp of its cache entry from everything the kernel reaches.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import event
from numba.core.caching import IndexDataCacheFile

_typeof: Any = numba.typeof
F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED: bool = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """Compile `function` on first use, without the GIL, and keep the result on disk.

    Numba's runtime is off: kernels allocate nothing (they are given scratch arrays) and so never
    count references, which costs a quarter of the time of a move. Copying one array into another
    by slices allocates; `copy_words` does not.
    """
    return _compiled(function)


def inlined(function: F) -> F:
    """The same for a small function: it becomes part of each kernel that calls it.

    A call that stays a call passes two dozen words for three arrays.
    """
    return _compiled(function, forceinline=True)


def internal(function: F) -> F:
    """The same for one that only kernels call. The way in from Python, which it does without, takes
    longer to compile than the function if whole trees are among its arguments."""
    return _compiled(function, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _compiled(function: F, **more: bool) -> F:
    if not JIT_ENABLED:  # numbers wrap around without a warning, as compiled ones do
        return np.errstate(over="ignore")(function)
    options: dict[str, Any] = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        **more,
    }
    try:
        dispatcher = numba.njit(**options)(function)
    except RuntimeError:  # no directory that Numba may write to: compile anew in each process
        return numba.njit(**{**options, "cache": False})(function)  # type: ignore[no-any-return]
    file = dispatcher._cache._cache_file
    file.__class__ = _StampedFile
    file.function = function
    return dispatcher  # type: ignore[no-any-return]


class Fixed:
    """A kernel whose arguments have the same types in each call of this object.

    To find out the types of a tree and all that goes with it takes 15 microseconds; here it is done
    once.
    """

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self._kernel: Any = kernel
        self._entry: Callable[..., Any] | None = None if JIT_ENABLED else kernel

    def __call__(self, *arguments: Any) -> Any:
        if self._entry is None:
            types = tuple(map(_typeof, arguments))
            self._kernel.compile(types)
            self._entry = self._kernel.overloads[types].entry_point
        return self._entry(*arguments)


class _StampedFile(IndexDataCacheFile):
    """Numba's index of compiled versions, whose stamp is made when it is first needed: by then all that
    the function refers to is defined."""

    function: Callable[..., Any]

    @property
    def _source_stamp(self) -> tuple[tuple[str, str], ...]:
        if "stamp" not in self.__dict__:
            self.__dict__["stamp"] = tuple(sorted(_dependencies(self.function, set())))
        return self.__dict__["stamp"]  # type: ignore[no-any-return]


def _dependencies(function: Any, seen: set[Any]) -> set[tuple[str, str]]:
    """What the machine code of `function` is made from: the code itself, which may have no file or an
    older one, files as they are now, and constants."""
    seen.add(function)
    code = repr((_content(function.__code__), function.__defaults__))
    found = {_file(function.__code__.co_filename)}
    found.add(
        (f"{function.__module__}.{function.__qualname__}", hashlib.blake2b(code.encode()).hexdigest())
    )
    namespace = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    for name, value in _references(function.__code__, namespace):
        called = getattr(value, "py_func", value)
        if isinstance(called, FunctionType):
            if called not in seen and not called.__module__.startswith(("numba", "numpy", "math")):
                found |= _dependencies(called, seen)
        elif isinstance(value, np.ndarray):
            found.add((name, hashlib.blake2b(value.tobytes()).hexdigest()))
        elif isinstance(value, int | float | str | tuple | np.generic | None):
            found.add((name, repr(value)))
        elif (home := str(getattr(value, "__module__", ""))).startswith("zermelo"):
            found.add(_file(sys.modules[home].__file__ or ""))
    return found


def _content(value: Any) -> Any:
    """Code or a constant in it, such that equal ones print the same in every process."""
    if isinstance(value, CodeType):
        names = value.co_names, value.co_varnames, value.co_freevars, value.co_argcount
        return value.co_code, names, [_content(constant) for constant in value.co_consts]
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value


def _file(path: str) -> tuple[str, str]:
    if not os.path.exists(path):
        return path, ""
    status = os.stat(path)
    return path, f"{status.st_mtime} {status.st_size}"


def _references(code: CodeType, namespace: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The variables around it that `code` names, what it may name in modules among them, and the same of
    functions inside it."""
    names = {*code.co_names, *code.co_freevars}
    spaces = [("", namespace)]
    for prefix, space in spaces:
        for name in sorted(names & space.keys()):
            value = space[name]
            yield prefix + name, value
            if isinstance(value, ModuleType) and value is not np and len(spaces) < 50:
                spaces.append((f"{prefix}{name}.", vars(value)))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _references(constant, namespace)


def compile_failure(function: Any, error: Exception) -> tuple[str, str]:
    """Where and why a function does not compile, `FILE:LINE` and a sentence, from Numba's error."""
    code = getattr(function, "py_func", function).__code__
    message = re.sub(r"\x1b\[\d*m", "", str(error))
    lines = [line.strip() for line in message.splitlines()]
    vague = ("Failed in nopython mode", "- Resolution failure")
    telling = (line for line in lines if line and not line.startswith(vague))
    reason = next(telling, "unknown").rstrip(".") + "."
    numbas = Path(numba.__file__).resolve().parent
    for file, line in re.findall(r'File "(.+?)", line (\d+)', message):
        if Path(file).exists() and numbas not in Path(file).resolve().parents:
            return f"{Path(file).resolve()}:{line}", reason
    loc = getattr(error, "loc", None)
    return f"{code.co_filename}:{loc.line if loc else code.co_firstlineno}", reason


class _Stopwatch(event.Listener):
    """Adds up the time that this process compiles; functions compiled inside others count once."""

    def __init__(self) -> None:
        self.seconds = self.cpu_seconds = 0.0
        self._depth = threading.local()

    def on_start(self, event: Any) -> None:
        self._depth.value = getattr(self._depth, "value", 0) + 1
        if self._depth.value == 1:
            self._depth.begin = time.monotonic(), time.thread_time()

    def on_end(self, event: Any) -> None:
        self._depth.value -= 1
        if self._depth.value == 0:
            seconds, cpu_seconds = self._depth.begin
            self.seconds += time.monotonic() - seconds
            self.cpu_seconds += time.thread_time() - cpu_seconds


_stopwatch = _Stopwatch()
event.register("numba:compile", _stopwatch)  # type: ignore[no-untyped-call]


def compile_seconds() -> tuple[float, float]:
    """Wall and CPU seconds that this process has spent compiling since it started."""
    return _stopwatch.seconds, _stopwatch.cpu_seconds


class _Listener(event.Listener):
    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell

    def on_start(self, event: Any) -> None:
        self._tell()

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def on_compile(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` once if something has to be compiled that is not in the disk cache."""
    told = False

    def once() -> None:
        nonlocal told
        if not told:
            told = True
            tell()

    with event.install_listener("numba:compile", _Listener(once)):
        yield


@inlined
def copy_words(source: Any, target: Any) -> None:
    """target[:] = source, for vectors of one length that do not overlap."""
    for i in range(source.size):
        target[i] = source[i]
