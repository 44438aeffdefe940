"""The one decorator of every loop that is worth compiling.

A kernel is written in the part of Python that numba compiles. Compiling takes a second or so, a small input a few
milliseconds without it: so a kernel runs as plain Python until the sizes of what it was called with say that this has
taken about as long as compiling would, and is compiled (or read from the disk cache) then, or at once where the work is
large. Loops that NumPy has in a line or two have these as their twin, which runs in their place before anything is
compiled. All ways give the same bits.

Compiled code runs without the interpreter lock, so that threads of a pool can share the work. numba's own
``parallel=True`` is never used: two callers at once abort the process under its default layer.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from math import inf
from threading import RLock
from time import process_time
from types import FunctionType
from typing import Any, TypeVar, cast, overload

import numpy as np

from .._lib.threads import keep_through_forks
from . import _store

F = TypeVar("F", bound=Callable[..., Any])
Work = Callable[..., float]

_VISIT = 3e-7  # seconds that plain Python takes for one step of an inner loop
_TWIN_VISIT = 1e-8  # the same of a twin
_CALL = 1e-5  # seconds that any call takes
_BUDGET = 2.0  # seconds as plain Python before a kernel is compiled, about what that takes (0.1 to 6)
_CACHED = 0.05  # the same where the disk cache has it and numba is loaded
_LOADING = 0.2  # seconds of all kernels as plain Python that are worth loading numba
_lock = RLock()
keep_through_forks(_lock)
_modules: dict[tuple[str, str], dict[str, Any]] = {}


def sizes(*args: Any) -> float:
    """How many numbers the arguments hold: the work of a kernel that looks at each a few times."""
    return sum(sizes(*arg) if isinstance(arg, tuple) else arg.size for arg in args if hasattr(arg, "__len__"))


def stopwatch() -> Callable[[], float]:
    """Return a function that returns the processor seconds since now, without compiling and reading compiled code."""
    begin = process_time() - _store.compile_seconds
    return lambda: process_time() - _store.compile_seconds - begin


class Kernel:
    """A function that runs as plain Python or compiled, whichever is sooner done.

    `work` estimates the steps of the innermost loop from the arguments; `twin` does the same by NumPy.
    """

    _all_plain = 0.0  # expected seconds of all kernels

    def __init__(self, function: Callable[..., Any], work: Work, twin: Callable[..., Any] | None = None) -> None:
        functools.update_wrapper(self, function)
        self.name, self.function, self._work = function.__name__, function, work
        self.uncompiled, self._visit = (function, _VISIT) if twin is None else (twin, _TWIN_VISIT)
        self._spent: dict[Any, float] = {}  # expected seconds as plain Python per kind of arguments, ∞ once compiled

    def __call__(self, *args: Any) -> Any:
        kind = tuple(map(_kind, args))
        spent = self._spent.get(kind, 0.0)
        if spent == inf:
            return self.compiled(*args)
        seconds = self._work(*args) * self._visit + _CALL
        Kernel._all_plain += seconds
        spent += seconds
        # Compiled code is worth it where plain Python takes longer, over all calls so far, than having it does.
        loads_soon = spent >= _CACHED and ("numba" in sys.modules or Kernel._all_plain >= _LOADING)
        if spent >= _BUDGET or (loads_soon and _store.on_disk(_file_name(self.function))):
            self._spent[kind] = inf
            return self.compiled(*args)
        self._spent[kind] = spent
        return self.plain(*args)

    def plain(self, *args: Any) -> Any:
        """Run as plain Python. Whole numbers wrap around silently, as they do in compiled code."""
        with np.errstate(all="ignore"):
            return _builtin(_link_names(self.__module__, "plain")[self.name](*args))

    @property
    def compiled(self) -> Callable[..., Any]:
        """The function that numba compiles for every kind of arguments it meets."""
        return _link_names(self.__module__, "compiled")[self.name]


def _kind(arg: Any) -> Any:
    """What decides how an argument is compiled, as far as it varies from call to call."""
    if isinstance(arg, np.ndarray):
        return arg.dtype
    return _kind(arg[0]) if isinstance(arg, tuple) else None


def _builtin(result: Any) -> Any:
    """NumPy's scalars as Python's own, which compiled code returns."""
    if isinstance(result, np.generic):
        return result.item()
    return tuple(map(_builtin, result)) if isinstance(result, tuple) else result


def _link_names(module: str, way: str) -> dict[str, Any]:
    """The names of a module for one way to run, its kernels calling each other that way."""
    if (module, way) in _modules:
        return _modules[module, way]
    # A kernel calls others by their global names, where a reader finds a `Kernel`, which numba cannot compile. So every
    # function gets a copy of its module's names, in which these are the plain functions, or the compiled ones.
    with _lock:
        if (module, way) in _modules:  # another thread came first
            return _modules[module, way]
        names = dict(vars(sys.modules[module]))
        kernels = [(name, value) for name, value in names.items() if isinstance(value, Kernel)]
        for name, value in kernels:
            if value.__module__ != module:
                names[name] = _link_names(value.__module__, way)[value.name]
                continue
            function = cast(FunctionType, value.function if way == "compiled" else value.uncompiled)
            names[name] = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
            names[name].__qualname__ = function.__qualname__
            if way == "compiled":
                from ._cache import to_compile

                names[name] = to_compile(_file_name(value.function), names[name])
        return _modules.setdefault((module, way), names)


def _file_name(function: Callable[..., Any]) -> str:
    """The kernel as the disk cache knows it."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, work: Work = ..., twin: Callable[..., Any] | None = ...) -> Callable[[F], F]: ...
def kernel(function: Any = None, *, work: Work = sizes, twin: Callable[..., Any] | None = None) -> Any:
    """Make a kernel of a function.

    `work` estimates from its arguments the steps of its innermost loop; `twin` is the same function by NumPy, with the
    same bits, in one line; longer ones follow their kernel, decorated by `twin_of`.
    """
    if function is None:
        return lambda f: Kernel(f, work, twin)
    return Kernel(function, work, twin)


def twin_of(*kernels: Any) -> Callable[[F], F]:
    """Let a function do the work of kernels until they are compiled."""

    def give(function: F) -> F:
        for one in kernels:
            one.uncompiled, one._visit = function, _TWIN_VISIT
        return function

    return give
