"""Tables that commands read and write: labels, features, results, statistics; each group of options is a class."""

from __future__ import annotations

import argparse
import codecs
import os
import re
import shlex
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from .. import Consensus, Ensemble
from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray
from .._lib.progress import is_terminal
from ..errors import FileError, InputError, collect_warnings, warn
from ..export.annotate import Answer as Annotations
from ..export.frames import cluster_names_of, top_columns
from ..export.label_files import as_ensemble, as_labels_column, match_columns, names_column, read_ensemble
from ..export.table_files import (
    MISSING_CELLS,
    Column,
    Dialect,
    Table,
    as_number,
    decimal_mark,
    is_number,
    read_table,
    with_points,
    write_table,
)
from ..export.text_tables import cell_text
from ..labels.names import Names as ObjectNames, as_names, question_names
from ._command import Arg, InFile, Names, OneOf, Output
from ._screen import complain, in_options, note, paragraph, paragraphs, say, table

PLAIN = Dialect()
_MOSTLY, _NEARLY = 0.5, 0.9  # share of different cells in a column that names objects with --duplicates, or may do so


# in ---------------------------------------------------------------------------------------------------------


def read_delimiter(text: str) -> str:
    """Read what separates cells: a character, or its name."""
    signs = {"comma": ",", "semicolon": ";", "tab": "\t", "\\t": "\t", "space": " ", "blank": " "}
    sign = signs.get(text, text)
    if len(sign) != 1 or sign in '"\r\n':
        able = "one character, or comma, semicolon, tab or space"
        raise argparse.ArgumentTypeError(f"{text!r} was given; expected {able}.")
    return sign


def read_encoding(text: str) -> str:
    """Read the name of an encoding of text."""
    try:
        return codecs.lookup(text).name if "x".encode(text) else text
    except LookupError:
        able = "a text encoding, such as utf-8, latin-1, cp1252 or utf-16"
        raise argparse.ArgumentTypeError(f"{text} was given; expected {able}.") from None


