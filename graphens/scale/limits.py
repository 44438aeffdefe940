"""Columns with too many clusters: said, set aside, or refused before memory runs out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from .._memory import require
from ..errors import FallbackWarning, SizeError, warn
from ..views.doubts import Doubt
from .scanning import Scan

_PAIR = 48  # bytes of a pair of clusters that meet, while tables are merged


@contextmanager
def explain_memory_errors(s: Scan) -> Iterator[None]:
    """Say what takes most memory where the system has no more, though the budget had."""
    try:
        yield
    except MemoryError as error:
        if isinstance(error, SizeError):
            raise
        raise SizeError(
            f"Memory ran out ({error}). The tables grow with the clusters, and {_largest(s)}; leave such a column out, "
            "or name it as id. Blocks of fewer rows take less: scan(…, block_rows=100_000)."
        ) from error


def without_identifiers(s: Scan, doubts: Sequence[Doubt]) -> Scan:
    """Set columns aside that have a cluster for every object or two: tables of pairs of clusters would be as long."""
    gone = [d.partition for d in doubts if d.kind == "identifier" and d.partition in s.partition_names]
    kept = np.array([name not in gone for name in s.partition_names])
    if kept.all() or not kept.any():
        return s
    for name in gone:
        warn(
            f"Column {name!r} is set aside: counting how often its clusters meet others would take as much space as "
            "the labels themselves.",
            FallbackWarning,
        )
    return s.take(kept)


def _largest(s: Scan) -> str:
    most = int(s.n_clusters.argmax())
    return f"{s.n_clusters[most]} of {s.n_clusters.sum()} are clusters of {s.partition_names[most]!r}"


def require_tables(s: Scan) -> None:
    """Ask for the memory of the table of pairs of clusters: in each pair of partitions as many as there are objects."""
    pairs = np.minimum(np.outer(s.n_clusters, s.n_clusters).astype(np.float64), s.n_objects).sum()
    require(
        _PAIR * float(pairs),
        f"The table of clusters that meet ({_largest(s)})",
        "Leave the column with most clusters out, or name it as id if it names the objects",
    )
