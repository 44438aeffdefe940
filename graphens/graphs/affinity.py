"""The similarity of objects to the clusters of a labeling: mean co-association, computed from counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, divide, draw
from .._lib.memory import require
from ..labels.ensemble import Ensemble
from ..labels.names import Names
from ..labels.value import remembered
from .counts import overlaps, sums_of
from .hypergraph import incidence_of
from .splits import COARSE, Splits

if TYPE_CHECKING:
    from ..result.consensus import Consensus

_ROUNDING = 1e-12  # what is left of a sum after its own part was taken out, relative to the sum
_DENSE = 1 << 22  # numbers of a table up to which it is dense, and of a block of sparse work
_NARROW = 64  # clusters up to which it may also have a few numbers for each label
_CACHED = 1 << 18  # numbers of a block of dense work
_HELD = 0.9 - 1e-9  # of a cluster in one base cluster: it is not split


class Counted(NamedTuple):
    """Overlaps of a labeling with an ensemble; given by the caller if the objects are only some of all."""

    shared: sparse.csr_array  #: |C ∩ c|, K × k
    seen: FloatArray  #: |C present in t|, B × k
    size: FloatArray  #: |C|, k


class OwnAndRival(NamedTuple):
    """Mean co-association of objects with the other members of their own cluster, and with the nearest rival."""

    own: FloatArray
    other: FloatArray
    rival: LabelArray  #: the nearest other cluster, −1 where no other has any evidence
    alone: AnyArray  #: whether the object is the only one of its cluster


class Placement(NamedTuple):
    """Clusters of new objects, −1 if there is no evidence, with memberships, confidences and the next best cluster."""

    labels: LabelArray
    membership: FloatArray
    confidence: FloatArray
    rival: LabelArray  #: −1 where no other cluster has any evidence


@dataclass(frozen=True, eq=False)
class Affinity:
    """Mean co-association of objects with every cluster C of a labeling.

    m(i, C) = Σ_t w_t r(c_t(i)) |c_t(i) ∩ C| / Σ_t w_t |C present in t| over the partitions t that have i; r are the
    cluster weights, 1 by default. Without missing labels, it is the plain mean of S_ij over j ∈ C. Normalized over
    clusters, it gives the membership; comparing the own cluster with the nearest rival gives the confidence.
    """

    ensemble: Ensemble  #: the partitions
    labels: LabelArray  #: the labeling, 0 … k − 1 and −1 for objects in no cluster
    k: int  #: its number of clusters
    cluster_weights: FloatArray | None = None  #: one weight r per base cluster, such as its reliability
    #: overlaps of the clusters with the base clusters, if the ensemble does not have all objects of the clusters
    counted: Counted | None = None

    def renumbered(self, labels: LabelArray, order: IntArray) -> Affinity:
        """Return the same for renumbered clusters; `order` has the old number of each."""
        counted = self.counted and Counted(
            sparse.csr_array(self.counted.shared[:, order]), self.counted.seen[:, order], self.counted.size[order]
        )
        return Affinity(self.ensemble, labels, self.k, self.cluster_weights, counted)

    # counts --------------------------------------------------------------------------------------------------

    @remembered
    def counts(self) -> Counted:
        """Overlaps of the labeling with the base clusters. O(nB)."""
        return self.counted or count_overlaps(self.ensemble, self.labels, self.k)

    @remembered
    def edge_weights(self) -> FloatArray:
        """The weight of being together in each base cluster, w_t r(c)."""
        weight = np.repeat(self.ensemble.weights, self.ensemble.n_clusters)
        return weight if self.cluster_weights is None else weight * self.cluster_weights

    @remembered
    def table(self) -> Any:
        """w_t r(c) |c ∩ C| for all base clusters and clusters: dense if small, otherwise sparse."""
        shared = self.counts.shared
        most = max(_DENSE, 4 * self.ensemble.codes.size if self.k <= _NARROW else 0)
        small = shared.shape[0] * shared.shape[1] <= most
        return (
            shared.toarray() * self.edge_weights[:, None] if small else sparse.diags_array(self.edge_weights) @ shared
        )

    @remembered
    def seen(self) -> FloatArray:
        """w_t |C present in t|, B × k."""
        return self.counts.seen * self.ensemble.weights[:, None]

    # groups --------------------------------------------------------------------------------------------------

    def within(self) -> FloatArray:
        """Return the mean similarity of the pairs inside every cluster, NaN if none is present together. O(nB)."""
        shared, seen = self.counts.shared, self.counts.seen
        evidence = self.edge_weights @ (shared.power(2) - shared)
        base = self.ensemble.weights @ (seen * (seen - 1))
        return np.where(base > 0, divide(evidence, base), np.nan)

    def cluster_cohesion(self) -> FloatArray:
        """Return the mean similarity of the pairs inside every cluster, 1 for one object, 0 without evidence. O(nB)."""
        return np.where(self.counts.size == 1, 1.0, np.nan_to_num(self.within()))

    def between(self) -> FloatArray:
        """Return the mean similarity between and inside all clusters, k × k, without pairs of an object with itself.

        NaN if no pair is ever present together, 1 for a cluster of one object. O(nB + k²K).
        """
        shared = self.counts.shared
        evidence = (shared.T @ (sparse.diags_array(self.edge_weights) @ shared)).toarray()
        base = self.seen.T @ self.counts.seen
        means = np.where(base > 0, divide(evidence, base), np.nan)
        np.fill_diagonal(means, np.where(self.counts.size == 1, 1.0, self.within()))
        return means

    # objects -------------------------------------------------------------------------------------------------

    def means(self, codes: AnyArray) -> FloatArray:
        """Return m(i, C) of objects given by their codes (B × m), 0 if there is no evidence. O(mBk)."""
        found = self._means(codes, self._evidence(codes))
        return np.asarray(found.toarray() if sparse.issparse(found) else found)

    def others(self, rows: IntArray) -> FloatArray:
        """Return m(i, C) of some objects of the ensemble, without the object itself."""
        means, assigned = self.means(self.codes(rows)), np.flatnonzero(self.labels[rows] >= 0)
        means[assigned, self.labels[rows[assigned]]] = self.own_and_rival(rows[assigned]).own
        return means

    def nearest(self, rows: IntArray) -> LabelArray:
        """Return the cluster with the largest m(i, C) for some objects of the ensemble. O(mBk)."""
        parts = [self.means(self.codes(some)).argmax(axis=1) for some in self.blocks(rows)]
        return np.concatenate([np.empty(0, dtype=np.int32), *parts]).astype(np.int32)

    def moving(self) -> float:
        """Return the share, by weight, of the objects, or of 20,000 random ones, whose nearest cluster is another one.

        O(mBk) for m objects.
        """
        rows = np.flatnonzero(self.labels >= 0)
        rows = rows[draw(len(rows), 20_000, 0)]
        away = self.nearest(rows) != self.labels[rows]
        return float(np.average(away, weights=self.ensemble.object_weights[rows])) if len(rows) else 0.0

    def own_and_rival(self, rows: IntArray) -> OwnAndRival:
        """Compare the own cluster of some objects, without the object itself, with the nearest other cluster. O(mBk).

        Only one occurrence of an object is left out of its own cluster: other objects with the same labels count,
        whether they are listed one by one or given by a weight.
        """
        # An object is always together with itself, which would make small clusters look better than they are: its own
        # part is taken out of evidence and base, but only once, since copies of it are other objects.
        e, own, codes = self.ensemble, self.labels[rows], self.codes(rows)
        evidence, present = self._evidence(codes), codes != e.absent
        itself = np.minimum(e.object_weights[rows], 1.0)
        base = self._base(present, np.arange(len(rows)), own)
        a = divide(
            _without(_pick(evidence, own), itself * sums_of(e, codes, self.edge_weights[:, None])[:, 0]),
            _without(base, itself * (e.weights @ present)),
        )
        other, rival = _largest_but(self._means(codes, evidence), own)
        return OwnAndRival(a, other, rival, _without(self.counts.size[own], itself) <= 0)

    def by_partition(self, i: int) -> tuple[FloatArray, FloatArray]:
        """Return |c_t(i) ∩ C| and |C present in t| without the object itself, B × k, 0 if t does not have it."""
        e, own = self.ensemble, int(self.labels[i])
        there = np.flatnonzero(e.codes[:, i] != e.absent)
        shared, seen = np.zeros((e.n_partitions, self.k)), np.zeros((e.n_partitions, self.k))
        shared[there] = self.counts.shared[e.offsets[there] + e.codes[there, i]].toarray()
        seen[there] = self.counts.seen[there]
        for table in (shared, seen) if own >= 0 else ():
            table[there, own] = np.maximum(table[there, own] - min(float(e.object_weights[i]), 1.0), 0.0)
        return shared, seen

    def place(self, codes: AnyArray) -> Placement:
        """Place new objects, given by their codes (B × m), where m(i, C) is largest. O(mBk)."""
        means = self.means(codes)
        membership, best = normalized(means), means.max(axis=1, initial=0.0)
        near = means.argmax(axis=1) if self.k else np.zeros(len(means), dtype=np.int64)
        labels, rival = np.where(best > 0, near, MISSING).astype(np.int32), np.full(len(near), MISSING)
        if self.k > 1:
            other, rival = _largest_but(means, near)
            best = divide(best, best + other)
        return Placement(labels, membership, best, rival.astype(np.int32))

    def membership(self) -> FloatArray:
        """Return the n × k memberships; rows sum to 1, and to 0 for unassigned objects. O(nBk)."""
        n = len(self.labels)
        require(
            8.0 * n * self.k, f"The membership of {n} objects in {self.k} clusters", "Use confidence, or fewer clusters"
        )
        full = np.zeros((n, self.k))
        for rows, part in self.memberships():
            full[rows] = part
        return full

    def memberships(self) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the memberships of the objects that have a cluster, some at a time: their positions, and m × k."""
        step = max(_DENSE // max(self.k, 1), 1)  # dense, also where the table is not
        for rows in self.blocks(np.flatnonzero(self.labels >= 0)):
            for start in range(0, len(rows), step):
                some = rows[start : start + step]
                yield some, normalized(self.means(self.codes(some)))

    @remembered
    def every_object(self) -> OwnAndRival:
        """The comparison for all objects, block by block; an object alone has 1, an unassigned one 0. O(nBk)."""
        n = len(self.labels)
        own, other, alone = np.zeros(n), np.zeros(n), np.zeros(n, dtype=bool)
        rival = np.full(n, MISSING, dtype=np.int32)
        for rows in self.blocks(np.flatnonzero(self.labels >= 0)):
            a, other[rows], rival[rows], alone[rows] = self.own_and_rival(rows)
            own[rows] = np.where(alone[rows], 1.0, np.clip(a, 0.0, 1.0))
        return OwnAndRival(own, other, rival, alone)

    def cohesion(self) -> FloatArray:
        """Return a, the mean co-association with the other members of the own cluster, of every object."""
        return self.every_object.own

    def confidence(self) -> FloatArray:
        """Return a / (a + b) of every object, where b is the largest mean co-association with another cluster.

        With a single cluster, the confidence is a.
        """
        a, b = self.every_object.own, self.every_object.other
        return a if self.k == 1 else np.where(a + b > 0, divide(a, a + b), 0.5 * (self.labels >= 0))

    def splits(self) -> Splits:
        """Count in how many partitions each cluster is split; only those of at most 1.5 k clusters are asked. O(nB)."""
        e, shared = self.ensemble, self.counts.shared.tocoo()
        coarse = (e.n_clusters <= COARSE * self.k) & (e.weights > 0)
        owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)[shared.row]
        # The largest part of C that one cluster of t holds: if it is below nine tenths, t splits C.
        largest = np.zeros(self.counts.seen.shape)
        np.maximum.at(largest, (owner, shared.col), shared.data)
        judged = coarse[:, None] & (self.counts.seen > 0)
        split = judged & (largest < _HELD * self.counts.seen)
        finer = e.n_clusters[(e.weights > 0) & ~coarse]
        return Splits(split.sum(axis=0), judged.sum(axis=0), int(coarse.sum()), finer)

    def blocks(self, rows: IntArray) -> Iterator[IntArray]:
        """Cut a list of objects into pieces whose tables are small."""
        room, wide, table = _CACHED, self.k, self.table
        if sparse.issparse(table):  # B clusters of an object meet so many others, each compared over B partitions
            met = self.ensemble.n_partitions * (1 + table.nnz // max(table.shape[0], 1))
            room, wide = _DENSE, self.ensemble.n_partitions * min(met, self.k)
        step = int(np.clip(room // max(wide, 1), 1, 1 << 16))
        for start in range(0, len(rows), step):
            yield rows[start : start + step]

    def codes(self, rows: IntArray) -> AnyArray:
        """Return the codes of some objects of the ensemble, B × m."""
        return np.ascontiguousarray(self.ensemble.codes[:, rows])

    def _evidence(self, codes: AnyArray) -> Any:
        """Σ_t w_t r(c) |c ∩ C| over the clusters c of every object, m × k; sparse where the table is."""
        e = self.ensemble
        if not sparse.issparse(self.table):
            return sums_of(e, codes, self.table)
        m = codes.shape[1]
        part = e._replace(codes=codes, object_weights=np.ones(m), _names=Names(("x", m)))
        return sparse.csr_array(incidence_of(part) @ self.table)

    def _means(self, codes: AnyArray, evidence: Any) -> Any:
        """Evidence divided by the weight of the partitions that it comes from."""
        present = codes != self.ensemble.absent
        if not sparse.issparse(evidence):
            base = self.seen.sum(axis=0) if present.all() else present.T.astype(float) @ self.seen
            return divide(evidence, base)
        pairs = evidence.tocoo()
        base = self._base(present, pairs.row, pairs.col)
        return sparse.csr_array((divide(pairs.data, base), (pairs.row, pairs.col)), shape=evidence.shape)

    def _base(self, present: AnyArray, rows: AnyArray, clusters: AnyArray) -> FloatArray:
        """Σ_t w_t |C present in t| over the partitions that have an object, for pairs of objects and clusters."""
        if present.all():
            return np.asarray(self.seen.sum(axis=0)[clusters])
        return np.einsum("ti,ti->i", present[:, rows], self.seen[:, clusters])


def affinity_of(r: Consensus) -> Affinity:
    """Return the evidence of a consensus: the similarity of its objects to its clusters, counted once."""
    assert isinstance(r._evidence, Affinity)
    return r._evidence


def count_overlaps(e: Ensemble, labels: LabelArray, k: int) -> Counted:
    """Count what a labeling shares with the clusters of an ensemble. O(nB)."""
    shared, inside = overlaps(e, labels, k), labels >= 0
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    cells = (owner, np.arange(len(owner)))
    of_partitions = sparse.csr_array((np.ones(len(owner)), cells), shape=(e.n_partitions, len(owner)))
    size = np.bincount(labels[inside], e.object_weights[inside], k).astype(np.float64)
    return Counted(shared, (of_partitions @ shared).toarray(), size)


def join_most_similar(
    e: Ensemble, rows: IntArray, labels: LabelArray, cluster_weights: FloatArray | None = None
) -> LabelArray:
    """Assign every object to the cluster with the largest m(i, C); rows whose cluster is known keep it. O(nBk)."""
    full = np.full(e.n_objects, MISSING, dtype=np.int32)
    full[rows] = labels
    rest = np.flatnonzero(full < 0)
    complete = full.copy()
    complete[rest] = Affinity(e, full, int(labels.max()) + 1, cluster_weights).nearest(rest)
    return complete


def normalized(means: FloatArray) -> FloatArray:
    """Rows scaled to sum to 1; rows of zeros stay."""
    return divide(means, means.sum(axis=1, keepdims=True))


def _without(total: FloatArray, part: FloatArray) -> FloatArray:
    """The difference, exactly 0 if only rounding errors are left."""
    rest = total - part
    return np.where(rest > _ROUNDING * total, rest, 0.0)


def _pick(table: Any, columns: AnyArray) -> FloatArray:
    """One cell of each row; of sparse tables by a mask, because indexing differs between versions of SciPy."""
    rows = np.arange(len(columns))
    if not sparse.issparse(table):
        return np.asarray(table[rows, columns])
    mask = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=table.shape)
    return np.asarray(table.multiply(mask).sum(axis=1)).ravel()


def _largest_but(means: Any, columns: AnyArray) -> tuple[FloatArray, LabelArray]:
    """The largest cell of each row except for one, which is overwritten, and its column, −1 if none is above 0."""
    rows = np.arange(len(columns))
    if sparse.issparse(means):
        mask = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=means.shape)
        means = sparse.csr_array(means - means.multiply(mask))
        largest = means.max(axis=1).toarray().ravel()
    else:
        means[rows, columns] = 0.0
        largest = means.max(axis=1, initial=0.0)
    place = np.asarray(means.argmax(axis=1)).ravel() if means.shape[1] else rows
    return largest, np.where(largest > 0, place, MISSING).astype(np.int32)
