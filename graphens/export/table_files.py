"""Tables in and out: .csv, .tsv, .parquet, and standard input and output."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

from .._arrays import AnyArray
from ..errors import FileError, InputError, MissingDependency
from ._atomic import atomic
from .reading import clipped

#: cells that say "no value", besides −1 where labels are read
MISSING_CELLS = frozenset({"", "NA", "NaN", "nan", "None", "null"})
ENDINGS = (".csv", ".tsv", ".txt", ".parquet")
_TABBED = {".tsv", ".txt"}
Column = Sequence[Any] | AnyArray
N = TypeVar("N", int, float)


# out -------------------------------------------------------------------------------------------------------


def write_table(columns: Mapping[str, Column], path: str | Path) -> None:
    """Write columns of equal length as a table, whole or not at all.

    Parameters
    ----------
    columns
        The columns by name; None and NaN become empty cells.
    path
        A file ending in .csv, .tsv or .txt (both with tabs), or .parquet, or ``-`` for standard output (as CSV).
    """
    lists = {name: np.asarray(column, dtype=object).tolist() for name, column in columns.items()}
    if str(path) == "-":
        text = io.StringIO()
        _write_rows(lists, text, ",")
        to_standard_output(text.getvalue().encode())  # data is UTF-8, whatever the terminal speaks
    elif _ending(path) == ".parquet":
        arrow, parquet = _pyarrow()
        with atomic(path) as file:
            parquet.write_table(arrow.table(lists), file)
    else:
        with atomic(path, text=True) as file:
            _write_rows(lists, file, "\t" if _ending(path) in _TABBED else ",")


def to_standard_output(data: bytes) -> None:
    """Write bytes where a pipe or a terminal waits for them."""
    if sys.stdout is None:
        raise FileError("Standard output is closed; there is nowhere to write to. Name a file.")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


class _Lines:
    """Ends lines as Unix does, while csv, which quotes what may end a line, thinks of carriage returns as well."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file

    def write(self, line: str) -> None:
        self.file.write(line.removesuffix("\r\n") + "\n")


