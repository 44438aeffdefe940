"""Write a report about a consensus: the result, warnings, pictures, tables, and how to reproduce it.

The consensus is computed as `graphens consensus` does it, or read from a file saved with --save. The report is a single
HTML file that works offline.

for example:
  graphens report labels.csv -k 5 -o report.html --ks 2:8 --open
  graphens report labels.csv --id cell --classes type --features cells.csv
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ._options import add_consensus, add_ks, add_labels, names
from ._screen import note
from ._tables import check_place, classes_of, features_of, read_labels
from .consensus import saved_or_combined


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    add_consensus(parser, "page")
    add_ks(parser, None, "numbers of clusters to try and show")
    about = "methods to run and compare (default: none)"
    add("--methods", "--compare", dest="methods", metavar="A,B,...", type=names, help=about)
    add(
        "--classes",
        metavar="COLUMN|FILE",
        help="known classes to compare with: a column of the table, or a file",
    )
    add("--features", metavar="FILE", help="table of features, used to draw the objects")
    add("--title", help="title of the page")
    add("-o", "--output", metavar="FILE", default="report.html", help="output file (default: %(default)s)")
    add("--open", action="store_true", help="open the page in a browser")


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, write the page."""
    import webbrowser

    if not args.output.lower().endswith((".html", ".htm")):
        raise InputError(f"-o {args.output} was given; expected a file ending in .html.")
    check_place(args.output, args.labels)
    e = read_labels(args, args.classes)
    asked = {"classes": classes_of(args, args.classes, e), "X": features_of(args, e)}
    r = saved_or_combined(e, args)
    made = r.report(args.output, title=args.title, ks=args.ks, methods=args.methods, **asked)
    note(f"{r!r}\n  page        {made}")
    if args.open:
        webbrowser.open(made.resolve().as_uri())