@dataclass(kw_only=True)
class Reading:
    """How tables are read; `table` is the last one.

    Options
    -------
    id: column with the names of the objects (default: the first, if it is different in every row)
    duplicates: if several rows have the same name, keep the first row or number the names (default: keep all rows)
    missing: more cells that mean a missing value, besides empty ones, NA, NaN, None and null
    decimal: decimal mark of numbers, a point or a comma, also in the result (default: a comma if cells of a column such
        as 1.499,80 say so, or if semicolons separate the cells and no number has a point)
    sheet: sheet of an Excel file (default: the first)
    delimiter: column separator (default: detected)
    encoding: text encoding, such as latin-1 (default: from the byte order mark, or utf-8)
    """

    id: Annotated[str, Arg(metavar="COLUMN")] | None = None
    duplicates: Annotated[str, Arg(words=("first", "number"))] | None = None
    missing: Names = ()
    decimal: Annotated[str, Arg(metavar="MARK", read=OneOf((".", ",")))] | None = None
    sheet: Annotated[str, Arg(metavar="NAME")] | None = None
    delimiter: Annotated[str, Arg(metavar="C", read=read_delimiter)] | None = None
    encoding: Annotated[str, Arg(metavar="NAME", read=read_encoding)] | None = None
    table: Table = field(default_factory=Table, init=False, repr=False)

    def __post_init__(self) -> None:
        # how the result is written if no text is read, but a saved result
        self.table.dialect = Dialect(self.delimiter, self.encoding or "utf-8", self.decimal or ".")

    def opened(
        self, path: str, columns: Sequence[str], without: Sequence[str], aside: Collection[str], *, features: bool
    ) -> tuple[Table, list[str], str | None]:
        """Read the main table; return it, the columns that are left out or set aside, and the one with the names."""
        self.table = cells = self.cells(path)
        others = [name for name in aside if name in cells or not os.path.isfile(name)]  # of known classes
        others += match_columns(cells, without, (), path) if without else []
        names = self.find_id(cells, others, columns, features=features)
        self.settle_duplicates(cells, names)
        return cells, others, names

    def cells(self, path: str, **how: Any) -> Table:
        """Read a table as the options say."""
        if self.sheet is not None and not path.lower().endswith(".xlsx"):
            raise InputError(f"--sheet {self.sheet} was given, but {path} is no Excel file (.xlsx); leave it out.")
        table = read_table(path, delimiter=self.delimiter, encoding=self.encoding, sheet=self.sheet, **how)
        if table.others and self.sheet is None:
            complain(f"{table.where} was read; other sheets are {', '.join(table.others)} (--sheet).", "note")
        codes = set(self.missing)
        for name, column in table.items() if codes else ():
            table[name] = [None if str(cell) in codes else cell for cell in column]
        table.dialect = replace(table.dialect, decimal=self.decimal or decimal_mark(table))
        if path.lower().endswith((".tsv", ".txt")):  # whose tabs are not for a result that is a .csv file
            table.dialect = replace(table.dialect, delimiter=self.delimiter)
        numbers = {as_number(code) for code in codes if is_number(code)}
        for name, column in table.items() if numbers else ():
            plain = [str(cell) for cell in with_points(column, table.dialect.decimal)]
            if all(cell in MISSING_CELLS or is_number(cell) for cell in plain):  # 99 is not the word 099
                absent = [cell not in MISSING_CELLS and as_number(cell) in numbers for cell in plain]
                table[name] = [None if no else cell for cell, no in zip(column, absent, strict=True)]
        return table

    def find_id(
        self, cells: Table, aside: Collection[str] = (), chosen: Sequence[str] = (), *, features: bool = False
    ) -> str | None:
        """Return the column that names the objects: --id, or the first if it can only be that, with a note."""
        if self.id is not None:
            return self.id
        name = names_column(cells, aside, 1 if self.duplicates is None else _MOSTLY)
        listed = match_columns(cells, chosen, (), cells.where) if chosen else []
        if name is None and chosen and (nearly := names_column(cells, aside, _NEARLY)) not in (None, *listed):
            warn(
                f"The first column, {nearly!r}, does not name the objects, because some of its cells are equal. If it "
                f"should, add --id {shlex.quote(str(nearly))}, and --duplicates first or --duplicates number."
            )
        if name is None or chosen:
            return None if name in listed else name
        if features and name and all(is_number(str(cell)) for cell in cells[name]):
            if all(float(b) - float(a) == 1 for a, b in pairwise(cells[name])):
                flag = shlex.quote(name)
                warn(
                    f"Column {name!r} counts the rows and is used as a feature. If it names the objects, add "
                    f"--id {flag}; to leave it out, add --without {flag}."
                )
            return None
        called, what = f", {name!r}," if name else "", "feature" if features else "clustering"
        why = "is different in every row, so it is" if self.duplicates is None else "is"
        complain(
            f"The first column{called} {why} used as the names of the objects. If it is a {what}, list it in "
            "--columns.",
            "note",
        )
        return name

    def settle_duplicates(self, cells: Table, names: str | None) -> None:
        """Keep the first of the rows with the same name, or number the names, if requested."""
        if self.duplicates is None or names is None or names not in cells:
            return
        texts = [str(cell) for cell in cells[names]]
        if self.duplicates == "first":
            rows = sorted({text: row for row, text in reversed(list(enumerate(texts)))}.values())
            for name, column in cells.items():
                cells[name] = [column[row] for row in rows]
            return
        used, last = set(texts), dict.fromkeys(texts, 0)
        for row, text in enumerate(texts):
            last[text] += 1
            while last[text] > 1 and f"{text}.{last[text]}" in used:
                last[text] += 1
            texts[row] = text if last[text] == 1 else f"{text}.{last[text]}"
        cells[names] = texts


