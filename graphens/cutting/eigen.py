"""Leading eigenvectors and the k-means on their rows, both repeatable."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, LabelArray, Seed, generator
from .._memory import require
from .._pools import one_pool_thread
from ..errors import unheard

_DENSE = 1500  # up to here LAPACK is quicker than Lanczos, and never misses a multiple eigenvalue
_SAMPLE = 1 << 16  # restarts of k-means look at this many rows; the winner sees them all
_NO_MORE = 20


def leading(matrix: Any, k: int, degree: FloatArray, parts: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return the k largest eigenvalues of a normalized adjacency matrix or operator, falling, and their vectors.

    The eigenvalue 1 has one vector per component, √degree on it: these are written down, and the others are searched
    for beside them, because Lanczos from one start can miss a multiple eigenvalue. Dense up to 1,500 rows, Lanczos
    from a fixed start beyond; signs are fixed, so runs can be repeated.

    Parameters
    ----------
    matrix
        D^-½ A D^-½, n × n: anything with `shape`, products ``@`` with vectors and `toarray`.
    k
        Number of vectors, more than there are components.
    degree, parts
        Degree and component of every vertex.
    """
    n = matrix.shape[0]
    k = min(k, n)
    if n <= _DENSE or k >= n // 3:
        require(32.0 * n * n, f"Eigenvectors of {n} vertices", "Take a smaller k, or fewer vertices")
        dense = matrix.toarray()
        with one_pool_thread(few=n <= _DENSE):
            values, vectors = _dense_leading((dense + dense.T) / 2, k)
        return values[::-1], _signed(vectors[:, ::-1])
    known = _known(degree, parts)[:, :k]
    if known.shape[1] == k:
        return np.ones(k), known
    values, vectors = _lanczos(matrix, k - known.shape[1], known)
    return np.append(np.ones(known.shape[1]), values), np.column_stack([known, _signed(vectors)])


def _dense_leading(matrix: FloatArray, k: int) -> tuple[FloatArray, FloatArray]:
    """The k largest eigenvalues, rising, and their vectors.

    LAPACK's driver for some of them gives up on eigenvalues of a high multiplicity, as complete graphs have; the one
    for all of them does not.
    """
    from scipy.linalg import LinAlgError, eigh

    n = len(matrix)
    try:
        return eigh(matrix, subset_by_index=[n - k, n - 1])
    except LinAlgError:
        values, vectors = eigh(matrix, driver="evd")
        return values[n - k :], vectors[:, n - k :]


def _known(degree: FloatArray, parts: AnyArray) -> FloatArray:
    """One unit vector per component with an edge: the roots of the degrees on it."""
    volume = np.bincount(parts, weights=degree)
    linked = np.flatnonzero(volume > 0)
    rank = np.full(len(volume), -1)
    rank[linked] = np.arange(len(linked))
    known = np.zeros((len(degree), len(linked)))
    inside = np.flatnonzero(rank[parts] >= 0)
    known[inside, rank[parts[inside]]] = np.sqrt(degree[inside] / volume[parts[inside]])
    return known


def _lanczos(matrix: Any, k: int, known: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The k leading vectors beside the known ones, whose eigenvalue is moved from 1 to −1."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    def apply(x: FloatArray) -> FloatArray:
        return np.asarray(matrix @ x - 2 * (known @ (known.T @ x)))

    n = matrix.shape[0]
    deflated = LinearOperator((n, n), matvec=apply, dtype=np.float64)
    start = np.random.default_rng(0).normal(size=n)
    values, vectors = eigsh(deflated, k=k, which="LA", v0=start, ncv=min(n, max(2 * k + 1, 40)), tol=1e-10)
    order = np.argsort(-values, kind="stable")
    return values[order], np.asarray(vectors[:, order])


def _signed(vectors: FloatArray) -> FloatArray:
    """Turn every vector so that its largest entry is positive."""
    top = np.abs(vectors).argmax(axis=0)
    return np.asarray(vectors * np.where(vectors[top, np.arange(vectors.shape[1])] < 0, -1.0, 1.0))


def point_clusters(
    rows: AnyArray, k: int, seed: Seed, weight: FloatArray | None, n_init: int | None = None
) -> LabelArray:
    """Scale rows to length one and cluster them by k-means.

    Restarts run on a sample of 65,536 rows where there are more; the best centers then move on all of them.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    if k >= len(rows):
        return np.arange(len(rows), dtype=np.int32)
    rng = generator(seed)
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    unit = np.divide(rows, length, out=np.zeros_like(rows), where=length > 1e-12)
    if weight is not None and (weight == weight[0]).all():
        weight = None
    restarts = n_init or (10 if len(unit) <= 5000 else 3)
    start: Any = "k-means++"
    # fewer distinct rows than k: reported by whoever asked
    with unheard(ConvergenceWarning), one_pool_thread(few=len(unit) * k < 1 << 20):
        if len(unit) > 2 * _SAMPLE:
            picked = np.sort(rng.choice(len(unit), _SAMPLE, replace=False))
            some = None if weight is None else weight[picked]
            first = KMeans(k, n_init=restarts, random_state=int(rng.integers(2**31)))
            start, restarts = first.fit(unit[picked], sample_weight=some).cluster_centers_, 1
        last = KMeans(
            k,
            init=start,
            n_init=restarts,
            random_state=int(rng.integers(2**31)),
            max_iter=_NO_MORE if restarts == 1 else 300,
        )
        return last.fit(unit, sample_weight=weight).labels_.astype(np.int32)
