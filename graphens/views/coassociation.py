"""The co-association graph: how often two objects share a cluster. It carries labels, not n × n numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arrays import AnyArray, FloatArray, LabelArray, canonical, freeze, whole
from .._memory import require
from ..core.ensemble import Ensemble
from ..core.graph import OBJECT, SLACK, Graph, _checked_theta, _membership, _symmetric, _tidy
from ..core.hypergraph import Hypergraph, hypergraph
from ..errors import InputError
from ..kernels._threads import map_threads

_ROWS = 64  # rows of the matrix per piece of threaded work


class CoassociationGraph(Graph):
    """The co-association graph of an ensemble, worked on through its labels.

    S_ij = Σ_t w_t [same cluster in t] / Σ_t w_t [both present in t], 0 for a pair never present together. Every
    operation of `Graph` is there; only those that need all pairs at once (`adjacency`, `edges`, exports) build the
    matrix, after its size was compared with the memory budget.
    """

    ensemble: Ensemble
    _n_edges: int | None
    _plain: bool

    def __init__(self, ensemble: Ensemble) -> None:
        self._set(
            ensemble=ensemble,
            _adjacency=None,
            _n_edges=None,
            vertex_weights=ensemble.object_weights,
            roles=freeze(np.full(ensemble.n_objects, OBJECT, dtype=np.uint8)),
            names=ensemble.vertex_names(),
            kind="coassociation",
            _plain=bool((ensemble.weights == 1).all())
            and not ensemble.has_missing
            and ensemble.n_partitions < 2**16,
        )

    def _arguments(self) -> tuple[AnyArray, FloatArray, int, bool]:
        """What every kernel starts with."""
        e = self.ensemble
        return e.codes, e.weights, e.absent, self._plain

    def _map_rows(self, function: Callable[..., Any], *extra: Any) -> list[Any]:
        """Apply a kernel to stretches of rows, in threads; results in order."""
        n = self.n_vertices
        starts = range(0, n, _ROWS)
        return map_threads(
            lambda start: function(*self._arguments(), *extra, start, min(n, start + _ROWS)), starts
        )

    # the matrix, where somebody wants it -----------------------------------------------------------------

    def _explicit(self) -> sparse.csr_array:
        sizes = np.concatenate(
            [np.bincount(row[row != self.ensemble.absent]) for row in self.ensemble.codes]
        ).astype(float)
        pairs = min(float((sizes * (sizes - 1)).sum()), self.n_vertices * (self.n_vertices - 1.0))
        require(
            12 * pairs + 8 * (self.n_vertices + 1),
            f"The explicit co-association matrix of {self.n_vertices} objects",
            "Use threshold(), neighbors(), spanning_forest() or link(), which work on the labels; collapse() first",
        )
        return self._above(0.0)

    def _above(self, limit: float) -> sparse.csr_array:
        """The similarities above a limit as CSR: counted first, so that the size is known before it is needed."""
        from ..kernels.similarity import count_above, fill_above

        n = self.n_vertices
        counts = np.concatenate(self._map_rows(count_above, limit))
        total = int(counts.sum())
        require(
            12 * total + 8 * (n + 1),
            f"A graph with {total // 2} edges",
            "Take a larger theta, neighbors(p), or collapse() first",
        )
        wide = np.int32 if max(total, n) < 2**31 else np.int64
        indptr = np.concatenate(([0], np.cumsum(counts))).astype(wide)
        indices, data = np.empty(total, dtype=wide), np.empty(total)

        def fill(start: int) -> None:
            fill_above(*self._arguments(), limit, start, min(n, start + _ROWS), indptr, indices, data)

        map_threads(fill, range(0, n, _ROWS))
        return sparse.csr_array((data, indices, indptr), shape=(n, n))

    # the same face as every graph ------------------------------------------------------------------------

    @property
    def n_edges(self) -> int:
        """Number of pairs that share at least one cluster; counted once, O(n²B)."""
        from ..kernels.similarity import count_above

        if self._n_edges is None:
            self._set(_n_edges=int(sum(counts.sum() for counts in self._map_rows(count_above, 0.0))) // 2)
        return self._n_edges or 0

    def degree(self) -> FloatArray:
        """Sum of the similarities at each object: O(nB) where nothing is missing, else O(n²B)."""
        from ..kernels.similarity import similarity_block

        if self.ensemble.has_missing:
            return np.concatenate([block.sum(axis=1) for block in self._map_rows(similarity_block)])
        e = self.ensemble
        total = np.zeros(e.n_objects)
        for row, weight in zip(e.codes, e.weights, strict=True):
            total += weight * np.bincount(row)[row]
        return total / e.weights.sum() - 1.0

    def threshold(self, theta: float) -> Graph:
        """Keep the pairs whose similarity is above theta (by more than rounding). O(n²B) time, memory for the edges."""
        return Graph._trusted(
            self._above(_checked_theta(theta) + SLACK), self, kind=f"{self.kind} > {theta:g}"
        )

    def neighbors(self, p: int) -> Graph:
        """Keep each object's p most similar others (ties to the smaller index). O(n²B) time, O(np) memory."""
        from ..kernels.similarity import strongest

        n = self.n_vertices
        p = min(whole("p", p, 1), max(n - 1, 1))
        parts = self._map_rows(strongest, p)
        who, value = np.concatenate([w for w, _ in parts]), np.concatenate([v for _, v in parts])
        there = who >= 0
        rows = np.repeat(np.arange(n), there.sum(axis=1))
        kept = sparse.csr_array((value[there], (rows, who[there])), shape=(n, n))
        return Graph._trusted(_tidy(kept.maximum(kept.T)), self, kind=f"{self.kind}, {p} neighbours")

    def spanning_forest(self) -> Graph:
        """Return the maximum spanning forest by Prim's algorithm on the labels. O(n²B) time, O(n) memory."""
        from ..kernels.similarity import prim

        link, strength = prim(*self._arguments())
        child = np.flatnonzero(link >= 0)
        half = sparse.csr_array(
            (strength[child], (child, link[child])), shape=(self.n_vertices, self.n_vertices)
        )
        return Graph._trusted(_tidy(half + half.T), self, kind=f"spanning forest of {self.kind}")

    def components(self) -> LabelArray:
        """Return the components: objects are connected where a chain of shared clusters links them. O(nB)."""
        from scipy.sparse import csgraph

        e = self.ensemble.take(partitions=self.ensemble.weights > 0)
        h = hypergraph(e).incidence
        n, k = h.shape
        star = sparse.csr_array(
            (h.data, h.indices + n, np.append(h.indptr, np.full(k, h.nnz, h.indptr.dtype))),
            shape=(n + k, n + k),
        )
        return canonical(csgraph.connected_components(star, directed=False)[1][:n])

    def contract(self, labels: ArrayLike) -> Graph:
        """Sum the similarities between parts: O(nB + Kk) where nothing is missing, else O(n²B)."""
        given, size = self._parts(labels)
        return self._merged(_symmetric(self._sums(given, size)), given, size)

    def _sums(self, given: LabelArray, size: int) -> Any:
        """Σ S over pairs of parts; the diagonal is not used."""
        instead = "Contract into fewer parts, or threshold() first"
        if self.ensemble.has_missing:
            require(16.0 * size * size, f"Contracting into {size} parts", instead)
            return self._summed_rows(given, size)
        shares = self._shares(given, size)
        pairs = min(float((np.diff(shares.indptr).astype(float) ** 2).sum()), float(size) ** 2)
        require(24 * pairs, f"Contracting into {size} parts", instead)
        weighted = shares.multiply(self._cluster_weights()[:, None])
        return shares.T.tocsr() @ sparse.csr_array(weighted)

    def _summed_rows(self, given: LabelArray, size: int) -> FloatArray:
        """Rows of the matrix summed by part; rows of one part lie together, so that pieces stay small."""
        from ..kernels.similarity import sum_rows

        order = np.argsort(given, kind="stable")[np.count_nonzero(given < 0) :]
        starts = range(0, len(order), _ROWS)
        pieces = map_threads(
            lambda start: sum_rows(*self._arguments(), given, size, order[start : start + _ROWS]), starts
        )
        sums = np.zeros((size, size))
        for start, piece in zip(starts, pieces, strict=True):
            first = given[order[start]]
            sums[first : first + len(piece)] += piece
        return sums

    def _shares(self, given: LabelArray, size: int) -> sparse.csr_array:
        """K × parts: how many objects each cluster has in each part."""
        return sparse.csr_array(hypergraph(self.ensemble).incidence.T @ _membership(given, size))

    def _cluster_weights(self) -> FloatArray:
        """What one pair of objects in a cluster adds to their similarity where nothing is missing."""
        e = self.ensemble
        return np.repeat(e.weights / e.weights.sum(), e.n_clusters)

    def cut(self, labels: ArrayLike) -> float:
        """Similarity between different parts; unassigned objects do not count. O(nB), O(n²B) with missing labels."""
        from ..kernels.similarity import cut_rows

        given, size = self._parts(labels)
        if self.ensemble.has_missing:
            return float(np.concatenate(self._map_rows(cut_rows, given)).sum()) / 2
        shares = self._shares(given, size)
        together = np.asarray(shares.multiply(shares).sum(axis=1)).ravel()
        pairs = np.asarray(shares.sum(axis=1)).ravel() ** 2 - together
        return float(self._cluster_weights() @ pairs) / 2

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """Return the co-association graph of some of the objects."""
        index = self._index(vertices)
        part = CoassociationGraph(self.ensemble.take(objects=index))
        part._set(names=self.names.take(index))
        return part

    def __repr__(self) -> str:
        edges = "edges on demand" if self._n_edges is None else f"{self._n_edges} edges"
        return f"Graph({self.kind}, {self.n_vertices} vertices, {edges})"