def _write_rows(columns: Mapping[str, list[Any]], file: IO[str], separator: str) -> None:
    writer = csv.writer(_Lines(file), delimiter=separator, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(zip(*(_cells(column) for column in columns.values()), strict=True))


def _cells(column: list[Any]) -> list[Any]:
    """NaN as an empty cell; csv does the same to None."""
    return ["" if value != value else value for value in column]


# in --------------------------------------------------------------------------------------------------------


def has_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first line is a header: not all of its cells are numbers or missing."""
    return not all(is_number(cell) or cell in MISSING_CELLS for cell in rows[0])


def read_table(
    path: str | Path,
    *,
    delimiter: str | None = None,
    strip: bool = True,
    is_header: Callable[[Sequence[Sequence[str]]], bool] = has_names,
    comments: str = "",
) -> dict[str, Column]:
    """Read a table with its columns in order.

    Parameters
    ----------
    path
        A file ending in .csv, .tsv, .txt or .parquet, or ``-`` for standard input (as CSV).
    delimiter
        What separates the cells of text, a single character; a blank stands for any number of blanks and tabs.
    strip
        Whether to take surrounding blanks off the cells.
    is_header
        Whether the first line of some rows of text is a header.
    comments
        Characters; a line at the top of the text that begins with one of them is left out.

    Returns
    -------
    dict
        Column names and cells: text from .csv and .tsv, values from .parquet.

    Notes
    -----
    The first line is a header unless all its cells are numbers or missing; without a header the columns are called
    P0, P1, … Unless a delimiter is given, cells are separated by tabs in .tsv, elsewhere by whichever of comma,
    semicolon and tab is most frequent in the first line, and by blanks in a .txt that has none of them. Text is UTF-8.
    Empty lines at the end do not count.
    """
    if str(path) == "-":
        with standard_input() as file:
            data, where, ending = file.read(), "standard input", ""
        return _parsed(data, where, delimiter, ending, strip=strip, is_header=is_header, comments=comments)
    ending = _ending(path)
    if ending == ".parquet":
        return _read_parquet(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise FileError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    return _parsed(data, str(path), delimiter, ending, strip=strip, is_header=is_header, comments=comments)


@contextmanager
def standard_input() -> Iterator[Any]:
    """Open standard input for bytes; it stays open."""
    if sys.stdin is None:
        raise FileError("Standard input is closed; there is nothing to read. Name a file.")
    file = io.BufferedReader(sys.stdin.buffer)  # type: ignore[type-var]
    try:
        yield file
    finally:
        file.detach()


def _read_parquet(path: str | Path) -> dict[str, Column]:
    arrow, parquet = _pyarrow()
    try:
        Path(path).stat()  # Arrow does not say why a file is not found
        table = parquet.read_table(path)
    except (OSError, ValueError, arrow.ArrowException) as error:  # ValueError: a name that is no text
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise FileError(f"{path} cannot be read: {reason.rstrip('.')}.") from None
    check_header(table.column_names, str(path))
    return {name: table[name].to_pylist() for name in table.column_names}


def _parsed(
    data: bytes,
    where: str,
    delimiter: str | None,
    ending: str,
    *,
    strip: bool,
    is_header: Callable[[Sequence[Sequence[str]]], bool],
    comments: str,
) -> dict[str, Column]:
    lines = _decoded(data, where).rstrip("\r\n")
    while comments and lines.startswith(tuple(comments)):
        lines = lines.partition("\n")[2]
    if not lines.strip():
        raise FileError(f"{where} is empty; expected a table with one row per object.")
    separator = delimiter or _separator(lines, ending)
    if separator == " ":
        lines = "\n".join(" ".join(line.split()) for line in lines.split("\n"))
    rows = _rows(lines, where, separator, strip=strip)
    header = rows.pop(0) if is_header(rows) else [f"P{t}" for t in range(len(rows[0]))]
    check_header(header, where)
    if not rows:
        raise FileError(f"{where} has a header and no row below it; expected one row per object.")
    return dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))


def _separator(lines: str, ending: str) -> str:
    """What separates the cells, by the file's ending and its first line."""
    first = io.StringIO(lines, newline="").readline()
    best = "\t" if ending == ".tsv" else max(",;\t", key=first.count)
    return " " if ending == ".txt" and best not in first else best


def _rows(lines: str, where: str, separator: str, *, strip: bool) -> list[list[str]]:
    """The cells of every line, as many in each as in the first."""
    reader = csv.reader(io.StringIO(lines, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        for row in reader:
            wanted = len(rows[0]) if rows else max(len(row), 1)
            if len(row) != wanted:
                raise FileError(f"{where}, line {reader.line_num}: {len(row)} cells; expected {wanted}.")
            rows.append([cell.strip() for cell in row] if strip else row)
    except csv.Error as error:
        raise FileError(f"{where}, line {reader.line_num}: {error}.") from None
    return rows


def _decoded(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"{where}, line {line}: not UTF-8 text; save the table as UTF-8.") from None


def check_header(header: Sequence[str], where: str) -> None:
    """Refuse columns that share a name."""
    name, times = Counter(header).most_common(1)[0] if header else ("", 1)
    if times > 1:
        raise FileError(
            f"{where} has {times} columns called {clipped(name)!r}; expected a different name each."
        )


def is_number(cell: str) -> bool:
    """Whether a cell reads as a number."""
    try:
        as_number(cell)
    except ValueError:
        return False
    return True


def as_number(cell: Any, kind: Callable[[Any], N] = float) -> N:  # type: ignore[assignment]
    """Read a cell as a number; a `ValueError` where it is none. Python reads 1_000 as one, tables do not."""
    if isinstance(cell, str) and "_" in cell:
        raise ValueError(f"{cell} is no number")
    return kind(cell)


def _ending(path: str | Path) -> str:
    """Return the ending of a table's file, or say which there are."""
    for ending in ENDINGS:
        if str(path).lower().endswith(ending):
            return ending
    raise InputError(
        f"{path} was given; expected a table ending in {', '.join(ENDINGS)}, or - for standard input or output."
    )


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as error:
        raise MissingDependency("Parquet files need pyarrow: pip install 'graphens[frames]'") from error
    return pa, parquet
