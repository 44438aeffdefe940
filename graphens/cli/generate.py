"""Cluster a table of features many times, and write the labels.

The answer is a table with a row for each object and a column for each clustering (.csv, .tsv, .parquet, - for standard
output), or a saved ensemble (.npz, which also keeps the weights). Objects that a clustering left out have empty cells.

example:
  graphens generate data.csv -B 50 -k 10:30 --seed 0 -o labels.parquet
"""

from __future__ import annotations

import argparse

from .. import Ensemble
from ..export.tables import write_table
from ._answer import check_output
from ._making import add_making, make
from ._screen import say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_making(parser, "-k", "--base-k")
    parser.set_defaults(k_flag="-k")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write the labels")


def run(args: argparse.Namespace) -> None:
    """Generate, write."""
    check_output(args.output, args.data, ".npz")
    e = make(args)
    if args.output.lower().endswith(".npz"):
        e.save(args.output)
    else:
        write_table(_columns(e, args.id), args.output)
    if args.output != "-":
        say(f"{args.output}: {e!r}")


def _columns(e: Ensemble, id_column: str | None) -> dict[str, list[object]]:
    """The labels of every clustering, None where missing, after the objects' names where there are any."""
    columns: dict[str, list[object]] = {}
    if id_column is not None:
        columns[id_column] = e.vertex_names().column()
    for name, row in zip(e.partition_names, e.codes, strict=True):
        columns[name] = [None if code == e.absent else code for code in row.tolist()]
    return columns
