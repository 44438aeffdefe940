"""Estimate one clustering from posterior draws by minimizing its expected loss.

The table has a row for each draw and a column for each object, as R packages write it (a column of row names without a
header is ignored, and so are columns and comments that Stan and R's posterior write about the draws). With --draws
columns, it has a row for each object and a column for each draw. An ensemble saved as .npz also works. The result has a
row for each object: its cluster and the confidence of the assignment. The expected loss and the 95 % credible ball
around the estimate go to standard error.

for example:
  graphens median draws.csv --loss vi --seed 0 -o estimate.csv
  graphens median draws.csv --loss binder --skip 500 --every 10
  graphens median stan_output.csv --variable z --seed 0
"""

from __future__ import annotations

import argparse

from .. import Ensemble
from ..errors import InputError, Interrupted
from ..export.label_files import rows_of
from ..export.table_files import read_table
from ._options import OneOf, add_answer, add_k, add_labels, add_seed
from ._screen import complain, note
from ._tables import check_answer, check_one_file, read_labels, write_answer

LOSSES = ("vi", "binder", "omari", "nvi", "id", "nid")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    add(
        "--draws",
        metavar="WHERE",
        type=OneOf(("rows", "columns")),
        default="rows",
        help="whether the draws are rows or columns of the table (default: rows)",
    )
    about = "the variable with the labels: z for the columns z[1], z[2], ... or z.1, z.2, ..."
    add("--variable", metavar="NAME", help=about)
    add(
        "--loss",
        metavar="NAME",
        type=OneOf(LOSSES),
        default="vi",
        help=f"loss to minimize: {', '.join(LOSSES)} (default: vi)",
    )
    add(
        "-a",
        metavar="A",
        type=float,
        default=1.0,
        help="for vi and binder, a number between 0 and 2: values below 1 give more clusters",
    )
    add_k(parser)
    add("--max-k", metavar="K", type=int, help="maximum number of clusters")
    about = "number of starts of the search (default: %(default)s)"
    add("--starts", dest="n_init", metavar="N", type=int, default=16, help=about)
    add("--skip", metavar="N", type=int, default=0, help="leave out the first N draws (burn-in)")
    add("--every", metavar="N", type=int, default=1, help="keep only every Nth draw (thinning)")
    add_seed(parser)
    add("-j", "--jobs", dest="n_jobs", metavar="N", type=int, help="number of threads (-1: one per core)")
    add_answer(parser)


def run(args: argparse.Namespace) -> None:
    """Read the draws, estimate, write the clusters."""
    from .. import credible_ball, median

    check_answer(args, args.labels)
    e = _read(args)
    try:
        found = median(
            e,
            args.k,
            loss=args.loss,
            a=args.a,
            max_k=args.max_k,
            n_init=args.n_init,
            n_jobs=args.n_jobs,
            seed=args.seed,
        )
    except Interrupted as stop:
        complain(str(stop).partition("; it is in")[0] + ".")
        raise
    write_answer(found, e, args)
    loss = f"  loss        {found.details['expected_loss']:.6g} expected ({args.loss}), from {found.details['from']}"
    note(f"{found!r}\n{loss}\n{credible_ball(found, e, loss=args.loss, a=args.a)!r}")


def _read(args: argparse.Namespace) -> Ensemble:
    """Read the draws and keep those that were asked for."""
    if args.draws == "columns" or args.profiles or args.labels.lower().endswith(".npz"):
        if args.variable is not None:
            raise InputError("--variable selects columns of a table whose rows are draws; leave it out here.")
        e = read_labels(args)
    elif args.columns or args.id:
        raise InputError(
            "--columns and --id need a table whose columns are draws; use them with --draws columns."
        )
    else:
        check_one_file(args.labels)
        how = {"delimiter": args.delimiter, "encoding": args.encoding}
        args.table = read_table(args.labels, **how, comments="#", everywhere=True)
        cells, names = rows_of(args.table, args.labels, args.variable)
        e = Ensemble.from_draws(cells, object_names=names)
    for flag, value, least, most in (
        ("--skip", args.skip, 0, e.n_partitions - 1),
        ("--every", args.every, 1, None),
    ):
        if value < least or (most is not None and value > most):
            bounds = f"at least {least}" if most is None else f"between {least} and {most}"
            raise InputError(
                f"{flag} {value} was given for {e.n_partitions} draws; expected a number {bounds}."
            )
    return e.take(partitions=slice(args.skip, None, args.every)) if args.skip or args.every > 1 else e
