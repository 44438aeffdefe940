"""What `choose`, `compare`, `explain` and `monti` share: tables of figures for people, or for a file."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..export.tables import as_number, write_table
from ._screen import is_terminal, paragraph, say, table

_DIGITS = 3


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add where the table goes."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the table: .csv, .tsv, .parquet, or - for CSV (default: show it)",
    )


def add_ks(parser: argparse.ArgumentParser, default: str) -> None:
    """Add the numbers of clusters to look at."""
    parser.add_argument(
        "--ks",
        metavar="LOW:HIGH|K,K,...",
        type=ks_of,
        default=ks_of(default),
        help=f"numbers of clusters (default: {default})",
    )


def ks_of(text: str) -> list[int]:
    """Read an interval, both ends included, or numbers of clusters."""
    try:
        if ":" in text:
            low, high = (as_number(part, int) for part in text.split(":"))
            found = list(range(low, high + 1))
        else:
            found = [as_number(part, int) for part in text.split(",")]
    except ValueError:
        found = []
    if not found:
        raise argparse.ArgumentTypeError(f"{text} was given; expected 2:12 or 2,3,5")
    return found


def show(columns: Mapping[str, Sequence[Any]], output: str | None, *, below: str | None = None) -> None:
    """Write columns to a file, or show them with few digits; on terminals a column of sentences `below` the others."""
    if output is not None:
        write_table(columns, output)
        return
    rows = {name: [_cell(value) for value in column] for name, column in columns.items()}
    sentences = rows.pop(below) if below is not None and is_terminal(sys.stdout) else []
    names, *_ = rows.values()
    say(*table(list(rows), list(zip(*rows.values(), strict=True))))
    wide = max(map(len, names), default=0)
    said = [f"{name:{wide}}  {text}" for name, text in zip(names, sentences, strict=False) if text]
    if said:
        say("", *(line for one in said for line in paragraph(one, sys.stdout)))


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.{_DIGITS}f}" if isinstance(value, float) else str(value)
