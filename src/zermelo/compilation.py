"""How Python becomes machine code: one decorator, one disk cache, one way to hear of it.

Numba's own cache watches only the file a function stands in. A kernel that calls functions of
other files, or uses their constants, would stay as it was when those change; so `compiled` makes
the stamp of its cache entry from everything the kernel reaches.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import event
from numba.core.dispatcher import Dispatcher

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED: bool = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]


def compiled(function: F) -> F:
    """Compile `function` on first use, without the GIL, and keep the result on disk.

    Numba's runtime is off: kernels allocate nothing (they are given scratch arrays) and so never
    count references, which costs a quarter of the time of a move. Copying one array into another
    by slices allocates; `copy_words` does not.
    """
    return _compiled(function, inline=False)


def inlined(function: F) -> F:
    """The same for a small function: it becomes part of each kernel that calls it.

    A call that stays a call passes two dozen words for three arrays.
    """
    return _compiled(function, inline=True)


def _compiled(function: F, inline: bool) -> F:
    if not JIT_ENABLED:  # numbers wrap around without a warning, as compiled ones do
        return np.errstate(over="ignore")(function)
    options: dict[str, Any] = {
        "cache": True,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "forceinline": inline,
    }
    try:
        dispatcher = numba.njit(**options)(function)
    except RuntimeError:  # no directory that Numba may write to: compile anew in each process
        return numba.njit(**{**options, "cache": False})(function)  # type: ignore[no-any-return]
    dispatcher.dependencies = _dependencies(function)
    dispatcher._cache._cache_file._source_stamp = tuple(sorted(dispatcher.dependencies))
    return dispatcher  # type: ignore[no-any-return]


def _dependencies(function: Callable[..., Any]) -> frozenset[tuple[str, str]]:
    """What the machine code of `function` is made from: files as they are now, and constants."""
    assert isinstance(function, FunctionType)
    found = {_file(function.__code__.co_filename)}
    for name, value in _references(function.__code__, function.__globals__):
        if isinstance(value, Dispatcher):
            found |= getattr(value, "dependencies", frozenset())
        elif isinstance(value, int | float | str | tuple | np.generic):
            found.add((name, repr(value)))
        elif (home := str(getattr(value, "__module__", ""))).startswith("zermelo"):
            found.add(_file(sys.modules[home].__file__ or ""))
    return frozenset(found)


def _file(path: str) -> tuple[str, str]:
    if not os.path.exists(path):
        return path, ""
    status = os.stat(path)
    return path, f"{status.st_mtime} {status.st_size}"


def _references(code: CodeType, namespace: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The globals that `code` names, and what it may name in modules among them."""
    for name in code.co_names:
        if name in namespace:
            yield name, namespace[name]
        for other in code.co_names:
            module = namespace.get(other)
            if isinstance(module, ModuleType) and name in vars(module):
                yield f"{other}.{name}", vars(module)[name]


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
