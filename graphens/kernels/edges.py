"""Sums over the edges of a graph, without arrays as long as the edges."""

from __future__ import annotations

from typing import Any

from ._jit import kernel


@kernel
def cut_weight(indptr: Any, indices: Any, data: Any, labels: Any) -> float:
    """Sum the weights between different parts, both directions; unassigned ends do not count. O(E)."""
    total = 0.0
    for i in range(labels.shape[0]):
        if labels[i] >= 0:
            for p in range(indptr[i], indptr[i + 1]):
                other = labels[indices[p]]
                if other >= 0 and other != labels[i]:
                    total += data[p]
    return total
