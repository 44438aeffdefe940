"""`--out-of-core`: labels that do not fit into memory, read from files and written to a folder."""

from __future__ import annotations

import argparse
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import ClusterError, InputError, MissingDependency
from ._options import method_options
from ._screen import note
from ._tables import check_place


def add_out_of_core(parser: argparse.ArgumentParser) -> None:
    """Add the options for labels that do not fit into memory."""
    add = parser.add_argument
    add("more", nargs="*", default=[], metavar="file", help="more label files (only with --out-of-core)")
    add(
        "--out-of-core",
        action="store_true",
        help="read .parquet or .npy files block by block; -o names a folder, or one file ending in .parquet",
    )
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="address of a Dask scheduler to run on, such as tcp://host:8786",
    )


def answer_on_disk(args: argparse.Namespace, weights: Sequence[float] | None) -> None:
    """Combine labels on disk according to the arguments; the summary goes to standard error."""
    from .. import scale

    if args.k is None:
        raise InputError("--out-of-core needs the number of clusters; expected -k K.")
    if args.output == "-":
        raise InputError(
            "--out-of-core writes files; expected -o FOLDER, or -o FILE.parquet for a single file."
        )
    alone = (
        "membership",
        "top",
        "delimiter",
        "encoding",
        "profiles",
        "rule",
        "save",
        "must_link",
        "cannot_link",
    )
    for name in alone:
        if getattr(args, name):
            raise InputError(
                f"--{name.replace('_', '-')} cannot be used with --out-of-core; leave one of them out."
            )
    method = "lwgp" if args.method == "auto" else args.method
    one_file = args.output.lower().endswith(".parquet") and not os.path.isdir(args.output)
    if one_file:
        check_place(args.output, args.labels)
    s = scale.scan(
        [args.labels, *args.more] if args.more else args.labels,
        columns=args.columns,
        id=args.id,
        weights=weights,
    )
    folder = f"{args.output}.parts" if one_file else args.output
    with _client(args.scheduler) as client:
        result = scale.consensus(
            s, args.k, method=method, out=folder, client=client, seed=args.seed, **method_options(args)
        )
    if one_file:
        result = result.write(args.output)
        shutil.rmtree(folder, ignore_errors=True)
    note(repr(result))


@contextmanager
def _client(address: str | None) -> Iterator[Any]:
    if address is None:
        yield None
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise MissingDependency("--scheduler needs Dask; pip install 'graphens[scale]'.") from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"--scheduler {address} cannot be reached: {error}. Is it running?") from None
    with client:
        yield client
