r"""Update a saved result with more clusterings, keeping cluster numbers and names.

The saved result is a file written by another command with --save. The table has more clusterings of the same objects.
Objects are matched by the names in the --id column; an object without a row has no label there. Without names, rows
must be in the order of the saved result. The original call is repeated on all clusterings, with the same options and
seed. Each cluster keeps the number of the old cluster with which it shares the most objects.

for example:
  graphens update answer.npz march.csv --id customer --save answer.npz \
      -o clusters.csv
  graphens update answer.npz --drop team_3 -o clusters.csv --changes moved.csv
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add_answer, add_labels, names
from ._screen import note
from ._tables import check_answer, check_output, read_labels, write, write_answer
from .assign import add_saved, saved_consensus


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_saved(parser)
    add_labels(parser, optional=True)
    add("--drop", metavar="A,B,...", type=names, default=[], help="clusterings to remove")
    add("--without", metavar="A,B,...", type=names, default=[], help="objects to remove")
    add(
        "--changes",
        metavar="FILE",
        help="write a table of the objects that moved, and why: .csv, .tsv, .parquet, ...",
    )
    add_answer(parser)


def run(args: argparse.Namespace) -> None:
    """Read the saved result and the new clusterings, combine them, and write the clusters and the changes."""
    if args.labels is None and not args.drop and not args.without:
        raise InputError("No table was given; expected a table of more clusterings, --drop, or --without.")
    check_answer(args, args.labels or "-")
    check_output(args.changes, args.labels or "-")
    r = saved_consensus(args.saved)
    found = r.update(None if args.labels is None else read_labels(args), drop=args.drop, without=args.without)
    assert found.changes is not None
    if args.changes is not None:
        write(found.changes.columns(), args, args.changes)
    write_answer(found, found.ensemble, args)
    note(f"{found!r}\n{found.changes!r}")
