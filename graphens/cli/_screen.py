"""Text for the screen, with the characters, colors and width that it supports."""

from __future__ import annotations

import logging
import os
import re
import shlex
import shutil
import sys
import textwrap
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from typing import TextIO

from ..errors import FileError
from ..export.table_files import is_number

_WIDEST = 100  # characters of a line that one can read, however wide the screen is
_KEY = re.compile(r" *(?:\S+ {2,})?")  # of a line such as "  score       0.663"
_LONGEST = 1000  # characters of a message; names and values in it can be of any length
_COLORS = {"bold": 1, "dim": 2, "error": 31, "warning": 33, "note": 36}
_PLAIN = str.maketrans({
    **dict.fromkeys("─", "-"), "│": "|", "┊": ":", **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    "█": "#", "←": "<-", "×": "x", "−": "-", "–": "-", "…": "...", "θ": "theta", "ñ": "n", "²": "^2",
    "³": "^3", "√": "sqrt ", "ö": "o", "’": "'", "é": "e", "·": "*",
})  # fmt: skip


def command() -> str:
    """Return how to call graphens again: by name if the shell finds it, otherwise as in this call."""
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


def note(text: str) -> None:
    """Write additional information to standard error, in lines that fit."""
    _put_aside(paragraphs(text, sys.stderr))


class Noting(logging.Handler):
    """Writes the log of the library as notes that fit the screen."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the message alone."""
        note(record.getMessage())


def complain(message: str, kind: str = "error") -> None:
    """Write a message as one line to standard error, wrapped on terminals."""
    line = " ".join(message.split())
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 200]} … {line[-200:]}"
    label = "graphens:" if kind == "error" else f"graphens: {kind}:"
    lines = paragraph(f"{label} {line}", sys.stderr) if is_terminal(sys.stderr) else [f"{label} {line}"]
    _put_aside([painted(label, kind, sys.stderr) + lines[0].removeprefix(label), *lines[1:]])


def _put_aside(lines: list[str]) -> None:
    if sys.stderr is not None:
        sys.stderr.write(fitting("\n".join(lines) + "\n", sys.stderr))
        sys.stderr.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether this stream is a terminal."""
    try:
        return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
    except ValueError:  # closed
        return False


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


def painted(text: str, color: str, stream: TextIO | None) -> str:
    """Return the text in a color on terminals, unless NO_COLOR (no-color.org) is set."""
    if not is_terminal(stream) or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{_COLORS[color]}m{text}\x1b[0m"


def fitting(text: str, stream: TextIO) -> str:
    """Return the text with characters that a stream cannot show replaced by plainer ones."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    return text


def paragraph(text: str, stream: TextIO | None, widest: int = _WIDEST) -> list[str]:
    """Return a text in lines that fit the stream; lines after the first are indented like the text after its key."""
    width = max(min(screen_width(stream) or widest, widest), 20)
    hang = " " * min(len(_KEY.findall(text)[0]), width // 2)
    return textwrap.wrap(
        text, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False
    ) or [""]


def paragraphs(text: str, stream: TextIO | None) -> list[str]:
    """Return each line of a text as a paragraph of its own."""
    return [line for part in text.splitlines() for line in paragraph(part, stream)]


def filled(page: str, stream: TextIO | None) -> list[str]:
    """Return the lines of a docstring, with paragraphs wrapped to the width of the stream; code is unchanged."""
    width, lines = screen_width(stream) or 10**6, []
    for (indent, alone), group in groupby(page.splitlines(), _kind_of_line):
        block = list(group)
        if max(map(len, block)) <= width or block[0].startswith(">>>"):
            lines += block
            continue
        for text in block if alone else [" ".join(block)]:
            lines += textwrap.wrap(
                " ".join(text.split()),
                width,
                initial_indent=" " * indent,
                subsequent_indent=" " * (indent + 4 * alone),
            ) or [""]
    return lines


def _kind_of_line(line: str) -> tuple[int, bool]:
    """The indentation of a line, and whether it is not wrapped: code, and facts such as "Cost : O(n)"."""
    alone = not line or line.startswith((">>>", "...", "---")) or " : " in line
    return len(line) - len(line.lstrip()), alone


def shell_lines(words: str, stream: TextIO | None) -> list[str]:
    """Return a command to copy, continued after a backslash if the screen is too narrow."""
    width = max(screen_width(stream) or 10**6, 40) - 2
    lines = textwrap.wrap(
        words,
        width,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table: numbers to the right, text to the left.

    On a narrow terminal, the longest cells continue on further lines.
    """
    columns = list(zip(header, *rows, strict=True))
    widths = _narrowed([max(map(len, column)) for column in columns])
    place = [str.rjust if all(map(_is_figure, column[1:])) else str.ljust for column in columns]
    lines: list[str] = []
    for row in (header, *rows):
        parts = [
            textwrap.wrap(cell, width) or [""] if len(cell) > width else [cell]
            for cell, width in zip(row, widths, strict=True)
        ]
        for depth in range(max(map(len, parts))):
            cells = [part[depth] if depth < len(part) else "" for part in parts]
            placed = [put(cell, width) for put, cell, width in zip(place, cells, widths, strict=True)]
            lines.append("  ".join(placed).rstrip())
    head = lines[0]
    return [painted(head, "bold", sys.stdout) if head else head, *lines[1:]]


def _is_figure(cell: str) -> bool:
    return cell == "-" or is_number(cell)


def _narrowed(widths: list[int]) -> list[int]:
    """Narrow the widest column repeatedly until the table fits the screen."""
    screen = screen_width(sys.stdout)
    room = sum(widths) if screen is None else screen - 2 * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 8:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    return widths


def bar(value: float, width: int) -> str:
    """Return a bar whose length shows a value from 0 to 1."""
    return "█" * round(value * width)
