"""A progress bar on a terminal or in a notebook, silence elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from ..errors import TypeMismatch

#: False, True (a bar where standard error is a terminal or a notebook), or a function of (done, total)
Progress: TypeAlias = "bool | Callable[[int, int], None]"

_WIDTH = 30


def reporter(progress: Progress, total: int) -> Callable[[int, int], None]:
    """Return what is called with the number of finished partitions and the total."""
    if callable(progress):
        return progress
    if not isinstance(progress, bool | np.bool_):
        raise TypeMismatch.about("progress", progress, "True, False or a function of (done, total)")
    return _Bar(total) if progress and _watched(sys.stderr) else _silent


def _watched(stream: Any) -> bool:
    """Whether somebody may be looking: at a terminal, or at a notebook's cell, which is none but acts like one."""
    return stream is not None and (stream.isatty() or type(stream).__module__.startswith("ipykernel."))


def _silent(done: int, total: int) -> None:
    """Say nothing."""


class _Bar:
    """One line on standard error, rewritten at most ten times a second."""

    def __init__(self, total: int) -> None:
        self.start = self.shown = time.monotonic()
        self.first: int | None = None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.first is None:  # what a checkpoint already had took no time now
            self.first = done
        if done < total and done != self.first and now - self.shown < 0.1:
            return
        self.shown = now
        made = done - self.first
        left = (now - self.start) / made * (total - done) if made else 0.0
        filled = _WIDTH * done // max(total, 1)
        bar = "#" * filled + "." * (_WIDTH - filled)  # plain characters: any terminal can show them
        sys.stderr.write(f"\r[{bar}] {done}/{total} partitions, {_clock(left)} left ")
        if done == total:
            sys.stderr.write("\n")
        sys.stderr.flush()


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
