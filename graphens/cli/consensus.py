"""Combine the clusterings of a table into one.

The table has a row for each object and a column for each clustering: .csv, .tsv, .txt, .parquet, .xlsx, - for standard
input, or an ensemble saved as .npz. The first line is a header unless it holds only numbers. A first column that is
different in every row names the objects. Empty cells, NA, NaN, None, null and -1 are missing labels. The result has a
row for each object: its cluster (empty if the object has no label at all) and the confidence of the assignment. If the
input is a .csv file, a .csv result has the same delimiter and encoding.

for example:
  graphens consensus labels.csv -k 3 --method mcla --seed 0 -o out.csv
  graphens consensus labels.csv -k 3 --save answer.npz
  graphens consensus labels.csv --id cell --method eac --set linkage=average
  graphens consensus labels.csv --id cell --must-link pairs.csv -o out.xlsx
  graphens consensus 'labels/*.parquet' -k 20 --out-of-core -o out/
"""

from __future__ import annotations

import argparse

from .. import Consensus, Ensemble, consensus, load
from ..errors import InputError
from ..export.table_files import as_number
from ._options import add_answer, add_consensus, add_labels, fitting_options, method_options
from ._out_of_core import add_out_of_core, answer_on_disk
from ._screen import note
from ._tables import check_answer, read_labels, read_pairs, write_answer


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_labels(parser)
    parser.add_argument("--weights", metavar="W,W,...", help="weight of each clustering (default: 1)")
    add_consensus(parser)
    add_answer(parser)
    add_out_of_core(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, write the clusters."""
    if args.out_of_core or args.scheduler:
        answer_on_disk(args, None if args.weights is None else _numbers(args.weights))
        return
    if args.more:
        raise InputError(
            f"{args.more[0]} was given in addition to {args.labels}; expected one table. Only --out-of-core reads "
            "several files."
        )
    check_answer(args, args.labels)
    e = read_labels(args)
    answer(e if args.weights is None else e.reweight(_numbers(args.weights)), args)


def answer(e: Ensemble, args: argparse.Namespace) -> None:
    """Combine an ensemble according to the arguments and write the result; the summary goes to standard error."""
    found = combined(e, args)
    write_answer(found, e, args)
    note(repr(found))


def combined(e: Ensemble, args: argparse.Namespace) -> Consensus:
    """Return the consensus of an ensemble according to the arguments."""
    options = ({} if args.rule is None else {"rule": args.rule}) | method_options(args) | read_pairs(args, e)
    with fitting_options(args):
        return consensus(e, args.k, method=args.method, seed=args.seed, **options)


def saved_or_combined(e: Ensemble, args: argparse.Namespace) -> Consensus:
    """Return the saved result if the file holds one and no option requests another; otherwise combine the labels."""
    asked = (args.k, args.rule, args.seed, args.columns, args.must_link, args.cannot_link, args.partitioner)
    again = any(each is not None for each in asked) or args.method != "auto" or bool(args.set)
    found = load(args.labels) if args.labels.lower().endswith(".npz") and not again else None
    return found if isinstance(found, Consensus) else combined(e, args)


def _numbers(text: str) -> list[float]:
    try:
        return [as_number(number) for number in text.split(",")]
    except ValueError:
        raise InputError(f"--weights {text} was given; expected numbers separated by commas.") from None
