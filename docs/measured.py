"""Figures that pages quote from the tables of other pages, so that a number has one home."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = re.compile(r"(?:^\|.*\n?)+", re.MULTILINE)


def cells(table: str) -> list[list[str]]:
    """Return the rows of a Markdown table as lists of text, its head first, without the line below the head."""
    lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.strip().splitlines()]
    return [[cell.strip() for cell in line] for i, line in enumerate(lines) if i != 1]


def section(page: str, heading: str) -> tuple[str, list[list[str]]]:
    """Return the anchor and the first table of the section of a page whose heading contains some words."""
    for part in re.split(r"^## ", (HERE / page).read_text("utf-8"), flags=re.MULTILINE)[1:]:
        title, _, body = part.partition("\n")
        table = TABLE.search(body)
        if heading in title and table:
            return anchor(title), cells(table[0])
    raise LookupError(f"{page} has no section with {heading!r} in its heading and a table below it")


def anchor(title: str) -> str:
    """Return the anchor that GitHub and the site give to a heading."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def rounded(figure: str) -> str:
    """Return a figure as a sentence quotes it: two decimals of a score, two digits of a ratio, a pair as it is."""
    if "/" in figure:
        return figure
    value = float(figure)
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 10 else f"{value:.0f}"


def cell(page: str, heading: str, row: str, column: str) -> str:
    """Return one figure of a table, by the name of its row (its first cell) and of its column."""
    head, *rows = section(page, heading)[1]
    known = {line[0].strip("`"): line for line in rows}
    return known[row][head.index(column)]
