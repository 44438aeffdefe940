"""Long work in short steps: it can be interrupted between them, and tells how far it is to whoever wants to know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import TypeAlias

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
