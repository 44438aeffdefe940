"""Spectral clustering of Ng, Jordan and Weiss, with the width of the affinity chosen by distortion."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, as_numbers
from .._memory import require
from ..errors import InputError
from .features import Matrix

_WIDTHS = 12  # how many are tried where none is given


class NJW:
    """Gaussian affinities of width σ, the k leading eigenvectors of the normalized affinity, rows of length 1, k-means.

    Of several σ the one whose rows lie closest to their k centers is kept. O(n³) for every σ, O(n²) memory.
    """

    k: int
    seed: int
    sigma: Any

    def __init__(self, k: int, seed: int, sigma: Any = None) -> None:
        self.k, self.seed, self.sigma = k, seed, sigma

    def fit_predict(self, X: Matrix) -> AnyArray:
        """Cluster the rows of X."""
        from scipy.spatial.distance import pdist, squareform

        n = X.shape[0]
        require(40.0 * n * n, f"The affinities of {n} objects", "Take base='spectral' or base='landmarks'")
        return tightest_cut(np.asarray(squareform(pdist(np.asarray(X)))), self.k, self.seed, self.sigma)


def tightest_cut(distances: FloatArray, k: int, seed: int, sigma: Any = None) -> AnyArray:
    """Return the spectral clustering at the σ of least distortion: k-means' mean squared distance to its centers.

    References
    ----------
    Ng, Jordan and Weiss, On spectral clustering: analysis and an algorithm, 2002.
    """
    from sklearn.cluster import KMeans

    n = len(distances)
    if k >= n or k == 1:
        return np.arange(n) if k >= n else np.zeros(n, dtype=np.int64)
    best, labels = np.inf, np.zeros(n, dtype=np.int64)  # one cluster where no σ reaches every object
    for width in widths(distances, sigma):
        rows = _embedding(distances, k, float(width))
        if rows is None:
            continue
        fitted = KMeans(k, n_init=5, random_state=seed).fit(rows)
        if fitted.inertia_ < best:
            best, labels = float(fitted.inertia_), fitted.labels_
    return labels


def widths(distances: FloatArray, sigma: Any) -> FloatArray:
    """The σ to try: those given, or from the usual distance of nearest neighbors to the usual distance of all."""
    if sigma is not None:
        given = np.atleast_1d(as_numbers(sigma, "The widths sigma"))
        if given.ndim != 1 or not given.size or not np.isfinite(given).all() or given.min() <= 0:
            raise InputError.about("sigma", sigma, "a positive number, or a list of them")
        return given
    apart = np.where(distances > 0, distances, np.inf)
    low, high = np.median(apart.min(axis=1)), np.median(distances[distances > 0]) if distances.any() else 1.0
    low = low if np.isfinite(low) else high
    return np.geomspace(min(low, high), high, _WIDTHS)


def _embedding(distances: FloatArray, k: int, width: float) -> FloatArray | None:
    """The eigenvectors' rows, of length 1; None where affinities underflow and leave an object alone."""
    from scipy.linalg import eigh

    affinity = np.exp(-0.5 * (distances / width) ** 2)
    np.fill_diagonal(affinity, 0.0)
    degree = affinity.sum(axis=1)
    if degree.min() < 1e-300:
        return None
    scale = 1.0 / np.sqrt(degree)
    n = len(distances)
    rows = eigh(affinity * scale[:, None] * scale[None, :], subset_by_index=(n - k, n - 1))[1]
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
