"""Run independent pieces of compiled work in threads; the answer never depends on how many there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from .._progress import tell

T = TypeVar("T")
R = TypeVar("R")


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
        return [function(item) for item in piece if not stopped.is_set()]

    with ThreadPoolExecutor(n_threads()) as pool:
        try:
            done = _listed(pool.map(work_on, pieces), len(pieces), what)
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
