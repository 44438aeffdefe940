"""Path-based clustering: two objects are as far apart as the largest gap on the best path between them."""

from __future__ import annotations

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray
from .._memory import require
from .matrices import Matrix


class PathBased:
    """The k clusters with the least path cost among all prunings of the single-link tree.

    The minimax path between two objects runs along the minimum spanning tree, so its largest gap is the height at
    which single link joins them. The cost of a cluster C is (1/|C|) Σ_{i<j ∈ C} gap(i, j): unlike single link cut at
    a height, it does not spend its clusters on outliers. Where Fischer and Buhmann 2003 merge greedily, the best
    pruning is found exactly by dynamic programming over the tree. O(n²) time and memory, plus O(nk) for the pruning.
    """

    def __init__(self, k: int) -> None:
        self.k = k

    def fit_predict(self, X: Matrix) -> AnyArray:
        """Cluster the rows of X."""
        from scipy.cluster.hierarchy import linkage

        n = X.shape[0]
        if self.k >= n or n < 2:
            return np.arange(n)
        require(
            8.0 * n * n, f"Path-based clustering of {n} objects", "Use sampling='subsample' or another base"
        )
        merges = linkage(X, "single")
        left, right = merges[:, 0].astype(np.int64), merges[:, 1].astype(np.int64)
        costs = _costs(left, right, merges[:, 2], n)
        return _labels(_kept(left, right, costs, n, self.k), left, right, n)


def _costs(left: IntArray, right: IntArray, heights: FloatArray, n: int) -> FloatArray:
    """Path cost of every node of the tree: its gaps, each as often as it parts a pair, over its size."""
    size, gaps = np.ones(2 * n - 1), np.zeros(2 * n - 1)
    for t, (a, b) in enumerate(zip(left, right, strict=True)):
        size[n + t] = size[a] + size[b]
        gaps[n + t] = gaps[a] + gaps[b] + heights[t] * size[a] * size[b]
    return gaps / size


def _kept(left: IntArray, right: IntArray, costs: FloatArray, n: int, k: int) -> list[int]:
    """Nodes of the cheapest pruning into k clusters.

    best[v][j] is the least cost of v's objects in j + 1 clusters: v itself for one, otherwise shared out over its
    two children; taken[v][j] remembers the first child's share.
    """
    best: list[FloatArray] = [np.zeros(1)] * (2 * n - 1)
    taken: dict[int, IntArray] = {}
    for t, (a, b) in enumerate(zip(left, right, strict=True)):
        first, second = best[a], best[b]
        reach = min(len(first) + len(second), k)
        table = np.full((len(first), reach), np.inf)
        for i in range(min(len(first), reach - 1)):
            share = second[: reach - 1 - i]
            table[i, i + 1 : i + 1 + len(share)] = first[i] + share
        taken[n + t] = table.argmin(axis=0)
        best[n + t] = table.min(axis=0)
        best[n + t][0] = costs[n + t]
        best[a] = best[b] = np.zeros(0)  # not needed again
    return _walk(left, right, taken, n, k)


def _walk(left: IntArray, right: IntArray, taken: dict[int, IntArray], n: int, k: int) -> list[int]:
    kept, open_nodes = [], [(2 * n - 2, k)]
    while open_nodes:
        node, wanted = open_nodes.pop()
        if wanted == 1:
            kept.append(node)
            continue
        first = int(taken[node][wanted - 1]) + 1
        open_nodes += [(int(left[node - n]), first), (int(right[node - n]), wanted - first)]
    return kept


def _labels(kept: list[int], left: IntArray, right: IntArray, n: int) -> AnyArray:
    """Hand every kept node's number down to its objects."""
    label = np.full(2 * n - 1, -1)
    label[kept] = np.arange(len(kept))
    for node in range(2 * n - 2, n - 1, -1):
        if label[node] >= 0:
            label[left[node - n]] = label[right[node - n]] = label[node]
    return label[:n]
