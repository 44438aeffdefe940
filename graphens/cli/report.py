"""Write one page about a consensus: the answer, what to doubt, pictures, tables, how to repeat it.

The consensus is made as `graphens consensus` makes it. The page is a single HTML file that needs nothing from outside.

example:
  graphens report labels.csv -k 5 -o report.html --ks 2:8 --open
"""

from __future__ import annotations

import argparse
import sys

from ..errors import InputError
from ._answer import add_k, check_place
from ._figures import ks_of
from ._labels import add_labels, read_labels
from ._screen import note, paragraphs


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    add_k(parser)
    add("--method", default="auto", help="see graphens methods (default: %(default)s)")
    add("--seed", type=int, help="the same seed gives the same page")
    add(
        "--ks",
        metavar="LOW:HIGH|K,K,...",
        type=ks_of,
        help="numbers of clusters to try and show (default: none)",
    )
    add("--compare", metavar="NAME,NAME,...", help="methods to run and compare (default: none)")
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
    methods = None if args.compare is None else [name.strip() for name in args.compare.split(",")]
    made = r.report(args.output, title=args.title, ks=args.ks, methods=methods)
    note(*paragraphs(f"{r!r}\n  page        {made}", sys.stderr))
    if args.open:
        webbrowser.open(made.resolve().as_uri())
