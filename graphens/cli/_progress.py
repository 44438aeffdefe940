"""How far long work is, on terminals only: one line, which begins after two seconds and vanishes at the end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TextIO

from .._work import progress, tell
from ._screen import ERASE, is_terminal

_PATIENCE = 2.0  # seconds before anything is said
_WIDTH = 30


@contextmanager
def shown_progress() -> Iterator[None]:
    """Show the progress of all work inside, where standard error is a terminal."""
    if not is_terminal(sys.stderr):
        yield
        return
    line = ProgressLine(sys.stderr)
    try:
        with progress(line):
            yield
    finally:
        line.clear()


def partitions_done(done: int, total: int) -> None:
    """Tell how many partitions are made, as all other work does."""
    tell(f"{done} of {total} clusterings", done / max(total, 1))


class ProgressLine:
    """One line on a terminal, rewritten at most ten times a second."""

    def __init__(self, stream: TextIO, patience: float = _PATIENCE) -> None:
        self.stream, self.next, self.shown = stream, monotonic() + patience, False

    def __call__(self, what: str, share: float) -> None:
        """Show the name of the work and the share done."""
        now = monotonic()
        if now < self.next:
            return
        self.next, self.shown = now + 0.1, True
        bar = ("#" * round(share * _WIDTH)).ljust(_WIDTH, ".")  # plain characters: any terminal can show them
        self.stream.write(f"{ERASE}[{bar}] {share:4.0%} {what}")
        self.stream.flush()

    def clear(self) -> None:
        """Leave the line as it was found."""
        if self.shown:
            self.stream.write(ERASE)
            self.stream.flush()
            self.shown = False
