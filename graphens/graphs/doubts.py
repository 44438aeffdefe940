"""Doubts about an ensemble: partitions without information, and a k above the number of distinct label rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from ..errors import DoubtWarning, warn
from ..labels.encoding import count_members
from ..labels.ensemble import Ensemble
from ..labels.value import recall
from .reliability import first_copies, informative

SINGLE = 10  # clusters from which on a partition of nearly nothing but single objects is an identifier
_NEARLY = 0.9  # clusters per object of such a partition: some names occur twice
_FINE = 40  # clusters from which on a partition with fewer than two objects in each is nearly one
_COPIES, _MUCH = 3, 0.2  # identical columns from which on, and their share of all, it is worth a word
_NAMED = 3  # columns that a sentence about many of them names


@dataclass(frozen=True)
class Doubt:
    """One doubt about an ensemble."""

    partition: str | None  #: name of the partition, None for the whole table
    #: ``"constant"``, ``"missing"``, ``"identifier"``, ``"alone"``, ``"copies"``, ``"chance"``, ``"long"`` or ``"few
    #: rows"``
    kind: str
    sentence: str  #: the doubt in a sentence


def doubts(e: Ensemble, k: int | None = None) -> tuple[Doubt, ...]:
    """Return the doubts about an ensemble: its columns without information, and a k that is too large for its labels.

    Partitions of weight 0 are ignored. O(nB) at most: objects are counted only for partitions with many clusters, and
    distinct rows only for a k above the largest number of clusters of a partition.
    """
    counting = np.flatnonzero(e.weights > 0).tolist()
    names = [e.partition_names[t] for t in counting]

    def find() -> tuple[Doubt, ...]:
        columns = column_doubts(names, e.n_clusters[counting], [_occurrences(e, t) for t in counting])
        return columns + alone_doubts(e, counting) + long_doubts(e, counting)

    return recall(e, "doubts", find) + row_doubts(e, k)


def comparison_doubts(e: Ensemble) -> tuple[Doubt, ...]:
    """Return the doubts that need all columns compared: copies, and those that agree with the others only by chance.

    O(nB²), but the methods of ``"auto"`` have counted it.
    """
    if any(doubt.kind != "long" for doubt in doubts(e)):
        return ()
    by_chance = (e.partition_names[t] for t in np.flatnonzero((e.weights > 0) & ~informative(e)))
    sentence = "Column {!r} agrees with the others only by chance, so it hardly counts."
    return copy_doubts(e) + tuple(Doubt(name, "chance", sentence.format(name)) for name in by_chance)


def copy_doubts(e: Ensemble) -> tuple[Doubt, ...]:
    """Return the doubt about at least three identical columns that are a fifth of all. Runs of one base often agree."""
    first = first_copies(e)
    size = np.bincount(first[e.weights > 0])
    s, most = int(size.argmax()), int(size.max())
    if e._runs or most < _COPIES or most < _MUCH * e.n_partitions:
        return ()
    names = [repr(e.partition_names[t]) for t in np.flatnonzero(first == s)]
    some = ", ".join(names[:_NAMED]) + (" …" if most > _NAMED else "")
    sentence = (
        f"{most} of {e.n_partitions} columns are identical ({some}): they count as {most} votes for the same clusters. "
        "If they are copies, keep one of them."
    )
    return (Doubt(None, "copies", sentence),)


def alone_doubts(e: Ensemble, counting: Sequence[int]) -> tuple[Doubt, ...]:
    """Return the doubt about an ensemble that has one clustering, or the same one several times. O(nB) at most."""
    if len(k := {*e.n_clusters[counting].tolist()}) != 1:
        return ()
    one, other = (np.sort(count_members(e.codes[t], *k)) for t in (counting[0], counting[-1]))  # most differ in these
    if (one != other).any() or len({*first_copies(e)[counting].tolist()}) > 1:
        return ()
    sentence = (
        f"There is only one clustering, {e.partition_names[counting[0]]!r}, so nothing is combined"
        if len(counting) == 1
        else f"All {len(counting)} clusterings are the same, so the result repeats them"
    )
    sentence += ": another number of clusters is arbitrary, and a confidence of 1 says nothing."
    return (Doubt(None, "alone", sentence),)


def long_doubts(e: Ensemble, counting: Sequence[int]) -> tuple[Doubt, ...]:
    """Return the doubt about a table with a row for each object and clustering, in which two columns identify the row.

    Only pairs of columns with about as many pairs of clusters as there are objects are counted.
    """
    n, sizes = e.n_objects, e.n_clusters
    for s, t in combinations(counting, 2) if n >= 2 * SINGLE and len(counting) <= SINGLE else ():
        if not (n <= int(sizes[s]) * int(sizes[t]) <= 2 * n and min(sizes[s], sizes[t]) > 2):
            continue
        pairs = e.codes[s].astype(np.int64) * (int(e.absent) + 1) + e.codes[t]
        if len(np.unique(pairs)) == n:
            one, other = e.partition_names[s], e.partition_names[t]
            sentence = (
                f"Columns {one!r} and {other!r} together are different in every row: the table seems to have one row "
                "for each object and clustering. If so, make it wide first, as with pivot of pandas (on the "
                "command line: with a row for each object and a column for each clustering)."
            )
            return (Doubt(None, "long", sentence),)
    return ()


def column_doubts(names: Sequence[object], n_clusters: ArrayLike, occurrences: Sequence[float]) -> tuple[Doubt, ...]:
    """Return the doubts about columns, from their numbers of clusters and of objects with a label.

    A column is an identifier if at least ten objects have (nearly) all different labels, and almost one if it has at
    least 40 clusters with at most two objects on average, so that it puts hardly any pair together.
    """
    doubts_of_columns = []
    for name, k, n in zip(names, np.asarray(n_clusters).tolist(), occurrences, strict=True):
        if k == 0:
            sentence = f"Column {name!r} has no labels, so it says nothing about the clusters."
            doubts_of_columns.append(Doubt(str(name), "missing", sentence))
        elif k == 1 and n > 1:
            sentence = f"Column {name!r} has the same label for every object, so it says nothing about the clusters."
            doubts_of_columns.append(Doubt(str(name), "constant", sentence))
        elif (k >= _FINE and 2 * k >= n) or (k >= SINGLE and k >= _NEARLY * n):
            sentence = (
                f"Column {name!r} has {k} different labels for {n:.0f} objects: these look like names or measurements "
                "rather than clusters. If so, leave the column out, or make it the index or id (on the command line: "
                "use --id)."
            )
            doubts_of_columns.append(Doubt(str(name), "identifier", sentence))
    return tuple(doubts_of_columns)


def row_doubts(e: Ensemble, k: int | None) -> tuple[Doubt, ...]:
    """Return the doubt about a k above the number of distinct label rows."""
    if k is None or k <= (most := most_clusters(e, k)):
        return ()
    groups = (
        "do not distinguish any objects, so there is one cluster"
        if most == 1
        else f"distinguish only {most} groups of objects, so there are at most {most} clusters"
    )
    sentence = f"k = {k} was requested, but the labels {groups}."
    return (Doubt(None, "few rows", sentence),)


def most_clusters(e: Ensemble, k: int) -> int:
    """Return k or, if it is smaller, the number of distinct label rows, because equal rows cannot be separated.

    Objects with memberships may differ even if their labels are the same.
    """
    counting = e.weights > 0
    if k <= max(e.n_clusters[counting], default=0) or e.memberships is not None:
        return k
    if not e.present.any():
        return k
    counted = e if counting.all() else e.take(partitions=counting)
    return min(k, max(counted.take(objects=counted.present).collapse()[0].n_objects, 1))


def warn_of(doubts: Iterable[Doubt]) -> None:
    """Issue the doubts as warnings, one for each kind."""
    by_kind: dict[str, list[Doubt]] = {}
    for doubt in doubts:
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
