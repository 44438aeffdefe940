"""Long work, done in threads or in short steps that can be interrupted and report progress.

Results never depend on the number of threads.
"""

from __future__ import annotations

import atexit
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from math import inf
from threading import Event, get_ident
from time import perf_counter
from typing import Any, TypeVar

from ..errors import InputError
from .arrays import as_int
from .progress import listening, report_progress

T = TypeVar("T")
R = TypeVar("R")

_single: ContextVar[bool] = ContextVar("graphens_one_thread", default=False)
_SECONDS = 0.1  # what a step aims at: short enough for Ctrl-C, long enough to cost nothing
_STEPS = 1 << 19  # of an item that is worth a thread: on two cores fewer took up to twice as long in threads


def run(what: str, total: int, advance: Callable[[int], int]) -> None:
    """Call ``advance(n)``, which does up to n steps and returns how many it did, until all are done or none is left.

    Compiled code does not react to Ctrl-C, but the interpreter does between calls. n is adapted to the time per step.
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
        report_progress(what, done / total)


def one_thread(function: Callable[..., R], *args: Any) -> R:
    """Call a function that starts no threads of its own, for callers that already run in threads or workers."""
    token = _single.set(True)
    try:
        return function(*args)
    finally:
        _single.reset(token)


def n_threads() -> int:
    """Return how many cores this process may use."""
    if _single.get():
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux can say
        return os.cpu_count() or 1


def thread_number(n_jobs: int | None) -> int:
    """Return the number of threads for `n_jobs`: 1 for None, one per core for −1, one less for −2, and so on."""
    given = 1 if n_jobs is None else as_int("n_jobs", n_jobs, -n_threads())
    if given == 0:
        raise InputError.about("n_jobs", n_jobs, "a number of threads, or −1 for one per core")
    return given if given > 0 else n_threads() + 1 + given


def map_threads(
    function: Callable[[T], R], items: Iterable[T], what: str = "", *, each: float = inf, threads: int | None = None
) -> list[R]:
    """Apply a function that releases the interpreter lock to every item, in order of the items.

    Work with a name reports its progress. After an interrupt, no new item is started. `each` is the approximate number
    of steps per item; items of few steps stay in this thread. `threads` is their number, one per core by default.
    """
    work, number, done = list(items), threads or n_threads(), list[R]()
    if len(work) < 2 or each < _STEPS or number == 1:
        for item in work:
            done.append(function(item))
            if what:
                report_progress(what, len(done) / len(work))
        return done
    size = -(-len(work) // (8 * number))  # a few pieces per thread: handing out each item would cost more
    pieces = [work[start : start + size] for start in range(0, len(work), size)]
    stopped = Event()

    def work_on(piece: list[T]) -> list[R]:
        with listening(None):  # the caller's thread alone tells
            return [function(item) for item in piece if not stopped.is_set()]

    with ThreadPoolExecutor(number) as pool:
        try:  # each piece in a copy of the caller's context: the memory budget and who collects notes
            for piece in [pool.submit(copy_context().run, work_on, piece) for piece in pieces]:
                done += piece.result()
                if what:
                    report_progress(what, len(done) / len(work))
        except BaseException:
            stopped.set()  # an interrupt: let the threads end with the item they are at
            raise
    return done


def keep_through_forks(lock: Any) -> None:
    """Make a fork wait for the lock, and let the child begin with the lock open.

    A fork that is already under way during this call has not taken the lock, but would be asked to open it.
    """
    holders: list[int] = []

    def take() -> None:
        lock.acquire()
        holders.append(get_ident())

    def give() -> None:
        if get_ident() in holders:
            holders.remove(get_ident())
            lock.release()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=take, after_in_parent=give, after_in_child=give)


_lock = threading.Condition(threading.Lock())
keep_through_forks(_lock)
_process = os.getpid()
_active = 0
_restore: list[tuple[Any, int]] = []


@contextmanager
def one_pool_thread(*, few: bool = True, clustering: bool = True) -> Iterator[None]:
    """Let OpenMP and BLAS use one thread inside the block, or as many as they like if there is much to do.

    Without `clustering`, for linear algebra only, scikit-learn and its OpenMP are not loaded.
    OpenMP has a number of threads per thread, BLAS one per process. If several workers share a process, the last one to
    finish restores the number of BLAS, so that no worker changes it while others are still running.
    """
    if not few:
        yield
        return
    global _active
    controller = _controller(clustering=clustering)
    with _lock:
        _active += 1
        if _active == 1:
            for library in controller.select(user_api="blas").lib_controllers:
                _restore.append((library, library.num_threads))
                library.set_num_threads(1)
    try:
        with controller.select(user_api="openmp").limit(limits=1):
            yield
    finally:
        with _lock:
            _active -= 1
            while _active == 0 and _restore:
                library, number = _restore.pop()
                library.set_num_threads(number)
            _lock.notify_all()


def _controller(*, clustering: bool) -> Any:
    if clustering:
        import sklearn.cluster  # noqa: F401 - its libraries must be loaded to be found
    loaded = "sklearn.cluster" in sys.modules
    with _lock:
        if loaded and loaded not in _limiters:  # it has looked through all libraries, or will
            shared = getattr(sys.modules.get("sklearn.utils.parallel"), "_get_threadpool_controller", None)
            _limiters.update({loaded: shared()} if shared else {})
        if loaded not in _limiters:
            from threadpoolctl import ThreadpoolController

            class Few(ThreadpoolController):  # type: ignore[misc]
                """Leaves out libraries without threads, because inspecting all libraries takes milliseconds."""

                def _make_controller_from_path(self, filepath: str) -> None:
                    if re.search("blas|blis|mkl|omp", os.path.basename(filepath).lower()):
                        super()._make_controller_from_path(filepath)

            _limiters[loaded] = Few()
    return _limiters[loaded]


_limiters: dict[bool, Any] = {}  # with scikit-learn's libraries, and without


@atexit.register
def _wait() -> None:
    """Wait for clusterings that an interrupt left running: unloading libraries while they run would crash."""
    with _lock:
        _lock.wait_for(lambda: _active == 0 or os.getpid() != _process)  # a fork has none of our threads
