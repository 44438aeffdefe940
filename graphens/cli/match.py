"""Match the clusters of two clusterings of the same objects one to one.

Both are tables written by consensus or cluster, or any other tables with a column of clusters (--column). Objects are
matched by the names in the first column or in the column given by --id; without names, they are matched by their order.
The output has a row for each cluster of the second table: the matching cluster of the first, the number of objects they
share, and the share of each that this is. With --relabel, the second table is also written with its clusters named as
in the first.

example:
  graphens match january.csv february.csv --relabel february_named.csv
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from ..errors import InputError, meant
from ..export.label_files import as_labels_column
from ..export.table_files import Table, write_table
from ._options import add_output, add_reading
from ._tables import check_one_file, check_output, read_cells, show

if TYPE_CHECKING:
    from ..choose.correspondence import Match


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("first", help="table of clusters, or - for standard input")
    add("second", help="table of clusters to match with the first")
    about = "column of clusters (default: %(default)s)"
    add("--column", metavar="NAME", default="cluster", help=about)
    add_reading(parser)
    add("--relabel", metavar="FILE", help="write the second table with the cluster names of the first")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read both tables, match their clusters, show the pairs."""
    from .. import match

    check_output(args.output, args.first)
    check_output(args.relabel, args.first, option="--relabel")
    first, second = _read(args.first, args), _read(args.second, args)
    a, b = _clusters(first, args), _clusters(second, args)
    found = match(a, b)
    show(pair_columns(found), args, above=f"{found.agreed:.1%} of the objects are in matched clusters.")
    if args.relabel is not None:
        named = found.relabel(list(b.values()) if isinstance(b, dict) else b)
        write_table({**second, args.column: named.tolist()}, args.relabel, second.dialect)


def pair_columns(found: Match) -> dict[str, list[Any]]:
    """Return the clusters of the second with their partners, and how much they share."""
    rows, columns = found.names
    partner = [found.pairs.get(name) for name in columns]
    place = [None if name is None else rows.index(name) for name in partner]
    shared = [0 if i is None else int(found.counts[i, j]) for j, i in enumerate(place)]
    sizes = [None if i is None else int(found.counts[i].sum()) for i in place]
    return {
        "second": columns,
        "first": partner,
        "objects": shared,
        "share_of_second": [
            n / max(int(size), 1) for n, size in zip(shared, found.counts.sum(axis=0), strict=True)
        ],
        "share_of_first": [None if size is None else n / size for n, size in zip(shared, sizes, strict=True)],
    }


def _read(path: str, args: argparse.Namespace) -> Table:
    check_one_file(path)
    table = args.table = read_cells(path, args)
    for name in (args.column, *([] if args.id is None else [args.id])):
        if name not in table:
            raise InputError(
                f"{path} has no column {name!r}; it has {', '.join(list(table)[:10])}.{meant(name, list(table))}"
            )
    return table


def _clusters(table: Table, args: argparse.Namespace) -> Any:
    """Clusters by the objects' names where --id or a column before the clusters has them, else in their order."""
    first, labels = next(iter(table)), as_labels_column(table[args.column]).tolist()
    names = args.id or (None if first == args.column else first)
    if names is None:
        return labels
    if len(set(table[names])) < len(labels):
        raise InputError(
            f"The column {names!r} names some objects twice; expected each object once. Choose another column with "
            "--id."
        )
    return dict(zip(map(str, table[names]), labels, strict=True))
