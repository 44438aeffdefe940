"""Draw a consensus as a heat map, graph, tree, or another picture.

The consensus is computed as `graphens consensus` does it, or read from a file saved with --save.

for example:
  graphens plot labels.csv -k 5 --seed 0 -o heatmap.png
  graphens plot labels.csv -k 5 --kind graph --method cspa -o graph.svg
  graphens plot labels.csv --id cell --kind scatter --features cells.csv
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..export._atomic import atomic
from ._options import OneOf, add_consensus, add_labels
from ._screen import note
from ._tables import check_place, classes_of, features_of, read_labels
from .consensus import saved_or_combined

KINDS = ("heatmap", "confidence", "graph", "tree", "evidence", "scatter", "frequencies", "flow")
ENDINGS = (".png", ".svg", ".pdf", ".jpg")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    about = f"kind of picture: {', '.join(KINDS)} (default: %(default)s)"
    add("--kind", metavar="NAME", type=OneOf(KINDS), default=KINDS[0], help=about)
    add(
        "--classes",
        metavar="COLUMN|FILE",
        help="known classes to show beside a heat map: a column of the table, or a file",
    )
    add("--features", metavar="FILE", help="table of features, for --kind scatter")
    add("--dpi", metavar="N", type=int, default=150, help="dots per inch (default: %(default)s)")
    add_consensus(parser, "picture")
    about = f"output file: {', '.join(ENDINGS)} (default: %(default)s)"
    add("-o", "--output", metavar="FILE", default="consensus.png", help=about)


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, draw."""
    if not args.output.lower().endswith(ENDINGS):
        raise InputError(f"-o {args.output} was given; expected a file ending in {', '.join(ENDINGS)}.")
    if not 10 <= args.dpi <= 2000:
        raise InputError(f"--dpi {args.dpi} was given; expected a number from 10 to 2000.")
    check_place(args.output, args.labels)
    import matplotlib as mpl

    mpl.use("Agg")  # a file is drawn where there is no screen, too
    e = read_labels(args, args.classes)
    asked = {"classes": classes_of(args, args.classes, e), "X": features_of(args, e)}
    r = saved_or_combined(e, args)
    display = r.plot(args.kind, **{name: value for name, value in asked.items() if value is not None})
    with atomic(args.output) as file:
        ending = args.output.rpartition(".")[2].lower()
        display.figure_.savefig(
            file, format=ending, dpi=args.dpi, metadata={} if ending != "svg" else {"Date": None}
        )
    note(f"{r!r}\n  picture     {args.output}")
