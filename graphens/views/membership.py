"""A labeling against an ensemble: what its clusters share with the base clusters, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .._arrays import MISSING, AnyArray, FloatArray, LabelArray
from .._memory import require
from ..core.ensemble import Ensemble
from ..core.hypergraph import hypergraph
from .counting import overlaps
from .sums import write_sums

_CELLS = 1 << 22  # numbers of a table that is dense, and of a block of sparse work
_CACHED = 1 << 18  # numbers of a block of dense work


def majority(e: Ensemble, labels: LabelArray) -> LabelArray:
    """Return for every base cluster the label that most of its weight has, the first where tied; −1 for none. O(nB)."""
    k = int(labels.max(initial=MISSING)) + 1
    shared = overlaps(e, labels, max(k, 1))
    most = np.asarray(shared.argmax(axis=1)).ravel().astype(np.int32)
    most[np.diff(shared.indptr) == 0] = MISSING
    return most


class Counted(NamedTuple):
    """What a labeling shares with an ensemble, counted elsewhere: for objects that are some of all."""

    shared: sparse.csr_array  #: |C ∩ c|, K × k
    seen: FloatArray  #: |C present in t|, B × k
    size: FloatArray  #: |C|, k


@dataclass(frozen=True, eq=False)
class Overlap:
    """Mean co-association of every object with every cluster of a labeling, from counts, never n × n.

    For object i and cluster C it is Σ_t w_t |C ∩ c_t(i)| / Σ_t w_t |C present in t| over the partitions that have i;
    an object counts as a member of its own cluster. Normalized over clusters it is the membership.
    """

    ensemble: Ensemble
    labels: LabelArray
    k: int
    counted: Counted | None = None

    def renumbered(self, labels: LabelArray) -> Overlap:
        """Return the same about the same clusters under other numbers."""
        return Overlap(self.ensemble, labels, self.k)

    def membership(self) -> FloatArray:
        """Return the n × k memberships; rows sum to 1, and to 0 for unassigned objects. O(nBk)."""
        n = len(self.labels)
        require(
            8.0 * n * self.k,
            f"The membership of {n} objects in {self.k} clusters",
            "Use confidence, or fewer clusters",
        )
        full = np.empty((n, self.k))
        for start, stop, block in self._blocks(self._counted()):
            dense = block.toarray() if sparse.issparse(block) else block
            total = dense.sum(axis=1, keepdims=True)
            full[start:stop] = np.divide(dense, total, out=np.zeros_like(dense), where=total > 0)
        full[self.labels < 0] = 0
        return full

    def confidence(self) -> FloatArray:
        """Return a / (a + b), own cluster against the nearest rival, block by block. O(nBk) time, O(n) memory.

        a is the mean co-association with the others of the own cluster (1 where there are none), b the largest with
        another cluster. One occurrence of the object is left out of its own cluster: equal objects are each other's
        company, whether they are written out or counted by a weight.
        """
        e, k = self.ensemble, self.k
        found = np.zeros(len(self.labels))
        counted = self._counted()
        seen, size = counted.seen * e.weights[:, None], counted.size
        total, everywhere = seen.sum(axis=0), e.weights.sum()
        for start, stop, block in self._blocks(counted):
            label = self.labels[start:stop]
            at = np.flatnonzero(label >= 0)
            own = label[at]
            once = np.minimum(e.object_weights[start + at], 1.0)
            if e.has_missing:
                there = (e.codes[:, start:stop] != e.absent)[:, at]
                weight, self_weight = np.einsum("ti,ti->i", there, seen[:, own]), once * (e.weights @ there)
            else:
                weight, self_weight = total[own], once * everywhere
            a = np.divide(
                _picked(block, at, own) * weight - self_weight,
                weight - self_weight,
                out=np.zeros(at.size),
                where=weight - self_weight > 1e-9 * weight,
            )
            a[size[own] - once <= 1e-9 * size[own]] = 1.0
            a = np.clip(a, 0.0, 1.0)
            b = _rival(block, at, own)
            found[start + at] = a if k == 1 else np.where(a + b > 0, a / np.where(a + b > 0, a + b, 1.0), 0.5)
        return found

    def _blocks(self, counted: Counted) -> Iterator[tuple[int, int, Any]]:
        """Mean co-associations for stretches of objects: dense where the tables are small, sparse otherwise."""
        e = self.ensemble
        weight = np.repeat(e.weights, e.n_clusters)[:, None]
        dense = counted.shared.shape[0] * self.k <= _CELLS
        shared: Any = counted.shared.toarray() if dense else counted.shared
        missing = e.has_missing
        seen = counted.seen * e.weights[:, None]
        scaled = shared * weight
        if not missing:  # every object has the same denominator
            total = seen.sum(axis=0)
            scaled = scaled / np.where(total > 0, total, 1.0)
        step = int(
            np.clip((_CACHED if dense else _CELLS) // max(self.k if dense else e.n_partitions, 1), 1, 1 << 16)
        )
        for start in range(0, len(self.labels), step):
            stop = min(start + step, len(self.labels))
            block = _dense_sums(e, scaled, start, stop) if dense else _sparse_sums(e, scaled, start, stop)
            if missing:
                block = _divided(block, (e.codes[:, start:stop] != e.absent).T.astype(float), seen)
            yield start, stop, block

    def _counted(self) -> Counted:
        return self.counted or count(self.ensemble, self.labels, self.k)


def count(e: Ensemble, labels: LabelArray, k: int) -> Counted:
    """Count what a labeling shares with the clusters of an ensemble. O(nB)."""
    shared, inside = overlaps(e, labels, k), labels >= 0
    owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
    cells = (owner, np.arange(len(owner)))
    of_partitions = sparse.csr_array((np.ones(len(owner)), cells), shape=(e.n_partitions, len(owner)))
    size = np.bincount(labels[inside], e.object_weights[inside], k).astype(np.float64)
    return Counted(shared, (of_partitions @ shared).toarray(), size)


def _dense_sums(e: Ensemble, table: FloatArray, start: int, stop: int) -> FloatArray:
    """The sums of the rows of the clusters of some objects."""
    out = np.empty((stop - start, table.shape[1]))
    write_sums(e, table, start, out)
    return out


def _sparse_sums(e: Ensemble, table: Any, start: int, stop: int) -> Any:
    part = e.replace(
        codes=e.codes[:, start:stop], object_weights=e.object_weights[start:stop], object_names=None
    )
    return hypergraph(part).incidence @ table


def _picked(block: Any, rows: AnyArray, columns: AnyArray) -> FloatArray:
    """One cell of each of some rows; sparse ones by a mask, as versions of SciPy differ in what indexing returns."""
    if not sparse.issparse(block):
        return np.asarray(block[rows, columns])
    mask = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=block.shape)
    return np.asarray(block.multiply(mask).sum(axis=1)).ravel()[rows]


def _rival(block: Any, rows: AnyArray, columns: AnyArray) -> FloatArray:
    """The largest cell of each of some rows apart from one."""
    if sparse.issparse(block):
        mask = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=block.shape)
        rest = sparse.csr_array(block - block.multiply(mask))
        return np.asarray(rest.max(axis=1).todense()).ravel()[rows]
    rest = block[rows]
    rest[np.arange(rows.size), columns] = 0.0
    return np.asarray(rest.max(axis=1, initial=0.0))


def _divided(block: Any, present: AnyArray, seen: FloatArray) -> Any:
    """Divide evidence by the presence that it was gathered from."""
    if sparse.issparse(block):
        pairs = block.tocoo()
        base = np.einsum("it,ti->i", present[pairs.row], seen[:, pairs.col])
        return sparse.csr_array((pairs.data / base, (pairs.row, pairs.col)), shape=block.shape)
    base = present @ seen
    return np.divide(block, base, out=np.zeros_like(block), where=base > 0)
