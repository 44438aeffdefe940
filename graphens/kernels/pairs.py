"""Counts over all pairs of objects: how often together, how often seen together."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def pair_counts(
    codes: Any, absent: int, weights: Any, gaps: Any, start: int, stop: int, table: Any, sums: Any
) -> None:
    """Count pairs i < j, i from start to stop − 1, by how many partitions put them together and how many have both.

    table[same, both] adds the weight w_i w_j of each pair; an object that counts w times is w(w − 1)/2 pairs with its
    copies. Objects stand in the order of a dendrogram's leaves with the heights `gaps` between neighbors, so that the
    height at which two meet is the largest in between; `sums` adds w, wc, wc² and wcS for pairs seen together. O(nB)
    per object.
    """
    n_partitions, n = codes.shape
    same, both = np.empty(n, dtype=np.uint32), np.empty(n, dtype=np.uint32)
    for i in range(start, stop):
        same[i:] = 0
        both[i:] = 0
        for t in range(n_partitions):
            c = codes[t, i]
            if c == absent:
                continue
            row = codes[t]
            for j in range(i, n):
                same[j] += row[j] == c
                both[j] += row[j] != absent
        copies = weights[i] * (weights[i] - 1) / 2
        if copies > 0 and both[i] > 0:
            table[same[i], both[i]] += copies
            sums[0] += copies
        height = 0.0
        for j in range(i + 1, n):
            height = max(height, gaps[j - 1])
            if both[j] > 0:
                w = weights[i] * weights[j]
                table[same[j], both[j]] += w
                sums[0] += w
                sums[1] += w * height
                sums[2] += w * height * height
                sums[3] += w * height * same[j] / both[j]


@kernel(work=lambda codes, absent, start, stop, *more: float(codes.size) * (stop - start))
def pair_distances(
    codes: Any, absent: int, start: int, stop: int, counts: Any, table: Any, distance: Any
) -> None:
    """Fill 1 − S in SciPy's condensed order for pairs i < j, i from start to stop − 1; NaN where never seen together.

    `counts` (2 × n) is room for one object's counts, table[same, both] counts the pairs. O(nB) per object.
    """
    n_partitions, n = codes.shape
    for i in range(start, stop):
        same, both = counts[0, i + 1 :], counts[1, i + 1 :]
        same[:] = 0
        both[:] = 0
        for t in range(n_partitions):
            c = codes[t, i]
            if c == absent:
                continue
            row = codes[t, i + 1 :]
            for j in range(len(row)):
                same[j] += row[j] == c
                both[j] += row[j] != absent
        first = i * (2 * n - i - 1) // 2
        for j in range(len(same)):
            if both[j] == 0:
                distance[first + j] = np.nan
            else:
                distance[first + j] = 1.0 - same[j] / both[j]
                table[same[j], both[j]] += 1