@dataclass
class LabelTable(Reading):
    """How the table of labels is read.

    Options
    -------
    labels: table of labels, or - for standard input
    columns: columns to use as clusterings, such as a,b or 'seg_*' (default: all)
    without: columns to leave out
    profiles: the table holds allele profiles, as written by chewBBACA, BIGSdb, EnteroBase or GrapeTree (0: missing)
    """

    labels: InFile
    _: KW_ONLY
    columns: Names = ()
    without: Names = ()
    profiles: bool = False

    def read(self, *aside: str | None) -> Ensemble:
        """Read the labels, and store the table; `aside` columns are not clusterings."""
        others = [name for name in aside if name is not None]
        if self.profiles:
            return self.alleles(*others)
        if self.labels.lower().endswith(".npz"):
            if others:
                what = f"The column {others[0]} was given for a saved ensemble; a saved ensemble has no further columns"
                raise InputError(f"{what}. Give a table of labels instead.")
            return read_ensemble(self.labels, columns=self.columns, without=self.without, id_column=self.id)
        cells, others, names = self.opened(self.labels, self.columns, self.without, others, features=False)
        return as_ensemble(cells, self.labels, self.columns, names, others)

    def alleles(self, *aside: str) -> Ensemble:
        """Read a table of alleles, or a saved ensemble; with `aside` columns, which are no loci, store the table."""
        path = self.labels
        if path.lower().endswith(".npz"):
            return read_ensemble(path, columns=self.columns, without=self.without, id_column=self.id)
        how: dict[str, Any] = {"without": list(self.without), "missing": list(self.missing)}
        if aside:
            self.table: Table = self.cells(path)
            cells = self.table
            self.settle_duplicates(cells, self.id or next(iter(cells)))
            others = [name for name in aside if name in cells or not os.path.isfile(name)]
            how["without"] += match_columns(cells, others, (), path) if others else []
        with collect_warnings() as notes:
            e = Ensemble.from_profiles(path, id_column=self.id, delimiter=self.delimiter or "\t", **how)
        for one in notes:
            if self.duplicates is None or "objects have the name" not in one.message:
                warn(*one)
        if self.duplicates is not None:
            rows = Table({"genome": e.vertex_names().texts(), "row": range(e.n_objects)})
            self.settle_duplicates(rows, "genome")
            names = ObjectNames(as_names(rows["genome"]), title=e.index_name)
            e = e.take(objects=np.array(rows["row"]))._replace(_names=names)
        if not self.columns:
            return e
        chosen = match_columns(e.partition_names, self.columns, (), path)
        return e.take(partitions=np.array([e.partition_names.index(name) for name in chosen]))

    def classes(self, name: str | None, e: Ensemble) -> AnyArray | None:
        """Return known classes: a column of the table, or a separate file, matched by name with --id."""
        if name is None or name in self.table:
            return None if name is None else as_labels_column(self.table[name])
        cells = self.cells(name)
        objects = self.id if self.id in cells else names_column(cells)
        names = None if objects is None else [str(cell) for cell in cells.pop(objects)]
        if len(cells) != 1:
            raise InputError(
                f"{name} has the columns {', '.join(list(cells)[:10])}; expected one column with a class for each "
                "object and, with --id, one with their names."
            )
        (classes,) = cells.values()
        return np.asarray(as_labels_column(classes)[rows_of(e, names, len(classes), name)])

    def features(self, path: str | None, e: Ensemble) -> FloatArray | None:
        """Read the features of the objects, matched by name with --id, otherwise in their order."""
        if path is None:
            return None
        how = {name: getattr(self, name) for name in ("id", "missing", "decimal", "delimiter", "encoding")}
        table = FeatureTable(path, **how)
        table.remedy = "delete the column"  # --without is for the labels
        X, objects = table.read()
        names = None if objects is None else objects.texts()
        return np.asarray(X[rows_of(e, names, len(X), path)])


@dataclass
class FeatureTable(Reading):
    """How the table of features is read.

    Options
    -------
    data: table of features (.csv, .tsv, .txt, .parquet, .xlsx, - for standard input) or an array (.npy)
    columns: columns to use as features, such as a,b or 'x_*' (default: all)
    without: columns to leave out
    """

    data: InFile
    _: KW_ONLY
    columns: Names = ()
    without: Names = ()
    remedy: str = field(default="leave the column out with --without {}", init=False)

    def read(self, *aside: str) -> tuple[FloatArray, ObjectNames | None]:
        """Return the features as an array, and the names of the objects if there are any."""
        path = self.data
        if path.lower().endswith(".npy"):
            try:
                return np.load(Path(path), allow_pickle=False), None
            except (OSError, ValueError) as error:
                raise FileError(f"{path} cannot be read: {error}.") from None
        cells, others, names = self.opened(path, self.columns, [*self.without, *aside], (), features=True)
        wanted = match_columns(cells, self.columns, [*others, *([] if names is None else [names])], path)
        X = np.column_stack([self._numbers(cells[name], name) for name in wanted])
        if names is None:
            return X, None
        question_names(objects := ObjectNames(as_names(cells[names]), title=names))
        return X, objects

    def _numbers(self, cells: Column, name: str) -> FloatArray:
        decimal = self.table.dialect.decimal
        plain = with_points(cells, decimal)
        try:
            return np.array([as_number(cell) for cell in plain], dtype=np.float64)
        except (TypeError, ValueError):
            wrong = ((i, cell) for i, cell in enumerate(plain) if not is_number(str(cell)))
            row, cell = next(wrong, (0, cells[0]))
        where, flag = f"{self.table.where or self.data}, object {row}: {name} is", shlex.quote(name)
        remedy = self.remedy.format(flag)
        if cell is None or cell in MISSING_CELLS:
            raise InputError(f"{where} missing; fill it in, delete the row, or {remedy}.")
        (point,) = with_points([cell], ",")
        if decimal == "." and is_number(str(point)):
            raise InputError(f"{where} {cell!r}. If this is {point}, use --decimal ','.")
        others = not any(is_number(str(one)) for one in plain)
        names = f", or name the objects with --id {flag}" if others else ""
        raise InputError(f"{where} {cell!r}, not a number; {remedy}{names}.")


