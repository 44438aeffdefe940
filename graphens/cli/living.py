"""Commands for results that live on: assign, update, match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any

import graphens as ge

from .. import Consensus, Ensemble
from .._lib.arrays import percent
from ..errors import FileError, InputError, collect_warnings, did_you_mean, warn
from ..export.archive import load
from ..export.label_files import as_labels_column, match_columns
from ..export.table_files import Table, with_points, write_table
from ..labels.names import Names as ObjectNames, as_names
from ._command import Figures, InFile, Name, Names, Output, TableOut
from ._screen import complain, note
from ._tables import KeepingAnswer, LabelTable, Reading, check_unique, cluster_columns, joined, show

if TYPE_CHECKING:
    from ..choose.correspondence import Match


def assign(
    saved: InFile, table: LabelTable, *, keep: Names = (), membership: bool = False, output: Output = "-"
) -> None:
    """Assign new objects to the clusters of a saved result.

    The saved result is a file written by another command with --save. The table has a row for each new object and
    columns with the names of the clusterings behind the result. Clusterings without a column count as missing, and
    other columns are ignored with a warning. Nothing is clustered again: each object joins the cluster with which it
    shares the most labels.

    The result has a row for each new object: its cluster (empty if no label links it to one), the confidence, and the
    rival, which is the second-best cluster. If there are labels that the saved result does not have, the column unseen
    counts them.

    example:
      graphens consensus labels.csv --id customer -k 5 --save answer.npz
      graphens assign answer.npz march.csv --id customer -o new.csv

    Options
    -------
    saved: result saved with --save (.npz)
    keep: columns of the table to add to the result, such as revenue or 'sales_*'
    membership: add the membership in every cluster
    """
    r = saved_consensus(saved)
    e = _new_objects(table, r, keep)
    placed = r.assign(e)
    columns: dict[str, Any] = {
        str(e.index_name or "object"): placed.names.column(),
        **cluster_columns(placed.labels, placed.cluster_names, placed.confidence),
        "rival": [None if c < 0 else c for c in placed.rival.tolist()],
    }
    if placed.unseen.any():
        columns["unseen"] = placed.unseen.tolist()
    if membership:
        columns |= {f"cluster_{j}": column.round(6).tolist() for j, column in enumerate(placed.membership.T)}
    beside = match_columns(table.table, keep, (), table.labels) if keep else []
    write_table(joined(columns, {name: table.table[name] for name in beside}), output, table.table.dialect)
    note(repr(placed))


def saved_consensus(path: str) -> Consensus:
    """Read a saved result."""
    if not path.lower().endswith(".npz"):
        raise FileError(f"{path} was given; expected a result saved with --save, a file ending in .npz.")
    value = load(path)
    if not isinstance(value, Consensus):
        raise FileError(f"{path} holds a saved {type(value).__name__}; expected a result saved with --save.")
    return value


def _new_objects(table: LabelTable, r: Consensus, keep: Names = ()) -> Ensemble:
    """The rows of a table in the columns of the saved result, with a note about other columns."""
    clusterings, called = r.ensemble.partition_names, r.ensemble.index_name
    if table.profiles or table.labels.lower().endswith(".npz"):
        e = table.read(*keep)
        _compare_columns(table.labels, e.partition_names, clusterings)
        return e
    cells = table.table = table.cells(table.labels)
    names = table.id
    if names is None:
        names = str(called) if called in cells else table.find_id(cells, clusterings, table.columns)
    left_out = [*table.without, *keep, *([] if names is None else [names])]
    wanted = match_columns(cells, table.columns, left_out, table.labels)
    table.settle_duplicates(cells, names)
    _compare_columns(table.labels, wanted, clusterings)
    if extra := [name for name in wanted if name not in clusterings]:
        warn(f"Ignored columns that are not clusterings of the saved result: {_listed(extra)}.")
    usable = {name: with_points(cells[name], cells.dialect.decimal) for name in wanted if name in clusterings}
    objects = None if names is None else ObjectNames(as_names(cells[names]), title=names)
    with collect_warnings():  # a few rows look transposed, or like names
        return Ensemble.from_partitions(
            {name: as_labels_column(column) for name, column in usable.items()}, object_names=objects
        )


def _compare_columns(path: str, columns: Sequence[str], clusterings: Sequence[str]) -> None:
    """Refuse a table without any of the clusterings, and note those that it does not have."""
    missing = [name for name in clusterings if name not in columns]
    if len(missing) == len(clusterings):
        raise InputError(
            f"{path} has none of the clusterings behind the saved result; expected at least one of the columns "
            f"{_listed(clusterings)}, but it has {_listed(columns)}."
        )
    if missing:
        number = f"{len(missing)} of {len(clusterings)} clusterings"
        complain(f"{path} has no column for {number}, which count as missing: {_listed(missing)}.", "note")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + ", …" * (len(names) > 5)


# more clusterings -------------------------------------------------------------------------------------------


@dataclass
class MoreLabels(LabelTable):
    """A table of more labels.

    Options
    -------
    labels: table of more clusterings, or - for standard input
    """

    labels: InFile | None = None  # type: ignore[assignment]
    _: KW_ONLY


def update(
    saved: str,
    table: MoreLabels,
    *,
    drop: Names = (),
    drop_objects: Names = (),
    add_objects: InFile | None = None,
    changes: TableOut | None = None,
    answer: KeepingAnswer,
) -> None:
    r"""Update a saved result with more clusterings or objects, keeping cluster numbers and names.

    The saved result is a file written by another command with --save. The table has more clusterings of the same
    objects. Objects are matched by the names in the --id column; an object without a row has no label there. Without
    names, rows must be in the order of the saved result. New objects are in a table like that of graphens assign, with
    columns that are called like the clusterings; columns for --keep come from this table if it is given, and are empty
    for objects that it does not have. The original call is repeated on all labels, with the same options and seed. Each
    cluster keeps the number of the old cluster with which it shares the most objects.

    for example:
      graphens update answer.npz march.csv --id customer --save answer.npz \
          -o clusters.csv
      graphens update answer.npz --add-objects april.csv --id customer \
          --save answer.npz -o clusters.csv
      graphens update answer.npz --drop team_3 -o clusters.csv --changes moved.csv

    Options
    -------
    saved: result saved with --save (.npz); --save may replace it
    drop: clusterings to remove
    drop_objects: objects to remove
    add_objects: table of new objects and their labels; rows of objects that the saved result has replace their labels
    changes: write a table of the objects that moved, and why: .csv, .tsv, .parquet, ...
    """
    if table.labels is None and not drop and not drop_objects and add_objects is None:
        able = "a table of more clusterings, --add-objects, --drop, or --drop-objects"
        raise InputError(f"No table was given; expected {able}.")
    before = saved_consensus(saved)
    more = None if table.labels is None else table.read(*(() if add_objects else answer.keep))
    if more is not None and more.object_names is not None and before.ensemble.object_names is not None:
        check_unique(before.ensemble.vertex_names().texts(), saved, saved=True)
        check_unique(more.vertex_names().texts(), str(table.labels))
    new, rows = None, table
    if add_objects is not None:
        rows = replace(table, labels=add_objects)
        new = _new_objects(rows, before, answer.keep)
        if new.object_names is not None:
            check_unique(new.vertex_names().texts(), add_objects)
    beside = answer.kept(rows.table)
    r = before.update(more, objects=new, drop=list(drop), without=list(drop_objects))
    assert r.changes is not None
    if changes is not None:
        names = {str(before.ensemble.index_name or "object"): r.changes.moved.column()}
        write_table(names | r.changes.columns(), changes, rows.table.dialect)
    if beside and (named := more if new is None else new) is not None:
        place = {name: row for row, name in enumerate(named.vertex_names().texts())}
        lines = [place.get(name) for name in r.ensemble.vertex_names().texts()]
        beside = {name: [None if i is None else cells[i] for i in lines] for name, cells in beside.items()}
    r = answer.write(r, rows.table.dialect, beside=beside)
    note(f"{r!r}\n{r.changes!r}")


# matching ---------------------------------------------------------------------------------------------------


def match(
    first: InFile,
    second: InFile,
    *,
    column: Name = "cluster",
    reading: Reading,
    relabel: TableOut | None = None,
    output: Figures | None = None,
) -> None:
    """Match the clusters of two clusterings of the same objects one to one.

    Both are tables written by consensus or cluster, or any other tables with a column of clusters (--column). Objects
    are matched by the names in the first column or in the column given by --id; without names, they are matched by
    their order. The output has a row for each cluster of the second table: the matching cluster of the first, the
    number of objects they share, and the share of each that this is. With --relabel, the second table is also written
    with its clusters named as in the first.

    example:
      graphens match january.csv february.csv --relabel february_named.csv

    Options
    -------
    first: table of clusters, or - for standard input
    second: table of clusters to match with the first
    column: column of clusters
    relabel: write the second table with the cluster names of the first
    """
    (_, a), (cells, b) = (_clusters(path, column, reading) for path in (first, second))
    pairing = ge.match(a, b)
    above = f"{percent(pairing.agreed, 1)} of the objects are in matched clusters."
    show(_pair_columns(pairing), output, cells.dialect, above=above)
    if relabel is not None:
        named = pairing.relabel(list(b.values()) if isinstance(b, dict) else b)
        write_table({**cells, column: named.tolist()}, relabel, cells.dialect)


def _pair_columns(pairing: Match) -> dict[str, list[Any]]:
    """The clusters of the second with their partners, and how much they share."""
    rows, columns = pairing.names
    table: dict[str, list[Any]] = {"second": columns, "first": [pairing.pairs.get(name) for name in columns]}
    table |= {"objects": [], "share_of_second": [], "share_of_first": []}
    for j, first in enumerate(table["first"]):
        i = None if first is None else rows.index(first)
        shared = 0 if i is None else int(pairing.counts[i, j])
        table["objects"].append(shared)
        table["share_of_second"].append(shared / max(int(pairing.counts[:, j].sum()), 1))
        table["share_of_first"].append(None if i is None else shared / int(pairing.counts[i].sum()))
    return table


def _clusters(path: str, column: str, reading: Reading) -> tuple[Table, Any]:
    """A table and its clusters: by the names of the objects if --id or a column before the clusters has them."""
    cells = reading.cells(path)
    for name in (column, *([] if reading.id is None else [reading.id])):
        if name not in cells:
            has = f"it has {', '.join(list(cells)[:10])}.{did_you_mean(name, list(cells))}"
            raise InputError(f"{path} has no column {name!r}; {has}")
    names = reading.id or next(iter(cells))
    reading.settle_duplicates(cells, names)
    labels = as_labels_column(cells[column]).tolist()
    if names == column:
        return cells, labels
    texts = [str(cell) for cell in cells[names]]
    check_unique(texts, path)
    return cells, dict(zip(texts, labels, strict=True))
