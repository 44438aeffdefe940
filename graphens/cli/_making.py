"""What `generate` and `cluster` share: features from a file, and the arguments of an ensemble."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from .. import Ensemble, generate
from .._arrays import AnyArray, FloatArray
from ..core.names import as_names, question_names
from ..errors import FileError, GraphensError, InputError, Interrupted, meant
from ..export.tables import MISSING_CELLS, Column, as_number, is_number, read_table
from ._parser import as_written, check_one_file, delimiter, names
from ._progress import partitions_done
from ._screen import complain

_SAME = {name: f"--{name}" for name in ("base", "sampling", "share", "seed", "checkpoint")}


def add_making(parser: argparse.ArgumentParser, *k_flags: str) -> None:
    """Add the arguments that decide an ensemble; `k_flags` say how many clusters its partitions have."""
    add = parser.add_argument
    add(
        "data", help="table of features (.csv, .tsv, .txt, .parquet, - for standard input) or an array (.npy)"
    )
    add("--columns", metavar="A,B,...", type=names, help="the features (default: all columns)")
    add("--without", metavar="A,B,...", type=names, default=[], help="columns that are no features")
    add("--id", metavar="COLUMN", help="the column with the objects' names")
    add("--delimiter", metavar="C", type=delimiter, help="what separates cells (default: guessed)")
    add(
        "-B",
        "--partitions",
        metavar="B",
        type=int,
        default=50,
        help="number of clusterings (default: %(default)s)",
    )
    add(
        *k_flags,
        dest="base_k",
        metavar="K|LOW:HIGH|K,K,...",
        type=k_of,
        help="clusters in each clustering: a number, an interval, or numbers to draw from (default: near root n)",
    )
    add("--base", metavar="NAME,...", type=names, default=["kmeans"], help="what clusters (default: kmeans)")
    add("--sampling", metavar="NAME", help="what each clustering sees: bootstrap, subsample, features, ...")
    add(
        "--share",
        "--fraction",
        dest="share",
        metavar="F",
        type=float,
        help="share of objects or features it sees",
    )
    add(
        "--assign",
        action="store_true",
        help="label objects that a sample left out, instead of leaving them missing",
    )
    add("--seed", type=int, help="the same seed gives the same answer")
    add("-j", "--jobs", metavar="N", type=int, help="clusterings made at the same time (-1: one per core)")
    add(
        "--checkpoint",
        metavar="FILE",
        help="keep finished clusterings here; the same command goes on from it",
    )


def k_of(text: str) -> Any:
    """Read a number, an interval or numbers to draw from."""
    try:
        if ":" in text:
            low, high = (as_number(part, int) for part in text.split(":"))
            return low, high
        numbers = [as_number(part, int) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} was given; expected 10, 10:30 or 5,10,20") from None
    return (
        numbers[0] if len(numbers) == 1 else np.array(sorted(numbers * 2))
    )  # twice each: two are no interval


def make(args: argparse.Namespace) -> Ensemble:
    """Read the features and generate the ensemble the arguments ask for."""
    X, objects = read_features(args.data, args.columns, args.without, args.id, args.delimiter)
    with _told(args), as_written(k=args.k_flag, n_partitions="-B", n_jobs="-j", **_SAME):
        e = generate(
            X,
            args.partitions,
            k=args.base_k,
            base=args.base if len(args.base) > 1 else args.base[0],
            sampling=args.sampling,
            share=args.share,
            assign=args.assign,
            seed=args.seed,
            n_jobs=args.jobs,
            progress=partitions_done,
            checkpoint=args.checkpoint,
        )
    return e if objects is None else e._replace(object_names=objects, index_name=args.id)


@contextmanager
def _told(args: argparse.Namespace) -> Iterator[None]:
    """Say what an interruption leaves, and which base refused the features."""
    try:
        yield
    except Interrupted as stop:
        done = 0 if stop.ensemble is None else stop.ensemble.n_partitions
        kept = (
            f"are kept in {args.checkpoint}; the same command goes on"
            if args.checkpoint
            else "are lost; --checkpoint FILE would keep them"
        )
        complain(f"{done} of {args.partitions} clusterings {kept}.")
        raise
    except ValueError as error:  # of a base clusterer, about features that it cannot cluster
        if isinstance(error, GraphensError):
            raise
        raise InputError(f"--base {','.join(args.base)} cannot cluster {args.data}: {error}") from None


def read_features(
    path: str,
    columns: Sequence[str] | None,
    without: Sequence[str],
    id_column: str | None,
    separator: str | None = None,
) -> tuple[FloatArray, AnyArray | None]:
    """Return the features of a file as an array, and the objects' names where a column has them."""
    check_one_file(path)
    if path.lower().endswith(".npy"):
        return _array(path), None
    table = read_table(path, delimiter=separator)
    left_out = {*without, *([] if id_column is None else [id_column])}
    wanted = [name for name in table if name not in left_out] if columns is None else list(columns)
    for name in [*wanted, *left_out]:
        if name not in table:
            known = f"it has {', '.join(list(table)[:20])}.{meant(name, table)}"
            raise InputError(f"{path} has no column {name!r}; {known}")
    if not wanted:
        raise InputError(f"{path} has no column left; expected at least one feature.")
    X = np.column_stack([_numbers(table[name], name, path) for name in wanted])
    names = None if id_column is None else as_names(table[id_column])
    question_names(names)
    return X, names


def _array(path: str) -> FloatArray:
    try:
        return np.load(Path(path), allow_pickle=False)
    except (OSError, ValueError) as error:
        raise FileError(f"{path} cannot be read: {error}.") from None


def _numbers(cells: Column, name: str, path: str) -> FloatArray:
    try:
        return np.array([as_number(cell) for cell in cells], dtype=np.float64)
    except (TypeError, ValueError):
        for row, cell in enumerate(cells):
            if cell is None or cell in MISSING_CELLS:
                raise InputError(f"{path}, object {row}: {name} is missing; fill or drop it first.") from None
            _check_number(cell, row, name, path)
        raise


def _check_number(cell: Any, row: int, name: str, path: str) -> None:
    try:
        as_number(cell)
    except (TypeError, ValueError):
        advice = f"leave the column out with --without {name}, or name the objects with --id {name}"
        if is_number(str(cell).replace(",", ".", 1)):
            advice = "expected a decimal point instead of the comma"
        raise InputError(f"{path}, object {row}: {name} is {cell!r}, not a number; {advice}.") from None
