"""Show how far each clustering of a table agrees with the others, and how much it matters.

agreement is the mean adjusted Rand index with the other clusterings (about 0: it agrees by chance only), influence how
far the consensus changes without the clustering, weight what consensus --weights takes.

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
    about = "of the consensus that influence is measured on (default: %(default)s)"
    parser.add_argument("--method", default="lwgp", help=about)
    add_seed(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, look at every clustering, show the table."""
    from .. import members

    check_output(args.output, args.labels)
    found = members(read_labels(args), args.k, method=args.method, seed=args.seed)
    show(found.to_dict("list"), args)
