"""Read and write tables: .csv, .tsv, .parquet, .xlsx, standard input and output; and write LaTeX."""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, TypeVar

import numpy as np

from .._lib.arrays import AnyArray, as_path
from .._lib.files import atomic
from ..errors import FileError, InputError, MissingDependency, did_you_mean, warn
from ._text import NOT_IN_XML, clipped

#: cells that say "no value", besides −1 where labels are read
MISSING_CELLS = frozenset({"", "NA", "NaN", "nan", "None", "null"})
ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".xlsx")  # of tables that can be read
WRITABLE = (*ENDINGS, ".tex")
_TABBED = {".tsv", ".txt"}
_INDEX = "__index_level_0__"  # what pandas calls an index without a name in Parquet
_EXCEL = 1_048_576, 16_384  # rows and columns of a sheet
#: marks at the beginning of text that say its encoding; that of UTF-32 begins like that of UTF-16
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    **dict.fromkeys((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "utf-32"),
    **dict.fromkeys((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "utf-16"),
}
_SEPARATORS = ",;\t|"
_TITLES = 20  # lines that may stand above a table
_WITH_COMMA = re.compile(r"[-+]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?")
Column = Sequence[Any] | AnyArray
N = TypeVar("N", int, float)
#: decides whether the first of some rows of text is a header
IsHeader = Callable[[Sequence[Sequence[str]]], bool]


@dataclass(frozen=True)
class Dialect:
    """How a table is written as text: the separator of its cells (None for the usual one), encoding, decimal mark."""

    delimiter: str | None = None
    encoding: str = "utf-8"
    decimal: str = "."


class Table(dict[str, Column]):
    """Columns by name; the dialect of the text that they were read from, or the sheet and the other ones."""

    dialect: Dialect = Dialect()
    where: str = ""
    others: Sequence[str] = ()


# out -------------------------------------------------------------------------------------------------------


def write_table(columns: Mapping[str, Column], path: str | Path, dialect: Dialect = Dialect()) -> None:
    """Write columns of equal length as a table, either completely or not at all; None and NaN become empty cells.

    The path ends in .csv, .tsv or .txt (both with tabs), .parquet, .xlsx or .tex (a tabular), or is ``-`` for standard
    output (as CSV). The dialect is for CSV; its encoding also applies to .tsv and .txt. Tables are never written with
    blanks as separators.
    """
    lists = {name: np.asarray(column, dtype=object).tolist() for name, column in columns.items()}
    ending = ".csv" if str(path) == "-" else _ending(path, WRITABLE)
    if ending in (".parquet", ".xlsx"):
        with atomic(path) as file:
            if ending == ".xlsx":
                write_excel(lists, file)
            else:
                arrow("parquet").write_table(arrow("lib").table(lists), file)
        return
    if ending == ".tex":
        from .text_tables import tabular

        text = tabular(lists) + "\n"
    else:
        usual = ",;"[dialect.decimal == ","] if dialect.delimiter in (None, " ") else dialect.delimiter
        text = _written(lists, "\t" if ending in _TABBED else str(usual), dialect.decimal)
    screen, encoding = str(path) == "-", dialect.encoding
    if screen:  # where data goes on to another program, a mark at its beginning would be in the way
        encoding = encoding.replace("-sig", "")
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError as error:
        sign = text[error.start]
        wrong = "is not valid text" if "\ud800" <= sign <= "\udfff" else f"{encoding} cannot write"
        raise FileError(
            f"The table contains {sign!r}, which {wrong}; expected characters that can be written. Replace it, or use "
            "another encoding, such as --encoding utf-8."
        ) from None
    if screen:
        to_standard_output(data)
    else:
        with atomic(path) as file:
            file.write(data)


def write_excel(columns: Mapping[str, list[Any]], file: IO[bytes]) -> None:
    """Write columns as the only sheet of a workbook; text stays text, even if it begins with =."""
    openpyxl = _openpyxl()
    rows = len(next(iter(columns.values()), [])) + 1
    if rows > _EXCEL[0] or len(columns) > _EXCEL[1]:
        raise FileError(
            f"A table of {rows} rows and {len(columns)} columns was requested, but .xlsx holds at most {_EXCEL[0]} and "
            f"{_EXCEL[1]}. Write .csv or .parquet."
        )
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("graphens")

    def cell(value: Any) -> Any:
        if not isinstance(value, str):
            return value if isinstance(value, (int, float)) and math.isfinite(value) else None
        text = openpyxl.cell.WriteOnlyCell(sheet, NOT_IN_XML.sub("\ufffd", value))
        text.data_type = "s"  # "=1+1" is a name here, not a formula
        return text

    for row in (list(columns), *zip(*columns.values(), strict=True)):
        sheet.append([cell(value) for value in row])
    book.save(file)


def to_standard_output(data: bytes) -> None:
    """Write bytes where a pipe or a terminal waits for them."""
    if sys.stdout is None:
        raise FileError("Standard output is closed; there is nowhere to write to. Name a file.")
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _written(columns: Mapping[str, list[Any]], separator: str, decimal: str) -> str:
    """Columns as text with Unix line ends, and with NaN as an empty cell; csv does the same to None."""
    lines: list[str] = []
    # the csv module quotes cells with carriage returns only if lines end with one
    writer = csv.writer(SimpleNamespace(write=lines.append), delimiter=separator, lineterminator="\r\n")
    writer.writerow(columns)
    plain = [["" if value != value else value for value in column] for column in columns.values()]
    if decimal != ".":
        plain = [[str(v).replace(".", decimal) if isinstance(v, float) else v for v in column] for column in plain]
    writer.writerows(zip(*plain, strict=True))
    return "".join(f"{line[:-2]}\n" for line in lines)


# in --------------------------------------------------------------------------------------------------------


def has_names(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first line is a header: it has text, or numbers that are names of columns.

    Numbers are names where they count the columns, from 0 for three columns or more, as pandas does, or from any number
    for ten or more; or if they stand behind an empty cell above different names. Behind a text they are names if they
    ascend, and otherwise labels of an object.
    """
    first, *others = rows[0]
    if not others or not all(map(is_number, others)):
        return not all(is_number(cell) or cell in MISSING_CELLS for cell in rows[0])
    if is_number(first):
        counts = all(as_number(b) - as_number(a) == 1 for a, b in pairwise(rows[0]))
        return counts and len(rows[0]) >= (3 if as_number(first) == 0 else 10)
    if first in MISSING_CELLS:
        names = [row[0] for row in rows[1:]]
        return "" not in names and len(set(names)) == len(names) > 2
    return all(as_number(a) < as_number(b) for a, b in pairwise(others))


def read_table(
    path: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    strip: bool = True,
    is_header: IsHeader = has_names,
    comments: str = "",
    everywhere: bool = False,
) -> Table:
    """Read a table (.csv, .tsv, .txt, .parquet, .xlsx, or ``-`` for standard input) with its columns in order.

    Cells are text from .csv and .tsv, values from .parquet and .xlsx. By default, cells are separated by tabs in .tsv,
    otherwise by the most frequent of comma, semicolon, tab and | in the first line, and by blanks if it has none of
    them and all lines have equally many words, or in a .txt file; a blank as `delimiter` means any number of blanks and
    tabs. The encoding is by default that of a byte order mark, otherwise UTF-8. Empty lines at the end are ignored, and
    so are lines at the top, or `everywhere`, that begin with one of the characters in `comments`.

    The first line is a header unless all its cells are numbers or missing, or all but a name (see `has_names`); without
    a header, the columns are called P0, P1, … If every other line has one cell more, as in tables written by R, the
    first column has no name. The index of a frame that pandas wrote as Parquet comes first. Titles above a header are
    left out, with a warning.
    """
    if str(path) == "-":
        with standard_input() as file:
            data, where, ending = file.read(), "standard input", ""
    else:
        ending, where = _ending(path), str(path)
        if ending == ".parquet":
            return _read_parquet(path)
        if ending == ".xlsx":
            return read_excel(path, is_header, sheet)
        try:
            data = Path(path).read_bytes()
        except (OSError, ValueError) as error:
            raise _unreadable(path, error) from None
    encoding = encoding or next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    lines = _decoded(data, where, encoding).rstrip("\r\n")
    while comments and lines.startswith(tuple(comments)):
        lines = lines.partition("\n")[2]
    if everywhere:
        rest = [line for line in lines.split("\n") if not line.startswith(tuple(comments))]
        lines = "\n".join(rest).rstrip("\r\n")
    if not lines.strip():
        raise FileError(f"{where} is empty; expected a table.")
    top = 0 if delimiter else _title_lines(lines)
    lines = "\n".join(lines.split("\n")[top:])
    separator = delimiter or _separator(lines, ending)
    if separator == " ":
        lines = "\n".join(" ".join(line.split()) for line in lines.split("\n"))
    rows = _rows(lines, where, separator, top, strip=strip, is_header=is_header)
    if top:
        _warn_of_titles(top, where)
    table = _with_header(rows, where, is_header)
    table.dialect = Dialect(separator, encoding)
    return table


def _unreadable(path: str | Path, error: Exception) -> FileError:
    reason = " ".join(str(getattr(error, "strerror", None) or error).split())
    return FileError(f"{path} cannot be read: {reason.rstrip('.')}.")


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


def _read_parquet(path: str | Path) -> Table:
    parquet = arrow("parquet")
    try:
        Path(path).stat()  # Arrow does not say why a file is not found
        table = parquet.read_table(path)
    except (OSError, ValueError, arrow("lib").ArrowException) as error:  # ValueError: a name that is no text
        raise _unreadable(path, error) from None
    check_header(table.column_names, str(path))
    index = [name for name in (table.schema.pandas_metadata or {}).get("index_columns", []) if isinstance(name, str)]
    names = [*index, *(name for name in table.column_names if name not in index)]
    return Table({"" if name == _INDEX else name: table[name].to_pylist() for name in names})


def read_excel(path: str | Path, is_header: IsHeader, sheet: str | None = None) -> Table:
    """Read a sheet, without empty rows at its end and empty columns at its sides."""
    openpyxl = _openpyxl()
    try:
        Path(path).stat()
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        sheets = {one.title: one for one in book.worksheets}
        name = next(iter(sheets)) if sheet is None else sheet
        rows = [list(row) for row in sheets[name].iter_rows(values_only=True)] if name in sheets else []
        book.close()
    except Exception as error:  # noqa: BLE001 - openpyxl raises whatever its parts raise
        raise _unreadable(path, error) from None
    if name not in sheets:
        has = f"it has {', '.join(sheets)}.{did_you_mean(name, sheets)}"
        raise InputError(f"{path} has no sheet {clipped(name)!r}; {has}")
    while rows and all(cell is None for cell in rows[-1]):
        rows.pop()
    filled = [j for row in rows for j, cell in enumerate(row) if cell is not None]
    first, end = (min(filled), max(filled) + 1) if filled else (0, 0)
    where = f"{path} (sheet {name})" if len(sheets) > 1 else str(path)
    others = [other for other in sheets if other != name]
    try:
        table = _with_header([[*row, *[None] * end][first:end] for row in rows], where, is_header)
    except FileError as error:
        raise FileError(f"{error} Other sheets: {', '.join(others)}." if others else str(error)) from None
    table.others = others
    return table


def _with_header(rows: list[list[Any]], where: str, is_header: IsHeader) -> Table:
    """Rows as columns, named by the first row if it is a header."""
    if not any(cell not in (None, "") for row in rows for cell in row):
        raise FileError(f"{where} is empty; expected a table.")
    rows = _above_notes(_below_titles(rows, where, is_header), where)
    header = [f"P{t}" for t in range(len(rows[0]))]
    if is_header([["" if cell is None else str(cell) for cell in row] for row in rows]):
        header = ["" if cell is None else str(cell) for cell in rows.pop(0)]
        if all(map(is_number, header)):
            warn(f"The first line of {where}, {', '.join(header[:3])}, …, was read as the names of the columns.")
    for j, name in enumerate(header[1:], start=1):
        if not name and any(row[j] not in (None, "") for row in rows):
            raise FileError(
                f"{where} has no name above column {j + 1}; expected one name above each column. If there are lines "
                "above the header, delete them."
            )
    check_header(header, where)
    if not rows:
        raise FileError(f"{where} has a header and no row below it; expected one row per object.")
    table = Table(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    table.where = where
    return table


def _below_titles(rows: list[list[Any]], where: str, is_header: IsHeader) -> list[list[Any]]:
    """Rows without titles: lines with at most one cell, a text, above a line of different names for the columns.

    An empty cell beside a name is no title, but the header of two columns, the first with the names of the rows.
    """
    texts = [["" if cell is None else str(cell) for cell in row] for row in rows]
    top = 0
    while top < len(texts) and sum(map(bool, texts[top])) <= 1 and not any(map(is_number, texts[top])):
        top += 1
    width = len(texts[0])
    titled = 0 < top < len(texts) - 1 and (width > 2 or (width == 2 and texts[0][0] != ""))
    headed = titled and len(set(texts[top])) == width and not any(map(is_number, texts[top]))
    if not headed or not is_header(texts[top:]):
        return rows
    _warn_of_titles(top, where)
    filled = [j for j in range(width) if any(row[j] for row in texts[top:])]
    return [[row[j] for j in filled] for row in rows[top:]]


def _title_lines(lines: str) -> int:
    """How many lines of text stand above a table: they have no separator, and the next line has several.

    One separator more than in the first line is what R writes above the names of rows, so a blank line must be between.
    """
    top, blank = 0, False
    for line in lines.split("\n", _TITLES)[:_TITLES]:
        count = max(map(line.count, _SEPARATORS))
        if count or '"' in line:
            return top if count > (not blank) else 0
        if not top and (not line.strip() or is_number(line)):
            return 0
        top, blank = top + 1, blank or not line.strip()
    return 0


def _warn_of_titles(top: int, where: str) -> None:
    warn(f"{top} line{'s' * (top > 1)} above the header of {where} {'were' if top > 1 else 'was'} not read.")


def _above_notes(rows: list[list[Any]], where: str) -> list[list[Any]]:
    """Rows without notes: lines with one cell, a text, below an empty line at the end."""
    cells = [[str(cell) for cell in row if cell not in (None, "")] for row in rows]
    end = len(rows)
    while end and len(cells[end - 1]) == 1 < len(rows[0]) and not is_number(cells[end - 1][0]):
        end -= 1
    if not 0 < end < len(rows) or cells[end - 1]:
        return rows
    notes = len(rows) - end
    while end and not cells[end - 1]:
        end -= 1
    warn(f"{notes} line{'s' * (notes > 1)} below the table in {where} {'were' if notes > 1 else 'was'} not read.")
    return rows[:end]


def _separator(lines: str, ending: str) -> str:
    """The separator of cells, from the file ending and the first line, or the first lines for blanks."""
    first = io.StringIO(lines, newline="").readline()
    best = "\t" if ending == ".tsv" else max(_SEPARATORS, key=first.count)
    if best in first or ending == ".txt":
        return best if best in first else " "
    words = [len(line.split()) for line in lines.split("\n", 100)[:100]]
    return " " if words[0] > 1 and len(words) > 2 and set(words[1:]) in ({words[0]}, {words[0] + 1}) else best


def _rows(lines: str, where: str, separator: str, top: int, *, strip: bool, is_header: IsHeader) -> list[list[str]]:
    """The cells of every line, as many as in the first, except that R leaves out the cell above the row names.

    Errors count lines from `top`, the number of those above the table.
    """
    reader = csv.reader(io.StringIO(lines, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    ends: list[int] = []  # the number of the line where each row ends
    try:
        for row in reader:
            rows.append([cell.strip() for cell in row] if strip else row)
            ends.append(top + reader.line_num)
    except csv.Error as error:
        raise FileError(f"{where}, line {top + reader.line_num}: {error}.") from None
    wanted = len(rows[0])
    longer = {len(row) for row in rows[1:]} == {wanted + 1} and any(row[-1] for row in rows[1:])
    if longer and wanted and is_header(rows):
        rows[0], wanted = ["", *rows[0]], wanted + 1
    for row, end in zip(rows, ends, strict=True):
        if not row:
            raise FileError(f"{where}, line {end} is empty; delete it, or write NA if a value is missing.")
        if len(row) != wanted:
            here, there = (f"{count} cell{'s' * (count != 1)}" for count in (len(row), wanted))
            raise FileError(f"{where}, line {end} has {here}; expected {there}, as in the first line.")
    return rows


def _decoded(data: bytes, where: str, encoding: str) -> str:
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeError as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        called = "UTF-8" if encoding.startswith("utf-8") else encoding
        raise FileError(
            f"{where}, line {line}: not {called} text; save the table as UTF-8, or name its encoding, such as "
            "--encoding latin-1."
        ) from None


def check_header(header: Sequence[str], where: str) -> None:
    """Refuse columns with the same name."""
    name, times = Counter(header).most_common(1)[0] if header else ("", 1)
    if times > 1:
        raise FileError(f"{where} has {times} columns called {clipped(name)!r}; expected a different name for each.")


def is_number(cell: str) -> bool:
    """Whether a cell is a number."""
    try:
        as_number(cell)
    except ValueError:
        return False
    return True


def with_points(cells: Column, decimal: str) -> Column:
    """Return cells with numbers as Python writes them: 1499.80 for 1.499,80 where the decimal mark is a comma."""
    if decimal == ".":
        return cells
    return [
        cell.replace(".", "").replace(",", ".") if isinstance(cell, str) and _WITH_COMMA.fullmatch(cell) else cell
        for cell in cells
    ]


def decimal_mark(table: Table) -> str:
    """Return the decimal mark of a text: a comma if it has columns of numbers with commas and none with points.

    Without such columns it is a comma if the cells are separated by semicolons, as where numbers have commas.
    """
    marks = set()
    for column in table.values() if table.dialect.delimiter not in (None, ",") else ():
        cells = {cell for cell in column if isinstance(cell, str) and cell not in MISSING_CELLS}
        with_comma = any("," in cell for cell in cells) and all(map(_WITH_COMMA.fullmatch, cells))
        with_point = not with_comma and any("." in cell for cell in cells) and all(map(is_number, cells))
        marks |= {","} if with_comma else {"."} if with_point else set()
    return "," if marks == {","} or (not marks and table.dialect.delimiter == ";") else "."


def as_number(cell: Any, kind: Callable[[Any], N] = float) -> N:  # type: ignore[assignment]
    """Read a cell as a number; a `ValueError` if it is not one. Unlike in Python, 1_000 is not a number."""
    if isinstance(cell, str) and "_" in cell:
        raise ValueError(f"{cell} is not a number")
    return kind(cell)


def check_package(path: str | Path) -> None:
    """Refuse a table that needs a package that is not installed, before any work is done."""
    needed = {".parquet": lambda: arrow("parquet"), ".xlsx": _openpyxl}
    needed.get(Path(path).suffix.lower(), lambda: None)()


def _ending(path: str | Path, known: Sequence[str] = ENDINGS) -> str:
    """Return the ending of a table file; an error lists the known ones."""
    path = as_path(path)
    for ending in known:
        if str(path).lower().endswith(ending):
            return ending
    able = f"a table ending in {', '.join(known)}, or - for standard input or output"
    raise InputError(f"{path} was given; expected {able}.")


def arrow(part: str) -> Any:
    """Import a part of pyarrow, or say how to get it."""
    try:
        return import_module(f"pyarrow.{part}")
    except ImportError as error:
        raise MissingDependency("Parquet files need pyarrow: pip install 'graphens[frames]'") from error


def _openpyxl() -> Any:
    try:
        import openpyxl
        import openpyxl.cell
    except ImportError as error:
        raise MissingDependency("Excel files need openpyxl: pip install 'graphens[excel]'") from error
    return openpyxl
