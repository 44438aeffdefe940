"""Choose the number of clusters, and show what every rule says.

The table has a row for each number of clusters and a column for each rule: eigengap and lifetime are larger where a
number stands out, stability and pac smaller. The verdict goes to standard error where the table goes to a file.

example:
  graphens choose labels.csv --ks 2:12 --seed 0
"""

from __future__ import annotations

import argparse
import sys

from ._answer import add_rule, check_output
from ._figures import add_ks, add_output, show
from ._labels import add_labels, read_labels
from ._screen import note, paragraphs, say


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    add_ks(parser, "2:10")
    add_rule(parser)
    parser.add_argument("--seed", type=int, help="the same seed gives the same answer")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, ask the rules, show the curves."""
    from .. import choose_k

    if args.output is not None:
        check_output(args.output, args.labels)
    found = choose_k(read_labels(args), args.ks, args.rule, seed=args.seed)
    if args.output is None:
        say(*paragraphs(repr(found), sys.stdout), "")
    else:
        note(*paragraphs(repr(found), sys.stderr))
    show(found.columns(), args.output)
