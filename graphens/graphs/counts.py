"""Products with the incidence H of objects and clusters, without building it: HᵀH, H · T, and transfer cuts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Protocol

import numpy as np
from scipy import sparse

from .._lib.arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    divide,
    draw,
    narrowest,
    on_one_scale,
    sentinel,
)
from .._lib.memory import require
from .._lib.threads import map_threads, worth_threads
from ..labels.ensemble import Ensemble
from ..labels.value import recall

_ROWS = 1 << 15  # objects per piece of threaded work
_CELLS = 1 << 18  # numbers of a stretch: they stay in cache until they are used


def sum_rows(e: Ensemble, table: AnyArray) -> FloatArray:
    """Return H · table for the incidence H of the ensemble: the sum of the rows of every object's clusters. O(nBk)."""
    table = np.ascontiguousarray(table)  # rows are added whole: by columns it takes twice as long
    n = e.n_objects
    out = np.empty((n, table.shape[1]), dtype=table.dtype)
    map_threads(lambda start: write_sums(e, table, start, out[start : start + _ROWS]), range(0, n, _ROWS))
    return out


def use_sums(e: Ensemble, table: AnyArray, use: Callable[[slice, FloatArray], None]) -> None:
    """Pass H · table to a function, block by block and in threads, so that n × k numbers are never in memory."""
    table = np.ascontiguousarray(table)
    step = int(np.clip(_CELLS // max(table.shape[1], 1), 256, _ROWS))

    def piece(start: int) -> None:
        some = slice(start, min(e.n_objects, start + step))
        out = np.empty((some.stop - start, table.shape[1]), dtype=table.dtype)
        write_sums(e, table, start, out)
        use(some, out)

    map_threads(piece, range(0, e.n_objects, step))


def sum_members(e: Ensemble, values: FloatArray) -> FloatArray:
    """Return Hᵀ · values: for every cluster the sum over its objects. O(nB) per column."""
    from ..kernels.counting import sum_members

    out = np.zeros((*values.shape[1:], int(e.offsets[-1])))
    for column, sums in zip(np.atleast_2d(values.T), np.atleast_2d(out), strict=True):
        sum_members(e.codes, e.offsets, e.absent, np.ascontiguousarray(column), sums)
    return out.T


def sums_of(e: Ensemble, codes: AnyArray, table: FloatArray) -> FloatArray:
    """Return Σ_t table[cluster of i in t] for objects given by their codes (B × m). O(mBk)."""
    from ..kernels.counting import add_rows

    out = np.empty((codes.shape[1], table.shape[1]))
    add_rows(codes, e.offsets, e.absent, np.ascontiguousarray(table), 0, codes.shape[1], out)
    return out


def write_sums(e: Ensemble, table: AnyArray, start: int, out: AnyArray) -> None:
    """Write the sums of some objects, from `start` on."""
    from ..kernels.counting import add_rows

    add_rows(e.codes, e.offsets, e.absent, table, start, start + len(out), out)


_SAMPLE = 1 << 16
#: beyond this many cells a contingency table is sparse, and sorting the pairs is cheaper than a table of zeros
TABLE = 1 << 24
_DENSE = 1 << 22  # cells of a table of all clusters that is nothing beside the rest
_FEW, _MANY = (512, 32)  # objects up to which, and partitions from which on, one product is quicker than many tables


def cooccurrence(e: Ensemble) -> sparse.csr_array:
    """Return the K × K matrix of |a ∩ b| between clusters of different partitions, by object weight.

    Counted from the labels for each pair of partitions: O(nB²) time, and memory for one table and the result. Equal
    label rows are merged first if a sample shows that this is faster. For few objects in many partitions, whose tables
    are nearly empty, one sparse product is used instead. The result is cached as far as memory allows.
    """
    return recall(e, "cooccurrence", lambda: _count_pairs(_collapsed_if_it_pays(e)))


def few_overlaps(e: Ensemble) -> bool:
    """Return whether the K × K overlaps are small; if not, statistics are computed without storing them."""
    k = int(e.offsets[-1])
    return min(e.n_objects * e.n_partitions**2, k * k) <= _DENSE


def _count_pairs(e: Ensemble) -> sparse.csr_array:
    if e.n_objects <= _FEW and e.n_partitions > _MANY:
        return _product(e)
    if int(e.offsets[-1]) ** 2 <= _DENSE and not worth_threads(e.n_objects):
        return _dense(e)
    offsets = e.offsets
    wide = np.int32 if offsets[-1] < 2**31 else np.int64

    def block(pair: tuple[int, int]) -> tuple[AnyArray, AnyArray, AnyArray]:
        s, t = pair
        rows, columns, counts = pair_counts(e, e.codes[s], e.codes[t], int(e.n_clusters[s]), int(e.n_clusters[t]))
        return (rows + offsets[s]).astype(wide), (columns + offsets[t]).astype(wide), counts

    pairs = combinations(range(e.n_partitions), 2)
    blocks = map_threads(block, pairs, each=e.n_objects)
    total = int(offsets[-1])
    if not blocks:
        return sparse.csr_array((total, total))
    rows, columns, counts = (np.concatenate(part) for part in zip(*blocks, strict=True))
    upper = sparse.csr_array((counts, (rows, columns)), shape=(total, total))
    return sparse.csr_array(upper + upper.T)


def _dense(e: Ensemble) -> sparse.csr_array:
    """The counts of all pairs of partitions in one table, which is faster than thousands of small tables."""
    from ..kernels.counting import contingencies

    total = int(e.offsets[-1])
    upper = np.zeros((total, total))
    weights = e.object_weights[:0] if e._unweighted else e.object_weights
    contingencies(e.codes, e.n_clusters, e.offsets, weights, upper)
    return sparse.csr_array(upper + upper.T)


def _product(e: Ensemble) -> sparse.csr_array:
    """HᵀWH without its diagonal; clusters of the same partition share no object."""
    places = e.codes + e.offsets[:-1, None]
    there = (e.codes != e.absent).T
    rows = np.concatenate(([0], np.cumsum(there.sum(axis=1))))
    h = sparse.csr_array((np.ones(rows[-1]), places.T[there], rows), shape=(e.n_objects, int(e.offsets[-1])))
    most = min(float(e.n_objects) * e.n_partitions**2, float(e.offsets[-1]) ** 2)
    require(36 * most, f"The overlaps of {e.offsets[-1]} clusters", "Use fewer partitions")
    shared = sparse.csr_array(h.T.tocsr() @ (h * e.object_weights[:, None]))
    shared.setdiag(0)
    shared.eliminate_zeros()
    # It is symmetric, and transposing sorts its indices in one pass.
    return sparse.csr_array(shared.T.tocsr())


def once(e: Ensemble) -> Ensemble:
    """Return the same labels with all object weights equal to 1."""
    return e if e._unweighted else e._replace(object_weights=np.ones(e.n_objects))


def overlaps(e: Ensemble, labels: LabelArray, k: int) -> sparse.csr_array:
    """Return the K × k matrix of |c ∩ C| between base clusters and the clusters of a labeling, by object weight.

    Unassigned objects (−1) are in no cluster. O(nB).
    """
    offsets, size = e.offsets, int(e.offsets[-1])
    # Thousands of small tables cost more than one.
    if e.n_objects <= _FEW and max(e.codes.size, size * k) <= TABLE:
        there = (e.codes != e.absent) & (labels >= 0)
        cell = ((e.codes + offsets[:-1, None]) * k + labels)[there]
        weights = np.broadcast_to(e.object_weights, e.codes.shape)[there]
        return sparse.csr_array(np.bincount(cell, weights, size * k).astype(np.float64, copy=False).reshape(size, k))
    own = labels.astype(narrowest(max(k - 1, 0)))
    tables = map_threads(
        lambda t: pair_counts(e, e.codes[t], own, int(e.n_clusters[t]), k), range(e.n_partitions), each=e.n_objects
    )
    rows = np.concatenate([rows + offsets[t] for t, (rows, _, _) in enumerate(tables)])
    columns, counts = (np.concatenate([table[part] for table in tables]) for part in (1, 2))
    return sparse.csr_array((counts, (rows, columns)), shape=(size, k))


def majority(e: Ensemble, labels: LabelArray) -> LabelArray:
    """Return for every base cluster its most frequent label by weight, the first one in a tie; −1 for none. O(nB)."""
    k = int(labels.max(initial=MISSING)) + 1
    shared = overlaps(e, labels, max(k, 1))
    most = np.asarray(shared.argmax(axis=1)).ravel().astype(np.int32)
    most[np.diff(shared.indptr) == 0] = MISSING
    return most


def pair_counts(e: Ensemble, a: AnyArray, b: AnyArray, k_a: int, k_b: int) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return the non-zero cells (row, column, weight) of the contingency table of two code vectors of the objects."""
    if (k_a + 1) * (k_b + 1) > max(TABLE, 8 * e.n_objects):  # too large for a table: sort the pairs
        both = np.flatnonzero((a != sentinel(a.dtype)) & (b != sentinel(b.dtype)))
        keys, inverse = np.unique(a[both].astype(np.int64) * k_b + b[both], return_inverse=True)
        return keys // k_b, keys % k_b, np.bincount(inverse, weights=e.object_weights[both])
    table = pair_table(e, a, b, k_a, k_b)[:k_a, :k_b]
    rows, columns = np.nonzero(table)
    return rows, columns, table[rows, columns].astype(np.float64)


def pair_table(e: Ensemble, a: AnyArray, b: AnyArray, k_a: int, k_b: int) -> AnyArray:
    """Return the contingency table of two code vectors; its last row and column hold the absent objects."""
    from ..kernels.counting import contingency, weighted_contingency

    if e._unweighted:
        return contingency(a, b, k_a, k_b)
    return weighted_contingency(a, b, k_a, k_b, e.object_weights)


def _collapsed_if_it_pays(e: Ensemble) -> Ensemble:
    if e.n_partitions < 8:
        return e
    step = max(1, e.n_objects // _SAMPLE)
    sample = e._replace(
        codes=np.ascontiguousarray(e.codes[:, ::step]),
        object_weights=e.object_weights[::step].copy(),
        _names=e.vertex_names()[::step],
    )
    return e.collapse()[0] if 2 * sample.collapse()[0].n_objects < sample.n_objects else e


_SIDE_CELLS = 1 << 25  # of W: beyond, products with the labels are cheaper than the matrix
_SIDE_ROWS = 16  # rows of a square of rows per piece of threaded work


class Side(Protocol):
    """The n × K matrix A of edge weights between objects and clusters, with D_X = diag(A1), in any representation."""

    weight: FloatArray  #: how often each row counts when rows are grouped
    shape: tuple[int, int]  #: number of rows and of clusters
    by_clusters: bool  #: whether W is the cheaper way to look at the graph

    def forth(self, x: FloatArray) -> FloatArray:
        """Return A x, one number for each row."""

    def back(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y, one number for each cluster, or one row if y has columns."""

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ, rows × rows."""

    def linked(self) -> AnyArray:
        """Return the component of every cluster."""

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A, K × K: how strongly clusters overlap."""

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Return the components of the rows from those of the clusters."""

    def rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T, one row each."""

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return rows, or labels of rows, for all objects."""


class MatrixSide:
    """The side of a graph whose edges are stored."""

    matrix: sparse.csr_array
    weight: FloatArray
    shape: tuple[int, int]
    by_clusters: bool
    inverse: FloatArray

    def __init__(self, matrix: sparse.csr_array, weight: FloatArray) -> None:
        self.matrix, self.weight = sparse.csr_array(matrix), weight
        self.shape, self.by_clusters = self.matrix.shape, _fewer_clusters(self.matrix.shape)
        self.inverse = divide(1.0, np.asarray(self.matrix.sum(axis=1)).ravel())

    def forth(self, x: FloatArray) -> FloatArray:
        """Return A x."""
        return np.asarray(self.matrix @ x)

    def back(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y."""
        return np.asarray(self.matrix.T @ y)

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ."""
        return np.asarray(((self.matrix * gains) @ self.matrix.T).toarray())

    def linked(self) -> AnyArray:
        """Return the component of every cluster, from the graph of rows and clusters."""
        from scipy.sparse.csgraph import connected_components

        n = self.shape[0]
        star = sparse.block_array([[None, self.matrix], [self.matrix.T, None]], format="csr")
        return np.asarray(connected_components(star, directed=False)[1][n:])

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A."""
        return sparse.csr_array(self.matrix.T @ (self.matrix * self.inverse[:, None]))

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Return the components of the objects: that of the first cluster of each."""
        linked = np.diff(self.matrix.indptr) > 0
        found = np.full(len(linked), -1)
        found[linked] = of_clusters[self.matrix.indices[self.matrix.indptr[:-1][linked]]]
        return np.unique(found, return_inverse=True)[1].astype(np.int32)

    def rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T."""
        return np.asarray(self.matrix @ table) * self.inverse[:, None]

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return the rows themselves."""
        return rows


def _fewer_clusters(shape: tuple[int, int]) -> bool:
    """Whether there are no more clusters than rows, and W is not too large."""
    n, k = shape
    return k <= n and k * k <= _SIDE_CELLS


class LabelSide:
    """The side of the bipartite graph of an ensemble on its distinct label rows; edges count as often as objects.

    With ``merge=False``, all rows are used, for callers that only need W and know that most rows differ.
    """

    index: IntArray
    e: Ensemble
    weight: FloatArray
    values: FloatArray
    shape: tuple[int, int]
    by_clusters: bool
    inverse: FloatArray

    def __init__(self, e: Ensemble, edge_weights: FloatArray, *, merge: bool = True) -> None:
        micro, self.index = e.collapse() if merge else (e, np.arange(e.n_objects))
        self.e, self.weight, self.values = (micro, on_one_scale(micro.object_weights), on_one_scale(edge_weights))
        self.shape = micro.n_objects, len(self.values)
        self.by_clusters = _fewer_clusters(self.shape)
        self.inverse = divide(1.0, sum_rows(micro, self.values[:, None])[:, 0])  # of what one copy's edges weigh

    def forth(self, x: FloatArray) -> FloatArray:
        """Return A x. O(nB)."""
        return self.weight * sum_rows(self.e, (self.values * x)[:, None])[:, 0]

    def back(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y. O(nB) for each column."""
        return (self.values * sum_members(self.e, (self.weight * y.T).T).T).T

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ. O(n²B), n × n memory."""
        from ..kernels.counting import gain_rows

        e, n = self.e, self.e.n_objects
        found, worth = np.zeros((n, n)), self.values**2 * gains
        map_threads(
            lambda start: gain_rows(e.codes, e.offsets, e.absent, worth, start, min(n, start + _SIDE_ROWS), found),
            range(0, n, _SIDE_ROWS),
            each=_SIDE_ROWS * float(e.codes.size),
        )
        lower = np.tril(found, -1)
        return (found + lower.T) * self.weight * self.weight[:, None]

    def linked(self) -> AnyArray:
        """Return the component of every cluster. O(nB)."""
        from ..kernels.counting import connect_clusters

        e, parent = self.e, np.arange(len(self.values))
        connect_clusters(e.codes, e.offsets, e.absent, self.values > 0, parent)
        return parent

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A from the weight of the objects in each pair of clusters."""
        scaled = self.e._replace(object_weights=self.weight * self.inverse)
        w = cooccurrence(scaled) + sparse.diags_array(scaled.cluster_sizes())
        found = sparse.csr_array((w * self.values) * self.values[:, None])
        found.eliminate_zeros()  # clusters without weight connect nothing
        return found

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Return the components of the rows: that of the first cluster with positive weight of each."""
        e = self.e
        found, offsets = np.full(e.n_objects, -1), e.offsets
        for t, row in enumerate(e.codes):
            own = slice(offsets[t], offsets[t + 1])
            place = np.where(self.values[own] > 0, of_clusters[own], -1)
            open_ = np.flatnonzero((found < 0) & (row != e.absent))
            found[open_] = place[row[open_]]
            if not open_.size:
                break
        return np.unique(found, return_inverse=True)[1].astype(np.int32)

    def rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T, one row per distinct label row, in single precision."""
        out = sum_rows(self.e, (table * self.values[:, None]).astype(np.float32))
        out *= self.inverse[:, None].astype(np.float32)
        return out

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return the rows, or labels of rows, of all objects."""
        return rows[self.index]


_ASKED = 500  # partitions that all are compared with in any case
_STEPS = 1 << 29  # labels that are looked at before some partitions stand for all
_LONG = 1 << 16  # objects of a partition from which on a table takes longer than asking for it
_LOGS = 1 << 16  # whole numbers up to which x log x is looked up


def asked_partitions(e: Ensemble, most: int | None = None) -> IntArray:
    """Return the partitions with which every partition is compared: all that count, or a random sample of them.

    Comparing all takes nB² steps. Beyond 500 partitions and half a billion steps, a sample is used: as many as take
    half a billion steps but at least 500, or `most`. The sample is always the same for the same ensemble.
    """
    counting = np.flatnonzero(e.weights > 0)
    most = most or max(_ASKED, int(_STEPS / (max(e.n_objects, 1) * e.n_partitions)))
    return counting if len(counting) <= most else counting[draw(len(counting), most, 0)]


def mean_opinions(e: Ensemble, others: IntArray, voices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return weighted means over the partitions `others` for every partition and cluster, without the partition itself.

    For a partition, the mean of `reliability.shared_pairs`, how far the same pairs of objects are together, beyond
    chance; for a cluster, its entropy over their clusters, in bits. O(n) for each pair of partitions, O(K) memory.
    """
    from ..kernels.counting import judge_clusters, room_for

    said, bits, offsets = np.zeros(e.n_partitions), np.zeros(int(e.offsets[-1])), e.offsets
    most, logs = int(e.n_clusters.max()), _times_log(e)
    own = np.bincount(others, voices, e.n_partitions)
    total = np.maximum(voices.sum() - own, np.finfo(np.float64).tiny)

    def judge(s: int) -> None:
        found = bits[offsets[s] : offsets[s + 1]]
        room = room_for(e.n_objects, most)
        said[s] = judge_clusters(e.codes, e.absent, e.n_clusters, _masses(e), s, others, voices, logs, room, found)

    map_threads(judge, range(e.n_partitions), "comparing partitions", each=float(e.n_objects) * len(others))
    return said / total, bits / np.repeat(total, e.n_clusters)


def sums_with(e: Ensemble, s: int, others: IntArray) -> FloatArray:
    """Return for partition s and each of others the seven sums of which measures of agreement are made. O(n)."""
    from ..kernels.counting import pair_sums, room_for, table_sums

    found, k = np.empty((len(others), 7)), e.n_clusters
    few = int(k.max() + 1) ** 2 <= max(TABLE, 8 * e.n_objects)
    if e.n_objects >= _LONG and few:  # tables one by one: for some long partitions nothing new is compiled
        for t, sums in zip(others.tolist(), found, strict=True):
            table = pair_table(e, e.codes[s], e.codes[t], int(k[s]), int(k[t]))
            table_sums(table, int(k[s]), int(k[t]), sums)
        return found
    room = room_for(e.n_objects, int(k.max()))
    pair_sums(e.codes, e.absent, e.n_clusters, _masses(e), s, others, room, found)
    return found


def shared_with(e: Ensemble, s: int, others: IntArray) -> tuple[AnyArray, AnyArray, FloatArray]:
    """Return the overlaps of clusters of s with those of other partitions: number in s, number among all, weight."""
    from ..kernels.counting import room_for, shared_cells

    k = int(e.n_clusters[s])
    size = int(np.minimum(e.n_objects, k * e.n_clusters[others]).sum())
    cells, counts, room = (
        np.empty((2, size), dtype=np.int64),
        np.empty(size),
        room_for(e.n_objects, int(e.n_clusters.max())),
    )
    found = shared_cells(e.codes, e.absent, e.n_clusters, e.offsets, _masses(e), s, others, room, cells, counts)
    return cells[0, :found], cells[1, :found], counts[:found]


def asked_details(e: Ensemble) -> dict[str, int]:
    """Return the number of partitions in the sample, for ``details``; nothing if all are used."""
    asked = len(asked_partitions(e))
    return {} if asked == np.count_nonzero(e.weights) else {"asked": asked}


def _masses(e: Ensemble) -> FloatArray:
    """The weights of the objects; nothing if all are 1."""
    return e.object_weights[:0] if e._unweighted else e.object_weights


def _times_log(e: Ensemble) -> FloatArray:
    """Return a table of x log₂ x for the whole numbers that occur, up to a maximum size."""
    x = np.arange(min(int(e.object_weights.sum()), _LOGS) + 1.0)
    return x * np.log2(np.maximum(x, 1.0))
