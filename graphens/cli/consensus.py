"""Combine the clusterings of a table into one.

The table has a row for each object and a column for each clustering: .csv, .tsv, .txt, .parquet, - for standard input,
or an ensemble saved as .npz. The first line is a header unless it holds only numbers. Empty cells, NA, NaN, None, null
and -1 are missing labels. The result has a row for each object: its cluster (empty where an object has no label at all)
and the confidence of the assignment.

for example:
  graphens consensus labels.csv -k 3 --method mcla --seed 0 -o out.csv
  graphens consensus labels.csv --id cell --method eac --set linkage=average
  graphens consensus 'labels/*.parquet' -k 20 --out-of-core -o out/
"""

from __future__ import annotations

import argparse

from ..errors import InputError
from ..export.tables import as_number
from ._answer import add_k, add_method, add_rule, answer, check_output
from ._labels import add_labels, read_labels
from ._out_of_core import add_out_of_core, answer_on_disk


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add_labels(parser)
    add_k(parser)
    add("--weights", metavar="W,W,...", help="weight of each clustering (default: 1)")
    add("--seed", type=int, help="the same seed gives the same answer")
    add_rule(parser, None)
    add_method(parser)
    add_out_of_core(parser)


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, write the clusters."""
    if args.out_of_core or args.scheduler:
        answer_on_disk(args, None if args.weights is None else _numbers(args.weights))
        return
    if args.more:
        raise InputError(
            f"{args.more[0]} was given beside {args.labels}; expected one table. Several files go with --out-of-core."
        )
    check_output(args.output, args.labels)
    e = read_labels(args)
    answer(e if args.weights is None else e.reweight(_numbers(args.weights)), args)


def _numbers(text: str) -> list[float]:
    try:
        return [as_number(number) for number in text.split(",")]
    except ValueError:
        raise InputError(f"--weights {text} was given; expected numbers separated by commas.") from None
