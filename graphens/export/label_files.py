"""Label tables from files, for the command line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from .._arrays import MISSING, AnyArray
from ..core.ensemble import Ensemble
from ..core.inputs import object_columns, question_orientation, refuse_transposed
from ..errors import GraphensWarning, InputError, TypeMismatch, meant, warn
from ..views.doubts import SINGLE
from .archive import load_ensemble
from .reading import clipped
from .table_files import MISSING_CELLS, Column, Table, is_number, read_table


def read_ensemble(
    path: str | Path,
    *,
    columns: Sequence[str] | None = None,
    id_column: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Ensemble:
    """Read an ensemble from a table of labels, objects in rows and partitions in columns.

    Parameters
    ----------
    path
        A .csv, .tsv, .txt, .parquet or .xlsx file (see `read_table`), ``-`` for standard input, or a saved ensemble
        (.npz).
    columns
        The columns that are partitions, by name; all of them by default, except for `id_column`.
    id_column
        The column with the names of the objects.
    delimiter, encoding
        For text files, see `read_table`.

    Notes
    -----
    Empty cells, NA, NaN, nan, None, null and −1 are missing labels. Labels are numbers if all other cells of a column
    are numbers, otherwise text.
    """
    if str(path).lower().endswith(".npz"):
        if id_column is not None:
            raise InputError(
                f"The id column {id_column!r} was given for a saved ensemble, which already has names; leave it out."
            )
        e = load_ensemble(path)
        return e if columns is None else chosen_partitions(e, columns)
    return as_ensemble(read_table(path, delimiter=delimiter, encoding=encoding), path, columns, id_column)


def as_ensemble(
    table: Table,
    path: str | Path,
    columns: Sequence[str] | None = None,
    id_column: str | None = None,
    aside: Sequence[str] = (),
) -> Ensemble:
    """Make an ensemble from the columns of a table, see `read_ensemble`; columns in `aside` are not partitions."""
    left_out = [*aside, *([] if id_column is None else [id_column])]
    wanted = [name for name in table if name not in left_out] if columns is None else list(columns)
    for name in [*wanted, *left_out]:
        _check_known(name, table, path)
    if not wanted:
        raise InputError(
            f"{path} has no column besides {', '.join(map(repr, left_out))}; expected at least one column of labels."
        )
    refuse_transposed(len(table[wanted[0]]), len(wanted))
    e = Ensemble.from_partitions(
        [as_labels_column(table[name]) for name in wanted],
        partition_names=wanted,
        object_names=None if id_column is None else list(table[id_column]),
    )._replace(index_name=id_column)
    question_orientation(e.n_partitions, e.n_objects)
    for name, k, labels in zip(wanted, e.n_clusters, e.categories, strict=True):
        if labels.dtype.kind == "U" and any(text in {"LNF", "NIPH", "NIPHEM"} for text in labels):
            warn(
                f"Column {clipped(name)!r} has cells such as LNF, which are read as a cluster. If the table holds "
                "allele profiles, add --profiles.",
                GraphensWarning,
            )
            break
        if 2 < k == e.n_objects < SINGLE and labels.dtype.kind == "U":
            warn(
                f"Column {clipped(name)!r} has a different text for every object. If these are names rather than "
                "clusters, make it the id column (--id).",
                GraphensWarning,
            )
    return e


def names_column(table: Table, aside: Collection[str] = ()) -> str | None:
    """Return the first column if it can only hold the names of the objects: a different text or number in each row.

    Fewer than ten numbers below a header may be labels. A column that is set aside is not the first.
    """
    first, *others = [name for name in table if name not in aside] or [""]
    cells = [str(cell) for cell in table[first]] if others else []
    if len(set(cells)) < len(cells) or not MISSING_CELLS.isdisjoint(cells):
        return None
    texts = not all(map(is_number, cells))
    if not texts and not all(float(cell).is_integer() for cell in cells):
        return None
    return first if len(cells) >= (3 if texts or not first else SINGLE) else None


def read_rows(path: str | Path, variable: str | None = None) -> tuple[AnyArray, list[str]]:
    """Read a table of draws from a file, see `rows_of`; comments of Stan are ignored."""
    return rows_of(read_table(path, comments="#", everywhere=True), path, variable)


def rows_of(table: Table, path: str | Path, variable: str | None = None) -> tuple[AnyArray, list[str]]:
    """Return the cells of a table of draws and the names of its columns, or only those of one variable.

    A first column without a name has the row names of R and is left out.
    """
    names = object_columns([name for j, name in enumerate(table) if j or name.strip()], variable)
    if not names:
        raise InputError(
            f"{path} has no column of labels; expected one for each object, or one for each draw."
        )
    return np.column_stack([as_labels_column(table[name]) for name in names]), names


def as_labels_column(cells: Column) -> AnyArray:
    """Turn the cells of one column into labels: numbers or text, None (−1 among whole numbers) if missing."""
    try:
        distinct = set(cells)  # few: that is what makes them labels
    except TypeError as error:
        raise TypeMismatch(
            f"A column holds lists, which cannot be labels ({error}); expected numbers or text."
        ) from None
    texts = [cell for cell in distinct if isinstance(cell, str) and cell not in MISSING_CELLS]
    numeric = all(map(is_number, texts))
    meaning = {cell: _meaning(cell, numeric=numeric) for cell in distinct}
    kind = np.int64 if all(isinstance(value, int) for value in meaning.values()) else object
    found = np.empty(len(cells), dtype=kind)
    found[:] = [meaning[cell] for cell in cells]
    return found


def _meaning(cell: Any, *, numeric: bool) -> Any:
    if not isinstance(cell, str):
        return cell
    if cell in MISSING_CELLS or (is_number(cell) and float(cell) == MISSING):
        return MISSING
    return _number(cell) if numeric else cell


def _number(cell: str) -> int | float:
    value = float(cell)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def chosen_partitions(e: Ensemble, columns: Sequence[str], where: str | Path = "The ensemble") -> Ensemble:
    """Return the ensemble of some partitions, by name."""
    for name in columns:
        _check_known(name, list(e.partition_names), where)
    return e.take(partitions=np.array([e.partition_names.index(name) for name in columns], dtype=np.int64))


def _check_known(name: str, known: Collection[str], where: str | Path) -> None:
    if name not in known:
        shown = ", ".join(clipped(one) for one in islice(known, 10)) + (", …" if len(known) > 10 else "")
        raise InputError(
            f"{where} has no column {clipped(name)!r}; expected one of {clipped(shown)}.{meant(name, list(known))}"
        )
