"""Products with the incidence H of objects and clusters, without building it: HᵀH, H · T, and overlaps."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, draw, narrowest, sentinel
from .._lib.memory import require
from .._lib.threads import map_threads, worth_threads
from ..labels.encoding import distinct_label_rows
from ..labels.ensemble import Ensemble
from ..labels.value import recall

_ROWS = 1 << 15  # objects per piece of threaded work
_CELLS = 1 << 18  # numbers of a stretch: they stay in cache until they are used


def sum_cluster_rows(e: Ensemble, table: AnyArray) -> FloatArray:
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


def sum_by_cluster(e: Ensemble, values: FloatArray) -> FloatArray:
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


_SAMPLE = 1 << 16  # rows that say whether many are equal
_SEVERAL = 8  # partitions: fewer tables are counted sooner than rows are grouped
#: beyond this many cells a contingency table is sparse, and sorting the pairs is cheaper than a table of zeros
TABLE = 1 << 24
_DENSE = 1 << 22  # cells of a table of all clusters that is nothing beside the rest
_FEW, _MANY = (512, 32)  # objects up to which, and partitions from which on, one product is quicker than many tables


def cooccurrence(e: Ensemble) -> sparse.csr_array:
    """Return the K × K matrix of |a ∩ b| between clusters of different partitions, by object weight.

    Counted from the labels for each pair of partitions: O(nB²) time, and memory for one table and the result. Equal
    label rows are merged first if they are at most half as many. For few objects in many partitions, whose tables are
    nearly empty, one sparse product is used instead. The result is cached as far as memory allows, for the ensemble and
    for its distinct rows.
    """

    def count() -> sparse.csr_array:
        micro = _distinct(e)
        return _count_pairs(e) if micro is e else recall(micro, "cooccurrence", lambda: _count_pairs(e))

    return recall(e, "cooccurrence", count)


def fewer_rows(e: Ensemble) -> Ensemble:
    """Return the distinct label rows if they are less than half as many as the objects, otherwise the ensemble."""
    micro = _distinct(e)
    return micro if 2 * micro.n_objects < e.n_objects else e


def _distinct(e: Ensemble) -> Ensemble:
    """The distinct label rows; the ensemble itself where grouping them takes longer than it saves, as a sample says."""
    step = e.n_objects // _SAMPLE
    if e.n_partitions < _SEVERAL:
        return e
    if step > 1:
        some = np.ascontiguousarray(e.codes[:, ::step])
        if 2 * len(distinct_label_rows(some)[0]) >= some.shape[1]:
            return e
    return e._micro or e


def few_overlaps(e: Ensemble) -> bool:
    """Return whether the K × K overlaps are small; if not, statistics are computed without storing them."""
    k = int(e.offsets[-1])
    return min(e.n_objects * e.n_partitions**2, k * k) <= _DENSE


def sum_pairs(e: Ensemble, weights: FloatArray) -> sparse.csr_array:
    """Return Hᵀ diag(weights) H: the weight of the objects in each pair of clusters, and in each cluster."""
    scaled = e._replace(object_weights=weights)
    return sparse.csr_array(_overlaps(scaled) + sparse.diags_array(scaled.cluster_sizes()))


def _count_pairs(e: Ensemble) -> sparse.csr_array:
    """Count what `cooccurrence` returns, on distinct rows if these are few."""
    return _overlaps(fewer_rows(e))


def _overlaps(e: Ensemble) -> sparse.csr_array:
    if e.n_objects <= _FEW and e.n_partitions > _MANY:
        return _product(e)
    if int(e.offsets[-1]) ** 2 <= _DENSE and not worth_threads(e.n_objects):
        return _dense(e)
    offsets = e.offsets
    wide = np.int32 if offsets[-1] < 2**31 else np.int64

    def block(pair: tuple[int, int]) -> tuple[AnyArray, AnyArray, AnyArray]:
        s, t = pair
        rows, columns, counts = overlap_cells(e, e.codes[s], e.codes[t], int(e.n_clusters[s]), int(e.n_clusters[t]))
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


def unweighted(e: Ensemble) -> Ensemble:
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
        lambda t: overlap_cells(e, e.codes[t], own, int(e.n_clusters[t]), k), range(e.n_partitions), each=e.n_objects
    )
    rows = np.concatenate([rows + offsets[t] for t, (rows, _, _) in enumerate(tables)])
    columns, counts = (np.concatenate([table[part] for table in tables]) for part in (1, 2))
    return sparse.csr_array((counts, (rows, columns)), shape=(size, k))


def majority_labels(e: Ensemble, labels: LabelArray) -> LabelArray:
    """Return for every base cluster its most frequent label by weight, the first one in a tie; −1 for none. O(nB)."""
    k = int(labels.max(initial=MISSING)) + 1
    shared = overlaps(e, labels, max(k, 1))
    most = np.asarray(shared.argmax(axis=1)).ravel().astype(np.int32)
    most[np.diff(shared.indptr) == 0] = MISSING
    return most


def overlap_cells(e: Ensemble, a: AnyArray, b: AnyArray, k_a: int, k_b: int) -> tuple[AnyArray, AnyArray, AnyArray]:
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


_ASKED = 500  # partitions that all are compared with in any case
_STEPS = 1 << 29  # labels that are looked at before some partitions stand for all
_LONG = 1 << 16  # objects of a partition from which on a table takes longer than asking for it
_LOGS = 1 << 16  # whole numbers up to which x log x is looked up


def sampled_partitions(e: Ensemble, most: int | None = None) -> IntArray:
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


def sample_details(e: Ensemble) -> dict[str, int]:
    """Return the number of partitions in the sample, for ``details``; nothing if all are used."""
    asked = len(sampled_partitions(e))
    return {} if asked == np.count_nonzero(e.weights) else {"asked": asked}


def _masses(e: Ensemble) -> FloatArray:
    """The weights of the objects; nothing if all are 1."""
    return e.object_weights[:0] if e._unweighted else e.object_weights


def _times_log(e: Ensemble) -> FloatArray:
    """Return a table of x log₂ x for the whole numbers that occur, up to a maximum size."""
    x = np.arange(min(int(e.object_weights.sum()), _LOGS) + 1.0)
    return x * np.log2(np.maximum(x, 1.0))
