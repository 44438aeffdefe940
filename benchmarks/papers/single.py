"""The papers' single algorithms: k-means, single and average link on features, spectral clustering with a scan of σ."""

from collections.abc import Iterator

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.linalg import eigh
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans

#: the interval and step of Fred and Jain
SIGMAS = tuple(np.round(np.arange(0.08, 3.001, 0.02), 2).tolist())


def kmeans(X: np.ndarray, k: int, seed: int) -> np.ndarray:
    """One run of k-means from random objects."""
    return np.asarray(KMeans(k, init="random", n_init=1, random_state=seed).fit(X).labels_)


def linked(X: np.ndarray, k: int, method: str) -> np.ndarray:
    """SciPy's single or average link on Euclidean distances, cut at k."""
    return np.asarray(fcluster(linkage(X, method), k, "maxclust")) - 1


def spectral(X: np.ndarray, k: int, seed: int, window: int = 1) -> np.ndarray:
    """Spectral clustering of Ng, Jordan and Weiss; of all σ the one whose rows lie tightest around k centers.

    With a window, the median distortion of so many neighbors, of every other σ, decides: a narrow dip does not.
    """
    last, found = KMeans(k, n_init=5, random_state=seed), []
    for rows in _embedded(X, k, SIGMAS[:: 1 if window == 1 else 2]):
        fitted = last.fit(rows)
        found.append((float(fitted.inertia_), np.asarray(fitted.labels_)))
    if not found:  # no σ reaches every point
        return np.zeros(len(X), dtype=int)
    distortions = np.array([distortion for distortion, _ in found])
    if window > 1 and len(found) >= window:
        medians = np.median(np.lib.stride_tricks.sliding_window_view(distortions, window), axis=1)
        return found[int(medians.argmin()) + window // 2][1]
    return found[int(distortions.argmin())][1]


def _embedded(X: np.ndarray, k: int, sigmas: tuple[float, ...]) -> Iterator[np.ndarray]:
    """The eigenvectors' rows, of length 1, at every σ; left out where affinities underflow to lonely points."""
    squares = squareform(pdist(X, "sqeuclidean"))
    n = len(squares)
    for sigma in sigmas:
        affinity = np.exp(-squares / (2 * sigma**2))
        np.fill_diagonal(affinity, 0)
        degree = affinity.sum(axis=1)
        if degree.min() >= 1e-300:
            scaled = affinity / np.sqrt(degree)[:, None] / np.sqrt(degree)[None, :]
            rows = eigh(scaled, subset_by_index=(n - k, n - 1))[1]
            yield rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