def rows_of(e: Ensemble, names: list[str] | None, size: int, path: str) -> IntArray:
    """Return the row of every object of an ensemble."""
    if names is None or e.object_names is None:
        if size != e.n_objects:
            raise InputError(f"{path} has {size} rows for {e.n_objects} objects; expected a row for each.")
        return np.arange(size)
    place = {name: row for row, name in enumerate(names)}
    objects = e.vertex_names().texts()
    strange = next((name for name in objects if name not in place), None)
    if strange is not None:
        raise InputError(f"{path} has no row for {strange!r}; expected one row for each object of the table of labels.")
    check_unique(names, path)
    return np.array([place[name] for name in objects], dtype=np.int64)


def enumerated(rows: Sequence[int]) -> str:
    """Return the first five of several numbers of rows, as in a sentence."""
    *others, last = map(str, rows[:5])
    return ", ".join([*others, f"{last} …"]) if len(rows) > 5 else f"{', '.join(others)} and {last}"


def check_unique(names: Sequence[str], where: str, *, saved: bool = False) -> None:
    """Refuse names that occur several times where objects are matched by name, with their rows."""
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name, []).append(row)
    twice = [name for name, places in rows.items() if len(places) > 1]
    if twice:
        at, others = enumerated(rows[twice[0]]), len(twice) - 1
        more = f", and {others} more name{'s occur' if others > 1 else ' occurs'} several times" * (others > 0)
        again = "Save it again with" if saved else "Remove the others, or use"
        raise InputError(
            f"{where} has {twice[0]!r} in rows {at}{more}; objects are matched by name, so each name may occur once. "
            f"{again} --duplicates first or --duplicates number."
        )


def read_answer(path: str, e: Ensemble, reading: Reading) -> Annotations:
    """Read clusters and confidence as `consensus` and `cluster` write them.

    The column `cluster` is required. Rows are matched with the objects by the names in the first column if the ensemble
    has names, otherwise by their order.
    """
    cells = reading.cells(path)
    if "cluster" not in cells:
        raise InputError(
            f"{path} has no column 'cluster'; it has {', '.join(list(cells)[:10])}. Expected a table that graphens "
            "consensus or graphens cluster wrote."
        )
    first = next(iter(cells))
    names = None if first in {"cluster", "confidence"} else [str(cell) for cell in cells[first]]
    labels = _numbered(cells["cluster"])
    shares = with_points(cells.get("confidence", [1.0] * len(labels)), cells.dialect.decimal)
    try:
        sure = np.array([0.0 if cell in MISSING_CELLS or cell is None else float(cell) for cell in shares])
    except (TypeError, ValueError) as error:
        raise InputError(f"{path} has a confidence that is not a number: {error}.") from None
    rows = rows_of(e, names, len(labels), path)
    return Annotations(labels[rows], sure[rows], e.vertex_names(), e)


def _numbered(cells: Column) -> LabelArray:
    """Clusters as numbers: unchanged if they are numbers, otherwise in the order of their names."""
    one = Ensemble.from_partitions([as_labels_column(cells)])
    codes, names = one.labels[:, 0], one.categories[0]
    numbers = names if names.dtype.kind in "iu" and names.max(initial=0) < 2**31 else np.arange(len(names))
    return np.append(numbers, MISSING)[codes].astype(np.int32)


# out --------------------------------------------------------------------------------------------------------


def read_pairs(text: str) -> list[tuple[int, str]]:
    """Read names of clusters, such as 0=loyal,1=new."""
    pairs = [re.fullmatch(r"\s*(\d+)=(.+)", part) for part in text.split(",")]
    if None in pairs:
        raise argparse.ArgumentTypeError(f"{text} was given; expected names of clusters, such as 0=loyal,1=new")
    return [(int(pair[1]), pair[2].strip()) for pair in pairs if pair]


