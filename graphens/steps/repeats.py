"""Partitions that say the same: one of their total weight says it once."""

from __future__ import annotations

import numpy as np

from ..core.ensemble import Ensemble

_FEWER = 32  # repetitions below this cost less than they would confuse whoever reads a graph's clusters


def without_repeats(e: Ensemble) -> Ensemble:
    """Merge partitions that are equal up to renaming, where that saves much; otherwise return the ensemble itself.

    Of equal partitions the first stays, with their total weight. O(nB).
    """
    if e.n_partitions <= _FEWER or e.memberships is not None:
        return e
    from ..kernels.standard import rename

    codes = np.array(e.codes)
    rename(codes, e.absent, e.n_clusters)
    seen: dict[bytes, int] = {}
    place = np.array([seen.setdefault(row.tobytes(), len(seen)) for row in codes])
    if e.n_partitions - len(seen) < _FEWER:
        return e
    first = np.unique(place, return_index=True)[1]
    return e.take(partitions=first).reweight(np.bincount(place, weights=e.weights))
