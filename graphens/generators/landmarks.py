"""Base "landmarks": spectral clustering through representatives, for clusters of any shape in millions of objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, Seed
from .._lib.features import distinct_rows, unrounded
from ..cutting.mending import pack
from ..cutting.spectral import walk_on_clusters

LANDMARKS = 1000
NEAREST = 5
_SHARE = 5  # objects per landmark where there are few
_TIMES = 10  # as many objects as landmarks are looked at to find them
_SAMPLE = 50_000  # embedded objects that k-means sees
MEET = 1 << 20  # objects in which landmarks are seen to meet: a thousand for each of them
_ROWS = 1 << 16  # objects at a time: memory does not grow with their number
_TINY = 1e-100  # where all objects are landmarks
_TREE = 10  # dimensions up to which a tree of the landmarks is faster than groups of them

#: objects -> distances to their nearest landmarks and which these are
Search = Callable[[AnyArray], "tuple[FloatArray, IntArray]"]


class Landmarks:
    """Spectral clustering of objects through p landmarks, block by block.

    The landmarks are the centers of a short k-means on 10p objects. A links an object to its five nearest landmarks
    by exp(−d²/2σ²), σ being the mean of those distances in the sample; the links of an object sum to one. The
    bipartite graph of objects and landmarks is cut by its p × p side (transfer cut): W = Aᵀ D_X⁻¹ A is a sum over
    blocks of objects (a million of them, where there are more), its leading eigenvectors embed every object as
    D_X⁻¹ A T, and k-means on a sample of the normalized rows gives the centers that all objects go to.

    By default there are p = n/5 landmarks, at least 4k, at most 1,000.

    Notes
    -----
    O(n log p) in up to ten dimensions, O(n√p d) beyond, and O(p³); memory O(p² + block) beside the labels. The same
    steps serve data in pieces: `begin` with a sample, add up `meet` of all pieces, `finish`, `predict` every piece.

    References
    ----------
    Huang, Wang, Wu, Lai and Kwoh, Ultra-scalable spectral clustering and ensemble clustering, 2020.
    """

    k: int
    seed: int
    p: int | None
    rng: np.random.Generator
    size: int
    table: FloatArray
    centers: FloatArray

    search: Search
    sigma: float

    def __init__(self, k: int, seed: int, p: int | None = None) -> None:
        self.k, self.seed, self.p = k, seed, p
        self.rng = np.random.default_rng(seed)

    def fit_predict(self, X: AnyArray) -> LabelArray:
        """Cluster the rows of X."""
        n = len(X)
        if self.k == 1 or self.k >= n:
            return np.minimum(np.arange(n), self.k - 1).astype(np.int32) * (self.k > 1)
        X = unrounded(X, self.seed)
        p = self.p or min(LANDMARKS, max(4 * self.k, n // _SHARE))
        sample = some_rows(X, _TIMES * min(p, n), self.rng)
        self.begin(sample, min(p, n))
        meet: Any = sum(self.transfer_matrix(block) for block in _blocks(some_rows(X, MEET, self.rng)))
        self.finish(meet, some_rows(X, _SAMPLE, self.rng))
        return self.predict(X)

    def begin(self, sample: AnyArray, p: int) -> None:
        """Choose p landmarks and the scale of distances from a sample of objects.

        They are fewer if objects are equal: a landmark for every distinct row has no object between it and the others.
        """
        from sklearn.cluster import KMeans

        sample, _, counts = distinct_rows(sample)
        p = min(p, len(counts), max(4 * self.k, len(counts) // _SHARE))
        means = KMeans(p, init="random", n_init=1, max_iter=5, random_state=self._seed())
        centers = means.fit(sample, sample_weight=counts).cluster_centers_
        self.size = len(centers)
        self.search = _search(centers, min(NEAREST, self.size), self._seed())
        self.sigma = max(float(self.search(sample)[0].mean()), _TINY)

    def transfer_matrix(self, block: AnyArray) -> sparse.csr_array:
        """Aᵀ D_X⁻¹ A of some objects, which adds up over blocks."""
        links = self._links(block)  # its rows sum to one: D_X is the identity
        return sparse.csr_array(links.T @ links)

    def finish(self, meet: sparse.csr_array, sample: AnyArray) -> None:
        """Find the embedding of the landmarks and, from a sample of objects, the centers."""
        from scipy.sparse.csgraph import connected_components
        from sklearn.cluster import KMeans

        many, part = connected_components(meet, directed=False)
        if many >= self.k:  # nothing to cut: whole components, packed
            weight = np.bincount(part, weights=np.asarray(meet.sum(axis=1)).ravel()).astype(float)
            self.table, self.centers = np.eye(self.k)[pack(weight, self.k)[part]], np.eye(self.k)
            return
        self.table = walk_on_clusters(meet).table(self.k)
        rows = self._embedded(sample)
        means = KMeans(min(self.k, len(rows)), n_init=1, max_iter=50, random_state=self._seed()).fit(rows)
        self.centers = means.cluster_centers_

    def predict(self, X: AnyArray) -> LabelArray:
        """Return the nearest center of every row, in the embedding."""
        half = (self.centers**2).sum(axis=1) / 2
        labels = [(self._embedded(block) @ self.centers.T - half).argmax(axis=1) for block in _blocks(X)]
        return np.concatenate(labels).astype(np.int32)

    def _links(self, block: AnyArray) -> sparse.csr_array:
        """D_X⁻¹ A: every object's landmarks by weight, summing to one."""
        distance, index = self.search(block)
        nearer = distance**2 - distance[:, :1] ** 2  # the nearest weighs most; far away all would vanish
        weight = np.exp(nearer / (-2 * self.sigma**2))
        weight /= weight.sum(axis=1, keepdims=True)
        start = np.arange(0, index.size + 1, index.shape[1])
        return sparse.csr_array((weight.ravel(), index.ravel(), start), shape=(len(block), self.size))

    def _embedded(self, block: AnyArray) -> FloatArray:
        rows = np.asarray(self._links(block) @ self.table)
        length = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
        return np.divide(rows, length, out=rows, where=length > 1e-12)

    def _seed(self) -> int:
        return int(self.rng.integers(2**31))


