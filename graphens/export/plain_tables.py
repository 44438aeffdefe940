"""Columns as text and as HTML: results can be shown where no package for data frames is installed."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .table_files import is_number


def text_table(columns: Mapping[str, Sequence[Any]], digits: int = 3) -> str:
    """Return columns of equal length as text.

    >>> print(
    ...     text_table({"method": ["eac", "vote"], "k": [3, 12], "score": [0.51234, None]})
    ... )
    method   k  score
    eac      3  0.512
    vote    12      -
    """
    rows = zip(*(cell_texts(column, digits) for column in columns.values()), strict=True)
    return "\n".join(table_lines(list(columns), list(rows)))


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]], screen: int | None = None) -> list[str]:
    """Return the lines of a table: numbers to the right, text to the left.

    On a narrow screen, the longest cells continue on further lines.
    """
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    room = sum(widths) if screen is None else screen - 2 * (len(widths) - 1)
    while sum(widths) > room and max(widths) > 8:
        widths[widths.index(max(widths))] -= 1
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
    return lines


def _is_figure(cell: str) -> bool:
    return cell == "-" or is_number(cell)


def html_table(columns: Mapping[str, Sequence[Any]], digits: int = 3) -> str:
    """Return columns of equal length as a table of a page."""
    rows = zip(*(cell_texts(column, digits) for column in columns.values()), strict=True)
    return f"<table>{_row('th', columns)}{''.join(_row('td', row) for row in rows)}</table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def cell_texts(column: Sequence[Any], digits: int = 3) -> list[str]:
    """Return values as text: floats with few digits, and - for None and NaN."""
    texts = [f"{value:.{digits}f}" if isinstance(value, float) else str(value) for value in column]
    return ["-" if value is None or value != value else text for value, text in zip(column, texts, strict=True)]
