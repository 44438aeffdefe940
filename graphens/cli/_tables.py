"""Tables that several commands read and write: labels, features, results, statistics."""

from __future__ import annotations

import argparse
import math
import os
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from glob import glob
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np

from .. import Consensus, Ensemble
from .._arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray
from ..core.names import as_names, question_names
from ..errors import FileError, InputError, meant, warn
from ..export._atomic import checked_target
from ..export.annotate import Answer
from ..export.frames import names_of, top_columns
from ..export.label_files import (
    as_ensemble,
    as_labels_column,
    chosen_partitions,
    names_column,
    read_ensemble,
)
from ..export.table_files import (
    MISSING_CELLS,
    WRITABLE,
    Column,
    Dialect,
    Table,
    as_number,
    check_package,
    is_number,
    read_table,
    write_table,
)
from ._screen import complain, is_terminal, note, paragraph, paragraphs, say, table

_DIGITS = 3


# in ---------------------------------------------------------------------------------------------------------


def check_one_file(path: str) -> None:
    """Refuse a file name pattern if only one file is read."""
    if any(sign in path for sign in "*?[") and not os.path.exists(path):
        found = len(glob(path))
        raise InputError(
            f"{path} was given, a pattern that matches {found} file{'s' * (found != 1)}; expected the name of one "
            "file. Only graphens consensus --out-of-core reads all files that match a pattern."
        )


def read_labels(args: argparse.Namespace, *aside: str | None) -> Ensemble:
    """Read the table of labels that the arguments name, and store it; `aside` columns are not clusterings."""
    check_one_file(args.labels)
    args.table, others = Table(), [name for name in aside if name is not None]
    if args.profiles:
        return read_alleles(args, args.labels)
    if args.labels.lower().endswith(".npz"):
        if others:
            raise InputError(
                f"The column {others[0]} was given for a saved ensemble; a saved ensemble has no further columns. "
                "Give a table of labels instead."
            )
        return read_ensemble(args.labels, columns=args.columns, id_column=args.id)
    args.table = read_cells(args.labels, args)
    others = [name for name in others if name in args.table or not os.path.isfile(name)]
    return as_ensemble(args.table, args.labels, args.columns, find_id(args, args.table, others), others)


def find_id(
    args: argparse.Namespace, table: Table, aside: Collection[str] = (), *, features: bool = False
) -> str | None:
    """Return the column that names the objects: --id, or the first if it can only be that, with a note."""
    found = names_column(table, aside) if args.id is None and args.columns is None else None
    if found is None:
        return cast("str | None", args.id)
    if features and found and all(is_number(str(cell)) for cell in table[found]):
        if all(float(b) - float(a) == 1 for a, b in pairwise(table[found])):
            flag = shlex.quote(found)
            warn(
                f"Column {found!r} counts the rows and is used as a feature. If it names the objects, add --id {flag}; "
                f"to leave it out, add --without {flag}."
            )
        return None
    called, what = f", {found!r}," if found else "", "feature" if features else "clustering"
    complain(
        f"The first column{called} is different in every row, so it is used as the names of the objects. If it is a "
        f"{what}, list it in --columns.",
        "note",
    )
    return found


def read_cells(path: str, args: argparse.Namespace) -> Table:
    """Read a table in the delimiter and the encoding that were given, if any."""
    return read_table(path, delimiter=args.delimiter, encoding=args.encoding)


def classes_of(args: argparse.Namespace, name: str | None, e: Ensemble) -> AnyArray | None:
    """Return known classes: a column of the table of labels, or a separate file, matched by name with --id."""
    if name is None or name in args.table:
        return None if name is None else as_labels_column(args.table[name])
    cells = read_cells(name, args)
    objects = args.id if args.id in cells else names_column(cells)
    names = None if objects is None else [str(cell) for cell in cells.pop(objects)]
    if len(cells) != 1:
        raise InputError(
            f"{name} has the columns {', '.join(list(cells)[:10])}; expected one column with a class for each object "
            "and, with --id, one with their names."
        )
    (classes,) = cells.values()
    return np.asarray(as_labels_column(classes)[_rows_of(e, names, len(classes), name)])


def read_pairs(args: argparse.Namespace, e: Ensemble) -> dict[str, list[tuple[Any, ...]]]:
    """Read the pairs of objects that must be together or apart, by parameter.

    A first line of two words that are not names of objects is a header.
    """
    names = set(e.vertex_names().texts())
    if e.object_names is None:
        names |= set(map(str, range(e.n_objects)))

    def is_header(rows: Sequence[Sequence[str]]) -> bool:
        return len(rows[0]) == 2 and not names.intersection(rows[0])

    found = {}
    for parameter, path in (("must_link", args.must_link), ("cannot_link", args.cannot_link)):
        if path is None:
            continue
        check_one_file(path)

        cells = read_table(path, delimiter=args.delimiter, encoding=args.encoding, is_header=is_header)
        if len(cells) != 2:  # not the delimiter of the labels: whatever is in this one
            cells = read_table(path, encoding=args.encoding, is_header=is_header)
        if len(cells) != 2:
            raise InputError(f"{path} has {len(cells)} columns; expected two: a pair of objects in each row.")
        numbers = e.object_names is None
        pairs = zip(*cells.values(), strict=True)
        found[parameter] = [
            tuple(int(cell) if numbers and str(cell).isdigit() else cell for cell in pair) for pair in pairs
        ]
    return found


