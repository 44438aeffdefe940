"""The standard form of an ensemble, without names, orders and repetitions.

Methods that work on it cannot depend on the names of labels, on the order of objects, or on whether a weight of two is
given as a weight, as two equal partitions or as two equal objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray
from ..graphs.bipartite import join_clusters
from ..graphs.graph import Graph
from ..labels.encoding import labels_of_codes
from ..labels.ensemble import Ensemble
from ..labels.ready import equal_rows
from ..labels.value import recall
from .outcome import Outcome


@dataclass(frozen=True, eq=False)
class Standard:
    """Distinct label rows, distinct partitions, and the way back."""

    #: distinct rows with their weights, in an order that is determined by the partitions; distinct partitions with
    #: their total weights; clusters numbered by first appearance. Partitions without weight or labels are left out.
    ensemble: Ensemble
    index: IntArray  #: for each object its row, −1 if only partitions of weight 0 have it
    origin: IntArray  #: for each partition its position in `ensemble`, −1 for weight 0 or no labels
    beside: LabelArray | None = None  #: for each row its label in an additional labeling

    def spread(self, labels: AnyArray) -> AnyArray:
        """Return labels of the objects from labels of the rows."""
        return np.append(labels, MISSING)[self.index]

    def mean_one(self) -> float:
        """Return the factor that gives the original partitions weights of mean 1, for weights that are exponents."""
        return float(np.count_nonzero(self.origin >= 0) / self.ensemble.weights.sum())

    def back(self, e: Ensemble, table: FloatArray) -> FloatArray:
        """Return a table for the clusters of the original ensemble `e` from a table for the clusters here."""
        whole = np.zeros((int(e.offsets[-1]), table.shape[1]))
        for t in np.flatnonzero(self.origin >= 0):
            here = self.ensemble.codes[self.origin[t]][self.index]
            present = np.flatnonzero((e.codes[t] != e.absent) & (self.index >= 0))
            whole[e.offsets[t] + e.codes[t][present]] = table[self.ensemble.offsets[self.origin[t]] + here[present]]
        return whole

    def join(
        self, e: Ensemble, labels: LabelArray, table: FloatArray, prefix: str, kind: str, *matched: FloatArray
    ) -> tuple[Graph, None, LabelArray]:
        """Return the graph between the clusters of the original ensemble `e` and those of the rows' `labels`.

        The tables are for the clusters here; see `join_clusters`.
        """
        others = np.bincount(labels, self.ensemble.object_weights, table.shape[1])
        whole, *chosen = (self.back(e, one) for one in (table, *matched))
        return join_clusters(e.cluster_names, e.cluster_sizes(), whole, others, prefix, kind, *chosen)

    def outcome(self, labels: AnyArray, membership: FloatArray | None = None, **fields: Any) -> Outcome:
        """Return the outcome for the objects from labels and memberships of the rows."""
        wide = None if membership is None else membership[self.index]
        if wide is not None and (self.index < 0).any():
            wide[self.index < 0] = 0
        return Outcome(self.spread(labels), wide, **fields)


def standard(e: Ensemble, beside: ArrayLike | None = None) -> Standard:
    """Bring an ensemble to standard form, O(nB + n log n); objects that differ in `beside` are not merged."""
    return recall(e, "standard form", lambda: _standard(e)) if beside is None else _standard(e, beside)


def _standard(e: Ensemble, beside: ArrayLike | None = None) -> Standard:
    from ..kernels.counting import rename

    alive = np.flatnonzero((e.weights > 0) & (e.n_clusters > 0))
    if not alive.size:  # only partitions of weight 0 have labels, so they are used
        e = e.reweight(np.ones(e.n_partitions))
        alive = np.flatnonzero(e.n_clusters > 0)
    counted = e._replace(memberships=None)
    counted = counted if len(alive) == e.n_partitions else counted.take(partitions=alive)
    # `beside` is a last partition while rows are merged and sorted, and is taken off again at the end.
    extra = [] if beside is None else [MISSING]
    micro, index = (counted if beside is None else counted.append(Ensemble.from_partitions([beside]))).collapse()
    codes = np.array(micro.codes)
    rename(codes, micro.absent, micro.n_clusters)
    # Partitions that are equal up to names are one partition with the sum of their weights.
    columns = codes[: counted.n_partitions]
    place = equal_rows(columns)
    first = np.unique(place, return_index=True)[1].astype(np.int64)
    weights = np.bincount(place, weights=counted.weights).astype(np.float64)
    order = _order(columns[first], micro, first, weights)
    codes = np.ascontiguousarray(codes[np.append(first, extra).astype(np.int64)][:, order])
    sizes = micro.n_clusters[np.append(first, extra).astype(np.int64)]
    rename(codes, micro.absent, sizes)
    back = np.full(micro.n_objects, MISSING)
    back[order] = np.arange(len(order))
    origin = np.full(e.n_partitions, MISSING)
    origin[alive] = place
    ensemble = micro._replace(
        codes=np.ascontiguousarray(codes[: len(first)]),
        n_clusters=sizes[: len(first)],
        weights=weights,
        object_weights=micro.object_weights[order],
        _names=micro.vertex_names().take(order),
        partition_names=tuple(counted.partition_names[t] for t in first),
        categories=tuple(np.arange(size) for size in sizes[: len(first)]),
    )
    return Standard(ensemble, back[index], origin, None if beside is None else labels_of_codes(codes[-1]))


def _order(own: AnyArray, micro: Ensemble, first: IntArray, weights: FloatArray) -> IntArray:
    """Rows with evidence, those in large clusters first; ties by three rounds of color refinement."""
    from ..kernels.counting import refine

    # The order must not depend on names or on the order of the input. The degree Σ_t w_t |c_t(i)| does not; ties are
    # told apart by colors: three times, the color of a row becomes a hash of its own and of those in its clusters.
    degree = np.zeros(micro.n_objects)
    for row, k, weight in zip(own, micro.n_clusters[first], weights, strict=True):
        there = row != micro.absent
        size = np.bincount(row[there], weights=micro.object_weights[there], minlength=int(k))
        degree[there] += weight * size[row[there]]
    colors = micro.object_weights.view(np.uint64)
    for _ in range(3):
        colors = refine(own, micro.absent, micro.n_clusters[first], weights.view(np.uint64), colors)
    order = np.lexsort((colors, -degree))
    return order[: np.count_nonzero(degree)]
