"""How many objects each pair of clusters shares: HᵀH from labels, without H."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy import sparse

from .._arrays import AnyArray
from ..core.ensemble import Ensemble
from ..kernels._threads import map_threads

_SAMPLE = 1 << 16
#: beyond this many cells a contingency table is sparse, and sorting the pairs is cheaper than a table of zeros
_TABLE = 1 << 24


def cooccurrence(e: Ensemble) -> sparse.csr_array:
    """Return the K × K matrix of |a ∩ b| between clusters of different partitions, by object weight.

    Counted per pair of partitions from the labels: O(nB²) time, and memory for one table and the result.
    Equal label rows are merged first where a sample shows that it pays.
    """
    e = _collapsed_if_it_pays(e)
    offsets = e.offsets
    plain = bool((e.object_weights == 1).all())
    blocks = map_threads(lambda pair: _block(e, pair, plain), combinations(range(e.n_partitions), 2))
    total = int(offsets[-1])
    if not blocks:
        return sparse.csr_array((total, total))
    rows, columns, counts = (np.concatenate(part) for part in zip(*blocks, strict=True))
    upper = sparse.csr_array((counts, (rows, columns)), shape=(total, total))
    return sparse.csr_array(upper + upper.T)


def _block(e: Ensemble, pair: tuple[int, int], plain: bool) -> tuple[AnyArray, AnyArray, AnyArray]:
    """The non-zero counts of one pair of partitions, placed in the K × K matrix."""
    from ..kernels.counting import contingency, weighted_contingency

    s, t = pair
    k_s, k_t = int(e.n_clusters[s]), int(e.n_clusters[t])
    wide = np.int32 if e.offsets[-1] < 2**31 else np.int64
    if (k_s + 1) * (k_t + 1) > max(_TABLE, 8 * e.n_objects):
        rows, columns, counts = _sorted_pairs(e, s, t)
    else:
        table = (
            contingency(e.codes[s], e.codes[t], k_s, k_t)
            if plain
            else weighted_contingency(e.codes[s], e.codes[t], k_s, k_t, e.object_weights)
        )[:k_s, :k_t]
        rows, columns = np.nonzero(table)
        counts = table[rows, columns]
    return (rows + e.offsets[s]).astype(wide), (columns + e.offsets[t]).astype(wide), counts.astype(np.float64)


def _sorted_pairs(e: Ensemble, s: int, t: int) -> tuple[AnyArray, AnyArray, AnyArray]:
    both = np.flatnonzero((e.codes[s] != e.absent) & (e.codes[t] != e.absent))
    width = int(e.n_clusters[t])
    keys, inverse = np.unique(e.codes[s][both].astype(np.int64) * width + e.codes[t][both], return_inverse=True)
    return keys // width, keys % width, np.bincount(inverse, weights=e.object_weights[both])


def _collapsed_if_it_pays(e: Ensemble) -> Ensemble:
    if e.n_objects < 2 * _SAMPLE or e.n_partitions < 3:
        return e
    step = e.n_objects // _SAMPLE
    sample = e._with(
        codes=np.ascontiguousarray(e.codes[:, ::step]), object_weights=e.object_weights[::step].copy(), object_names=None
    )
    return e.collapse()[0] if 2 * sample.collapse()[0].n_objects < sample.n_objects else e
