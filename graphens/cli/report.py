"""Write one page about a consensus: the answer, what to doubt, pictures, tables, how to repeat it.

The consensus is made as `graphens consensus` makes it. The page is a single HTML file that needs nothing from outside.

example:
  graphens report labels.csv -k 5 -o report.html --ks 2:8 --open
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add_k, add_ks, add_labels, add_method, add_seed, names
from ._screen import note
from ._tables import check_place, read_labels


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    add_k(parser)
    add_method(parser, options=False)
    add_seed(parser, "page")
    add_ks(parser, None, "numbers of clusters to try and show")
    add("--compare", metavar="NAME,NAME,...", type=names, help="methods to run and compare (default: none)")
    add("--title", help="the title of the page")
    add("-o", "--output", metavar="FILE", default="report.html", help="where to (default: %(default)s)")
    add("--open", action="store_true", help="open the page in a browser")


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, write the page."""
    import webbrowser

    from .. import consensus

    if not args.output.lower().endswith((".html", ".htm")):
        raise InputError(f"-o {args.output} was given; expected a file ending in .html.")
    check_place(args.output, args.labels)
    r = consensus(read_labels(args), args.k, method=args.method, seed=args.seed)
    made = r.report(args.output, title=args.title, ks=args.ks, methods=args.compare)
    note(f"{r!r}\n  page        {made}")
    if args.open:
        webbrowser.open(made.resolve().as_uri())
