"""What people see: lines of text in the characters, the colors and the width that their screen has."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TextIO

from ..errors import FileError

ERASE = "\r\x1b[K"  # what a terminal's current line holds, such as a progress bar
_LONGEST = 1000  # characters of a message; names and values in it can be of any length
_COLORS = {"bold": 1, "dim": 2, "error": 31, "warning": 33}
_PLAIN = str.maketrans({
    **dict.fromkeys("─", "-"), "│": "|", "┊": ":", **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    "█": "#", "←": "<-", "×": "x", "−": "-", "–": "-", "…": "...", "θ": "theta", "ñ": "n", "²": "^2",
    "³": "^3", "√": "sqrt ", "ö": "o", "’": "'", "é": "e", "·": "*",
})  # fmt: skip


def command() -> str:
    """Return how the reader can call graphens again: by name where the shell finds it, otherwise as this time."""
    given = sys.argv[0] if sys.argv else ""
    found, name = shutil.which("graphens"), os.path.splitext(os.path.basename(given))[0]
    if found and (os.path.realpath(found) == os.path.realpath(given) or name not in ("graphens", "__main__")):
        return "graphens"
    if name == "graphens":
        return shlex.quote(given)
    return f"{shlex.quote(sys.orig_argv[0] if sys.orig_argv else sys.executable)} -m graphens"


def say(*lines: str) -> None:
    """Write lines to standard output."""
    if sys.stdout is None:
        raise FileError("Standard output is closed; there is nowhere to write to.")
    sys.stdout.write(fitting("\n".join(lines) + "\n", sys.stdout))


def note(*lines: str) -> None:
    """Write lines to standard error: what is worth knowing and no part of the answer."""
    if sys.stderr is None:
        return
    begin = ERASE if is_terminal(sys.stderr) else ""
    sys.stderr.write(begin + fitting("\n".join(lines) + "\n", sys.stderr))
    sys.stderr.flush()


def complain(message: str, kind: str = "error") -> None:
    """Write one line to standard error, whatever the message holds."""
    line = " ".join(message.split())
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 200]} … {line[-200:]}"
    label = "graphens:" if kind == "error" else f"graphens: {kind}:"
    note(f"{painted(label, kind, sys.stderr)} {line}")


def is_terminal(stream: TextIO | None) -> bool:
    """Whether people watch this stream."""
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # closed
        return False


def screen_width(stream: TextIO | None) -> int | None:
    """Return the number of columns of a terminal, None for files and pipes, which have room for any line."""
    return shutil.get_terminal_size().columns if is_terminal(stream) else None


def painted(text: str, color: str, stream: TextIO | None) -> str:
    """Return the text in a color on terminals, unless NO_COLOR (no-color.org) is set."""
    if not is_terminal(stream) or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{_COLORS[color]}m{text}\x1b[0m"


def fitting(text: str, stream: TextIO) -> str:
    """Return the text as a stream can show it: plainer characters where it lacks ours."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    return text


def paragraph(text: str, stream: TextIO | None, indent: str = "") -> list[str]:
    """Return a text in lines that fit the stream, all but the first of them indented."""
    width = min(screen_width(stream) or 100, 100)
    return textwrap.wrap(text, max(width, 20), subsequent_indent=indent)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, align: str = "right") -> list[str]:
    """Return the lines of a table: the first column to the left, the others as `align` says.

    On a terminal too narrow for it the longest cells go on in further lines.
    """
    widths = _narrowed([max(map(len, column)) for column in zip(header, *rows, strict=True)])
    lines: list[str] = []
    for row in (header, *rows):
        parts = [
            textwrap.wrap(cell, width) or [""] if len(cell) > width else [cell]
            for cell, width in zip(row, widths, strict=True)
        ]
        for depth in range(max(map(len, parts))):
            cells = [part[depth] if depth < len(part) else "" for part in parts]
            lines.append(_line(cells, widths, align))
    head = lines[0]
    return [painted(head, "bold", sys.stdout) if head else head, *lines[1:]]


def _line(cells: Sequence[str], widths: Sequence[int], align: str) -> str:
    first, *others = zip(cells, widths, strict=True)
    placed = [cell.rjust(width) if align == "right" else cell.ljust(width) for cell, width in others]
    return "  ".join([first[0].ljust(first[1]), *placed]).rstrip()


def _narrowed(widths: list[int]) -> list[int]:
    """Take from the widest column, again and again, until the table fits the screen."""
    screen = screen_width(sys.stdout)
    room = sum(widths) if screen is None else screen - 2 * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 8:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    return widths


def bar(value: float, width: int) -> str:
    """Return a bar whose length stands for a value from 0 to 1."""
    return "█" * round(value * width)
