"""Features of objects: how they are checked, and nearest neighbors among them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from ._arrays import AnyArray, FloatArray, IntArray, as_int, as_numbers
from ._frames import unframed
from .errors import InputError, TypeMismatch

_TREE = 12  # dimensions up to which a tree of points is faster than looking at all


def feature_matrix(X: Any, name: str = "X") -> Any:
    """Check features from outside: n objects × d features, all finite numbers.

    Dense or sparse (CSR) as given; float32 stays, everything else becomes float64.
    """
    if sparse.issparse(X):
        matrix = sparse.csr_array(X) if isinstance(X, sparse.sparray) else sparse.csr_matrix(X)
        matrix.sort_indices()
        values = _numbers(matrix.data, name)
        matrix = matrix if values is matrix.data else matrix.astype(values.dtype)
    else:
        values = matrix = _numbers(unframed(X), name)
    if matrix.ndim != 2 or min(matrix.shape) == 0:
        raise InputError(
            f"{name} has shape {matrix.shape}; expected n objects × d features, at least 1 × 1. "
            "A single feature is X.reshape(-1, 1)."
        )
    if not np.isfinite(values.sum(dtype=np.float64)) and not np.isfinite(values).all():
        raise InputError(f"{name} contains NaN or infinity; fill or drop those objects or features first.")
    return matrix


def _numbers(values: Any, name: str) -> AnyArray:
    if hasattr(type(values), "obsm"):
        raise TypeMismatch(
            f"{name} is an object of type {type(values).__name__}; expected n objects × d features, such as "
            'adata.obsm["X_pca"].'
        )
    try:
        given = np.asarray(values)
        return given if given.dtype in (np.float32, np.float64) else as_numbers(given, "They")
    except ValueError:
        raise TypeMismatch(
            f"{name} has rows of different lengths; expected n objects × d features."
        ) from None
    except TypeMismatch as error:
        raise TypeMismatch(
            f"{name} is not a table of numbers ({error}); expected n objects × d features. "
            "Encode text and categories first."
        ) from None


def as_features(X: Any, n: int | None = None, name: str = "X") -> FloatArray:
    """Check features that must be dense, with one row for each of n objects if n is given; return them as float64."""
    if sparse.issparse(X):
        raise TypeMismatch(f"{name} is sparse; expected dense features. Convert it with X.toarray().")
    given = feature_matrix(X, name)
    if n is not None and len(given) != n:
        raise InputError(f"{name} has {len(given)} rows; expected {n}, one row of features for each object.")
    return np.ascontiguousarray(given, dtype=np.float64)


def feature_neighbors(X: Any, p: int = 20) -> IntArray:
    """Return for each object the p nearest others in feature space, nearest first (Euclidean).

    O(n log n) in few dimensions, O(n²) in many.

    Examples
    --------
    >>> feature_neighbors([[0.0], [1.0], [3.0]], 1).tolist()
    [[1], [0], [1]]
    """
    points = as_features(X)
    p = min(as_int("p", p, 1), max(len(points) - 1, 1))
    if len(points) == 1:
        return np.full((1, 1), -1, dtype=np.int64)
    found = nearest(points, points, p + 1)
    keep = found != np.arange(len(points))[:, None]
    keep[keep.all(axis=1), -1] = (
        False  # so many at the same place that an object is not among its own nearest
    )
    return found[keep].reshape(len(points), p)


def nearest(cores: FloatArray, points: FloatArray, p: int) -> IntArray:
    """Return for each point the p nearest of some others, nearest first; a tree and all cores in few dimensions."""
    if cores.shape[1] > _TREE:
        from sklearn.neighbors import NearestNeighbors

        found = NearestNeighbors(n_neighbors=p).fit(cores).kneighbors(points, return_distance=False)
    else:
        from scipy.spatial import cKDTree

        found = cKDTree(cores).query(points, p, workers=-1)[1]
    return np.asarray(found, dtype=np.int64).reshape(len(points), p)
