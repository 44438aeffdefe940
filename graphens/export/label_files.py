"""Label tables from files, for the command line."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from .._lib.arrays import MISSING, AnyArray
from ..errors import InputError, TypeMismatch, did_you_mean, warn
from ..graphs.doubts import SINGLE
from ..labels.ensemble import Ensemble
from ..labels.inputs import Read, draw_names, object_columns, question_orientation, refuse_transposed
from ..labels.names import Names, as_names
from ._text import clipped
from .archive import load_ensemble
from .table_files import MISSING_CELLS, Column, Table, as_number, is_number, read_table, with_points


def read_ensemble(
    path: str | Path, *, columns: Sequence[str] = (), without: Sequence[str] = (), id_column: str | None = None
) -> Ensemble:
    """Read an ensemble from a table of labels (see `read_table`), objects in rows, or a saved ensemble (.npz).

    Columns are partitions, all of them by default, except for `id_column`; they are chosen and left out by name or
    pattern. Empty cells, NA, NaN, nan, None, null and −1 are missing labels. Labels are numbers if all other cells of a
    column are numbers, otherwise text.
    """
    if not str(path).lower().endswith(".npz"):
        return as_ensemble(read_table(path), path, columns, id_column, without)
    if id_column is not None:
        because = "for a saved ensemble, which already has names; leave it out"
        raise InputError(f"The id column {id_column!r} was given {because}.")
    e = load_ensemble(path)
    chosen = match_columns(e.partition_names, columns, without, path)
    return e.take(partitions=np.array([e.partition_names.index(name) for name in chosen]))


def match_columns(known: Collection[str], columns: Sequence[str], without: Sequence[str], where: object) -> list[str]:
    """Return the columns with these names, or that match patterns such as ``seg_*``; all if there are none."""
    matching: dict[str, list[str]] = {}
    for name in (*columns, *without):
        matching[name] = [name] if name in known else [one for one in known if fnmatchcase(one, name)]
        if not matching[name]:
            shown = ", ".join(clipped(one) for one in islice(known, 10)) + (", …" if len(known) > 10 else "")
            starts = {f"{one[:i]}*" for one in known for i in range(len(one)) if one[i - 1] in "_.-"}
            hint = did_you_mean(name, starts if "*" in name else list(known))
            raise InputError(f"{where} has no column {clipped(name)!r}; expected one of {clipped(shown)}.{hint}")
    left_out = {one for name in without for one in matching[name]}
    wanted = dict.fromkeys(one for name in columns for one in matching[name]) if columns else known
    chosen = [name for name in wanted if name not in left_out]
    if not chosen:
        gone = ", ".join(map(repr, sorted(left_out)))
        raise InputError(f"{where} has no column left without {gone}; expected at least one more.")
    return chosen


def as_ensemble(
    table: Table, path: str | Path, columns: Sequence[str] = (), id: str | None = None, without: Sequence[str] = ()
) -> Ensemble:
    """Make an ensemble from the columns of a table, see `read_ensemble`."""
    wanted = match_columns(table, columns, [*without, *([] if id is None else [id])], path)
    refuse_transposed(len(table[wanted[0]]), len(wanted))
    every = [as_labels_column(with_points(table[name], table.dialect.decimal)) for name in wanted]
    names = None if id is None else Names(as_names(table[id]), title=id)
    e = Ensemble.from_partitions(every, partition_names=wanted, object_names=names)
    question_orientation(e.n_partitions, e.n_objects)
    for name, k, labels in zip(wanted, e.n_clusters, e.categories, strict=True):
        texts = set(labels.tolist()) if labels.dtype == object else set()
        if not texts.isdisjoint({"LNF", "NIPH", "NIPHEM"}):
            what = f"Column {clipped(name)!r} has cells such as LNF, which are read as a cluster"
            warn(f"{what}. If the table holds allele profiles, add --profiles.")
            break
        if texts and 2 < k == e.n_objects:
            example = clipped(str(labels[0]))
            different = f"Column {clipped(name)!r} has a different text for every object, such as {example!r}"
            if e.n_partitions == 1:
                advice = "If each text holds several cells, name their separator with --delimiter"
                raise InputError(f"{different}; expected labels of clusters. {advice}.")
            if e.n_objects < SINGLE:
                warn(f"{different}. If these are names rather than clusters, make it the id column (--id).")
    return e


def names_column(table: Table, aside: Collection[str] = (), share: float = 1) -> str | None:
    """Return the first column if it can only hold the names of the objects: a different text or number in each row.

    Fewer than ten numbers below a header may be labels. A column that is set aside is not the first. With a smaller
    `share`, only that part of the cells must be different, in ten rows or more.
    """
    first, *others = [name for name in table if name not in aside] or [""]
    cells = [str(cell) for cell in table[first]] if others else []
    if len(set(cells)) < (share if len(cells) >= SINGLE else 1) * len(cells) or not MISSING_CELLS.isdisjoint(cells):
        return None
    texts = not all(map(is_number, cells))
    if not texts and not all(float(cell).is_integer() for cell in cells):
        return None
    return first if len(cells) >= (3 if texts or not first else SINGLE) else None


def read_draw_table(path: str | Path, variable: str | None = None) -> Read:
    """Read a table of draws from a file, see `draws_of`; comments of Stan are ignored."""
    return draws_of(read_table(path, comments="#", everywhere=True), path, variable)


def draws_of(table: Table, path: str | Path, variable: str | None = None) -> Read:
    """Return the cells of a table of draws in rows, or only those of one variable, with the chains of the draws.

    A first column without a name has the row names of R and is left out.
    """
    names = object_columns([name for j, name in enumerate(table) if j or name.strip()], variable)
    if not names:
        raise InputError(f"{path} has no column of labels; expected one for each object, or one for each draw.")
    return Read(np.column_stack([as_labels_column(table[name]) for name in names]), draw_names(table), names)


def as_labels_column(cells: Column) -> AnyArray:
    """Turn the cells of one column into labels: numbers or text, None (−1 among whole numbers) if missing."""
    try:
        distinct = set(cells)  # few: that is what makes them labels
    except TypeError as error:
        what = f"A column holds lists, which cannot be labels ({error})"
        raise TypeMismatch(f"{what}; expected numbers or text.") from None
    texts = [cell for cell in distinct if isinstance(cell, str) and cell not in MISSING_CELLS]
    numeric = all(map(is_number, texts))
    meaning = {cell: _meaning(cell, numeric=numeric) for cell in distinct}
    if any(isinstance(value, int) and abs(value) >= 2**63 for value in meaning.values()):
        meaning = {cell: _meaning(cell, numeric=False) for cell in distinct}  # text: no type holds such numbers
    kind = np.int64 if all(isinstance(value, int) for value in meaning.values()) else object
    labels = np.empty(len(cells), dtype=kind)
    labels[:] = [meaning[cell] for cell in cells]
    return labels


def _meaning(cell: Any, *, numeric: bool) -> Any:
    """The label of a cell; whole numbers never become floats, which would merge large ones."""
    if not isinstance(cell, str):
        return cell
    if cell in MISSING_CELLS:
        return MISSING
    number: float
    try:
        number = as_number(cell, int)
    except ValueError:
        if not is_number(cell):
            return cell
        value = float(cell)
        number = int(value) if value.is_integer() and abs(value) < 2**53 else value
    return number if numeric or number == MISSING else cell
