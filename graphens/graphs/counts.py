"""Products with the incidence H of objects and clusters, without building it: HᵀH, H · T, and overlaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, divide, draw, narrowest, sentinel
from .._lib.memory import require
from .._lib.threads import map_threads
from ..labels.encoding import distinct_label_rows
from ..labels.ensemble import Ensemble
from ..labels.value import recall

_ROWS = 1 << 15  # objects per piece of threaded work
_CELLS = 1 << 18  # numbers of a stretch: they stay in cache until they are used


def sum_cluster_rows(e: Ensemble, table: AnyArray) -> FloatArray:
    """Return H · table for the incidence H of the ensemble: the sum of the rows of every object's clusters. O(nBk)."""
    from ..kernels.counting import add_rows

    table = np.ascontiguousarray(table)  # rows are added whole: by columns it takes twice as long
    n, of_clusters = e.n_objects, (e.codes, e.offsets, e.absent, table)
    out = np.empty((n, table.shape[1]), dtype=table.dtype)
    map_threads(
        lambda start: add_rows(*of_clusters, start, min(n, start + _ROWS), out[start : start + _ROWS]),
        range(0, n, _ROWS),
    )
    return out


def use_sums(e: Ensemble, table: AnyArray, use: Callable[[slice, FloatArray], None]) -> None:
    """Pass H · table to a function, block by block and in threads, so that n × k numbers are never in memory."""
    from ..kernels.counting import add_rows

    table = np.ascontiguousarray(table)
    step = int(np.clip(_CELLS // max(table.shape[1], 1), 256, _ROWS))

    def piece(start: int) -> None:
        some = slice(start, min(e.n_objects, start + step))
        out = np.empty((some.stop - start, table.shape[1]), dtype=table.dtype)
        add_rows(e.codes, e.offsets, e.absent, table, start, some.stop, out)
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


_SAMPLE = 1 << 16  # rows that say whether many are equal
_SEVERAL = 8  # partitions: fewer tables are counted sooner than rows are grouped
#: beyond this many cells a contingency table is sparse, and sorting the pairs is cheaper than a table of zeros
TABLE = 1 << 24
_DENSE = 1 << 22  # cells of a table of all clusters that is nothing beside the rest
_FEW = 512  # objects up to which one table of all partitions is quicker than one of each
_LABELS = 1 << 17  # that are compared at a time, in cache
_TABLE_CELLS = 8  # for each object, up to which a table is quicker than sorting


def cooccurrence(e: Ensemble) -> sparse.csr_array:
    """Return the K × K matrix of |a ∩ b| between clusters of different partitions, by object weight.

    Counted from the labels for each pair of partitions: O(nB²) time. Equal label rows are merged first if they are at
    most half as many. The result is cached as far as memory allows, for the ensemble and for its distinct rows.
    """
    # The distinct rows have the same overlaps, whichever of the two is counted: a method that works on them later
    # finds what was counted for the objects.
    key = "cooccurrence"
    return recall(e, key, lambda: recall(_distinct(e), key, lambda: _count_pairs(e)))


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
    # Each partition with all later ones: the other half is the transpose, and clusters of one partition share nothing.
    total, offsets = int(e.offsets[-1]), e.offsets
    most = min(float(e.n_objects) * e.n_partitions**2, float(total) ** 2)
    require(36 * most, f"The overlaps of {total} clusters", "Use fewer partitions")
    wide = np.int32 if total < 2**31 else np.int64

    def block(s: int) -> list[tuple[AnyArray, AnyArray, FloatArray]]:
        return [
            ((row + offsets[s]).astype(wide), (column + offsets[some[place]]).astype(wide), shared)
            for some, place, row, column, shared in shared_clusters(e, s, np.arange(s + 1, e.n_partitions))
        ]

    pieces = [piece for block in map_threads(block, range(e.n_partitions), each=float(e.codes.size)) for piece in block]
    if not pieces:
        return sparse.csr_array((total, total))
    rows, columns, shared = (np.concatenate(part) for part in zip(*pieces, strict=True))
    upper = sparse.csr_array((shared, (rows, columns)), shape=(total, total))
    return sparse.csr_array(upper + upper.T)


def shared_clusters(
    e: Ensemble, s: int, others: IntArray
) -> Iterator[tuple[IntArray, AnyArray, AnyArray, AnyArray, FloatArray]]:
    """Yield what the clusters of partition s share with those of others, a few of the others at a time.

    These few; then for every pair of clusters that share objects: the place of the other partition among them, the
    number of the cluster in s and in the other, and the weight of the objects. O(n) for each of the others.
    """
    from ..kernels.counting import contingencies

    k, masses = int(e.n_clusters[s]), e.object_weights[:0] if e._unweighted else e.object_weights
    step = max(1, _LABELS // max(e.n_objects, 1))
    for start in range(0, len(others), step):
        some = others[start : start + step]
        ends = np.concatenate(([0], np.cumsum(e.n_clusters[some])))
        if k * ends[-1] <= _TABLE_CELLS * e.n_objects * len(some):
            table = np.zeros((k, ends[-1]))
            contingencies(e.codes, e.n_clusters, masses, s, some, ends, table)
            row, column = np.nonzero(table)
            shared = table[row, column]
        else:  # most of the table would be empty
            row, column, shared = _sorted_cells(e, s, some, ends)
        place = np.searchsorted(ends, column, side="right") - 1
        yield some, place, row, column - ends[place], shared


def _sorted_cells(e: Ensemble, s: int, others: IntArray, ends: IntArray) -> tuple[AnyArray, AnyArray, FloatArray]:
    """The cells of the same table that are not empty, by sorting the cells of all objects."""
    own, codes = e.codes[s].astype(np.int64), e.codes[others]
    there = (own != e.absent) & (codes != e.absent)
    cells = (own * ends[-1] + codes + ends[:-1, None])[there]
    order = None if e._unweighted else np.argsort(cells, kind="stable")
    cells = np.sort(cells) if order is None else cells[order]
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    row, column = np.divmod(cells[first], ends[-1])
    if order is None or not len(first):
        return row, column, np.diff(first, append=len(cells)).astype(np.float64)
    masses = np.broadcast_to(e.object_weights, codes.shape)[there][order]
    return row, column, np.add.reduceat(masses, first)


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
    codes = labels.astype(narrowest(max(k - 1, 0)))
    tables = map_threads(
        lambda t: overlap_cells(e, e.codes[t], codes, int(e.n_clusters[t]), k), range(e.n_partitions), each=e.n_objects
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
_ROUNDING = 1e-12


def sampled_partitions(e: Ensemble, most: int | None = None) -> IntArray:
    """Return the partitions with which every partition is compared: all that count, or a random sample of them.

    Comparing all takes nB² steps. Beyond 500 partitions and half a billion steps, a sample is used: as many as take
    half a billion steps but at least 500, or `most`. The sample is always the same for the same ensemble.
    """
    counting = np.flatnonzero(e.weights > 0)
    most = most or max(_ASKED, int(_STEPS / (max(e.n_objects, 1) * e.n_partitions)))
    return counting if len(counting) <= most else counting[draw(len(counting), most, 0)]


def mean_entropies(e: Ensemble, others: IntArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return weighted means over the partitions `others` for every partition and cluster, without the partition itself.

    For a partition, the mean of `reliability.shared_pairs`, how far the same pairs of objects are together, beyond
    chance; for a cluster, its entropy over their clusters, in bits. O(n) for each pair of partitions, O(K) memory.
    """
    agreement, bits = np.zeros(e.n_partitions), np.zeros(int(e.offsets[-1]))

    def judge(s: int) -> None:
        k, own, rest = int(e.n_clusters[s]), slice(e.offsets[s], e.offsets[s + 1]), others != s
        start = 0
        for some, place, row, column, shared in shared_clusters(e, s, others[rest]):
            weight, m = weights[rest][start : start + len(some)], len(some)
            start += m
            rows = np.bincount(place * k + row, shared, m * k)
            spread = np.bincount(place * k + row, _times_log(shared), m * k)
            bits[own] += weight @ np.maximum(divide(_times_log(rows) - spread, rows), 0.0).reshape(m, k)
            width = int(e.n_clusters[some].max())
            columns = np.bincount(place * width + column, shared, m * width).reshape(m, width)
            rows, total = rows.reshape(m, k), rows.reshape(m, k).sum(axis=1)
            pairs = total * total - total  # weights are counts: each pair of different occurrences
            share, other, both = (
                divide(squares - total, pairs, above=_ROUNDING)
                for squares in ((rows**2).sum(axis=1), (columns**2).sum(axis=1), np.bincount(place, shared**2, m))
            )
            chance = share * other
            agreement[s] += weight @ divide(both - chance, np.minimum(share, other) - chance, above=_ROUNDING)

    map_threads(judge, range(e.n_partitions), "comparing partitions", each=float(e.n_objects) * len(others))
    total = weights.sum() - np.bincount(others, weights, e.n_partitions)
    total = np.maximum(total, np.finfo(np.float64).tiny)
    return agreement / total, bits / np.repeat(total, e.n_clusters)


def _times_log(x: AnyArray) -> AnyArray:
    """X log₂ x, 0 for 0."""
    return x * np.log2(np.where(x > 0, x, 1.0))


def sample_details(e: Ensemble) -> dict[str, int]:
    """Return the number of partitions in the sample, for ``details``; nothing if all are used."""
    size = len(sampled_partitions(e))
    return {} if size == np.count_nonzero(e.weights) else {"sampled_partitions": size}
