"""Say why an object is in its cluster.

The consensus is made as `graphens consensus` makes it. The table has what each clustering says: the object's label
there, the cluster of the consensus that most others with that label are in, and how many of them are in its own.

example:
  graphens explain labels.csv -k 5 --id cell --object AAACATACAACCAC
"""

from __future__ import annotations

import argparse
import sys

from ..core.ensemble import Ensemble
from ._answer import add_k, check_output
from ._figures import add_output, show
from ._labels import add_labels, read_labels
from ._screen import note, paragraphs, say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    add_k(parser)
    add(
        "--object",
        metavar="NAME",
        required=True,
        help="its name, or its row number from 0 where names are not given",
    )
    add("--method", default="auto", help="see graphens methods (default: %(default)s)")
    add("--seed", type=int, help="the same seed gives the same answer")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, explain one object."""
    from .. import consensus

    if args.output is not None:
        check_output(args.output, args.labels)
    e = read_labels(args)
    found = consensus(e, args.k, method=args.method, seed=args.seed).explain(_which(args.object, e))
    if args.output is None:
        say(*paragraphs(repr(found), sys.stdout), "")
    else:
        note(*paragraphs(repr(found), sys.stderr))
    show(found.columns(), args.output)


def _which(given: str, e: Ensemble) -> int | str:
    """A name where there is such a name, otherwise a row number."""
    known = e.object_names is not None and given in e.object_names.tolist()
    return given if known or not given.isdigit() else int(given)
