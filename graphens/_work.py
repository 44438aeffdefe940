"""Long work: in short steps that can be interrupted and tell how far they are, or in threads.

The answer never depends on how many threads there are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from threading import Event
from time import monotonic, perf_counter, sleep
from typing import TypeAlias, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Callback: TypeAlias = Callable[[str, float], object]

_listener: ContextVar[Callback | None] = ContextVar("graphens_progress", default=None)
_SECONDS = 0.1  # what a step aims at: short enough for Ctrl-C, long enough to cost nothing


@contextmanager
def progress(callback: Callback) -> Iterator[None]:
    """Tell a function how far long work is, for the calls inside a `with` block.

    Parameters
    ----------
    callback
        Called as ``callback(what, share)`` with the name of the work and the share done, 0 to 1, about ten times a
        second and from the thread that asked for the work. An exception that it raises ends the work.

    Examples
    --------
    >>> import graphens as ge
    >>> with ge.progress(lambda what, share: print(f"{what}: {share:.0%}")):
    ...     forest = ge.coassociation([[0, 0], [0, 1], [1, 1]]).spanning_forest()
    spanning forest: 100%
    """
    token = _listener.set(callback)
    try:
        yield
    finally:
        _listener.reset(token)


def tell(what: str, share: float) -> None:
    """Tell the listener, if there is one."""
    listener = _listener.get()
    if listener is not None:
        listener(what, min(share, 1.0))


def run(what: str, total: int, advance: Callable[[int], int]) -> None:
    """Call ``advance(n)``, which does up to n steps and returns how many, until all are done or none is left.

    Compiled code does not see Ctrl-C; between the calls the interpreter does. n follows the clock.
    """
    done, size = 0, 16
    while done < total:
        start = perf_counter()
        made = advance(min(size, total - done))
        if made <= 0:
            break
        done += made
        pace = _SECONDS / max(perf_counter() - start, 1e-6)
        size = max(1, int(size * min(4.0, max(0.25, pace))))
        tell(what, done / total)


def n_threads() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux can say
        return os.cpu_count() or 1


def map_threads(function: Callable[[T], R], items: Iterable[T], what: str = "") -> list[R]:
    """Apply a function that releases the interpreter lock to every item, in order of the items.

    Named work tells how far it is. An interrupt leaves out what has not begun.
    """
    work = list(items)
    if len(work) < 2 or n_threads() == 1:
        return _listed(map(function, work), len(work), what)
    size = -(
        -len(work) // (8 * n_threads())
    )  # a few pieces per thread: handing out each item would cost more
    pieces = [work[start : start + size] for start in range(0, len(work), size)]
    stopped = Event()

    def work_on(piece: list[T]) -> list[R]:
        _listener.set(None)  # the caller's thread alone tells
        return [function(item) for item in piece if not stopped.is_set()]

    with ThreadPoolExecutor(n_threads()) as pool:
        try:  # each piece in a copy of the caller's context: the memory budget and who collects notes
            waiting = [pool.submit(copy_context().run, work_on, piece) for piece in pieces]
            done = _listed((piece.result() for piece in waiting), len(pieces), what)
        except BaseException:
            stopped.set()  # an interrupt: let the threads end with the item they are at
            raise
    return [result for results in done for result in results]


def _listed(results: Iterable[R], total: int, what: str) -> list[R]:
    done: list[R] = []
    for result in results:
        done.append(result)
        if what:
            tell(what, len(done) / total)
    return done


def _wait_for_imports(longest: float = 10.0) -> None:
    """Before a fork, let other threads end the imports they are at.

    Much is imported on first use. A child process would inherit the locks of unfinished imports with nobody to open
    them, and its own first call would wait for ever.
    """
    end = monotonic() + longest
    while _others_import() and monotonic() < end:
        sleep(0.001)


def _others_import() -> bool:
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
            return False  # this thread is importing itself: what it forks for cannot wait for it
    specs = [getattr(module, "__spec__", None) for module in list(sys.modules.values())]
    return any(getattr(spec, "_initializing", False) for spec in specs)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_wait_for_imports)
