"""Columns as text: for the screen, where no package for data frames is needed, and for papers as LaTeX."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._lib.arrays import as_int
from .table_files import is_number


def text_table(columns: Mapping[str, Sequence[Any]]) -> str:
    """Return columns of equal length as text.

    >>> print(
    ...     text_table({"method": ["eac", "vote"], "k": [3, 12], "score": [0.51234, None]})
    ... )
    method   k  score
    eac      3  0.512
    vote    12      -
    """
    rows = [[cell_text(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
    return "\n".join(table_lines(list(columns), rows))


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]], screen: int | None = None) -> list[str]:
    """Return the lines of a table: numbers to the right, text to the left.

    On a narrow screen, the longest cells continue on further lines.
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    room = sum(widths) if screen is None else screen - 2 * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 8:
        widths[widths.index(max(widths))] -= 1
    numbers = [all(cell == "-" or is_number(cell) for cell in column[1:]) for column in columns]
    place = [str.rjust if right else str.ljust for right in numbers]
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
    return lines


def cell_text(value: Any, digits: int = 3, missing: str = "-") -> str:
    """Return a value as text: floats with few digits, and a dash for None and NaN."""
    if value is None or value != value:
        return missing
    return f"{value:.{digits}f}" if isinstance(value, (float, np.floating)) else str(value)


_DIGITS = 3  # behind the point; fewer in front of which there are many
_NUMBERS = {int, float, type(None)}  # columns of these stand to the right
_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"}, "\\": r"\textbackslash{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "±": r"$\pm$",
    "×": r"$\times$", "·": r"$\cdot$", "−": "$-$", "–": "--", "—": "---", "…": r"\ldots{}", "→": r"$\to$",
    "≤": r"$\le$", "≥": r"$\ge$", "≈": r"$\approx$", "√": r"$\surd$", "²": "$^2$", "³": "$^3$",
    "α": r"$\alpha$", "θ": r"$\theta$", "’": "'",
}  # fmt: skip
_TABLE = {ord(sign): text for sign, text in _ESCAPED.items()} | {ord(sign): " " for sign in "\t\r\n\v\f\0"}


def escaped(text: str) -> str:
    r"""Return a text escaped for LaTeX.

    >>> print(escaped("50 % of a_1 & {b}"))
    50 \% of a\_1 \& \{b\}
    """
    return text.translate(_TABLE)


def latex_cell(value: Any, digits: int = _DIGITS) -> str:
    r"""Return a number with few digits, text escaped, and a dash for a missing value.

    >>> [
    ...     latex_cell(value)
    ...     for value in (0.123456, 12345.678, 0.00001234, 3, None, "a_b", True)
    ... ]
    ['0.123', '12346', '1.23e-05', '3', '--', 'a\\_b', 'True']
    """
    digits = as_int("digits", digits, 0, 15)
    if not isinstance(value, float) or math.isnan(value):
        return escaped(cell_text(value, digits, "--"))
    if math.isinf(value):
        return "$-\\infty$" if value < 0 else "$\\infty$"
    if value and abs(value) < 0.5 * 10.0**-digits:
        return with_minus(f"{value:.{digits}g}")
    whole = len(str(int(abs(value))))
    return with_minus(cell_text(value, max(0, min(digits, digits + 2 - whole))))


def with_minus(number: str) -> str:
    """Return a number as text with a minus sign instead of a hyphen, which is too short."""
    return f"$-${number[1:]}" if number.startswith("-") else number


def tabular(columns: Mapping[str, Sequence[Any]], digits: int = _DIGITS) -> str:
    r"""Return columns of equal length as a tabular: numbers to the right, text to the left, empty columns left out.

    >>> print(tabular({"method": ["eac", "k_means"], "score": [0.51234, None]}))
    \begin{tabular}{lr}
    \hline
    method & score \\
    \hline
    eac & 0.512 \\
    k\_means & -- \\
    \hline
    \end{tabular}
    """
    columns = {name: column for name, column in columns.items() if any(cell not in (None, "") for cell in column)}
    return framed(
        list(columns),
        [[latex_cell(value, digits) for value in row] for row in zip(*columns.values(), strict=True)],
        "".join("r" if {type(cell) for cell in column} <= _NUMBERS else "l" for column in columns.values()),
    )


def framed(header: Sequence[str], rows: Sequence[Sequence[str]], places: str) -> str:
    """Return rows of LaTeX cells as a tabular, below a header of text."""
    lines = [f"\\begin{{tabular}}{{{places}}}", "\\hline", " & ".join(map(escaped, header)) + " \\\\", "\\hline"]
    return "\n".join([*lines, *(" & ".join(row) + " \\\\" for row in rows), "\\hline", "\\end{tabular}"])
