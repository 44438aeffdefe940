"""What `choose`, `compare`, `explain` and `monti` share: tables of figures for people, or for a file."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..export.tables import as_number, write_table
from ._screen import say, table

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


def show(columns: Mapping[str, Sequence[Any]], output: str | None) -> None:
    """Write columns to a file, or show them with few digits."""
    if output is not None:
        write_table(columns, output)
        return
    rows = [[_cell(value) for value in row] for row in zip(*columns.values(), strict=True)]
    say(*table(list(columns), rows))


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.{_DIGITS}f}" if isinstance(value, float) else str(value)
