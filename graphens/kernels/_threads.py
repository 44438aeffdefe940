"""Run independent pieces of compiled work in threads; the answer never depends on how many there are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
    with ThreadPoolExecutor(n_threads()) as pool:
        return _listed(pool.map(function, work), len(work), what)


def _listed(results: Iterator[R], total: int, what: str) -> list[R]:
    done: list[R] = []
    for result in results:
        done.append(result)
        if what and (len(done) % 16 == 0 or len(done) == total):
            tell(what, len(done) / total)
    return done
