"""Combine the clusterings of a table into one.

The table has a row for each object and a column for each clustering: .csv, .tsv, .parquet, - for standard input, or an
ensemble saved as .npz. The first line is a header unless it holds only numbers. Empty cells, NA, NaN, None, null and
-1 are missing labels. The result has a row for each object: its cluster (empty where an object has no label at all)
and the confidence of the assignment.

for example:
  graphens consensus labels.csv -k 3 --method mcla --seed 0 -o out.csv
  graphens consensus labels.csv --columns a,b,c --id cell --method eac --set linkage=average -o -
"""

from __future__ import annotations

import argparse
import ast
import sys
from typing import Any

from .. import Consensus, Ensemble
from ..errors import InputError
from ..export._atomic import checked_target
from ..export.labels import read_ensemble
from ..export.tables import check_ending, write_table
from ._screen import fitting


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("labels", help="table of labels, or - for standard input")
    configure_table(parser)
    configure_method(parser)


def configure_table(parser: argparse.ArgumentParser) -> None:
    """Add what chooses the columns of the table."""
    parser.add_argument("--columns", metavar="A,B,...", help="the clusterings (default: all columns)")
    parser.add_argument("--id", metavar="COLUMN", help="the column with the objects' names")
    parser.add_argument("--weights", metavar="W,W,...", help="weight of each clustering (default: 1)")


def configure_method(parser: argparse.ArgumentParser) -> None:
    """Add what chooses the method, and where its answer goes."""
    add = parser.add_argument
    add("-k", type=int, help="number of clusters (default: chosen by the method)")
    add("--method", default="auto", help="see graphens methods (default: auto)")
    add("--partitioner", metavar="NAME", help="for methods that cut a graph; see graphens partitioners")
    add("--set", metavar="OPTION=VALUE", action="append", default=[], help="any other option of the method")
    add("--seed", type=int, help="the same seed gives the same answer")
    add("--membership", action="store_true", help="add the membership in every cluster")
    add("-o", "--output", default="-", metavar="FILE", help="where to: .csv, .tsv, .parquet, or - (default)")


def run(args: argparse.Namespace) -> None:
    """Read the labels, combine them, write the clusters; the summary goes to standard error."""
    check_output(args.output)
    columns = None if args.columns is None else [name.strip() for name in args.columns.split(",")]
    e = read_ensemble(args.labels, columns=columns, id_column=args.id)
    finish(e if args.weights is None else e.reweight(_numbers(args.weights)), args)


def finish(e: Ensemble, args: argparse.Namespace) -> None:
    """Combine an ensemble as the arguments say, write the answer and sum it up."""
    from ..front import consensus

    found = consensus(e, args.k, method=args.method, seed=args.seed, **_options(args))
    write_table(_columns(found, e, with_membership=args.membership), args.output)
    sys.stderr.write(fitting(f"{found!r}\n", sys.stderr))


def check_output(output: str) -> None:
    """See before the work, not after it, whether the answer can be written."""
    if output != "-":
        check_ending(output)
        checked_target(output)


def _columns(found: Consensus, e: Ensemble, *, with_membership: bool) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "object": list(e.vertex_names()),
        "cluster": [None if label < 0 else label for label in found.labels.tolist()],
        "confidence": found.confidence.round(6).tolist(),
    }
    if with_membership:
        columns |= {f"cluster_{j}": found.membership[:, j].round(6).tolist() for j in range(found.k)}
    return columns


def _options(args: argparse.Namespace) -> dict[str, Any]:
    """Options of the method: values as Python writes them, plain text where they are none."""
    options: dict[str, Any] = {} if args.partitioner is None else {"partitioner": args.partitioner}
    for pair in args.set:
        name, given, text = pair.partition("=")
        if not given or not name.isidentifier():
            raise InputError(f"--set {pair} was given; expected OPTION=VALUE, such as linkage=average.")
        try:
            options[name] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            options[name] = text
    return options


def _numbers(text: str) -> list[float]:
    try:
        return [float(number) for number in text.split(",")]
    except ValueError:
        raise InputError(f"--weights {text} was given; expected numbers separated by commas.") from None
