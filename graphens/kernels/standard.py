"""Names and orders that depend on the partitions alone, not on how labels are called or objects are listed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def _mix(x: Any) -> Any:
    """Scramble 64 bits (the finalizer of splitmix64), so that sums of scrambled numbers tell multisets apart."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel(work=lambda codes, *_: 4 * codes.size)
def refine(codes: Any, absent: int, n_clusters: Any, salts: Any, colors: Any) -> Any:
    """One round of color refinement on the bipartite graph of objects and clusters.

    A cluster's color is the multiset of its members' colors, an object's new color the multiset of its clusters'.
    Sums wrap around and so do not depend on any order. O(nB).
    """
    n = codes.shape[1]
    fresh = np.empty(n, dtype=np.uint64)
    mixed = np.empty(n, dtype=np.uint64)
    for i in range(n):
        mixed[i] = _mix(colors[i])
        fresh[i] = mixed[i]
    for t in range(codes.shape[0]):
        row = codes[t]
        sums = np.zeros(n_clusters[t], dtype=np.uint64)
        for i in range(n):
            if row[i] != absent:
                sums[row[i]] += mixed[i]
        for c in range(sums.shape[0]):
            sums[c] = _mix(sums[c] ^ salts[t])
        for i in range(n):
            if row[i] != absent:
                fresh[i] += sums[row[i]]
    return fresh


@kernel(work=lambda codes, *_: 2 * codes.size)
def rename(codes: Any, absent: int, n_clusters: Any) -> None:
    """Number the clusters of every partition in order of first appearance, in place. O(nB)."""
    for t in range(codes.shape[0]):
        row = codes[t]
        names = np.full(n_clusters[t], -1, dtype=np.int64)
        count = 0
        for i in range(row.shape[0]):
            if row[i] != absent:
                if names[row[i]] < 0:
                    names[row[i]] = count
                    count += 1
                row[i] = names[row[i]]
