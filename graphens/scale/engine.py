"""Run block functions in threads of this process or on the workers of a Dask cluster, and merge their results."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from threading import Event
from time import monotonic
from typing import Any

import numpy as np

from .._lib.progress import report_progress
from .._lib.threads import n_threads, one_thread
from ..errors import ClusterError, GraphensError, TypeMismatch
from .folder import Folder, Tables

#: how the results of two blocks become one
Merge = Callable[[Tables, Tables], Tables]
#: a block function with its arguments: what a worker is sent
Task = tuple[Callable[..., Any], tuple[Any, ...]]


class Engine:
    """Runs tasks, with a limited number at a time, and returns their results in the order of the tasks.

    The tasks run in the threads of this process: block functions read and count outside the interpreter's lock.
    """

    def run(self, tasks: Iterable[Task]) -> Iterator[Any]:
        """Yield the results; if the caller stops, tasks that have not begun are not run."""
        waiting: deque[Any] = deque()
        with self.pool() as submit:
            try:
                for task in tasks:
                    waiting.append(submit(task))
                    if len(waiting) >= self.window():
                        yield self.result(waiting.popleft())
                while waiting:
                    yield self.result(waiting.popleft())
            finally:
                for one in waiting:
                    one.cancel()

    @contextmanager
    def pool(self) -> Iterator[Callable[[Task], Any]]:
        """Start the workers, and provide a function from a task to its future."""
        threads = ThreadPoolExecutor(n_threads())
        try:
            yield lambda task: threads.submit(copy_context().run, one_thread, task[0], *task[1])
        finally:
            threads.shutdown(wait=True, cancel_futures=True)

    def window(self) -> int:
        """Return the maximum number of running and waiting tasks: two for each thread."""
        return 2 * n_threads()

    def result(self, future: Any) -> Any:
        """Wait for one result."""
        return future.result()


class DaskWorkers(Engine):
    """The workers of a `dask.distributed.Client`, which must see the same files under the same names."""

    def __init__(self, client: Any) -> None:
        self.client = client

    @contextmanager
    def pool(self) -> Iterator[Callable[[Task], Any]]:
        """Submit to the scheduler; a task of a worker that dies goes to another one."""
        yield lambda task: self._reach(self.client.submit, one_thread, task[0], *task[1], pure=False, retries=2)

    def window(self) -> int:
        """Two for each thread of the current workers."""
        return max(2, 2 * int(sum(self._reach(self.client.nthreads).values())))

    def result(self, future: Any) -> Any:
        """Wait for one result, and notice if the scheduler is gone.

        ``result(timeout=…)`` is not used, because a timeout during the transfer of a result aborts it
        (dask/distributed#8514).
        """
        done = Event()
        self._reach(future.add_done_callback, lambda _: done.set())
        while not done.wait(_PATIENCE):
            if not self._alive():
                raise self._loss("no answer")
        return self._reach(future.result)

    def _alive(self) -> bool:
        comm = getattr(self.client, "scheduler_comm", None)
        return self.client.status == "running" and comm is not None and not comm.comm.closed()

    def _reach(self, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
        try:
            return call(*args, **options)
        except (GraphensError, TimeoutError):
            raise
        except _BROKEN_OFF as error:
            if type(error).__name__ in _GONE or not self._alive():
                raise self._loss(f"{type(error).__name__}: {error}") from None
            raise

    def _loss(self, said: str) -> ClusterError:
        return ClusterError(
            f"The cluster can no longer be reached ({said}). Finished work is kept: make the same call with a client "
            "of a running scheduler, or without a client, to continue."
        )


_PATIENCE = 2.0  # seconds between looks at the connection
_SECONDS = 5.0  # how much work a kill may cost
_BROKEN_OFF = (CancelledError, OSError, RuntimeError, UnboundLocalError)  # the last where Dask itself does not see it
_GONE = {"CommClosedError", "CancelledError", "FutureCancelledError", "ClosedClientError"}


def engine(client: Any) -> Engine:
    """Return the engine for a client, or the threads of this process for None."""
    if client is None:
        return Engine()
    if not (hasattr(client, "submit") and hasattr(client, "nthreads")):
        raise TypeMismatch(
            f"client is a {type(client).__name__}; expected a dask.distributed.Client, or None for threads."
        )
    return DaskWorkers(client)


def sum_blocks(
    engine: Engine,
    folder: Folder,
    name: str,
    n_blocks: int,
    task: Callable[[int], Task],
    merge: Merge,
    enough: Callable[[Tables], bool] = lambda total: False,
) -> Tables:
    """Merge the results of all blocks, continuing where an earlier call ended; stop early if the result is `enough`.

    Results are merged in the order of the blocks, so the sum has the same bits for every number of workers.
    """
    total = folder.read_arrays(name)
    done, saved = int(total.pop("blocks", 0)), monotonic()
    what = f"reading all rows: {name.rstrip('_0123456789').replace('_', ' ')}"
    if done < n_blocks and not (total and enough(total)):
        for tables in engine.run(task(number) for number in range(done, n_blocks)):
            total, done = merge(total, tables) if total else tables, done + 1
            report_progress(what, done / n_blocks)
            if enough(total):
                break
            if monotonic() - saved > _SECONDS:
                folder.write_arrays(name, total | {"blocks": np.array(done)})
                saved = monotonic()
        folder.write_arrays(name, total | {"blocks": np.array(done)})
    return total


def write_parts(engine: Engine, folder: Folder, n_blocks: int, task: Callable[[int], Task], what: str) -> None:
    """Run the tasks of the blocks without a finished part, and record that all is done."""
    left = [number for number in range(n_blocks) if not folder.part(number).exists()]
    for done, _ in enumerate(engine.run(map(task, left)), n_blocks - len(left) + 1):
        report_progress(what, done / n_blocks)
    folder.write_json("result", {"done": True})
