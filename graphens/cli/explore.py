"""Write a page to explore a consensus: graph, tree, heat map and table, linked by a threshold.

The consensus is computed as `graphens consensus` does it, or read from a file saved with --save. The page is a single
HTML file that works offline.

example:
  graphens explore labels.csv -k 5 -o explore.html --open
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add_consensus, add_labels
from ._screen import note
from ._tables import check_place, features_of, read_labels
from .consensus import saved_or_combined


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    add_consensus(parser, "page")
    add(
        "--features",
        metavar="FILE",
        help="table of two features, such as UMAP coordinates, used as positions of the objects",
    )
    add("--title", help="title of the page")
    add("-o", "--output", metavar="FILE", default="explore.html", help="output file (default: %(default)s)")
    add("--open", action="store_true", help="open the page in a browser")


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, write the page."""
    import webbrowser

    if not args.output.lower().endswith((".html", ".htm")):
        raise InputError(f"-o {args.output} was given; expected a file ending in .html.")
    check_place(args.output, args.labels)
    e = read_labels(args)
    X = features_of(args, e)
    r = saved_or_combined(e, args)
    made = r.explore(args.output, X=X, title=args.title)
    note(f"{r!r}\n  page        {made}")
    if args.open:
        webbrowser.open(made.resolve().as_uri())
