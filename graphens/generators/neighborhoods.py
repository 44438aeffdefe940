"""What bases need from the neighbors of the objects: a spectral clustering, and a radius for DBSCAN."""

from __future__ import annotations

import numpy as np

from .._arrays import AnyArray
from .features import Matrix

_OBJECTS = 1000  # a radius is estimated from as many


class Spectral:
    """Normalized cut of the graph of ten nearest neighbors, through scikit-learn's spectral clustering."""

    k: int
    seed: int
    neighbors: int
    metric: str

    def __init__(self, k: int, seed: int, neighbors: int = 10, metric: str = "minkowski") -> None:
        self.k, self.seed, self.neighbors, self.metric = k, seed, neighbors, metric

    def fit_predict(self, X: Matrix) -> AnyArray:
        """Cluster the rows of X."""
        from sklearn.cluster import SpectralClustering
        from sklearn.neighbors import kneighbors_graph

        n = X.shape[0]
        if self.k >= n or n < 3:
            return np.arange(n) if self.k >= n else np.zeros(n, dtype=np.int64)
        links = kneighbors_graph(X, min(self.neighbors, n - 1), metric=self.metric, include_self=True)
        return SpectralClustering(
            self.k, affinity="precomputed", random_state=self.seed, n_init=1
        ).fit_predict(0.5 * (links + links.T))


def random_radius(X: Matrix, neighbors: int, seed: int) -> float:
    """A radius at which a random share, from half to nearly all, of the objects have so many neighbors."""
    from sklearn.neighbors import NearestNeighbors

    rng = np.random.default_rng(seed)
    n = X.shape[0]
    drawn = rng.choice(n, size=min(n, _OBJECTS), replace=False)
    share = rng.uniform(0.5, 0.95)
    distances, _ = NearestNeighbors(n_neighbors=min(neighbors, n)).fit(X).kneighbors(X[drawn])
    return float(max(np.quantile(distances[:, -1], share), np.finfo(np.float32).tiny))
