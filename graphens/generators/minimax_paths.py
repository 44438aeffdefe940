"""Path-based clustering: objects are close if a chain of small steps connects them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import MISSING, FloatArray, IntArray, LabelArray, as_flag, as_int, canonical
from .._lib.features import as_features
from .._lib.memory import require
from ..errors import InputError, TypeMismatch, named_failure, quote


def path_based(X: ArrayLike, k: int, *, metric: str = "euclidean", outliers: bool = False) -> LabelArray:
    """Cluster points by minimax path distances, a base clustering for bagging.

    The effective distance of two points is the largest step on the path between them that minimizes it, which is the
    largest edge on their path in the minimum spanning tree. Starting from single points, the tree edge whose
    contraction raises the cost Σ_C (1/|C|) Σ_{i,j ∈ C} d_eff(i, j) least is contracted, until k clusters are left.
    Elongated clusters stay together and, unlike with single linkage, a lone outlier rarely becomes its own cluster.

    Parameters
    ----------
    X
        Points in rows, or their n × n distances with ``metric="precomputed"``.
    k
        Number of clusters.
    metric
        Any metric of `scipy.spatial.distance.pdist`, or ``"precomputed"``.
    outliers
        Whether objects far from all others are left out (label −1) before the rest is clustered: those that reach two
        other objects only by a step above Q3 + 3 (Q3 − Q1), where Q1 and Q3 are the quartiles of that step over all
        objects. This is Tukey's fence; the paper does not state its rule.

    Returns
    -------
    numpy.ndarray
        Labels 0 … k − 1 in order of first appearance, −1 for outliers.

    Notes
    -----
    Clusters are subtrees of the spanning tree, in which the best paths stay inside the cluster. O(n²) time and memory.

    References
    ----------
    Fischer and Buhmann, Path-based clustering for grouping of smooth curves and texture segmentation, IEEE TPAMI
    25(4), 2003; Bagging for path-based clustering, IEEE TPAMI 25(11), 2003.

    Examples
    --------
    >>> import graphens as ge
    >>> ge.path_based([[0.0], [1.0], [2.0], [3.0], [9.0], [10.0]], 2).tolist()
    [0, 0, 0, 0, 1, 1]
    """
    distances = _distances(X, metric)
    k = as_int("k", k, 1, len(distances))
    inside = _inside(distances, k) if as_flag("outliers", outliers) else np.arange(len(distances))
    near = distances[np.ix_(inside, inside)]
    left, right = _tree(near)
    labels = np.full(len(distances), MISSING)
    labels[inside] = _contract(_effective(near), left, right, k)
    return canonical(labels)


def _inside(distances: FloatArray, k: int) -> IntArray:
    """Objects that reach two others without an unusually large step; all objects if fewer than k would be left."""
    n = len(distances)
    if n < 4:
        return np.arange(n)
    step = np.partition(_effective(distances), 2, axis=1)[:, 2]  # an object is 0 from itself
    low, high = np.quantile(step, [0.25, 0.75])
    near = np.flatnonzero(step <= high + 3 * (high - low))
    return near if len(near) >= k else np.arange(n)


def _distances(X: ArrayLike, metric: str) -> FloatArray:
    from scipy.spatial.distance import pdist, squareform

    points = as_features(X)
    n = len(points)
    require(40.0 * n * n, f"The distances of {n} points", "Cluster a sample of them")
    if not isinstance(metric, str) and not callable(metric):
        raise TypeMismatch.about("metric", metric, "the name of a metric of SciPy, or a function")
    if metric != "precomputed":
        with named_failure(f"The metric {quote(metric)}"):
            return np.asarray(squareform(pdist(points, metric)))
    if points.shape != (n, n) or points.min() < 0 or not np.allclose(points, points.T):
        raise InputError(f"Distances of shape {points.shape} were given; expected a symmetric matrix of zero or more.")
    return points


def _tree(distances: FloatArray) -> tuple[IntArray, IntArray]:
    """Ends of the edges of the minimum spanning tree."""
    from scipy.sparse import csgraph

    # one more on every edge: the tree is the same, and SciPy does not take distance 0 for no edge
    tree = csgraph.minimum_spanning_tree(distances + 1.0).tocoo()
    apart = tree.row != tree.col
    return tree.row[apart].astype(np.int64), tree.col[apart].astype(np.int64)


def _effective(distances: FloatArray) -> FloatArray:
    """Minimax path distances: the heights of single link."""
    from scipy.cluster.hierarchy import cophenet, linkage
    from scipy.spatial.distance import squareform

    if len(distances) == 1:
        return np.zeros((1, 1))
    return np.asarray(squareform(cophenet(linkage(squareform(distances, checks=False), "single"))))


def _contract(sums: FloatArray, left: IntArray, right: IntArray, k: int) -> IntArray:
    """Contract the tree edges that raise the cost least; `sums` become the summed distances between groups."""
    n = len(sums)
    group, size = np.arange(n), np.ones(n)
    within = np.zeros(n)  # Σ over ordered pairs inside a group
    for _ in range(n - k):
        between = 2 * sums[left, right]
        cost = within / size
        merged = (within[left] + within[right] + between) / (size[left] + size[right])
        edge = int(np.argmin(merged - cost[left] - cost[right]))
        a, b = left[edge], right[edge]
        within[a] += within[b] + between[edge]
        size[a] += size[b]
        sums[a] += sums[b]
        sums[:, a] += sums[:, b]
        group[group == b] = a
        left, right = np.delete(left, edge), np.delete(right, edge)
        left[left == b] = a
        right[right == b] = a
    return group
