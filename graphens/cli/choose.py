"""Choose the number of clusters, and show what every rule says.

The table has a row for each number of clusters and a column for each rule: eigengap and lifetime are larger where a
number stands out, stability and pac smaller. The verdict goes to standard error where the table goes to a file.

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
    """Read the labels, ask the rules, show the curves."""
    from .. import choose_k

    check_output(args.output, args.labels)
    found = choose_k(read_labels(args), args.ks, rule=args.rule, seed=args.seed)
    show(found.columns(), args, above=repr(found))
