"""The progress of long work: who hears of it, and the line that shows it on a terminal or in a log."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from time import monotonic
from typing import TextIO, TypeAlias

import numpy as np

from ..errors import TypeMismatch

#: False, True (a line where standard error is a terminal or a notebook), or a function of (done, total)
Progress: TypeAlias = "bool | Callable[[int, int], None]"

Callback: TypeAlias = Callable[[str, float], object]

_listener: ContextVar[Callback | None] = ContextVar("graphens_progress", default=None)
_step: ContextVar[str] = ContextVar("graphens_step", default="")
_ERASE = "\r\x1b[K"  # what a terminal's current line holds
_BAR = 30
_PAUSE = {True: 0.1, False: 10.0}  # seconds between two lines, on terminals and in logs


@contextmanager
def progress(callback: Callback | None = None) -> Iterator[None]:
    """Show the progress of long work, or report it to a function, for the calls inside a `with` block.

    Parameters
    ----------
    callback
        Without one, a line on standard error shows the step, the share done and the time left: on a screen or notebook
        all the time, in a log every ten seconds. A function is called as ``callback(what, share)`` with the name of the
        work and the share done, 0 to 1, about ten times a second, from the thread that started the work. An exception
        that it raises stops the work.

    Examples
    --------
    >>> import graphens as ge
    >>> with ge.progress(lambda what, share: print(f"{what}: {share:.0%}")):
    ...     forest = ge.coassociation([[0, 0], [0, 1], [1, 1]]).spanning_forest()
    linking objects: 100%
    """
    line = callback or ProgressLine(sys.stderr, terminal=is_watched(sys.stderr))
    try:
        with listening(line):
            yield
    finally:
        if isinstance(line, ProgressLine):
            line.clear()


@contextmanager
def listening(callback: Callback | None) -> Iterator[None]:
    """Let a function, or nobody, hear of the progress of work inside the block."""
    token = _listener.set(callback)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def step(number: int, of: int, what: str = "step") -> Iterator[None]:
    """Report work inside the block as one of several steps."""
    token = _step.set(f" ({what} {number} of {of})")
    try:
        yield
    finally:
        _step.reset(token)


def report_progress(what: str, share: float) -> None:
    """Report to the callback of `progress`, if there is one."""
    listener = _listener.get()
    if listener is not None:
        listener(what + _step.get(), min(share, 1.0))


@contextmanager
def counting(audience: Progress, what: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that reports how many parts of some work are done, also to what was given as `progress`."""
    if not (callable(audience) or isinstance(audience, bool | np.bool_)):
        raise TypeMismatch.about("progress", audience, "True, False or a function of (done, total)")

    def count(done: int, total: int) -> None:
        if callable(audience):
            audience(done, total)
        if done:
            report_progress(what, done / total)

    shown = not callable(audience) and audience and is_watched(sys.stderr)
    with progress() if shown else nullcontext():
        yield count


class ProgressLine:
    """One line that is rewritten on a terminal, or one line after another in a log, from `patience` seconds on."""

    def __init__(self, stream: TextIO, patience: float = 0.0, *, terminal: bool = True) -> None:
        self.stream, self.patience, self.terminal, self.shown = stream, patience, terminal, False
        self.next = monotonic() + patience
        self.begun: dict[str, tuple[float, float]] = {}  # when each work was first heard of, and its share then

    def __call__(self, what: str, share: float) -> None:
        """Show the name of the work, the share done, and the time left."""
        now = monotonic()
        begin, first = self.begun.setdefault(what, (now, share))
        if share < first:  # the same work once more
            begin, first = self.begun[what] = now, share
        if now < self.next or (share and now < begin + self.patience):
            return
        self.next = now + _PAUSE[self.terminal]
        left = (now - begin) * (1 - share) / (share - first) if first < share < 1 else 0.0
        minutes, seconds = divmod(round(left), 60)
        clock = f"{minutes}:{seconds:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
        text = f"{what}, {clock} left" if left else what
        if self.terminal:
            self.shown = True
            width = (screen_width(self.stream) or 80) - 1  # a second row could not be erased
            length = max(min(_BAR, width - len(f"[] {share:4.0%} {text}")), 0)
            bar = ("#" * round(share * length)).ljust(length, ".")  # plain characters: any terminal can show them
            line = f"{_ERASE}{f'[{bar}] {share:4.0%} {text}'[:width]}"
        else:
            line = f"graphens: {text}, {share:.0%}\n"
        self.stream.write(line)
        self.stream.flush()

    def clear(self) -> None:
        """Erase the line on the terminal."""
        if self.shown:
            self.stream.write(_ERASE)
            self.stream.flush()
            self.shown = False


def is_terminal(stream: TextIO | None) -> bool:
    """Whether this stream is a terminal."""
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # closed
        return False


def is_watched(stream: TextIO | None) -> bool:
    """Whether this stream is a terminal or a notebook."""
    return is_terminal(stream) or type(stream).__module__.startswith("ipykernel.")


def screen_width(stream: TextIO | None) -> int | None:
    """Return the number of columns of a terminal; None for files and pipes, where lines may have any length."""
    if stream is None or not is_terminal(stream):
        return None
    try:
        return int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        with suppress(OSError, ValueError):  # no real terminal
            return os.get_terminal_size(stream.fileno()).columns
    return 80
