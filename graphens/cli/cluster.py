"""Cluster a table of features many times, and write the consensus of these clusterings.

The result is a table with the cluster of each object and the confidence of the assignment. -k is the number of clusters
in the result; without -k it is chosen automatically. --base-k is the number of clusters in the clusterings that are
combined.

for example:
  graphens cluster data.csv -k 3 --seed 0 -o clusters.csv
  graphens cluster data.csv --base-k 10:30 --method eac --seed 0 -o clusters.csv
"""

from __future__ import annotations

import argparse

from ._options import add_answer, add_k, add_method, add_pairs, add_rule
from ._tables import check_answer
from .consensus import answer
from .generate import add_making, make


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_making(parser, "--base-k")
    add_k(parser, "-c")
    add_rule(parser, None)
    add_method(parser)
    add_pairs(parser)
    add_answer(parser)


def run(args: argparse.Namespace) -> None:
    """Generate, combine, write."""
    check_answer(args, args.data)
    answer(make(args), args)
