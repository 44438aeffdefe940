"""What all commands share that read a table of labels."""

from __future__ import annotations

import argparse

from .. import Ensemble
from ..export.labels import read_ensemble
from ._parser import check_one_file, delimiter, names


def add_labels(parser: argparse.ArgumentParser) -> None:
    """Add the table and how to read it."""
    add = parser.add_argument
    add("labels", help="table of labels, or - for standard input")
    add("--columns", metavar="A,B,...", type=names, help="the clusterings (default: all columns)")
    add("--id", metavar="COLUMN", help="the column with the objects' names")
    add("--delimiter", metavar="C", type=delimiter, help="what separates cells (default: guessed)")


def read_labels(args: argparse.Namespace) -> Ensemble:
    """Read the table that the arguments name."""
    check_one_file(args.labels)
    return read_ensemble(args.labels, columns=args.columns, id_column=args.id, delimiter=args.delimiter)
