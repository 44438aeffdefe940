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
from itertools import groupby
from typing import TextIO

from .._lib.progress import is_terminal, screen_width
from ..errors import FileError
from ..export.text_tables import table_lines

_WIDEST = 100  # characters of a line that one can read, however wide the screen is
_KEY = re.compile(r" *(?:\S+ {2,})?")  # of a line such as "  score       0.663"
_LONGEST = 1000  # characters of a message; names and values in it can be of any length
_COLORS = {"bold": 1, "dim": 2, "error": 31, "warning": 33, "note": 36}
_PLAIN = str.maketrans({
    **dict.fromkeys("─", "-"), "│": "|", "┊": ":", **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    "█": "#", "▓": "*", "▒": "+", "░": ".",
    "←": "<-", "×": "x", "−": "-", "–": "-", "…": "...", "θ": "theta", "ñ": "n", "²": "^2",
    "³": "^3", "√": "sqrt ", "ö": "o", "’": "'", "é": "e", "·": "*",
})  # fmt: skip


def command() -> str:
    """Return how to call graphens again: by name if the shell finds it, otherwise as in this call."""
    program = sys.argv[0] if sys.argv else ""
    on_path, name = shutil.which("graphens"), os.path.splitext(os.path.basename(program))[0]
    if on_path and (os.path.realpath(on_path) == os.path.realpath(program) or name not in ("graphens", "__main__")):
        return "graphens"
    if name == "graphens":
        return shlex.quote(program)
    return f"{shlex.quote(sys.orig_argv[0] if sys.orig_argv else sys.executable)} -m graphens"


def say(*lines: str) -> None:
    """Write lines to standard output."""
    if sys.stdout is None:
        raise FileError("Standard output is closed; there is nowhere to write to.")
    _write(lines, sys.stdout)


def _write(lines: Sequence[str], stream: TextIO) -> None:
    """Write lines, with characters that a stream cannot show replaced by plainer ones."""
    text, encoding = "\n".join(lines) + "\n", getattr(stream, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
    stream.write(text)


def in_options(text: str) -> str:
    """Return a message of the library with options and commands in place of parameters and calls."""
    text = text.replace("(on the command line, ", "(")
    text = re.sub(r"\b\w+=\S+ \((?:on the command line: )?(--[\w-]+)\)", r"\1", text)
    # A clause before "(on the command line: …)" is about Python.
    text = re.sub(r"(, or |, |[:;] |\bor )(?:(?!\. )[^,:;])*? \(on the command line: ([^()]*)\)", r"\1\2", text)
    text = re.sub(r"\bk = (\d+) (was|is)\b", r"-k \1 \2", text)
    text = re.sub(r"\bor a function( \([^)]*\))?(?=\.)", "or module:function", text)
    text = re.sub(r"\b(must|cannot)_link\b", r"--\1-link", text)
    text = text.replace(", a scikit-learn clusterer, a function of (X, k, seed), or a list of them", "")
    text = re.sub(r"\b[Ss]et k, for example (\d+)", r"use -k \1", text)
    text = re.sub(r"\b([Ss]et|[Gg]ive|[Pp]ass) k\b", r"\1 -k", text)
    flags = {name: f"--{name} " for name in ("seed", "method", "partitioner")} | {"k": "-k ", "n_init": "--set n_init="}
    text = re.sub(rf"\b({'|'.join(flags)})=['\"]?([\w-]+)['\"]?", lambda match: flags[match[1]] + match[2], text)
    return re.sub(r"\b(?:r\.|ge\.)?(\w+)\((?:…)?\)", _command, text)


def _command(found: re.Match[str]) -> str:
    from ..families.registry import methods
    from . import COMMANDS

    if found[1] in COMMANDS:
        return f"graphens {found[1]}"
    return f"--method {found[1]}" if found[1] in methods else found[0]


def note(text: str) -> None:
    """Write additional information to standard error, in lines that fit."""
    _put_aside(paragraphs(in_options(text), sys.stderr))


class Noting(logging.Handler):
    """Writes the log of the library as notes that fit the screen."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the message alone."""
        note(record.getMessage())


def complain(message: str, kind: str = "error") -> None:
    """Write a message as one line to standard error, wrapped on terminals."""
    line = " ".join(in_options(message).split())
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 200]} … {line[-200:]}"
    label = "graphens:" if kind == "error" else f"graphens: {kind}:"
    lines = paragraph(f"{label} {line}", sys.stderr) if is_terminal(sys.stderr) else [f"{label} {line}"]
    _put_aside([painted(label, kind, sys.stderr) + lines[0].removeprefix(label), *lines[1:]])


def _put_aside(lines: list[str]) -> None:
    if sys.stderr is not None:
        _write(lines, sys.stderr)
        sys.stderr.flush()


def painted(text: str, color: str, stream: TextIO | None) -> str:
    """Return the text in a color on terminals, unless NO_COLOR (no-color.org) is set."""
    if not is_terminal(stream) or os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{_COLORS[color]}m{text}\x1b[0m"


def paragraph(text: str, stream: TextIO | None, widest: int = _WIDEST) -> list[str]:
    """Return a text in lines that fit the stream; lines after the first are indented like the text after its key."""
    width = max(min(screen_width(stream) or widest, widest), 20)
    hang = " " * min(len(_KEY.findall(text)[0]), width // 2)
    return textwrap.wrap(text, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False) or [""]


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
                " ".join(text.split()), width, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4 * alone)
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
        words, width, initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table that fits the screen."""
    head, *lines = table_lines(header, rows, screen_width(sys.stdout))
    return [painted(head, "bold", sys.stdout) if head else head, *lines]


def bar(value: float, width: int) -> str:
    """Return a bar whose length shows a value from 0 to 1."""
    return "█" * round(value * width)
