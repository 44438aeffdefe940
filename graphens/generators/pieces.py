"""Base "pieces": k-means clusters, split into the pieces that nearest neighbors connect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any
from weakref import ref

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray
from .._lib.features import distinct_rows, other_rows
from .features import Matrix

NEIGHBORS = 10
_ONE_AT_A_TIME = Lock()  # threads that begin together need the same neighbors


@dataclass(eq=False)
class Pieces:
    """k-means clusters, each split where no chain of nearest neighbors inside it connects its objects.

    A k-means cluster that reaches across a gap, say from one ring to the next, becomes two; one that holds together
    stays as it is. The neighbors are those of all objects, so pieces do not depend on how small a cluster is. Equal
    objects count as one neighbor; otherwise many copies of a row would be a piece of their own.
    """

    k: int  #: of k-means; there may be more pieces
    seed: int
    neighborhoods: Neighborhoods  #: where the nearest neighbors of the objects come from
    means: Any = field(init=False)
    search: NeighborSearch = field(init=False)
    clusters: AnyArray = field(init=False)
    pieces: AnyArray = field(init=False)
    largest: AnyArray = field(init=False)

    def fit_predict(self, X: Matrix, sample_weight: FloatArray | None = None) -> AnyArray:
        """Cluster the rows of X."""
        from sklearn.cluster import KMeans

        near = self.neighborhoods.of(X).weighted(sample_weight)
        k = min(self.k, len(near.counts))
        means = KMeans(k, init="random", n_init=1, random_state=self.seed)
        self.means = means.fit(near.rows, sample_weight=near.weights)
        self.search, self.clusters = near.search, self.means.labels_
        self.pieces = _connect(self.clusters, near.lists)
        order = np.argsort(np.bincount(self.pieces, near.counts)[self.pieces], kind="stable")
        self.largest = np.zeros(k, dtype=self.pieces.dtype)
        self.largest[self.clusters[order]] = self.pieces[order]  # the last one written stays
        return self.pieces[near.index]

    def predict(self, X: Matrix) -> AnyArray:
        """Return the piece of the nearest neighbor in the same cluster, or its largest piece if there is none."""
        cluster, near = self.means.predict(X), self.search(X)[1]
        same = self.clusters[near] == cluster[:, None]
        first = near[np.arange(len(near)), same.argmax(axis=1)]
        return np.where(same.any(axis=1), self.pieces[first], self.largest[cluster])


@dataclass(frozen=True)
class Neighborhood:
    """The distinct rows of a matrix, their nearest others, and how often each row occurs."""

    rows: Matrix  #: the distinct rows, which of them each object has, and how many objects have it, or their weight
    index: IntArray
    counts: IntArray | FloatArray
    search: NeighborSearch  #: finds neighbors among the distinct rows
    lists: IntArray  #: for every distinct row, itself and its ten nearest, nearest first
    distances: FloatArray  #: how far away they are

    @classmethod
    def of(cls, X: Matrix, metric: str = "minkowski") -> Neighborhood:
        """Find the distinct rows of features, or of distances with ``metric="precomputed"``, and their neighbors."""
        from sklearn.neighbors import NearestNeighbors

        rows, index, counts = distinct_rows(X)
        if metric == "precomputed":
            rows = rows[:, np.unique(index, return_index=True)[1]]
        search = NeighborSearch(NearestNeighbors(n_neighbors=min(NEIGHBORS + 1, len(counts)), metric=metric).fit(rows))
        distances, lists = _nearest(search.tree, rows)
        return cls(rows, index, counts, search, lists, distances)

    def weighted(self, weight: FloatArray | None) -> Neighborhood:
        """Return the same rows with the weights of their objects as counts."""
        return self if weight is None else replace(self, counts=np.bincount(self.index, weight))

    @property
    def weights(self) -> FloatArray | None:
        """The counts as weights for k-means; None if all are 1."""
        return None if (self.counts == 1).all() else self.counts.astype(float)

    def links(self, p: int) -> sparse.csr_array:
        """The graph of each distinct row and its p nearest others, ½ or 1 times the counts of both ends."""
        near = other_rows(self.lists)[:, :p]
        m, width = near.shape
        start = np.arange(0, near.size + 1, width)
        links = sparse.csr_array((np.full(near.size, 0.5), near.ravel(), start), shape=(m, m))
        return sparse.csr_array(((links + links.T) * self.counts) * self.counts[:, None])


@dataclass(eq=False)
class NeighborSearch:
    """Finds the nearest distinct rows of new objects, once for all partitions that ask for the same matrix."""

    tree: Any
    latest: tuple[Any, tuple[FloatArray, IntArray]] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"tree": self.tree}

    def __call__(self, X: Matrix) -> tuple[FloatArray, IntArray]:
        """Return distances and lists of neighbors, nearest first."""
        with _ONE_AT_A_TIME:
            if self.latest is None or self.latest[0]() is not X:
                self.latest = ref(X), _nearest(self.tree, X)
            return self.latest[1]


@dataclass(eq=False)
class Neighborhoods:
    """Builds models that share the neighborhood of a matrix, found once for all partitions."""

    model: Callable[[int, int, Neighborhoods], Any]
    known: tuple[Matrix, Neighborhood] | None = None

    def __call__(self, X: Matrix, k: int, seed: int) -> Any:
        """Return a model that has not been fitted."""
        return self.model(k, seed, self)

    def __getstate__(self) -> dict[str, Any]:
        return {"model": self.model}  # a model keeps what it needs

    def of(self, X: Matrix) -> Neighborhood:
        """Return the neighborhood of X."""
        with _ONE_AT_A_TIME:
            if self.known is None or self.known[0] is not X:
                self.known = X, Neighborhood.of(X)
            return self.known[1]


def _nearest(tree: Any, X: Matrix) -> tuple[FloatArray, IntArray]:
    distances, lists = tree.kneighbors(X)
    return distances, lists


def _connect(clusters: AnyArray, near: IntArray) -> AnyArray:
    """The connected pieces of the graph of neighbors without its edges between clusters."""
    from scipy.sparse.csgraph import connected_components

    inside = clusters[near] == clusters[:, None]
    edges = np.nonzero(inside)[0], near[inside]
    graph = sparse.coo_array((np.ones(len(edges[0])), edges), shape=(len(near), len(near)))
    return np.asarray(connected_components(graph, directed=False)[1])
