"""Cluster a table of features many times, combine the clusterings, and write the one they add up to.

The answer is a table with the cluster of each object and the confidence in it. Without --clusters the method chooses
how many there are.

example:
  graphens cluster data.csv --clusters 3 --seed 0 -o clusters.csv
"""

from __future__ import annotations

import argparse

from ._answer import add_method, answer, check_output
from ._making import add_making, make


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_making(parser)
    parser.add_argument(
        "-c", "--clusters", metavar="N", type=int, help="clusters in the answer (default: chosen)"
    )
    add_method(parser)


def run(args: argparse.Namespace) -> None:
    """Generate, combine, write."""
    check_output(args.output, args.data)
    answer(make(args), args.clusters, args)