@dataclass(kw_only=True)
class Answer:
    """Where the clusters go, and what stands beside them.

    Options
    -------
    save: save the complete result (.npz) for graphens assign, graphens update and load() in Python
    names: names of clusters, such as 0=loyal,1=new
    membership: add the membership in every cluster
    top: add the M largest memberships, and the sum of the others
    """

    output: Output = "-"
    save: Annotated[str, Arg(metavar="FILE", file="out", endings=(".npz",))] | None = None
    names: Annotated[Sequence[tuple[int, str]], Arg(metavar="0=NAME,...", read=read_pairs)] = ()
    membership: bool = False
    top: Annotated[int, Arg(metavar="M", parameter="m")] | None = None

    def write(
        self, r: Consensus, dialect: Dialect = PLAIN, called: str = "object", beside: Mapping[str, Column] = {}
    ) -> Consensus:
        """Write the clusters as a table and, with --save, the complete result, which is returned with its names."""
        if len(dict(self.names)) < len(self.names):
            raise InputError("--names has two names for one cluster; expected one name for each cluster.")
        r = r.named(dict(self.names)) if self.names else r
        e = r.ensemble
        columns: dict[str, Any] = {
            str(e.index_name or called): e.vertex_names().column(),
            **cluster_columns(r.labels, r._own_names, r.confidence),
        }
        if self.membership:
            columns |= {f"cluster_{j}": r.membership[:, j].round(6).tolist() for j in range(r.k)}
        if self.top is not None:
            if self.membership:
                raise InputError("Both --membership and --top were given; expected one of them.")
            for name, cells in top_columns(r, self.top).items():
                columns[name] = [None if cell == MISSING else cell for cell in cells.round(6).tolist()]
        if self.save is not None:
            r.save(self.save)
        write_table(joined(columns, beside or {}), self.output, dialect)
        return r


def cluster_columns(labels: LabelArray, names: Any, confidence: FloatArray) -> dict[str, Any]:
    """Return the cluster (None if an object has no label at all), its name if it has one, and the confidence."""
    named = {"name": cluster_names_of(labels, names)} if names else {}
    clusters = [None if label < 0 else label for label in labels.tolist()]
    return {"cluster": clusters, **named, "confidence": confidence.round(6).tolist()}


@dataclass(kw_only=True)
class KeepingAnswer(Answer):
    """Where the clusters go, and what stands beside them.

    Options
    -------
    keep: columns of the table to add to the result, which are not clusterings or features
    """

    keep: Names = ()

    def kept(self, cells: Table) -> dict[str, Column]:
        """Return the columns of the table that the answer keeps."""
        names = match_columns(cells, self.keep, (), cells.where) if self.keep else []
        columns = {"cluster": None, "confidence": None, **({"name": None} if self.names else {})}
        joined(columns, names)  # before the work, not after it
        return {name: cells[name] for name in names}


def joined(columns: Mapping[str, Any], beside: Mapping[str, Any] | Sequence[str]) -> dict[str, Any]:
    """Return the columns of a result and those kept beside them, none of which hides another."""
    if twice := next((name for name in beside if name in columns), None):
        raise InputError(
            f"--keep {twice} was given, but the result has a column of that name; rename the column first."
        )
    return {**columns, **(beside if isinstance(beside, Mapping) else {})}


def show(
    columns: Mapping[str, Sequence[Any]],
    output: str | None,
    dialect: Dialect = PLAIN,
    *,
    above: str = "",
    below: str | None = None,
) -> None:
    """Write columns to a file, or show them with few digits, with a text `above` and a column of sentences `below`.

    If the columns go to a file, the text goes to standard error; if the output is no terminal, sentences stay in rows.
    """
    if output is not None:
        write_table(columns, output, dialect)
        if above:
            note(above)
        return
    cells = {name: [cell_text(cell) for cell in column] for name, column in columns.items()}
    if below is not None:
        cells[below] = [in_options(text) for text in cells[below]]
    rows = {name: column for name, column in cells.items() if any(column) or not column}
    sentences = rows.pop(below, []) if below is not None and is_terminal(sys.stdout) else []
    names, *_ = rows.values()
    if above:
        say(*paragraphs(in_options(above), sys.stdout), "")
    say(*table(list(rows), list(zip(*rows.values(), strict=True))))
    wide = max(map(len, names), default=0)
    lines = [f"{name:{wide}}  {text}" for name, text in zip(names, sentences, strict=False) if text]
    if lines:
        say("", *(line for one in lines for line in paragraph(one, sys.stdout)))
