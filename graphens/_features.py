"""Features of objects: the one check of them, and neighbours among them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import FloatArray, IntArray, as_numbers, whole
from .errors import InputError

_TREE = 12  # dimensions up to which a tree of points is faster than looking at all


def as_features(X: Any, n: int | None = None) -> FloatArray:
    """Check features from outside: one row of finite numbers per object."""
    given = np.ascontiguousarray(as_numbers(X, "The features"))
    if given.ndim != 2 or not given.size or (n is not None and len(given) != n):
        wanted = "one row" if n is None else f"{n} rows, one"
        raise InputError(
            f"Features of shape {given.shape} were given; expected {wanted} of numbers per object."
        )
    if not np.isfinite(given).all():
        raise InputError("The features contain NaN or infinity; fill or drop those values first.")
    return given


def feature_neighbors(X: Any, p: int = 20) -> IntArray:
    """Return for each object the p nearest others in feature space, nearest first (Euclidean).

    O(n log n) in few dimensions, O(n²) in many.

    Examples
    --------
    >>> feature_neighbors([[0.0], [1.0], [3.0]], 1).tolist()
    [[1], [0], [1]]
    """
    points = as_features(X)
    p = min(whole("p", p, 1), max(len(points) - 1, 1))
    if len(points) == 1:
        return np.full((1, 1), -1, dtype=np.int64)
    found = nearest(points, points, p + 1)
    keep = found != np.arange(len(points))[:, None]
    keep[keep.all(axis=1), -1] = (
        False  # so many at the same place that an object is not among its own nearest
    )
    return found[keep].reshape(len(points), p)


def nearest(cores: FloatArray, points: FloatArray, p: int) -> IntArray:
    """Return for each point the p nearest of some others, nearest first: a tree and all cores in few dimensions."""
    if cores.shape[1] > _TREE:
        from sklearn.neighbors import NearestNeighbors

        found = NearestNeighbors(n_neighbors=p).fit(cores).kneighbors(points, return_distance=False)
    else:
        from scipy.spatial import cKDTree

        found = cKDTree(cores).query(points, p, workers=-1)[1]
    return np.asarray(found, dtype=np.int64).reshape(len(points), p)
