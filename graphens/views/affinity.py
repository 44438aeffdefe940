"""How similar objects are to the clusters of a labeling, on the mean over members: from counts, never n × n."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .._arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray
from .._memory import require
from ..core.ensemble import Ensemble
from ..core.value import remembered
from .counting import overlaps

_ROUNDING = 1e-12  # what is left of a sum after its own part was taken out, relative to the sum
_CELLS = 1 << 22  # numbers per block


@dataclass(frozen=True, eq=False)
class Affinity:
    """Mean co-association of objects with every cluster C of a labeling.

    m(i, C) = Σ_t w_t r(c_t(i)) |c_t(i) ∩ C| / Σ_t w_t |C present in t| over the partitions t that have i; r are the
    cluster weights, 1 by default. Without missing labels it is the plain mean of S_ij over j ∈ C.

    Parameters
    ----------
    ensemble
        The partitions.
    labels
        The labeling, 0 … k − 1 and −1 for objects in no cluster.
    k
        Its number of clusters.
    cluster_weights
        One weight r per base cluster, such as its reliability.
    """

    ensemble: Ensemble
    labels: LabelArray
    k: int
    cluster_weights: FloatArray | None = None

    @remembered
    def worth(self) -> FloatArray:
        """What being together in each base cluster counts: w_t r(c)."""
        weight = np.repeat(self.ensemble.weights, self.ensemble.n_clusters)
        return weight if self.cluster_weights is None else weight * self.cluster_weights

    @remembered
    def shared(self) -> FloatArray:
        """|c ∩ C| for all K base clusters and k clusters. O(nB)."""
        size = 8.0 * int(self.ensemble.offsets[-1]) * self.k
        require(3 * size, f"The overlaps of {self.k} clusters with all base clusters", "Use fewer clusters")
        return np.asarray(overlaps(self.ensemble, self.labels, self.k).toarray(), dtype=np.float64)

    @remembered
    def sizes(self) -> FloatArray:
        """|C present in t|, B × k."""
        return np.stack([self.shared[a:b].sum(axis=0) for a, b in pairwise(self.ensemble.offsets)])

    @remembered
    def seen(self) -> FloatArray:
        """w_t |C present in t|, B × k."""
        return self.sizes * self.ensemble.weights[:, None]

    def within(self) -> FloatArray:
        """Return the mean similarity of the pairs inside every cluster, NaN where no pair was seen together. O(nB)."""
        evidence = self.worth @ (self.shared * (self.shared - 1))
        base = self.ensemble.weights @ (self.sizes * (self.sizes - 1))
        return np.where(base > 0, divided(evidence, base), np.nan)

    def sums(self, codes: AnyArray) -> tuple[FloatArray, FloatArray]:
        """Return evidence and base (m × k each) of m objects given by their codes (B × m); m(i, C) is their ratio."""
        e = self.ensemble
        evidence = _gathered(e, codes, self.shared * self.worth[:, None])
        if (codes != e.absent).all():
            return evidence, np.broadcast_to(self.seen.sum(axis=0), evidence.shape)
        return evidence, _gathered(e, codes, np.repeat(self.seen, e.n_clusters, axis=0))

    def means(self, codes: AnyArray) -> FloatArray:
        """Return m(i, C) of objects given by their codes (B × m), 0 where there is no evidence. O(mBk)."""
        return divided(*self.sums(codes))

    def others(self, rows: IntArray) -> tuple[FloatArray, AnyArray]:
        """Return m(i, C) of some of the ensemble's own objects, themselves left out, and who is alone in its cluster.

        An object that counts m times has m − 1 copies of itself beside it.
        """
        e = self.ensemble
        codes, own = np.ascontiguousarray(e.codes[:, rows]), self.labels[rows]
        evidence, base = self.sums(codes)
        base = np.array(base)
        at = np.flatnonzero(own >= 0)
        itself = np.minimum(e.object_weights[rows[at]], 1.0)
        part = np.ascontiguousarray(codes[:, at])
        for table, of_cluster in ((evidence, self.worth), (base, np.repeat(e.weights, e.n_clusters))):
            mine = itself * _gathered(e, part, of_cluster[:, None])[:, 0]
            table[at, own[at]] = _without(table[at, own[at]], mine)
        inside = self.labels >= 0
        size = np.bincount(self.labels[inside], e.object_weights[inside], self.k).astype(np.float64)
        alone = np.ones(len(rows), dtype=bool)
        alone[at] = _without(size[own[at]], itself) <= 0
        return divided(evidence, base), alone

    def rivals(self) -> LabelArray:
        """Return for every object the other cluster with the largest m(i, C), −1 where none has any. O(nBk)."""
        found = np.full(len(self.labels), MISSING, dtype=np.int32)
        for rows in self.blocks(np.flatnonzero(self.labels >= 0)):
            near = self.means(np.ascontiguousarray(self.ensemble.codes[:, rows]))
            near[np.arange(len(rows)), self.labels[rows]] = 0.0
            found[rows] = np.where(near.max(axis=1) > 0, near.argmax(axis=1), MISSING)
        return found

    def blocks(self, rows: IntArray) -> Iterator[IntArray]:
        """Cut a list of objects into pieces whose tables are small."""
        step = max(1, _CELLS // max(self.k, 1))
        for start in range(0, len(rows), step):
            yield rows[start : start + step]


def join_most_similar(
    e: Ensemble, rows: IntArray, labels: LabelArray, cluster_weights: FloatArray | None = None
) -> LabelArray:
    """Give every object the cluster, known for some rows, with the largest m(i, C); those rows keep theirs. O(nBk)."""
    full = np.full(e.n_objects, MISSING, dtype=np.int32)
    full[rows] = labels
    affinity = Affinity(e, full, int(labels.max()) + 1, cluster_weights)
    found = full.copy()
    for piece in affinity.blocks(np.flatnonzero(full < 0)):
        found[piece] = affinity.means(np.ascontiguousarray(e.codes[:, piece])).argmax(axis=1)
    return found


def nearest_clusters(e: Ensemble, labels: LabelArray, k: int) -> LabelArray:
    """Return for every object the cluster of a labeling with the largest m(i, C); −1 stays −1. O(nBk)."""
    affinity, near = Affinity(e, labels, k), np.full(e.n_objects, MISSING, dtype=np.int32)
    for rows in affinity.blocks(np.flatnonzero(labels >= 0)):
        near[rows] = affinity.means(np.ascontiguousarray(e.codes[:, rows])).argmax(axis=1)
    return near


def divided(evidence: FloatArray, base: FloatArray) -> FloatArray:
    """Evidence over what it was gathered from; no evidence is 0."""
    return np.divide(evidence, base, out=np.zeros_like(evidence), where=base > 0)


def _without(total: FloatArray, part: FloatArray) -> FloatArray:
    """The difference, exactly 0 where only rounding is left."""
    rest = total - part
    return np.where(rest > _ROUNDING * total, rest, 0.0)


def _gathered(e: Ensemble, codes: AnyArray, table: FloatArray) -> FloatArray:
    """Σ_t table[cluster of i in t] for every object given by its codes."""
    from ..kernels.embedding import add_rows

    out = np.empty((codes.shape[1], table.shape[1]))
    add_rows(codes, e.offsets, e.absent, np.ascontiguousarray(table), 0, codes.shape[1], out)
    return out
