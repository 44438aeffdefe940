"""Cluster subsamples of a table of features for every k, and show how clear the clusters are.

pac is the share of pairs of objects that are neither nearly always nor nearly never together (smaller is clearer),
silhouette is larger where clusters are clearer. An interrupted run goes on with --checkpoint.

example:
  graphens monti data.csv --ks 2:8 --seed 0 -o monti.csv
"""

from __future__ import annotations

import argparse

from ._answer import check_output
from ._figures import add_ks, add_output, show
from ._making import read_features
from ._parser import delimiter, names
from ._progress import partitions_done


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add(
        "data", help="table of features (.csv, .tsv, .txt, .parquet, - for standard input) or an array (.npy)"
    )
    add("--columns", metavar="A,B,...", type=names, help="the features (default: all columns)")
    add("--without", metavar="A,B,...", type=names, default=[], help="columns that are no features")
    add("--id", metavar="COLUMN", help="the column with the objects' names")
    add("--delimiter", metavar="C", type=delimiter, help="what separates cells (default: guessed)")
    add_ks(parser, "2:8")
    add(
        "-B",
        "--partitions",
        metavar="B",
        type=int,
        default=100,
        help="clusterings for each k (default: %(default)s)",
    )
    add(
        "--share",
        metavar="F",
        type=float,
        default=0.8,
        help="share of the objects each sees (default: %(default)s)",
    )
    add("--base", metavar="NAME", default="kmeans", help="what clusters (default: kmeans)")
    add("--seed", type=int, help="the same seed gives the same answer")
    add("-j", "--jobs", metavar="N", type=int, help="clusterings made at the same time (-1: one per core)")
    add(
        "--checkpoint",
        metavar="FILE",
        help="keep finished clusterings here; the same command goes on from it",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the features, resample, show the panel."""
    from .. import monti

    if args.output is not None:
        check_output(args.output, args.data)
    X, _ = read_features(args.data, args.columns, args.without, args.id, args.delimiter)
    found = monti(
        X,
        args.ks,
        args.partitions,
        args.share,
        args.base,
        seed=args.seed,
        n_jobs=args.jobs,
        progress=partitions_done,
        checkpoint=args.checkpoint,
    )
    show(found.columns(), args.output)
