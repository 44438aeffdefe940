"""Measure calls in processes of their own: processor seconds, memory, and what they return."""

import ctypes
import gc
import multiprocessing
import resource
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphens.kernels._jit import Kernel

ENOUGH = 20.0  # processor seconds after which a call is not repeated


@dataclass(frozen=True)
class Measured:
    """Processor seconds of the fastest repeat, the most memory above what was there before, and the value."""

    seconds: float
    peak: float
    value: Any


def processor_seconds() -> float:
    """Return what this process and its ended children took of the processor, whoever else uses it."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure(
    function: Callable[..., Any], *args: Any, repeats: int = 2, warm: tuple[Any, ...] | None = None, limit: float = 7200
) -> Measured:
    """Run a call in a forked process, and again in another: the better of them counts.

    Arguments are shared with the process, its memory is its own. Every repeat is the first call on its arguments, since
    ensembles and graphs remember what was counted once. `warm` are small arguments for a call before it, which is not
    measured: imports and compiled code are loaded then. The value is sent back, so return small things.
    """
    found: list[Measured] = []
    while len(found) < repeats and sum(one.seconds for one in found) < ENOUGH:
        found.append(_forked(function, args, warm, limit))
    return min(found, key=lambda one: one.seconds)


def _forked(
    function: Callable[..., Any], args: tuple[Any, ...], warm: tuple[Any, ...] | None, limit: float
) -> Measured:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_child, args=(there, function, args, warm))
    process.start()
    there.close()
    try:
        if not here.poll(limit):
            raise TimeoutError(f"no answer within {limit:.0f} s")
        answer = here.recv()
    except EOFError:
        process.join()
        raise RuntimeError(f"the measured process ended with {process.exitcode}, without an answer") from None
    finally:
        process.terminate()
        process.join()
    if isinstance(answer, BaseException):
        raise answer
    return Measured(*answer)


def _child(pipe: Any, function: Callable[..., Any], args: tuple[Any, ...], warm: tuple[Any, ...] | None) -> None:
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # a run that is stopped leaves no process behind
        if warm is not None:
            usual = Kernel.__call__
            Kernel.__call__ = lambda self, *given: self.compiled(*given)  # for small inputs as well
            function(*warm)  # load compiled code, so that the figure is the work itself
            Kernel.__call__ = usual
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)  # memory freed before must not hide what the call takes
        Path("/proc/self/clear_refs").write_text("5")  # forget the highest memory so far
        before, start = _resident("VmRSS"), processor_seconds()
        value = function(*args)
        seconds = processor_seconds() - start
        pipe.send((seconds, max(_resident("VmHWM") - before, 1e6), value))  # less than 1 MB is not told apart
    except BaseException as error:  # noqa: BLE001 - reported to the parent, which raises
        pipe.send(error)


def _resident(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return float(line.split()[1]) * 1024
    return float("nan")
