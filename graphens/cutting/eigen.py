"""Leading eigenvectors and the k-means on their rows, both repeatable."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, FloatArray, LabelArray, Seed, generator

_DENSE = 1500  # up to here LAPACK is quicker than Lanczos, and never misses a multiple eigenvalue
_SAMPLE = 1 << 16  # restarts of k-means look at this many rows; the winner sees them all
_NO_MORE = 20


def leading(matrix: Any, k: int) -> FloatArray:
    """Return the eigenvectors of the k largest eigenvalues of a symmetric matrix or operator, largest first.

    Dense up to 1,500 rows, Lanczos from a fixed start beyond; signs are fixed, so runs can be repeated.
    """
    n = matrix.shape[0]
    k = min(k, n)
    if n <= _DENSE or k >= n // 3:
        from scipy.linalg import eigh

        dense = matrix.toarray() if sparse.issparse(matrix) else matrix @ np.eye(n)
        with _one_thread(few=n <= 600):
            vectors = eigh((dense + dense.T) / 2, subset_by_index=[n - k, n - 1])[1][:, ::-1]
    else:
        from scipy.sparse.linalg import eigsh

        start = np.random.default_rng(0).normal(size=n)
        values, vectors = eigsh(matrix, k=k, which="LA", v0=start, ncv=min(n, max(2 * k + 1, 40)), tol=1e-8)
        vectors = vectors[:, np.argsort(-values, kind="stable")]
    top = np.abs(vectors).argmax(axis=0)
    return np.asarray(vectors * np.where(vectors[top, np.arange(vectors.shape[1])] < 0, -1.0, 1.0))


def _one_thread(*, few: bool) -> Any:
    """Keep small work on one thread: waking others takes longer than the work, above all on a busy machine."""
    from contextlib import nullcontext

    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    return threadpool_limits(1) if few else nullcontext()


def point_clusters(
    rows: AnyArray, k: int, seed: Seed, weight: FloatArray | None, n_init: int | None = None
) -> LabelArray:
    """Scale rows to length one and cluster them by k-means.

    Restarts run on a sample of 65,536 rows where there are more; the best centres then move on all of them.
    """
    import warnings

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
    with warnings.catch_warnings(), _one_thread(few=len(unit) * k < 1 << 20):
        warnings.simplefilter(
            "ignore", ConvergenceWarning
        )  # fewer distinct rows than k: reported by whoever asked
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
