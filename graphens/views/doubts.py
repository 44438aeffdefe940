"""Doubts about an ensemble: partitions without information, and a k above the number of distinct label rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from ..core.ensemble import Ensemble
from ..core.value import recall
from ..errors import DoubtWarning, warn

SINGLE = 10  # objects from which on a partition of nothing but single objects is an identifier
_FINE = 40  # clusters from which on a partition with fewer than two objects in each is nearly one
_NAMED = 3  # columns that a sentence about many of them names


@dataclass(frozen=True)
class Doubt:
    """One doubt about an ensemble.

    Attributes
    ----------
    partition
        Name of the partition, None for the whole table.
    kind
        ``"constant"``, ``"missing"``, ``"identifier"``, ``"long"`` or ``"few rows"``.
    sentence
        The doubt in a sentence.
    """

    partition: str | None
    kind: str
    sentence: str


def doubts(e: Ensemble, k: int | None = None) -> tuple[Doubt, ...]:
    """Return the doubts about an ensemble: its columns without information, and a k that is too large for its labels.

    Partitions of weight 0 are ignored. O(nB) at most: objects are counted only for partitions with many clusters, and
    distinct rows only for a k above the largest number of clusters of a partition.
    """
    known = np.flatnonzero(e.weights > 0).tolist()
    names = [e.partition_names[t] for t in known]
    columns = recall(
        e, "doubts", lambda: column_doubts(names, e.n_clusters[known], [_occurrences(e, t) for t in known])
    )
    return columns + recall(e, "long", lambda: long_doubts(e, known)) + row_doubts(e, k)


def long_doubts(e: Ensemble, known: Sequence[int]) -> tuple[Doubt, ...]:
    """Return the doubt about a table with a row for each object and clustering, in which two columns identify the row.

    Only pairs of columns with about as many pairs of clusters as there are objects are counted.
    """
    n, sizes = e.n_objects, e.n_clusters
    for s, t in combinations(known, 2) if n >= 2 * SINGLE and len(known) <= SINGLE else ():
        if not (n <= int(sizes[s]) * int(sizes[t]) <= 2 * n and min(sizes[s], sizes[t]) > 2):
            continue
        pairs = e.codes[s].astype(np.int64) * (int(e.absent) + 1) + e.codes[t]
        if len(np.unique(pairs)) == n:
            one, other = e.partition_names[s], e.partition_names[t]
            said = (
                f"Columns {one!r} and {other!r} together are different in every row: the table seems to have one row "
                "for each object and clustering. If so, make it wide first: table.pivot(index=objects, "
                "columns=clusterings, values=labels)."
            )
            return (Doubt(None, "long", said),)
    return ()


def column_doubts(
    names: Sequence[object], n_clusters: ArrayLike, occurrences: Sequence[float]
) -> tuple[Doubt, ...]:
    """Return the doubts about columns, from their numbers of clusters and of objects with a label.

    A column is an identifier if at least ten objects all have different labels, and almost one if it has at least 40
    clusters with at most two objects on average, so that it puts hardly any pair together.
    """
    found = []
    for name, k, n in zip(names, np.asarray(n_clusters).tolist(), occurrences, strict=True):
        if k == 0:
            said = f"Column {name!r} has no labels, so it says nothing about the clusters."
            found.append(Doubt(str(name), "missing", said))
        elif k == 1 and n > 1:
            said = (
                f"Column {name!r} has the same label for every object, so it says nothing about the clusters."
            )
            found.append(Doubt(str(name), "constant", said))
        elif (k >= _FINE and 2 * k >= n) or (k >= SINGLE and k >= n):
            said = (
                f"Column {name!r} has {k} different labels for {n:.0f} objects: these look like names or measurements "
                "rather than clusters. If so, leave the column out, or make it the index (on the command line: --id)."
            )
            found.append(Doubt(str(name), "identifier", said))
    return tuple(found)


def row_doubts(e: Ensemble, k: int | None) -> tuple[Doubt, ...]:
    """Return the doubt about a k above the number of distinct label rows."""
    if k is None or k <= (most := most_clusters(e, k)):
        return ()
    groups = (
        "do not distinguish any objects, so there is one cluster"
        if most == 1
        else f"distinguish only {most} groups of objects, so there are at most {most} clusters"
    )
    said = f"k = {k} was requested, but the labels {groups}."
    return (Doubt(None, "few rows", said),)


def most_clusters(e: Ensemble, k: int) -> int:
    """Return k or, if it is smaller, the number of distinct label rows, because equal rows cannot be separated.

    Objects with memberships may differ even if their labels are the same.
    """
    known = e.weights > 0
    if k <= max(e.n_clusters[known], default=0) or e.memberships is not None:
        return k
    if not e.present.any():
        return k
    counted = e if known.all() else e.take(partitions=known)
    return min(k, max(counted.take(objects=counted.present).collapse()[0].n_objects, 1))


def warn_of(found: Iterable[Doubt]) -> None:
    """Issue the doubts as warnings, one for each kind."""
    by_kind: dict[str, list[Doubt]] = {}
    for doubt in found:
        by_kind.setdefault(doubt.kind, []).append(doubt)
    for same in by_kind.values():
        rest = [repr(doubt.partition) for doubt in same[1:]]
        more = f" and {len(rest) - _NAMED} more" if len(rest) > _NAMED else ""
        too = f" The same holds for {', '.join(rest[:_NAMED])}{more}." if rest else ""
        warn(same[0].sentence + too, DoubtWarning)


def _occurrences(e: Ensemble, t: int) -> float:
    """Number of objects with a label in each partition; counted only if it matters."""
    if e.n_clusters[t] < SINGLE:
        return e.n_objects
    weights = e.object_weights[e.codes[t] != e.absent]
    counts = bool((weights == np.rint(weights)).all())
    return float(weights.sum() / (1.0 if counts else weights.min(initial=np.inf)))
