"""The incidence H from labels, never built: Hᵀy, H diag(g) Hᵀ, and which clusters are connected through objects."""

from __future__ import annotations

from typing import Any

from ._jit import kernel
from .linking import find_root


@kernel(work=lambda codes, *_: codes.size)
def sum_members(codes: Any, offsets: Any, absent: int, values: Any, out: Any) -> None:
    """Add up the values of the members of every cluster: Hᵀy. O(nB)."""
    for t in range(codes.shape[0]):
        row, sums = codes[t], out[offsets[t] : offsets[t + 1]]
        for i in range(codes.shape[1]):
            if row[i] != absent:
                sums[row[i]] += values[i]


@kernel(work=lambda codes, offsets, absent, gains, first, last, out: codes.size * (last - first) / 2)
def gain_rows(codes: Any, offsets: Any, absent: int, gains: Any, first: int, last: int, out: Any) -> None:
    """Write rows first … last − 1 of H diag(gains) Hᵀ up to the diagonal. O(nB) each."""
    for v in range(first, last):
        row = out[v]
        for t in range(codes.shape[0]):
            label = codes[t, v]
            if label != absent:
                gain, others = gains[offsets[t] + label], codes[t]
                for j in range(v + 1):
                    row[j] += gain * (others[j] == label)


@kernel(work=lambda codes, *_: 4 * codes.size)
def connect_clusters(codes: Any, offsets: Any, absent: int, counts: Any, parent: Any) -> None:
    """Join the clusters that an object is in, those that `counts` says count, in a forest of parents. O(nB)."""
    for i in range(codes.shape[1]):
        first = -1
        for t in range(codes.shape[0]):
            if codes[t, i] != absent and counts[offsets[t] + codes[t, i]]:
                root = find_root(parent, offsets[t] + codes[t, i])
                if first >= 0 and root != first:
                    parent[max(root, first)] = min(root, first)
                first = min(root, first) if first >= 0 else root
    for c in range(len(parent)):
        parent[c] = find_root(parent, c)
