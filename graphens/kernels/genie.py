"""Genie linkage: the edges of a spanning tree in order, but a smallest cluster first while sizes are too uneven.

Every cluster has a heap of the edges that leave it, and every size a heap of the clusters that have it, ordered by
their first edge. All of them are skew heaps in the same arrays, so that merging two takes O(log n) on average: nodes
0 … 2m − 1 are the two ends of the m edges, node 2m + c is cluster c, and the key of a node is the number of an edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel, twin_of
from .linking import find_root


@kernel
def _meld(a: int, b: int, key: Any, child: Any) -> int:
    """Join two skew heaps, −1 for an empty one; return the root."""
    if a < 0 or b < 0:
        return max(a, b)
    if key[b] < key[a]:
        a, b = b, a
    # Children are swapped on the way down. That alone keeps skew heaps short on average, without a height at every
    # node.
    root = a
    while True:
        rest = child[a, 1]
        child[a, 1] = child[a, 0]
        if rest < 0:
            child[a, 0] = b
            return root
        if key[b] < key[rest]:
            rest, b = b, rest
        child[a, 0] = rest
        a = rest


@kernel
def _add(tree: Any, size: int, by: int) -> None:
    """Count `by` more clusters of a size, in two Fenwick trees: of numbers, and of sums of sizes."""
    i = size
    while i < tree.shape[1]:
        tree[0, i] += by
        tree[1, i] += by * size
        i += i & -i


@kernel
def _apart(tree: Any, size: int, count: int, total: int) -> int:
    """Sum of the differences between a size and all sizes counted, which are `count` with the sum `total`."""
    below, held, i = 0, 0, size
    while i > 0:
        below += tree[0, i]
        held += tree[1, i]
        i -= i & -i
    return size * below - held + (total - held) - size * (count - below)


@kernel(work=lambda left, *_: 100 * left.size)
def genie_order(left: Any, right: Any, weights: Any, gini: float) -> Any:
    """Return the order in which the edges of a forest, shortest first, merge clusters of whole weights. O(n log n).

    While the Gini index Σ_{i<j} |c_i − c_j| / ((c − 1) Σ c_i) of the c sizes is above `gini`, the first edge of a
    smallest cluster that has one is next, otherwise the first of all.
    """
    n, m, total = weights.shape[0], left.shape[0], weights.sum()
    parent, size = np.arange(n + m), np.zeros(n + m, dtype=np.int64)
    key, child = np.zeros(3 * m + n, dtype=np.int64), np.full((3 * m + n, 2), -1, dtype=np.int64)
    edges = np.full(n + m, -1, dtype=np.int64)  # the heap of each cluster
    sizes = np.full(total + 1, -1, dtype=np.int64)  # the heap of each size
    tree = np.zeros((2, total + 1), dtype=np.int64)
    order, done = np.empty(m, dtype=np.int64), np.zeros(m, dtype=np.bool_)
    apart, first, least = 0, 0, 1
    for e in range(m):
        key[2 * e] = key[2 * e + 1] = e
        edges[left[e]] = _meld(edges[left[e]], 2 * e, key, child)
        edges[right[e]] = _meld(edges[right[e]], 2 * e + 1, key, child)
    held = 0
    for c in range(n):
        size[c] = weights[c]
        apart += _apart(tree, size[c], c, held)
        held += size[c]
        _add(tree, size[c], 1)
        _enter(c, m, edges, size, sizes, key, child)
    # Σ |c_i − c_j| changes only by the sizes that vanish and the one that appears, so that the Gini index after every
    # merge takes O(log n) with the Fenwick trees.
    for step in range(m):
        count, e = n - step, first
        if apart > gini * (count - 1) * total:
            node = sizes[least]
            while node < 0 or parent[node - 2 * m] != node - 2 * m:  # no cluster, or one that was merged
                if node < 0:
                    least += 1
                else:
                    sizes[least] = _meld(child[node, 0], child[node, 1], key, child)
                node = sizes[least]
            e = key[node]
        a, b, new = find_root(parent, left[e]), find_root(parent, right[e]), n + step
        order[step], done[e], parent[a], parent[b] = e, True, new, new
        while first < m and done[first]:
            first += 1
        size[new] = size[a] + size[b]
        _add(tree, size[a], -1)
        apart -= _apart(tree, size[a], count - 1, total - size[a])
        _add(tree, size[b], -1)
        apart -= _apart(tree, size[b], count - 2, total - size[new])
        apart += _apart(tree, size[new], count - 2, total - size[new])
        _add(tree, size[new], 1)
        # Edges inside the new cluster, used or closing a cycle, go when they come to the top.
        heap = _meld(edges[a], edges[b], key, child)
        while heap >= 0 and done[key[heap]]:
            heap = _meld(child[heap, 0], child[heap, 1], key, child)
        edges[new] = heap
        _enter(new, m, edges, size, sizes, key, child)
    return order


@kernel
def _enter(c: int, m: int, edges: Any, size: Any, sizes: Any, key: Any, child: Any) -> None:
    """Put a cluster that has edges into the heap of its size."""
    if edges[c] >= 0:
        key[2 * m + c] = key[edges[c]]
        sizes[size[c]] = _meld(sizes[size[c]], 2 * m + c, key, child)


@kernel(work=lambda points: points.size * points.shape[1] / 2)
def euclidean_tree(points: Any) -> Any:
    """Return the edges of the minimum spanning tree of points in columns, and their squared lengths; Prim, O(n²d).

    The columns are changed: those in the tree are overwritten by others.
    """
    d, n = points.shape
    ends, lengths = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    number, near = (np.arange(n), np.zeros(n, dtype=np.int64))  # of the points left, and their nearest in the tree
    best, apart = np.full(n, np.inf), np.empty(n)
    latest, now = points[:, n - 1].copy(), n - 1
    for step in range(n - 1):
        left = n - 1 - step
        apart[:left] = 0.0
        for j in range(d):
            for i in range(left):
                difference = points[j, i] - latest[j]
                apart[i] += difference * difference
        nearest = 0
        for i in range(left):
            if apart[i] < best[i]:
                best[i], near[i] = apart[i], now
            if best[i] < best[nearest]:
                nearest = i
        now = number[nearest]
        ends[step, 0], ends[step, 1], lengths[step] = near[nearest], now, best[nearest]
        # The place of a point that joined the tree is taken by the last one left: loops run over those left, along
        # memory.
        latest[:] = points[:, nearest]
        points[:, nearest] = points[:, left - 1]
        number[nearest], near[nearest], best[nearest] = number[left - 1], near[left - 1], best[left - 1]
    return ends, lengths


@twin_of(euclidean_tree)
def _euclidean_tree_by_rows(points: Any) -> Any:
    n = points.shape[1]
    ends, lengths = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    number, near, best = np.arange(n), np.zeros(n, dtype=np.int64), np.full(n, np.inf)
    now, latest = n - 1, points[:, n - 1].copy()
    for step, left in enumerate(range(n - 1, 0, -1)):
        apart = np.square(points[:, :left] - latest[:, None]).sum(axis=0)
        near[:left][apart < best[:left]] = now
        np.minimum(best[:left], apart, out=best[:left])
        nearest = int(best[:left].argmin())
        now, latest = int(number[nearest]), points[:, nearest].copy()
        ends[step], lengths[step] = (near[nearest], now), best[nearest]
        for each in (points.T, number, near, best):
            each[nearest] = each[left - 1]
    return ends, lengths
