"""Choose the number of clusters, and show the result of every rule.

The table has a row for each number of clusters and a column for each rule: for eigengap and lifetime larger values are
better, for stability and pac smaller ones. If the table is written to a file, the chosen number and the reason go to
standard error.

example:
  graphens choose labels.csv --ks 2:12 --seed 0
"""

from __future__ import annotations

import argparse

from ._options import add_ks, add_labels, add_output, add_rule, add_seed
from ._tables import check_output, read_labels, show


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    add_ks(parser, "2:10")
    add_rule(parser)
    add_seed(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, evaluate the rules, and show the curves."""
    from .. import choose_k

    check_output(args.output, args.labels)
    found = choose_k(read_labels(args), args.ks, rule=args.rule, seed=args.seed)
    show(found.columns(), args, above=repr(found))
