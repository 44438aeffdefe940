"""What `consensus` and `cluster` share: which method combines an ensemble, and how its answer is written."""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .. import Consensus, Ensemble, consensus
from ..errors import GraphensError, InputError
from ..export._atomic import checked_target
from ..export.tables import ENDINGS, write_table
from ._parser import OneOf, answer_k, as_written
from ._screen import note, paragraphs

#: the rules that need labels alone
RULES = ("eigengap", "stability", "pac", "lifetime", "agreement")


def add_k(parser: argparse.ArgumentParser, *more: str) -> None:
    """Add the number of clusters in the answer."""
    parser.add_argument(
        "-k",
        *more,
        "--clusters",
        dest="k",
        metavar="K",
        type=answer_k,
        help="clusters in the answer (default: chosen)",
    )


def add_rule(parser: argparse.ArgumentParser, default: str | None = "eigengap") -> None:
    """Add what chooses the number of clusters from labels."""
    parser.add_argument(
        "--rule",
        metavar="NAME",
        type=OneOf(RULES),
        default=default,
        help=f"what chooses the number of clusters: {', '.join(RULES)} (default: eigengap)",
    )


def add_method(parser: argparse.ArgumentParser) -> None:
    """Add what chooses the method, and where its answer goes."""
    add = parser.add_argument
    add("--method", default="auto", help="see graphens methods (default: %(default)s)")
    add("--partitioner", metavar="NAME", help="for methods that cut a graph; see graphens partitioners")
    add("--set", metavar="OPTION=VALUE", action="append", default=[], help="any other option of the method")
    add("--membership", action="store_true", help="add the membership in every cluster")
    add(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="where to: .csv, .tsv, .txt, .parquet, or - (default)",
    )


def check_output(path: str, source: str, *more: str) -> None:
    """Refuse a table that cannot be written, before the work and not after it."""
    endings = (*ENDINGS, *more)
    if path != "-" and not path.lower().endswith(endings):
        raise InputError(
            f"-o {path} was given; expected a file ending in {', '.join(endings)}, or - to print it."
        )
    check_place(path, source)


def check_place(path: str, source: str) -> None:
    """Refuse to write where nothing can be written, or over the input."""
    if path == "-":
        return
    if source != "-" and os.path.realpath(path) == os.path.realpath(source):
        raise InputError(f"-o {path} was given; that is the input, which would be lost. Name another file.")
    checked_target(path)


def answer(e: Ensemble, args: argparse.Namespace) -> None:
    """Combine an ensemble as the arguments say and write the answer; the summary goes to standard error."""
    options = ({} if args.rule is None else {"rule": args.rule}) | method_options(args)
    written = {name: "--set " + name for name in options} | {"partitioner": "--partitioner", "rule": "--rule"}
    with fitting_options(args), as_written(k="-k", seed="--seed", method="--method", **written):
        found = consensus(e, args.k, method=args.method, seed=args.seed, **options)
    write_table(answer_columns(found, e, args), args.output)
    note(*paragraphs(repr(found), sys.stderr))


@contextmanager
def fitting_options(args: argparse.Namespace) -> Iterator[None]:
    """Say that an option has a value of the wrong kind: from the shell every value is a guess."""
    try:
        yield
    except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
        if isinstance(error, GraphensError) or not args.set:
            raise
        given = " ".join(f"--set {pair}" for pair in args.set)
        raise InputError(f"{given} does not fit {args.method}: {error}.") from None


def answer_columns(
    found: Consensus, e: Ensemble, args: argparse.Namespace, called: str = "object"
) -> dict[str, Any]:
    """Cluster (None where an object has no label at all) and confidence of every object, after its name."""
    columns: dict[str, Any] = {
        str(e.index_name or called): e.vertex_names().column(),
        "cluster": [None if label < 0 else label for label in found.labels.tolist()],
        "confidence": found.confidence.round(6).tolist(),
    }
    if args.membership:
        columns |= {f"cluster_{j}": found.membership[:, j].round(6).tolist() for j in range(found.k)}
    return columns


def _literal(text: str) -> Any:
    """A value as Python writes it, but without underscores in numbers: 1_0 is a slip of the hand, not 10."""
    for node in ast.walk(ast.parse(text, mode="eval")):
        number = isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))
        if number and "_" in (ast.get_source_segment(text, node) or ""):
            raise ValueError(text)
    return ast.literal_eval(text)


def method_options(args: argparse.Namespace) -> dict[str, Any]:
    """Options of the method: values as Python writes them, plain text where they are none."""
    options: dict[str, Any] = {} if args.partitioner is None else {"partitioner": args.partitioner}
    for pair in args.set:
        name, given, text = pair.partition("=")
        if not given or not name.isidentifier():
            raise InputError(f"--set {pair} was given; expected OPTION=VALUE, such as linkage=average.")
        if name in {"labels", "k", "seed", "method"}:
            raise InputError(f"--set {pair} was given; {name} has an argument of its own.")
        try:
            options[name] = _literal(text.strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):  # the last two: nested too deep
            options[name] = text
    return options
