"""Run several methods on a table of clusterings and show them side by side.

score is the mean normalized mutual information with the clusterings, silhouette how clearly objects are together with
their own cluster, balance the largest cluster over the mean, agreement the mean NMI with the other answers. With
--truth, ari, nmi and error_rate compare with the true classes.

for example:
  graphens compare labels.csv -k 5 --methods lwgp,lwea,mcla,eac
  graphens compare labels.csv -k 5 --truth species -o table.tex
"""

from __future__ import annotations

import argparse

from ._options import add_k, add_labels, add_output, add_seed, names
from ._tables import check_output, classes_of, read_labels, show


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    add_k(parser)
    parser.add_argument(
        "--methods", metavar="A,B,...", type=names, help="which (default: all that suit the size)"
    )
    parser.add_argument("--truth", metavar="COLUMN|FILE", help="the true classes")
    add_seed(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, run the methods, show how each did."""
    from ..choose.comparison import compare

    check_output(args.output, args.labels)
    e = read_labels(args, args.truth)
    truth = classes_of(args, args.truth, e)
    found = compare(e, args.k, methods=args.methods, truth=truth, seed=args.seed)
    show(found.figures, args, below="note")
