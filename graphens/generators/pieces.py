"""Base "pieces": k-means clusters, split into the pieces that nearest neighbors connect."""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, IntArray
from .features import Matrix

NEIGHBORS = 10
_ONE_AT_A_TIME = Lock()  # threads that begin together need the same neighbors


class Pieces:
    """k-means clusters, each split where no chain of nearest neighbors inside it connects its objects.

    A k-means cluster that reaches across a gap, say from one ring to the next, becomes two; one that holds together
    stays as it is. The neighbors are those of all objects, so pieces do not depend on how small a cluster is.

    Parameters
    ----------
    k
        Number of clusters of k-means; there may be more pieces.
    seed
        Seed of k-means.
    neighborhoods
        Where the nearest neighbors of the objects come from.
    """

    k: int
    seed: int
    neighborhoods: Neighborhoods
    means: Any
    search: Any
    clusters: AnyArray
    pieces: AnyArray
    largest: AnyArray

    def __init__(self, k: int, seed: int, neighborhoods: Neighborhoods) -> None:
        self.k, self.seed, self.neighborhoods = k, seed, neighborhoods

    def fit_predict(self, X: Matrix) -> AnyArray:
        """Cluster the rows of X."""
        from sklearn.cluster import KMeans

        self.means = KMeans(self.k, init="random", n_init=1, random_state=self.seed).fit(X)
        self.clusters = self.means.labels_
        self.search, near = self.neighborhoods.of(X)
        self.pieces = _connected(self.clusters, near)
        order = np.argsort(np.bincount(self.pieces)[self.pieces], kind="stable")
        self.largest = np.zeros(self.k, dtype=self.pieces.dtype)
        self.largest[self.clusters[order]] = self.pieces[order]  # the last one written stays
        return self.pieces

    def predict(self, X: Matrix) -> AnyArray:
        """Return the piece of the nearest neighbor in the same cluster, or its largest piece if there is none."""
        cluster, near = self.means.predict(X), _nearest(self.search, X)
        same = self.clusters[near] == cluster[:, None]
        first = near[np.arange(len(near)), same.argmax(axis=1)]
        return np.where(same.any(axis=1), self.pieces[first], self.largest[cluster])


class Neighborhoods:
    """Builds models that share the nearest neighbors of their objects, computed once for all partitions of a matrix."""

    known: tuple[Matrix, Any, IntArray] | None = None

    def __call__(self, X: Matrix, k: int, seed: int) -> Pieces:
        """Return a model that has not been fitted."""
        return Pieces(k, seed, self)

    def __getstate__(self) -> dict[str, Any]:
        return {}  # a model keeps what it needs

    def of(self, X: Matrix) -> tuple[Any, IntArray]:
        """Return a function that finds neighbors among the rows of X, and the neighbors of the rows themselves."""
        from sklearn.neighbors import NearestNeighbors

        with _ONE_AT_A_TIME:
            if self.known is None or self.known[0] is not X:
                search = NearestNeighbors(n_neighbors=min(NEIGHBORS + 1, X.shape[0])).fit(X)
                self.known = X, search, _nearest(search, X)
            return self.known[1:]


def _nearest(search: Any, X: Matrix) -> IntArray:
    return np.asarray(search.kneighbors(X, return_distance=False))


def _connected(clusters: AnyArray, near: IntArray) -> AnyArray:
    """The connected pieces of the graph of neighbors without its edges between clusters."""
    from scipy.sparse.csgraph import connected_components

    inside = clusters[near] == clusters[:, None]
    edges = np.nonzero(inside)[0], near[inside]
    graph = sparse.coo_array((np.ones(len(edges[0])), edges), shape=(len(near), len(near)))
    return np.asarray(connected_components(graph, directed=False)[1])
