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
