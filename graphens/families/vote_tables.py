"""Votes: tables of objects × clusters to which partitions add, and the count_votes."""

from __future__ import annotations

import numpy as np

from .._lib.arrays import MISSING, AnyArray, FloatArray, LabelArray, divide, one_of
from .._lib.memory import require
from ..graphs.counts import overlaps, sum_cluster_rows
from ..labels.ensemble import Ensemble

ORDERS = ("given", "shuffled", "most")


def ballots(n_objects: int, k: int) -> FloatArray:
    """Return an empty table, if it and its copies fit in memory."""
    room_for_table(n_objects, k)
    return np.zeros((n_objects, k))


def room_for_table(n: int, k: int, what: str = "objects") -> None:
    """Raise a `SizeError` if a table of n rows and k clusters with its copies does not fit in memory."""
    require(24.0 * n * k, f"A table of {n} {what} × {k} clusters", "Use fewer clusters")


def cast_one(e: Ensemble, t: int, table: FloatArray, scores: FloatArray) -> None:
    """Add the votes of one partition, multiplied by its weight."""
    from ..kernels.counting import add_partition

    add_partition(e.codes[t], e.absent, 0, e.weights[t] * table, 0, e.n_objects, scores)


def count_votes(e: Ensemble, scores: FloatArray, favored: LabelArray | None = None) -> tuple[LabelArray, FloatArray]:
    """Return the label with the most votes and the shares of votes.

    Ties go to the favored label, then to the first. Objects without votes follow the objects they share clusters with.
    """
    from ..kernels import counting

    none = np.full(len(scores), MISSING, dtype=np.int32)
    labels = counting.winners(scores, none if favored is None else favored)
    while (labels < 0).any():
        scores = _by_company(e, labels, scores)
        labels = counting.winners(scores, none)
    return labels, scores / scores.sum(axis=1, keepdims=True)


def votes_of_company(e: Ensemble, shared: FloatArray) -> FloatArray:
    """Return the votes of clusters for objects without any: how labels are distributed among their other members.

    `shared` has the overlaps of the clusters with the labels so far.
    """
    return divide(shared, shared.sum(axis=1, keepdims=True)) * np.repeat(e.weights, e.n_clusters)[:, None]


def _by_company(e: Ensemble, labels: LabelArray, scores: FloatArray) -> FloatArray:
    """Votes for objects without any: those of the company in their clusters, or the most common label."""
    lone = np.flatnonzero(labels < 0)
    part = e._replace(codes=np.take(e.codes, lone, axis=1), object_weights=e.object_weights[lone])
    votes = sum_cluster_rows(part, votes_of_company(e, overlaps(e, labels, scores.shape[1]).toarray()))
    if not votes.any():
        held = labels >= 0
        sizes = np.bincount(labels[held], weights=e.object_weights[held], minlength=scores.shape[1])
        votes[:, sizes.argmax()] = 1
    filled = scores.copy()
    filled[lone] = votes
    return filled


def arrange(e: Ensemble, order: str, rng: np.random.Generator) -> AnyArray:
    """Return the partitions in the order in which they are used: as given, shuffled, or most clusters first."""
    one_of("order", order, ORDERS)
    given = np.arange(e.n_partitions)
    if order == "shuffled":
        return rng.permutation(given)
    return np.argsort(-e.n_clusters, kind="stable") if order == "most" else given