def some_rows(X: AnyArray, size: int, seed: Seed) -> AnyArray:
    """Return some random rows of X, in their order; all of them if there are no more."""
    if len(X) <= size:
        return X
    return X[np.sort(np.random.default_rng(seed).choice(len(X), size, replace=False, shuffle=False))]


def _blocks(X: AnyArray) -> Iterator[AnyArray]:
    return (X[start : start + _ROWS] for start in range(0, len(X), _ROWS))


def _search(centers: FloatArray, count: int, seed: int) -> Search:
    """The nearest landmarks of objects: by a tree in few dimensions, by groups of landmarks in many."""
    if centers.shape[1] <= _TREE:
        from scipy.spatial import cKDTree

        return partial(cKDTree(centers).query, k=np.arange(1, count + 1))  # a function of our own would not pickle
    return LandmarkGroups(centers, count, seed)


class LandmarkGroups:
    """Nearest landmarks in many dimensions: the nearest of √p groups, its nearest landmark, then those near that one.

    The other landmarks of an object are searched only among the 10 × count nearest to its first one.
    """

    centers: FloatArray
    count: int
    middles: FloatArray
    members: list[IntArray]
    near: IntArray

    def __init__(self, centers: FloatArray, count: int, seed: int) -> None:
        from sklearn.cluster import KMeans

        self.centers, self.count = centers, count
        p = len(centers)
        groups = KMeans(max(1, round(np.sqrt(p))), n_init=1, max_iter=10, random_state=seed).fit(centers)
        self.middles = groups.cluster_centers_
        self.members = [np.flatnonzero(groups.labels_ == j) for j in range(len(self.middles))]
        self.near = np.argsort(_squared(centers, centers), axis=1, kind="stable")[:, : min(p, 10 * count)]

    def __call__(self, block: AnyArray) -> tuple[FloatArray, IntArray]:
        """Return the distances to the nearest landmarks, in increasing order, and their numbers."""
        first = np.empty(len(block), dtype=np.int64)
        for group, rows in _by(_squared(block, self.middles).argmin(axis=1)):
            members = self.members[group]
            first[rows] = members[_squared(block[rows], self.centers[members]).argmin(axis=1)]
        distance, index = (np.empty((len(block), self.count)), np.empty((len(block), self.count), dtype=np.int64))
        for landmark, rows in _by(first):
            near = self.near[landmark]
            apart = _squared(block[rows], self.centers[near])
            best = np.argsort(apart, axis=1, kind="stable")[:, : self.count]
            distance[rows] = np.sqrt(np.take_along_axis(apart, best, axis=1))
            index[rows] = near[best]
        return distance, index


def _squared(a: AnyArray, b: FloatArray) -> FloatArray:
    """Squared distances of all pairs; for many small products, the checks of scikit-learn would take longer."""
    squares = np.einsum("ij,ij->i", a, a)[:, None] - 2 * (a @ b.T) + np.einsum("ij,ij->i", b, b)
    return np.asarray(np.maximum(squares, 0), dtype=np.float64)


def _by(labels: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Each label and its positions."""
    order = np.argsort(labels, kind="stable")
    values, starts = np.unique(labels[order], return_index=True)
    yield from zip(values.tolist(), np.split(order, starts[1:]), strict=True)
