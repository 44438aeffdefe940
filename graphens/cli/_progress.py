"""The line of progress, kept apart from other output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from math import inf
from typing import Any, TextIO

from .._lib.progress import ProgressLine, is_terminal, listening

_PATIENCE = {True: 2.0, False: 5.0}  # seconds before anything is said, on terminals and in logs


@contextmanager
def shown_progress() -> Iterator[None]:
    """Show the progress of all work inside on standard error, without mixing it with other output."""
    if sys.stderr is None or os.environ.get("GRAPHENS_PROGRESS", "").lower() in ("0", "no", "off"):
        yield
        return
    terminal = is_terminal(sys.stderr)
    line = ProgressLine(sys.stderr, _PATIENCE[terminal], terminal=terminal)
    out: Any = None if sys.stdout is None else _Above(sys.stdout, line, ends=True)
    try:
        with listening(line), redirect_stdout(out), redirect_stderr(_Above(sys.stderr, line)):
            yield
    finally:
        line.clear()


class _Above:
    """A stream that clears the progress line before every write; with `ends`, progress ends with the first write."""

    def __init__(self, stream: TextIO, line: ProgressLine, *, ends: bool = False) -> None:
        self._stream, self._line, self._ends = stream, line, ends

    def __getattr__(self, name: str) -> Any:
        if name in ("write", "writelines", "buffer"):
            self._line.clear()
            self._line.next = inf if self._ends else self._line.next
        return getattr(self._stream, name)
