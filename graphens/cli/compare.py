"""Run several methods on a table of clusterings and show them side by side.

score is the mean normalized mutual information with the clusterings, silhouette how clearly objects are together with
their own cluster, balance the largest cluster over the mean, agreement the mean NMI with the other answers.

example:
  graphens compare labels.csv -k 5 --methods lwgp,lwea,mcla,eac
"""

from __future__ import annotations

import argparse

from ._options import add_k, add_labels, add_output, add_seed, names
from ._tables import check_output, read_labels, show


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    add_k(parser)
    parser.add_argument(
        "--methods", metavar="A,B,...", type=names, help="which (default: all that suit the size)"
    )
    add_seed(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, run the methods, show how each did."""
    from ..choose.comparison import compare

    check_output(args.output, args.labels)
    found = compare(read_labels(args), args.k, methods=args.methods, seed=args.seed)
    show(found.figures, args.output, below="note")
