"""One thread for OpenMP and BLAS, where several would cost more than they bring or change the rounding.

Sums over several threads add up in another order, so that rounding would depend on n_jobs; and waking threads for a
small matrix takes longer than the work, above all on a busy machine (an L-BFGS step of 16 objects: 13 times).
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ._work import keep_through_forks

_lock = threading.Condition(threading.Lock())
keep_through_forks(_lock)
_process = os.getpid()
_active = 0
_restore: list[tuple[Any, int]] = []


@contextmanager
def one_pool_thread(*, few: bool = True) -> Iterator[None]:
    """Let OpenMP and BLAS use one thread inside the block, or as many as they like where there is much to do.

    OpenMP keeps its number per thread, BLAS per process. Workers that share a process would otherwise give BLAS its
    threads back while others still work, so the last one out does it.
    """
    if not few:
        yield
        return
    controller = _controller()
    _enter(controller)
    try:
        with controller.select(user_api="openmp").limit(limits=1):
            yield
    finally:
        _leave()


def _controller() -> Any:
    import sklearn.cluster  # noqa: F401 - its libraries must be loaded to be found
    from threadpoolctl import ThreadpoolController

    global _found
    with _lock:
        if _found is None:
            _found = ThreadpoolController()
    return _found


_found: Any = None


def _enter(controller: Any) -> None:
    global _active
    with _lock:
        _active += 1
        if _active == 1:
            for library in controller.select(user_api="blas").lib_controllers:
                _restore.append((library, library.num_threads))
                library.set_num_threads(1)


def _leave() -> None:
    global _active
    with _lock:
        _active -= 1
        while _active == 0 and _restore:
            library, number = _restore.pop()
            library.set_num_threads(number)
        _lock.notify_all()


@atexit.register
def _wait() -> None:
    """Let clusterings end that an interrupt left behind: pulling libraries from under compiled code crashes."""
    with _lock:
        _lock.wait_for(lambda: _active == 0 or os.getpid() != _process)  # a fork has none of our threads
