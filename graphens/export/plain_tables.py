"""Columns as text and as HTML: results can be shown where no package for data frames is installed."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def text_table(columns: Mapping[str, Sequence[Any]], digits: int = 3) -> str:
    """Return columns of equal length as text.

    >>> print(
    ...     text_table({"method": ["eac", "vote"], "k": [3, 12], "score": [0.51234, None]})
    ... )
    method  k score
       eac  3 0.512
      vote 12     -
    """
    made = [[name, *_cells(column, digits)] for name, column in columns.items()]
    widths = [max(map(len, column)) for column in made]
    rows = zip(*made, strict=True)
    return "\n".join(
        " ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
    )


def html_table(columns: Mapping[str, Sequence[Any]], digits: int = 3) -> str:
    """Return columns of equal length as a table of a page."""
    rows = zip(*(_cells(column, digits) for column in columns.values()), strict=True)
    return f"<table>{_row('th', columns)}{''.join(_row('td', row) for row in rows)}</table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _cells(column: Sequence[Any], digits: int) -> list[str]:
    texts = [f"{value:.{digits}f}" if isinstance(value, float) else str(value) for value in column]
    return [
        "-" if value is None or value != value else text for value, text in zip(column, texts, strict=True)
    ]
