"""Progress of long work: a temporary line on terminals, a plain line from time to time in logs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from math import inf
from time import monotonic
from typing import Any, TextIO

from .._work import progress, tell
from ._screen import is_terminal, screen_width

_ERASE = "\r\x1b[K"  # what a terminal's current line holds
_BAR = 30
_PATIENCE = {True: 2.0, False: 5.0}  # seconds before anything is said, on terminals and in logs
_PAUSE = {True: 0.1, False: 10.0}  # seconds between two lines


@contextmanager
def shown_progress() -> Iterator[None]:
    """Show the progress of all work inside on standard error, without mixing it with other output."""
    if sys.stderr is None or os.environ.get("GRAPHENS_PROGRESS", "").lower() in ("0", "no", "off"):
        yield
        return
    line = ProgressLine(sys.stderr, terminal=is_terminal(sys.stderr))
    out: Any = None if sys.stdout is None else _Above(sys.stdout, line, ends=True)
    try:
        with progress(line), redirect_stdout(out), redirect_stderr(_Above(sys.stderr, line)):
            yield
    finally:
        line.clear()


def partitions_done(done: int, total: int) -> None:
    """Report the number of finished partitions as progress."""
    tell(f"{done} of {total} clusterings", done / max(total, 1))


class ProgressLine:
    """One line that is rewritten on a terminal, or one line after another in a log."""

    def __init__(self, stream: TextIO, *, terminal: bool) -> None:
        self.stream, self.terminal, self.shown = stream, terminal, False
        self.next = monotonic() + _PATIENCE[terminal]

    def __call__(self, what: str, share: float) -> None:
        """Show the name of the work and the share done."""
        now = monotonic()
        if now < self.next:
            return
        self.next = now + _PAUSE[self.terminal]
        if self.terminal:
            self.shown = True
            bar = ("#" * round(share * _BAR)).ljust(_BAR, ".")  # plain characters: any terminal can show them
            width = screen_width(self.stream) or 80
            text = (
                f"{_ERASE}{f'[{bar}] {share:4.0%} {what}'[: width - 1]}"  # a second row could not be erased
            )
        else:
            text = f"graphens: {what}, {share:.0%}\n"
        self.stream.write(text)
        self.stream.flush()

    def clear(self) -> None:
        """Erase the line on the terminal."""
        if self.shown:
            self.stream.write(_ERASE)
            self.stream.flush()
            self.shown = False


class _Above:
    """A stream that clears the progress line before every write; with `ends`, progress ends with the first write."""

    def __init__(self, stream: TextIO, line: ProgressLine, *, ends: bool = False) -> None:
        self._stream, self._line, self._ends = stream, line, ends

    def write(self, text: str) -> int:
        self._make_room()
        return self._stream.write(text)

    @property
    def buffer(self) -> Any:
        self._make_room()
        return self._stream.buffer

    def _make_room(self) -> None:
        self._line.clear()
        if self._ends:
            self._line.next = inf

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
