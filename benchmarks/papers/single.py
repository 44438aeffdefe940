"""The papers' single algorithms: k-means, single and average link on features, spectral clustering with a scan of σ."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.linalg import eigh
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans

#: the interval of Fred and Jain, in units of the features' deviation (they do not print the scale of their data)
SIGMAS = (0.08, 0.1, 0.12, 0.17, 0.25, 0.35, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)


def kmeans(X: np.ndarray, k: int, seed: int) -> np.ndarray:
    """One run of k-means from random objects."""
    return np.asarray(KMeans(k, init="random", n_init=1, random_state=seed).fit_predict(X))


def linked(X: np.ndarray, k: int, method: str) -> np.ndarray:
    """SciPy's single or average link on Euclidean distances, cut at k."""
    return np.asarray(fcluster(linkage(X, method), k, "maxclust")) - 1


def spectral(X: np.ndarray, k: int, seed: int, sigmas: tuple[float, ...] = SIGMAS) -> np.ndarray:
    """Spectral clustering of Ng, Jordan and Weiss; of all σ the one whose rows lie tightest around k centres."""
    squares = squareform(pdist(X / X.std(axis=0).mean(), "sqeuclidean"))
    found = [_cut(squares, k, sigma, seed) for sigma in sigmas]
    whole = np.inf, np.zeros(len(X), dtype=int)  # where no σ reaches every point
    return min((pair for pair in found if pair is not None), key=lambda pair: pair[0], default=whole)[1]


def _cut(squares: np.ndarray, k: int, sigma: float, seed: int) -> tuple[float, np.ndarray] | None:
    """Distortion and labels at one σ; None where the affinities underflow to a graph of lonely points."""
    affinity = np.exp(-squares / (2 * sigma**2))
    np.fill_diagonal(affinity, 0)
    degree = affinity.sum(axis=1)
    if degree.min() < 1e-300:
        return None
    scaled = affinity / np.sqrt(degree)[:, None] / np.sqrt(degree)[None, :]
    n = len(squares)
    rows = eigh(scaled, subset_by_index=(n - k, n - 1))[1]
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    fitted = KMeans(k, n_init=5, random_state=seed).fit(rows)
    return float(fitted.inertia_), np.asarray(fitted.labels_)