def read_alleles(args: argparse.Namespace, path: str, **how: Any) -> Ensemble:
    """Read the table of alleles, or the saved ensemble, that the arguments name."""
    if path.lower().endswith(".npz"):
        return read_ensemble(path, columns=args.columns, id_column=args.id)
    e = Ensemble.from_profiles(path, id_column=args.id, delimiter=args.delimiter or "\t", **how)
    return e if args.columns is None else chosen_partitions(e, args.columns, path)


def read_features(args: argparse.Namespace) -> tuple[FloatArray, AnyArray | None]:
    """Return the features that the arguments name as an array, and the names of the objects if a column has them."""
    path = args.data
    check_one_file(path)
    if path.lower().endswith(".npy"):
        try:
            return np.load(Path(path), allow_pickle=False), None
        except (OSError, ValueError) as error:
            raise FileError(f"{path} cannot be read: {error}.") from None
    cells = args.table = read_cells(path, args)
    args.id = find_id(args, cells, args.without, features=True)
    left_out = {*args.without, *([] if args.id is None else [args.id])}
    wanted = [name for name in cells if name not in left_out] if args.columns is None else args.columns
    for name in [*wanted, *left_out]:
        if name not in cells:
            known = f"it has {', '.join(list(cells)[:20])}.{meant(name, cells)}"
            raise InputError(f"{path} has no column {name!r}; {known}")
    if not wanted:
        raise InputError(f"{path} has no column left; expected at least one feature.")
    X = np.column_stack([_numbers(cells[name], name, path) for name in wanted])
    objects = None if args.id is None else as_names(cells[args.id])
    question_names(objects)
    return X, objects


def features_of(args: argparse.Namespace, e: Ensemble) -> FloatArray | None:
    """Read the features of the objects of an ensemble, matched by name with --id, otherwise in their order."""
    if args.features is None:
        return None
    other = argparse.Namespace(**{**vars(args), "data": args.features, "columns": None, "without": []})
    X, objects = read_features(other)
    names = None if objects is None else [str(name) for name in objects.tolist()]
    return np.asarray(X[_rows_of(e, names, len(X), args.features)])


def _numbers(cells: Column, name: str, path: str) -> FloatArray:
    try:
        return np.array([as_number(cell) for cell in cells], dtype=np.float64)
    except (TypeError, ValueError):
        wrong = ((i, cell) for i, cell in enumerate(cells) if not is_number(str(cell)))
        row, cell = next(wrong, (0, cells[0]))
    where = f"{path}, object {row}: {name} is"
    if cell is None or cell in MISSING_CELLS:
        raise InputError(f"{where} missing; fill or drop it first.")
    flag = shlex.quote(name)
    advice = f"leave the column out with --without {flag}, or name the objects with --id {flag}"
    if is_number(str(cell).replace(",", ".", 1)):
        advice = "expected a decimal point instead of the comma"
    raise InputError(f"{where} {cell!r}, not a number; {advice}.")


def read_answer(path: str, e: Ensemble, args: argparse.Namespace) -> Answer:
    """Read clusters and confidence as `consensus` and `cluster` write them.

    The column `cluster` is required. Rows are matched with the objects by the names in the first column if the ensemble
    has names, otherwise by their order.
    """
    cells = read_cells(path, args)
    if "cluster" not in cells:
        raise InputError(
            f"{path} has no column 'cluster'; it has {', '.join(list(cells)[:10])}. Expected a table that graphens "
            "consensus or graphens cluster wrote."
        )
    first = next(iter(cells))
    names = None if first in {"cluster", "confidence"} else [str(cell) for cell in cells[first]]
    labels = _numbered(cells["cluster"])
    sure = _shares(cells["confidence"], path) if "confidence" in cells else np.ones(len(labels))
    rows = _rows_of(e, names, len(labels), path)
    return Answer(labels[rows], sure[rows], e.vertex_names(), e)


def _rows_of(e: Ensemble, names: list[str] | None, size: int, path: str) -> IntArray:
    """The row of every object."""
    if names is None or e.object_names is None:
        if size != e.n_objects:
            raise InputError(f"{path} has {size} rows for {e.n_objects} objects; expected a row for each.")
        return np.arange(size)
    place = {name: row for row, name in enumerate(names)}
    objects = e.vertex_names().texts()
    strange = next((name for name in objects if name not in place), None)
    if strange is not None or len(place) < len(names):
        why = "names some objects twice" if strange is None else f"has no row for {strange!r}"
        raise InputError(f"{path} {why}; expected one row for each object of the table of labels.")
    return np.array([place[name] for name in objects], dtype=np.int64)


