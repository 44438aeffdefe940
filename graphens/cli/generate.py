"""Cluster a table of features many times, and write the labels.

The result is a table with a row for each object and a column for each clustering (.csv, .tsv, .parquet, - for standard
output), or a saved ensemble (.npz, which also keeps the weights). A cell is empty if the clustering left out the
object.

example:
  graphens generate data.csv -B 50 -k 10:30 --seed 0 -o labels.parquet
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from .. import Ensemble, generate
from ..errors import GraphensError, InputError, Interrupted
from ._options import add_features, add_jobs, add_partitions, add_seed, base_k, names
from ._parser import option_of
from ._progress import partitions_done
from ._screen import complain, say
from ._tables import check_output, read_features, write


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_making(parser, "-k", "--base-k")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="output file for the labels")


def add_making(parser: argparse.ArgumentParser, *k_flags: str) -> None:
    """Add the arguments that decide an ensemble; `k_flags` say how many clusters its partitions have."""
    add = parser.add_argument
    add_features(parser)
    add_partitions(parser, 50, "number of clusterings")
    add(
        *k_flags,
        dest="base_k",
        metavar="K|LOW:HIGH|K,K,...",
        type=base_k,
        help=(
            "number of clusters in each clustering: a number, an interval, or numbers to draw from (default: around "
            "the square root of n)"
        ),
    )
    add(
        "--base",
        metavar="NAME,...",
        type=names,
        default=["kmeans"],
        help="clustering algorithms (default: kmeans)",
    )
    add(
        "--sampling",
        metavar="NAME",
        help="how the data for each clustering are sampled: bootstrap, subsample, features, ...",
    )
    about = "share of the objects or features in each sample"
    add("--share", "--fraction", dest="share", metavar="F", type=float, help=about)
    about = "also label objects that a sample left out, instead of leaving their labels missing"
    add("--assign", action="store_true", help=about)
    add_seed(parser)
    add_jobs(parser)


def run(args: argparse.Namespace) -> None:
    """Generate, write."""
    check_output(args.output, args.data, ".npz")
    e = make(args)
    if args.output.lower().endswith(".npz"):
        e.save(args.output)
    else:
        write(_columns(e, args.id), args)
    if args.output != "-":
        say(f"{args.output}: {e!r}")


def make(args: argparse.Namespace) -> Ensemble:
    """Read the features and generate the ensemble the arguments ask for."""
    X, objects = read_features(args)
    with _named_failures(args):
        e = generate(
            X,
            args.n_partitions,
            k=args.base_k,
            base=args.base if len(args.base) > 1 else args.base[0],
            sampling=args.sampling,
            share=args.share,
            assign=args.assign,
            seed=args.seed,
            n_jobs=args.n_jobs,
            progress=partitions_done,
            checkpoint=args.checkpoint,
        )
    return e if objects is None else e._replace(object_names=objects, index_name=args.id)


@contextmanager
def _named_failures(args: argparse.Namespace) -> Iterator[None]:
    """Say what an interruption leaves, which base refused the features, and that k is that of the clusterings."""
    try:
        yield
    except Interrupted as stop:
        done = 0 if stop.ensemble is None else stop.ensemble.n_partitions
        kept = (
            f"are saved in {args.checkpoint}; run the same command to continue"
            if args.checkpoint
            else "are lost; --checkpoint FILE would have saved them"
        )
        complain(f"{done} of {args.n_partitions} clusterings {kept}.")
        raise
    except GraphensError as error:
        option = option_of("base_k", args) if error.parameter == "k" else None
        raise (error.named(option) if option else error) from None
    except ValueError as error:  # of a base clusterer, about features that it cannot cluster
        raise InputError(f"--base {','.join(args.base)} cannot cluster {args.data}: {error}") from None


def _columns(e: Ensemble, id_column: str | None) -> dict[str, list[object]]:
    """The labels of every clustering, None where missing, after the objects' names where there are any."""
    columns: dict[str, list[object]] = {}
    if id_column is not None:
        columns[id_column] = e.vertex_names().column()
    for name, row in zip(e.partition_names, e.codes, strict=True):
        columns[name] = [None if code == e.absent else code for code in row.tolist()]
    return columns
