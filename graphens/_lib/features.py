"""Features of objects: how they are checked, and nearest neighbors among them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse

from ..errors import InputError, TypeMismatch
from .arrays import AnyArray, FloatArray, IntArray, as_int, as_numbers
from .frames import unframed

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
        return given if given.dtype in (np.float32, np.float64) else as_numbers(given, f"The cells of {name}")
    except ValueError:
        raise TypeMismatch(f"{name} has rows of different lengths; expected n objects × d features.") from None
    except TypeMismatch as error:
        raise TypeMismatch(
            f"{str(error).removesuffix('.')}; expected n objects × d features. Encode text and categories first."
        ) from None


def as_features(X: Any, n: int | None = None, name: str = "X") -> FloatArray:
    """Check features that must be dense, with one row for each of n objects if n is given; return them as float64."""
    if sparse.issparse(X):
        raise TypeMismatch(f"{name} is sparse; expected dense features. Convert it with X.toarray().")
    given = feature_matrix(X, name)
    if n is not None and len(given) != n:
        raise InputError(f"{name} has {len(given)} rows; expected {n}, one row of features for each object.")
    return np.ascontiguousarray(given, dtype=np.float64)


def distinct_rows(X: Any) -> tuple[Any, IntArray, IntArray]:
    """Return the distinct rows of dense or sparse features, which of them each row is, and how often each occurs.

    They are in order of first appearance; without repeated rows, X itself is returned. O(nd).

    Examples
    --------
    >>> rows, index, counts = distinct_rows(np.array([[3.0], [1.0], [3.0]]))
    >>> rows.tolist(), index.tolist(), counts.tolist()
    ([[3.0], [1.0]], [0, 1, 0], [2, 1])
    """
    seen: dict[bytes, int] = {}
    index = np.fromiter((seen.setdefault(key, len(seen)) for key in _row_keys(X)), np.int64, X.shape[0])
    counts = np.bincount(index)
    return (X if len(seen) == X.shape[0] else X[np.unique(index, return_index=True)[1]]), index, counts


def _row_keys(X: Any) -> Iterator[bytes]:
    """The bytes of each row, after −0 became 0."""
    if not sparse.issparse(X):
        yield from (row.tobytes() for row in np.asarray(X) + 0.0)
        return
    matrix = sparse.csr_array(X, copy=True)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    for start, stop in pairwise(matrix.indptr.tolist()):
        yield matrix.indices[start:stop].tobytes() + matrix.data[start:stop].tobytes()


def count_distinct(X: Any, most: int) -> int:
    """Return the number of distinct rows, at most `most`; a part of the rows usually has enough."""
    size = 4 * most
    while size < X.shape[0]:
        if len(distinct_rows(X[:size])[2]) >= most:
            return most
        size *= 4
    return min(len(distinct_rows(X)[2]), most)


def unrounded(X: FloatArray, seed: int) -> FloatArray:
    """Return features in which rounded values are spread out again, for methods that need distances without ties.

    A column with at most n/2 distinct values gets uniform noise of ± half the median step between them.
    """
    rng, spread = np.random.default_rng(seed), X
    for j, column in enumerate(X.T):
        values = np.unique(column)
        if 1 < len(values) <= len(X) / 2:
            spread = X.copy() if spread is X else spread
            spread[:, j] += rng.uniform(-0.5, 0.5, len(X)) * np.median(np.diff(values))
    return spread


def feature_neighbors(X: Any, p: int = 20) -> IntArray:
    """Return for each object the p nearest others in feature space, nearest first (Euclidean).

    Equal rows count once, because many copies would only have each other as neighbors: the first copy has the first
    copies of the p nearest other rows, and the other copies have the first one and its nearest p − 1. O(n log n) in
    few dimensions, O(n²) in many.

    >>> feature_neighbors([[0.0], [0.0], [1.0], [3.0]], 2).tolist()
    [[2, 3], [0, 2], [0, 3], [2, 0]]
    """
    points, index, _ = distinct_rows(as_features(X))
    p, m = as_int("p", p, 1), len(points)
    if m == 1:
        return np.where(np.arange(len(index)) > 0, 0, -1)[:, None]
    near = other_rows(nearest(points, points, min(p, m - 1) + 1))
    first = np.unique(index, return_index=True)[1]
    lists = first[near[index]]
    copies = first[index] != np.arange(len(index))
    lists[copies] = np.column_stack([first[index[copies]], lists[copies, :-1]])
    return lists


def other_rows(near: IntArray) -> IntArray:
    """Leave each row itself out of its list of nearest rows, or the last of the list if it is not in it."""
    apart = near != np.arange(len(near))[:, None]
    apart[apart.all(axis=1), -1] = False
    return near[apart].reshape(len(near), -1)


def nearest(cores: FloatArray, points: FloatArray, p: int) -> IntArray:
    """Return for each point the p nearest of some others, nearest first; a tree and all cores in few dimensions."""
    if cores.shape[1] > _TREE:
        from sklearn.neighbors import NearestNeighbors

        found = NearestNeighbors(n_neighbors=p).fit(cores).kneighbors(points, return_distance=False)
    else:
        from scipy.spatial import cKDTree

        found = cKDTree(cores).query(points, p, workers=-1)[1]
    return np.asarray(found, dtype=np.int64).reshape(len(points), p)
