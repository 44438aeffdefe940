"""From merges to linkage matrices: union-find, and nearest-neighbor chains on explicit matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel
def find_root(parent: Any, i: int) -> int:
    """Return the root of i in a forest of parents, and halve the way there: the find of union-find."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def number_merges(left: Any, right: Any, n: int) -> Any:
    """Turn merges of members into rows (cluster, cluster, 0, size) with SciPy's numbering. O(n α(n))."""
    m = left.shape[0]
    parent = np.arange(n + m)
    size = np.ones(n + m, dtype=np.int64)
    rows = np.zeros((m, 4))
    for step in range(m):
        a, b = find_root(parent, left[step]), find_root(parent, right[step])
        new = n + step
        parent[a] = new
        parent[b] = new
        size[new] = size[a] + size[b]
        rows[step, 0] = min(a, b)
        rows[step, 1] = max(a, b)
        rows[step, 3] = size[new]
    return rows


@kernel
def _dot(a: Any, b: Any) -> float:
    """Inner product in a fixed order, which BLAS does not promise; four sums, since one would wait for itself."""
    n = a.shape[0]
    p, q, r, s = 0.0, 0.0, 0.0, 0.0
    for j in range(0, n - 3, 4):
        p += a[j] * b[j]
        q += a[j + 1] * b[j + 1]
        r += a[j + 2] * b[j + 2]
        s += a[j + 3] * b[j + 3]
    for j in range(n - n % 4, n):
        p += a[j] * b[j]
    return (p + q) + (r + s)


@kernel(work=lambda similarity, presence, *_: similarity.size * (2 + presence.shape[1]))
def chain(similarity: Any, presence: Any, complete: bool, left: Any, right: Any, heights: Any) -> None:
    """Average or complete link by nearest-neighbor chains on an explicit symmetric matrix, which is overwritten.

    Average link weighs a pair of groups by its evidence, the product ⟨p_A, p_B⟩ of the summed `presence` rows
    (n × r): r = 1 with the leaf weights where nothing is missing, one column per partition otherwise.
    Complete link takes the weaker similarity. A chain goes back rather than on where similarities tie.
    O(n² r) time; written here because SciPy's linkage knows neither weighted leaves nor evidence.
    """
    n = similarity.shape[0]
    total = presence.copy()
    alive = np.ones(n, dtype=np.bool_)
    path = np.empty(n, dtype=np.int64)
    length = 0
    lowest = 0
    for step in range(n - 1):
        if length == 0:
            while not alive[lowest]:
                lowest += 1
            path[0] = lowest
            length = 1
        while True:
            tip = path[length - 1]
            before = path[length - 2] if length > 1 else -1
            best = before
            value = similarity[tip, before] if before >= 0 else -1.0
            for j in range(n):
                if alive[j] and j != tip and similarity[tip, j] > value:
                    value = similarity[tip, j]
                    best = j
            if best < 0:  # nothing compares, not even with nothing (NaN): take whichever is there
                best, value = 0, 0.0
                while not alive[best] or best == tip:
                    best += 1
            if best == before:
                break
            path[length] = best
            length += 1
        a, b = path[length - 1], path[length - 2]
        length -= 2
        left[step] = a
        right[step] = b
        heights[step] = 1.0 - value
        alive[a] = False
        for j in range(n):
            if alive[j] and j != b:
                if complete:
                    merged = min(similarity[a, j], similarity[b, j])
                else:
                    of_a = _dot(total[a], total[j])
                    of_b = _dot(total[b], total[j])
                    if of_a + of_b <= 0:  # nothing seen, or vertices that weigh nothing: all count the same
                        of_a, of_b = 1.0, 1.0
                    merged = (of_a * similarity[a, j] + of_b * similarity[b, j]) / (of_a + of_b)
                similarity[b, j] = merged
                similarity[j, b] = merged
        total[b] += total[a]
