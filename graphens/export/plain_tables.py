"""Columns as text: results can be shown where no package for data frames is installed."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

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
    place = [
        str.rjust if all(cell == "-" or is_number(cell) for cell in column[1:]) else str.ljust for column in columns
    ]
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
