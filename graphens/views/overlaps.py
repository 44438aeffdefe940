"""How many objects clusters share, with each other and with those of a labeling: counted from labels, without H."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy import sparse

from .._arrays import MISSING, AnyArray, LabelArray, narrowest, sentinel
from .._memory import require
from .._work import map_threads, worth_threads
from ..core.ensemble import Ensemble
from ..core.value import recall

_SAMPLE = 1 << 16
#: beyond this many cells a contingency table is sparse, and sorting the pairs is cheaper than a table of zeros
TABLE = 1 << 24
_DENSE = 1 << 22  # cells of a table of all clusters that is nothing beside the rest
_FEW, _MANY = (
    512,
    32,
)  # objects up to which, and partitions from which on, one product is quicker than many tables


def cooccurrence(e: Ensemble) -> sparse.csr_array:
    """Return the K × K matrix of |a ∩ b| between clusters of different partitions, by object weight.

    Counted per pair of partitions from the labels: O(nB²) time, and memory for one table and the result.
    Equal label rows are merged first where a sample shows that it pays. Few objects in many partitions, whose tables
    are nearly empty, are one sparse product instead. Counted once for each ensemble, as far as memory allows.
    """
    return recall(e, "cooccurrence", lambda: _count_pairs(_collapsed_if_it_pays(e)))


def few_overlaps(e: Ensemble) -> bool:
    """Return whether the K × K overlaps are nothing beside the rest; what can be counted in passing is, where not."""
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
        rows, columns, counts = pair_counts(
            e, e.codes[s], e.codes[t], int(e.n_clusters[s]), int(e.n_clusters[t])
        )
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
    """The counts of all pairs of partitions in one table: handing out thousands of small ones costs more than they."""
    from ..kernels.counting import contingencies

    total = int(e.offsets[-1])
    upper = np.zeros((total, total))
    weights = e.object_weights[:0] if e._unweighted else e.object_weights
    contingencies(e.codes, e.n_clusters, e.offsets, weights, upper)
    return sparse.csr_array(upper + upper.T)


def _product(e: Ensemble) -> sparse.csr_array:
    """HᵀWH without its diagonal: clusters of one partition share nothing else."""
    places = e.codes + e.offsets[:-1, None]
    there = (e.codes != e.absent).T
    rows = np.concatenate(([0], np.cumsum(there.sum(axis=1))))
    h = sparse.csr_array((np.ones(rows[-1]), places.T[there], rows), shape=(e.n_objects, int(e.offsets[-1])))
    most = min(float(e.n_objects) * e.n_partitions**2, float(e.offsets[-1]) ** 2)
    require(36 * most, f"The overlaps of {e.offsets[-1]} clusters", "Take fewer partitions")
    shared = sparse.csr_array(h.T.tocsr() @ (h * e.object_weights[:, None]))
    shared.setdiag(0)
    shared.eliminate_zeros()
    shared.sort_indices()
    return shared


def once(e: Ensemble) -> Ensemble:
    """Return the same labels with every object counting once."""
    return e if e._unweighted else e._replace(object_weights=np.ones(e.n_objects))


def overlaps(e: Ensemble, labels: LabelArray, k: int) -> sparse.csr_array:
    """Return the K × k matrix of |c ∩ C| between base clusters and the clusters of a labeling, by object weight.

    Unassigned objects (−1) are in no cluster. O(nB).
    """
    own = labels.astype(narrowest(max(k - 1, 0)))
    offsets = e.offsets
    tables = map_threads(
        lambda t: pair_counts(e, e.codes[t], own, int(e.n_clusters[t]), k),
        range(e.n_partitions),
        each=e.n_objects,
    )
    rows = np.concatenate([rows + offsets[t] for t, (rows, _, _) in enumerate(tables)])
    columns, counts = (np.concatenate([table[part] for table in tables]) for part in (1, 2))
    return sparse.csr_array((counts, (rows, columns)), shape=(int(offsets[-1]), k))


def majority(e: Ensemble, labels: LabelArray) -> LabelArray:
    """Return for every base cluster the label that most of its weight has, the first where tied; −1 for none. O(nB)."""
    k = int(labels.max(initial=MISSING)) + 1
    shared = overlaps(e, labels, max(k, 1))
    most = np.asarray(shared.argmax(axis=1)).ravel().astype(np.int32)
    most[np.diff(shared.indptr) == 0] = MISSING
    return most


def pair_counts(
    e: Ensemble, a: AnyArray, b: AnyArray, k_a: int, k_b: int
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return the non-zero cells (row, column, weight) of the contingency table of two code vectors of the objects."""
    if (k_a + 1) * (k_b + 1) > max(TABLE, 8 * e.n_objects):
        return _sorted_pairs(e, a, b, k_b)
    table = pair_table(e, a, b, k_a, k_b)[:k_a, :k_b]
    rows, columns = np.nonzero(table)
    return rows, columns, table[rows, columns].astype(np.float64)


def pair_table(e: Ensemble, a: AnyArray, b: AnyArray, k_a: int, k_b: int) -> AnyArray:
    """Return the contingency table of two code vectors; its last row and column hold the absent objects."""
    from ..kernels.counting import contingency, weighted_contingency

    if e._unweighted:
        return contingency(a, b, k_a, k_b)
    return weighted_contingency(a, b, k_a, k_b, e.object_weights)


def _sorted_pairs(e: Ensemble, a: AnyArray, b: AnyArray, k_b: int) -> tuple[AnyArray, AnyArray, AnyArray]:
    both = np.flatnonzero((a != sentinel(a.dtype)) & (b != sentinel(b.dtype)))
    keys, inverse = np.unique(a[both].astype(np.int64) * k_b + b[both], return_inverse=True)
    return keys // k_b, keys % k_b, np.bincount(inverse, weights=e.object_weights[both])


def _collapsed_if_it_pays(e: Ensemble) -> Ensemble:
    if e.n_partitions < 8:
        return e
    step = max(1, e.n_objects // _SAMPLE)
    sample = e._replace(
        codes=np.ascontiguousarray(e.codes[:, ::step]),
        object_weights=e.object_weights[::step].copy(),
        object_names=None,
    )
    return e.collapse()[0] if 2 * sample.collapse()[0].n_objects < sample.n_objects else e
