"""Show how well each clustering of a table agrees with the others, and how much it matters.

agreement is the mean adjusted Rand index with the other clusterings (about 0 is chance level), influence is how much
the consensus changes without the clustering, and weight is a suggestion for consensus --weights.

example:
  graphens members labels.csv --id customer -k 5 --seed 0
"""

from __future__ import annotations

import argparse

from ._options import add_k, add_labels, add_output, add_seed
from ._tables import check_output, read_labels, show


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    add_k(parser)
    about = "method of the consensus used to measure influence (default: %(default)s)"
    parser.add_argument("--method", default="lwgp", help=about)
    add_seed(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, look at every clustering, show the table."""
    from ..choose.select import member_columns

    check_output(args.output, args.labels)
    show(member_columns(read_labels(args), args.k, method=args.method, seed=args.seed), args)
