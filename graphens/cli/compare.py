"""Run several methods on a table of clusterings and show them side by side.

score is the mean normalized mutual information with the clusterings, silhouette shows how clearly objects belong to
their own cluster, balance is the size of the largest cluster divided by the mean size, and agreement is the mean NMI
with the results of the other methods. With --truth, ari, nmi and error_rate compare the results with the true classes.

With several tables, or --seeds, the table shows means and standard deviations over all runs, and the mean rank (by ari
with --truth, otherwise by score). Friedman's test and the critical difference of mean ranks are shown above it.

for example:
  graphens compare labels.csv -k 5 --methods lwgp,lwea,mcla,eac
  graphens compare labels.csv -k 5 --truth species -o table.tex
  graphens compare iris.csv wine.csv -k 3 --seeds 10 --truth class -o table.tex
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import InputError
from ..export._atomic import atomic
from ._options import add_k, add_labels, add_output, add_seed, names
from ._screen import note
from ._tables import check_output, classes_of, read_labels, show


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    parser.add_argument("more", nargs="*", default=[], metavar="file", help="more tables of labels")
    add_k(parser)
    parser.add_argument(
        "--methods",
        metavar="A,B,...",
        type=names,
        help="methods to compare (default: all that are feasible for this size)",
    )
    parser.add_argument(
        "--truth", metavar="COLUMN|FILE", help="true classes: a column of the table, or a file"
    )
    add_seed(parser)
    parser.add_argument("--seeds", metavar="N", type=int, help="repeat the comparison with this many seeds")
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, run the methods, show how each did."""
    from ..choose.comparison import compare

    check_output(args.output, args.labels)
    if args.more or args.seeds is not None:
        repeat(args)
        return
    e = read_labels(args, args.truth)
    truth = classes_of(args, args.truth, e)
    found = compare(e, args.k, methods=args.methods, truth=truth, seed=args.seed)
    show(found.figures, args, below="note")


def repeat(args: argparse.Namespace) -> None:
    """Compare over several tables, or with several seeds."""
    from .. import benchmark

    if args.seeds is not None and args.seed is not None:
        raise InputError("Both --seed and --seeds were given; expected only one of them.")
    tables, truths = {}, {}
    for path in (args.labels, *args.more):
        args.labels = path
        name = Path(path).stem
        if name in tables:
            raise InputError(f"Two tables called {name} were given; expected different names.")
        tables[name] = read_labels(args, args.truth)
        truths[name] = classes_of(args, args.truth, tables[name])
    truth = None if args.truth is None else truths if len(tables) > 1 else truths[name]
    seeds = [args.seed or 0] if args.seeds is None else args.seeds
    found = benchmark(tables, args.k, methods=args.methods, truth=truth, seeds=seeds)
    if args.output is not None and args.output.lower().endswith(".tex"):
        with atomic(args.output, text=True) as file:
            file.write(found.to_latex() + "\n")
        note(found.said())
        return
    show(found.summary(), args, above=found.said(), below="note")
