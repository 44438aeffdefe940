"""Assign new objects to the clusters of a saved result.

The saved result is a file written by another command with --save. The table has a row for each new object and columns
with the names of the clusterings behind the result. Clusterings without a column count as missing, and other columns
are ignored with a warning. Nothing is clustered again: each object joins the cluster with which it shares the most
labels.

The result has a row for each new object: its cluster (empty if no label links it to one), the confidence, and the
rival, which is the second-best cluster. If there are labels that the saved result does not have, the column unseen
counts them.

example:
  graphens consensus labels.csv --id customer -k 5 --save answer.npz
  graphens assign answer.npz march.csv --id customer -o new.csv
"""

from __future__ import annotations

import argparse
from typing import Any

from .. import Consensus, Ensemble
from ..errors import FileError, InputError, notes, warn
from ..export.archive import load
from ..export.frames import names_of
from ..export.label_files import as_labels_column, read_ensemble
from ._options import add_labels, add_table
from ._screen import note
from ._tables import check_one_file, check_output, find_id, read_alleles, read_cells, write


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_saved(parser)
    add_labels(parser)
    add_table(parser)


def add_saved(parser: argparse.ArgumentParser) -> None:
    """Add the saved result."""
    parser.add_argument("saved", help="result saved with --save (.npz)")


def run(args: argparse.Namespace) -> None:
    """Read the saved result and the new objects, and assign them."""
    check_output(args.output, args.labels)
    r = saved_consensus(args.saved)
    e = _new_objects(args, r)
    found = r.assign(e)
    columns: dict[str, Any] = {
        str(e.index_name or "object"): found.names.column(),
        "cluster": [None if c < 0 else c for c in found.labels.tolist()],
        **({"name": names_of(found.labels, found.cluster_names)} if found.cluster_names else {}),
        "confidence": found.confidence.round(6).tolist(),
        "rival": [None if c < 0 else c for c in found.rival.tolist()],
    }
    if found.unseen.any():
        columns["unseen"] = found.unseen.tolist()
    if args.membership:
        columns |= {f"cluster_{j}": column.round(6).tolist() for j, column in enumerate(found.membership.T)}
    write(columns, args)
    note(repr(found))


def saved_consensus(path: str) -> Consensus:
    """Read a saved result."""
    found = load(path)
    if not isinstance(found, Consensus):
        raise FileError(f"{path} holds a saved {type(found).__name__}; expected a result saved with --save.")
    return found


def _new_objects(args: argparse.Namespace, r: Consensus) -> Ensemble:
    """The rows of a table in the columns of the saved result, with a note about other columns."""
    check_one_file(args.labels)
    if args.profiles:
        return read_alleles(args, args.labels)
    if args.labels.lower().endswith(".npz"):
        return read_ensemble(args.labels, columns=args.columns, id_column=args.id)
    cells = args.table = read_cells(args.labels, args)
    asked = [*(args.columns or []), *([] if args.id is None else [args.id])]
    if strange := [name for name in asked if name not in cells]:
        raise InputError(f"{args.labels} has no column {strange[0]!r}; it has {', '.join(list(cells)[:20])}.")
    known, called = r.ensemble.partition_names, r.ensemble.index_name
    if args.id is None:
        args.id = called if called in cells else find_id(args, cells, known)
    wanted = [name for name in args.columns or cells if name != args.id]
    extra = [name for name in wanted if name not in known]
    if len(extra) == len(wanted):
        raise InputError(
            f"{args.labels} has none of the clusterings behind the saved result; expected at least one of the columns "
            f"{', '.join(known[:20])}."
        )
    if extra:
        warn(
            "Ignored columns that are not clusterings of the saved result: "
            f"{', '.join(extra[:5])}{', …' * (len(extra) > 5)}."
        )
    with notes():  # a few rows look transposed, or like names
        return Ensemble.from_partitions(
            {name: as_labels_column(cells[name]) for name in wanted if name in known},
            object_names=None if args.id is None else list(cells[args.id]),
        )._replace(index_name=args.id)
