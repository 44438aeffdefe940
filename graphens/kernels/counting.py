"""Counting labels: contingency tables of pairs of partitions, the blocks of HᵀH.

Places are unsigned numbers: with signed ones every access would first ask whether it counts from the end, which
takes as long as the count itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def contingency(a: Any, b: Any, k_a: int, k_b: int) -> Any:
    """Count objects per pair of codes; row k_a and column k_b collect the absent ones.

    O(n) time, (k_a + 1)(k_b + 1) memory.
    """
    last_a, last_b, width = np.uint64(k_a), np.uint64(k_b), np.uint64(k_b + 1)
    table = np.zeros((k_a + 1) * (k_b + 1), dtype=np.int64)
    for i in range(a.shape[0]):
        table[min(np.uint64(a[i]), last_a) * width + min(np.uint64(b[i]), last_b)] += 1
    return table.reshape(k_a + 1, k_b + 1)


@kernel
def weighted_contingency(a: Any, b: Any, k_a: int, k_b: int, weights: Any) -> Any:
    """Sum object weights per pair of codes; row k_a and column k_b collect the absent ones."""
    last_a, last_b, width = np.uint64(k_a), np.uint64(k_b), np.uint64(k_b + 1)
    table = np.zeros((k_a + 1) * (k_b + 1))
    for i in range(a.shape[0]):
        table[min(np.uint64(a[i]), last_a) * width + min(np.uint64(b[i]), last_b)] += weights[i]
    return table.reshape(k_a + 1, k_b + 1)


@kernel(work=lambda codes, *_: codes.size * codes.shape[0] / 2)
def contingencies(codes: Any, n_clusters: Any, offsets: Any, weights: Any, table: Any) -> None:
    """Fill the blocks above the diagonal of K × K overlaps; without `weights` every object counts once. O(nB²)."""
    for s in range(codes.shape[0]):
        for t in range(s + 1, codes.shape[0]):
            block = table[offsets[s] : offsets[s + 1], offsets[t] : offsets[t + 1]]
            if len(weights):
                found = weighted_contingency(codes[s], codes[t], n_clusters[s], n_clusters[t], weights)
                block[:] = found[:-1, :-1]
            else:
                block[:] = contingency(codes[s], codes[t], n_clusters[s], n_clusters[t])[:-1, :-1]
