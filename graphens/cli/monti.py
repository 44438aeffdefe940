"""Cluster subsamples of a table of features for every k, and show how clear the clusters are.

pac is the share of object pairs that are neither almost always nor almost never together; smaller is clearer.
silhouette is larger if clusters are clearer. With --checkpoint, an interrupted run can be resumed.

example:
  graphens monti data.csv --ks 2:8 --seed 0 -o monti.csv
"""

from __future__ import annotations

import argparse

from ._options import add_features, add_jobs, add_ks, add_output, add_partitions, add_seed
from ._progress import partitions_done
from ._tables import check_output, read_features, show


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_features(parser)
    add_ks(parser, "2:8")
    add_partitions(parser, 100, "number of clusterings for each k")
    about = "share of the objects in each subsample (default: %(default)s)"
    add("--share", metavar="F", type=float, default=0.8, help=about)
    add("--base", metavar="NAME", default="kmeans", help="clustering algorithm (default: kmeans)")
    add_seed(parser)
    add_jobs(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> None:
    """Read the features, resample, show the panel."""
    from .. import monti

    check_output(args.output, args.data)
    X, _ = read_features(args)
    found = monti(
        X,
        args.ks,
        n_partitions=args.n_partitions,
        share=args.share,
        base=args.base,
        seed=args.seed,
        n_jobs=args.n_jobs,
        progress=partitions_done,
        checkpoint=args.checkpoint,
    )
    show(found.columns(), args)