def coassociation(labels: Any) -> CoassociationGraph:
    """Return the co-association graph, the clique expansion of the hypergraph.

    Parameters
    ----------
    labels
        An Ensemble, anything Ensemble takes, or a Hypergraph whose hyperedges are the clusters of partitions.

    Returns
    -------
    CoassociationGraph
        A `Graph` that computes on the labels; its matrix is built only on demand and within the memory budget.

    Notes
    -----
    Making it is free. References: Fred and Jain, Combining multiple clusterings using evidence accumulation, 2005.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 1], [1, -1]])
    >>> g.to_scipy().toarray().tolist()
    [[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]]
    >>> g.threshold(0.4)
    Graph(coassociation > 0.4, 3 vertices, 1 edges)
    """
    return CoassociationGraph(
        _partitions_of(labels) if isinstance(labels, Hypergraph) else Ensemble.of(labels)
    )


def _partitions_of(h: Hypergraph) -> Ensemble:
    """Read labels back from a hypergraph whose hyperedges are the clusters of partitions."""
    n_partitions = int(h.partition.max(initial=-1)) + 1
    incidence = h.incidence.tocoo()
    origin = h.partition[incidence.col]
    slots = origin * np.int64(h.n_vertices) + incidence.row
    if (
        (h.partition < 0).any()
        or (incidence.data != 1).any()
        or len(np.unique(slots)) < slots.size
        or not n_partitions
    ):
        raise InputError(
            "The hyperedges are not the clusters of partitions (each object at most once in each partition); "
            "co-association needs an ensemble. Use bipartite() or metagraph(), which take any hypergraph."
        )
    labels = np.full((n_partitions, h.n_vertices), -1, dtype=np.int64)
    labels[origin, incidence.row] = incidence.col
    weights = np.zeros(n_partitions)
    weights[h.partition] = h.hyperedge_weights
    if (weights[h.partition] != h.hyperedge_weights).any():
        raise InputError(
            "Hyperedges of the same partition have different weights; co-association needs one weight per partition."
        )
    return Ensemble.from_partitions(
        labels, weights=weights, object_weights=h.vertex_weights, object_names=h.vertex_names.array()
    )
