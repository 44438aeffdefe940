"""Counting labels: contingency tables of pairs of partitions, the blocks of HᵀH."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def contingency(a: Any, b: Any, k_a: int, k_b: int) -> Any:
    """Count objects per pair of codes; row k_a and column k_b collect the absent ones.

    O(n) time, (k_a + 1)(k_b + 1) memory. Two tables take turns, so that runs of the same pair do not
    wait for the increment before.
    """
    width = k_b + 1
    even = np.zeros((k_a + 1) * width, dtype=np.int64)
    odd = np.zeros((k_a + 1) * width, dtype=np.int64)
    n = a.shape[0]
    for i in range(0, n - 1, 2):
        even[min(np.int64(a[i]), k_a) * width + min(np.int64(b[i]), k_b)] += 1
        odd[min(np.int64(a[i + 1]), k_a) * width + min(np.int64(b[i + 1]), k_b)] += 1
    if n % 2:
        even[min(np.int64(a[n - 1]), k_a) * width + min(np.int64(b[n - 1]), k_b)] += 1
    return (even + odd).reshape(k_a + 1, width)


@kernel
def weighted_contingency(a: Any, b: Any, k_a: int, k_b: int, weights: Any) -> Any:
    """Sum object weights per pair of codes; row k_a and column k_b collect the absent ones."""
    width = k_b + 1
    table = np.zeros((k_a + 1) * width)
    for i in range(a.shape[0]):
        table[min(np.int64(a[i]), k_a) * width + min(np.int64(b[i]), k_b)] += weights[i]
    return table.reshape(k_a + 1, width)
