"""Cluster a table of features many times, combine the clusterings, and write the one they add up to.

The answer is a table with the cluster of each object and the confidence in it (.csv, .tsv, .parquet, - for standard
output). Without --clusters the method chooses how many there are.

example:
  graphens cluster data.csv --clusters 3 --seed 0 -o clusters.csv
"""

from __future__ import annotations

import argparse

from .. import consensus
from ..export.tables import write_table
from ._making import add_making, check_output, make
from ._screen import say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_making(parser)
    add = parser.add_argument
    add("-c", "--clusters", metavar="N", type=int, help="number of clusters in the answer (default: chosen)")
    add("--method", default="auto", help="the consensus function (default: %(default)s)")
    add("-o", "--output", required=True, metavar="FILE", help="where to write the clusters")


def run(args: argparse.Namespace) -> None:
    """Generate, combine, write."""
    check_output(args.output)
    e = make(args)
    r = consensus(e, args.clusters, method=args.method, seed=args.seed)
    columns: dict[str, object] = {} if args.id is None else {args.id: list(e.vertex_names())}
    cluster = [None if label < 0 else label for label in r.labels.tolist()]
    write_table({**columns, "cluster": cluster, "confidence": r.confidence}, args.output)  # type: ignore[dict-item]
    if args.output != "-":
        say(repr(r), f"written to {args.output}")
