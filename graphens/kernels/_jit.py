"""The one decorator of every loop that is worth compiling.

A kernel is written once, in the part of Python that numba compiles. Compiling takes a second or so, a small input a few
milliseconds without it: so a kernel runs as plain Python until that has taken about as long as compiling would, and is
compiled (or read from the disk cache) then, or at once where the work is large. Both ways give the same bits.

Compiled code runs without the interpreter lock, so that threads of a pool can share the work. numba's own
``parallel=True`` is never used: two callers at once abort the process under its default layer.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf
from threading import RLock
from time import process_time, thread_time
from types import FunctionType
from typing import Any, TypeVar, cast, overload

import numpy as np

from .._work import keep_through_forks
from ._store import on_disk

F = TypeVar("F", bound=Callable[..., Any])
Work = Callable[..., float]

_VISIT = 3e-7  # seconds that plain Python takes for one step of an inner loop
_BUDGET = 2.0  # seconds as plain Python before a kernel is compiled, about what that takes (0.1 to 6)
_CACHED = 0.05  # the same where the disk cache has it
_lock = RLock()
keep_through_forks(_lock)
_modules: dict[tuple[str, str], dict[str, Any]] = {}


def sizes(*args: Any) -> float:
    """How many numbers the arguments hold: the work of a kernel that looks at each a few times."""
    return sum(sizes(*arg) if isinstance(arg, tuple) else arg.size for arg in args if hasattr(arg, "__len__"))


@contextmanager
def stopwatch(*, compiling_too: bool = True) -> Iterator[Callable[[], float]]:
    """Yield a function that returns the processor seconds so far; to leave compiling out, numba is loaded first."""
    compiling = [0.0]
    listening = nullcontext() if compiling_too else _count_compiling(compiling)
    begin = process_time()
    with listening:
        yield lambda: process_time() - begin - sum(compiling)


def _count_compiling(seconds: list[float]) -> AbstractContextManager[Any]:
    """Append what compiling takes; numba tells of kernels within kernels as well, which are part of it."""
    from numba.core.event import Listener, install_listener

    class Compiling(Listener):  # type: ignore[misc]
        def __init__(self) -> None:
            self.begins: list[float] = []

        def on_start(self, event: Any) -> None:
            self.begins.append(process_time())

        def on_end(self, event: Any) -> None:
            begin = (
                self.begins.pop() if self.begins else process_time()
            )  # another thread may have begun before
            seconds.append(process_time() - begin if not self.begins else 0.0)

    return cast(AbstractContextManager[Any], install_listener("numba:compile", Compiling()))


class Kernel:
    """A function that runs as plain Python or compiled, whichever is sooner done.

    `work` estimates the steps of the innermost loop from the arguments.
    """

    def __init__(self, function: Callable[..., Any], work: Work) -> None:
        functools.update_wrapper(self, function)
        self.name = function.__name__
        self.function = function
        self._work = work
        self._spent: dict[Any, float] = {}  # seconds as plain Python per kind of arguments, ∞ once compiled

    def __call__(self, *args: Any) -> Any:
        kind = tuple(map(_kind, args))
        spent = self._spent.get(kind, 0.0)
        if spent == inf:
            return self.compiled(*args)
        expected = spent + self._work(*args) * _VISIT
        if expected < _CACHED or (expected < _BUDGET and not self._on_disk):
            begin = thread_time()
            try:
                return self.plain(*args)
            finally:
                self._spent[kind] = spent + thread_time() - begin
        self._spent[kind] = inf
        return self.compiled(*args)

    def plain(self, *args: Any) -> Any:
        """Run as plain Python. Whole numbers wrap around silently, as they do in compiled code."""
        with np.errstate(all="ignore"):
            return _builtin(self._plain(*args))

    @property
    def _plain(self) -> Callable[..., Any]:
        return _linked(self.__module__, "plain")[self.name]

    @property
    def compiled(self) -> Callable[..., Any]:
        """The function that numba compiles for every kind of arguments it meets."""
        return _linked(self.__module__, "compiled")[self.name]

    @property
    def _on_disk(self) -> bool:
        return on_disk(_file_name(self.function))


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


def _linked(module: str, way: str) -> dict[str, Any]:
    """The names of a module for one way to run, its kernels calling each other that way."""
    if (module, way) in _modules:
        return _modules[module, way]
    with _lock:
        if (module, way) in _modules:  # another thread came first
            return _modules[module, way]
        names = dict(vars(sys.modules[module]))
        for name, value in names.items():
            if isinstance(value, Kernel):
                if value.__module__ != module:
                    names[name] = _linked(value.__module__, way)[value.name]
                else:
                    function = cast(FunctionType, value.function)
                    twin = FunctionType(function.__code__, names, name, function.__defaults__)
                    twin.__qualname__ = function.__qualname__
                    names[name] = twin if way == "plain" else _to_compile(twin)
        return _modules.setdefault((module, way), names)


def _to_compile(function: FunctionType) -> Any:
    from ._cache import to_compile

    return to_compile(_file_name(function), function)


def _file_name(function: Callable[..., Any]) -> str:
    """The kernel as the disk cache knows it."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, work: Work) -> Callable[[F], F]: ...
def kernel(function: Any = None, *, work: Work = sizes) -> Any:
    """Make a kernel of a function; `work` estimates from its arguments the steps of its innermost loop."""
    if function is None:
        return lambda f: Kernel(f, work)
    return Kernel(function, work)
