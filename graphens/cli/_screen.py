"""What people see: lines of text in the characters their screen has."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

_PLAIN = str.maketrans({
    **dict.fromkeys("─", "-"), "│": "|", "┊": ":", **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    "█": "#", "←": "<-", "×": "x", "−": "-", "–": "-", "…": "...", "θ": "theta", "ñ": "n", "²": "^2",
})  # fmt: skip


def say(*lines: str) -> None:
    """Write lines to standard output."""
    sys.stdout.write(fitting("\n".join(lines) + "\n", sys.stdout))


def complain(message: str) -> None:
    """Write one line to standard error, whatever the message holds."""
    sys.stderr.write(fitting(f"graphens: {' '.join(message.split())}\n", sys.stderr))
    sys.stderr.flush()


def fitting(text: str, stream: TextIO) -> str:
    """Return the text as a stream can show it: plainer characters where it lacks ours."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    return text


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, align: str = "right") -> list[str]:
    """Return the lines of a table: the first column to the left, the others as `align` says."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = []
    for row in (header, *rows):
        cells = [
            cell.rjust(width) if align == "right" else cell.ljust(width)
            for cell, width in zip(row, widths, strict=True)
        ]
        lines.append("  ".join([row[0].ljust(widths[0]), *cells[1:]]).rstrip())
    return lines


def bar(value: float, width: int) -> str:
    """Return a bar whose length stands for a value from 0 to 1."""
    return "█" * round(value * width)