def _numbered(cells: Column) -> LabelArray:
    """Clusters as numbers: unchanged if they are numbers, otherwise in the order of their names."""
    one = Ensemble.from_partitions([as_labels_column(cells)])
    codes, known = one.labels[:, 0], one.categories[0]
    numbers = known if known.dtype.kind in "iu" and known.max(initial=0) < 2**31 else np.arange(len(known))
    return np.append(numbers, MISSING)[codes].astype(np.int32)


def _shares(cells: Column, path: str) -> FloatArray:
    try:
        return np.array([0.0 if cell in MISSING_CELLS or cell is None else float(cell) for cell in cells])
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} has a confidence that is not a number: {error}.") from None


# out --------------------------------------------------------------------------------------------------------


def check_output(path: str | None, source: str, *more: str, option: str = "-o") -> None:
    """Refuse a table that cannot be written, before the work is done; None is the screen, like - for -o."""
    if path is None:
        return
    endings, printed = (*WRITABLE, *more), option == "-o"
    if not (path == "-" and printed) and not path.lower().endswith(endings):
        said = f"{option} {path} was given; expected a file ending in {', '.join(endings)}"
        raise InputError(f"{said}, or - to print it." if printed else f"{said}.")
    check_package(path)
    check_place(path, source, option)


def check_place(path: str, source: str, option: str = "-o") -> None:
    """Refuse to write to a path that cannot be written, or over the input."""
    if path == "-":
        return
    if source != "-" and os.path.realpath(path) == os.path.realpath(source):
        raise InputError(
            f"{option} {path} was given, but that is the input, which would be overwritten. Choose another file."
        )
    checked_target(path)


def check_answer(args: argparse.Namespace, source: str) -> None:
    """Refuse files to which the result cannot be written, before the work is done."""
    check_output(args.output, source)
    if args.save is not None:
        if not args.save.lower().endswith(".npz"):
            raise InputError(f"--save {args.save} was given; expected a file ending in .npz.")
        check_place(args.save, source, "--save")


def write_answer(found: Consensus, e: Ensemble, args: argparse.Namespace, called: str = "object") -> None:
    """Write the clusters as a table and, with --save, the complete result."""
    if args.save is not None:
        found.save(args.save)
    write(answer_columns(found, e, args, called), args)


def write(columns: Mapping[str, Sequence[Any]], args: argparse.Namespace, path: str | None = None) -> None:
    """Write a table to -o, or to another file, in the dialect of the table that the command read."""
    dialect = args.table.dialect if "table" in args else Dialect()
    write_table(columns, args.output if path is None else path, dialect)


def answer_columns(
    found: Consensus, e: Ensemble, args: argparse.Namespace, called: str = "object"
) -> dict[str, Any]:
    """Name, cluster (None if an object has no label at all) and confidence of every object."""
    columns: dict[str, Any] = {
        str(e.index_name or called): e.vertex_names().column(),
        "cluster": [None if label < 0 else label for label in found.labels.tolist()],
        **({"name": names_of(found.labels, found._own_names)} if found._own_names else {}),
        "confidence": found.confidence.round(6).tolist(),
    }
    if args.membership:
        columns |= {f"cluster_{j}": found.membership[:, j].round(6).tolist() for j in range(found.k)}
    if args.top is not None:
        for name, cells in top_columns(found, args.top).items():
            columns[name] = [None if cell == MISSING else cell for cell in cells.round(6).tolist()]
    return columns


def show(
    columns: Mapping[str, Sequence[Any]],
    args: argparse.Namespace,
    *,
    above: str = "",
    below: str | None = None,
) -> None:
    """Write columns to a file, or show them with few digits, with a text `above` and a column of sentences `below`.

    If the columns go to a file, the text goes to standard error; if the output is no terminal, sentences stay in rows.
    """
    if args.output is not None:
        write(columns, args)
        if above:
            note(above)
        return
    cells = {name: [_cell(value) for value in column] for name, column in columns.items()}
    rows = {name: column for name, column in cells.items() if any(column) or not column}
    sentences = rows.pop(below, []) if below is not None and is_terminal(sys.stdout) else []
    names, *_ = rows.values()
    if above:
        say(*paragraphs(above, sys.stdout), "")
    say(*table(list(rows), list(zip(*rows.values(), strict=True))))
    wide = max(map(len, names), default=0)
    said = [f"{name:{wide}}  {text}" for name, text in zip(names, sentences, strict=False) if text]
    if said:
        say("", *(line for one in said for line in paragraph(one, sys.stdout)))


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.{_DIGITS}f}" if isinstance(value, float) else str(value)
