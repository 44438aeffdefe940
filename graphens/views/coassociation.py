"""The co-association graph: how often two objects share a cluster. It carries labels, not n × n numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arrays import AnyArray, FloatArray, IntArray, LabelArray, as_weights, canonical, freeze, whole
from .._memory import require
from .._work import map_threads
from ..core.ensemble import Ensemble
from ..core.graph import OBJECT, SLACK, Graph, _checked_theta, _membership, _symmetric, _tidy
from ..core.hypergraph import Hypergraph, hypergraph
from ..errors import InputError

if TYPE_CHECKING:
    from ..kernels.similarity import Evidence

_ROWS = 64  # rows of the matrix per piece of threaded work


class CoassociationGraph(Graph):
    """The co-association graph of an ensemble, worked on through its labels.

    S_ij = Σ_t w_t r(c) [same cluster c in t] / Σ_t w_t [both present in t], 0 for a pair never present together; the
    cluster weights r are 1 unless given. Every operation of `Graph` is there; only those that need all pairs at once
    (`adjacency`, `edges`, exports) build the matrix, after its size was compared with the memory budget.
    """

    ensemble: Ensemble
    cluster_weights: FloatArray | None
    _n_edges: int | None
    _evidence: Evidence | None

    def __init__(self, ensemble: Ensemble, cluster_weights: FloatArray | None = None) -> None:
        self._set(
            ensemble=ensemble,
            cluster_weights=cluster_weights,
            _adjacency=None,
            _n_edges=None,
            _evidence=None,
            vertex_weights=ensemble.object_weights,
            roles=freeze(np.full(ensemble.n_objects, OBJECT, dtype=np.uint8)),
            names=ensemble.vertex_names(),
            kind="coassociation",
        )

    @property
    def evidence(self) -> Evidence:
        """What the kernels work on."""
        from ..kernels.similarity import evidence

        if self._evidence is None:
            e = self.ensemble
            found = evidence(e.codes, e.weights, e.offsets, e.absent, e.has_missing, self.cluster_weights)
            self._set(_evidence=found)
            return found
        return self._evidence

    def collapse(self) -> tuple[CoassociationGraph, IntArray]:
        """Return the graph of the distinct label rows, weighted by their numbers, and the row of every object."""
        micro, index = self.ensemble.collapse()
        return CoassociationGraph(micro, self.cluster_weights), index

    def _map_rows(self, function: Callable[..., Any], *extra: Any) -> list[Any]:
        """Apply a kernel to stretches of rows, in threads; results in order."""
        n, ev = self.n_vertices, self.evidence
        starts = range(0, n, _ROWS)
        return map_threads(
            lambda start: function(ev, *extra, start, min(n, start + _ROWS)), starts, "co-association"
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

        ev = self.evidence

        def fill(start: int) -> None:
            fill_above(ev, limit, start, min(n, start + _ROWS), indptr, indices, data)

        map_threads(fill, range(0, n, _ROWS), "co-association")
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

        if self.ensemble.has_missing:  # each stretch of rows is summed where it is counted
            return np.concatenate(self._map_rows(lambda *which: similarity_block(*which).sum(axis=1)))
        e = self.ensemble
        total = np.zeros(e.n_objects)
        for row, gain in zip(e.codes, np.split(self._gains(), e.offsets[1:-1]), strict=True):
            total += (gain * (np.bincount(row, minlength=len(gain)) - 1))[row]
        return total

    def _gains(self) -> FloatArray:
        """What one pair of objects in a cluster adds to their similarity where nothing is missing."""
        e = self.ensemble
        shares = 1.0 if self.cluster_weights is None else self.cluster_weights
        return np.repeat(e.weights / e.weights.sum(), e.n_clusters) * shares

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
        require(80.0 * n * p, f"A graph with {p} neighbours of each of {n} objects", "Take a smaller p")
        parts = self._map_rows(strongest, p)
        who, value = np.concatenate([w for w, _ in parts]), np.concatenate([v for _, v in parts])
        there = who >= 0
        rows = np.repeat(np.arange(n), there.sum(axis=1))
        kept = sparse.csr_array((value[there], (rows, who[there])), shape=(n, n))
        return Graph._trusted(_tidy(kept.maximum(kept.T)), self, kind=f"{self.kind}, {p} neighbours")

    def spanning_forest(self) -> Graph:
        """Return the maximum spanning forest by Prim's algorithm on the labels. O(n²B) time, O(n) memory."""
        from ..kernels.spanning import spanning_forest

        link, strength = spanning_forest(self.evidence)
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
        weighted = shares.multiply(self._gains()[:, None])
        return shares.T.tocsr() @ sparse.csr_array(weighted)

    def _summed_rows(self, given: LabelArray, size: int) -> FloatArray:
        """Rows of the matrix summed by part; rows of one part lie together, so that pieces stay small."""
        from ..kernels.similarity import sum_rows

        order = np.argsort(given, kind="stable")[np.count_nonzero(given < 0) :]
        starts, ev = range(0, len(order), _ROWS), self.evidence
        pieces = map_threads(
            lambda start: sum_rows(ev, given, size, order[start : start + _ROWS]), starts, "co-association"
        )
        sums = np.zeros((size, size))
        for start, piece in zip(starts, pieces, strict=True):
            first = given[order[start]]
            sums[first : first + len(piece)] += piece
        return sums

    def _shares(self, given: LabelArray, size: int) -> sparse.csr_array:
        """K × parts: how many objects each cluster has in each part."""
        return sparse.csr_array(hypergraph(self.ensemble).incidence.T @ _membership(given, size))

    def cut(self, labels: ArrayLike) -> float:
        """Similarity between different parts; unassigned objects do not count. O(nB), O(n²B) with missing labels."""
        from ..kernels.similarity import cut_rows

        given, size = self._parts(labels)
        if self.ensemble.has_missing:
            return float(np.concatenate(self._map_rows(cut_rows, given)).sum()) / 2
        shares = self._shares(given, size)
        together = np.asarray(shares.multiply(shares).sum(axis=1)).ravel()
        pairs = np.asarray(shares.sum(axis=1)).ravel() ** 2 - together
        return float(self._gains() @ pairs) / 2

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """Return the co-association graph of some of the objects."""
        index = self._index(vertices)
        part = self.take(objects=index)
        part._set(names=self.names.take(index))
        return part

    def take(
        self, objects: ArrayLike | None = None, partitions: ArrayLike | None = None
    ) -> CoassociationGraph:
        """Return the graph of some objects and some partitions, as `Ensemble.take`, cluster weights with them."""
        e = self.ensemble.take(objects=objects, partitions=partitions)
        if self.cluster_weights is None:
            return CoassociationGraph(e)
        part = self.ensemble.take(partitions=partitions)
        which = np.arange(len(self.ensemble.weights))
        which = which if partitions is None else which[np.asarray(partitions)]
        cuts = np.split(self.cluster_weights, self.ensemble.offsets[1:-1])
        kept = [
            cuts[t][_alive(row if objects is None else row[np.asarray(objects)], int(k))]
            for t, row, k in zip(which, part.codes, part.n_clusters, strict=True)
        ]
        return CoassociationGraph(e, freeze(np.concatenate(kept)))

    def __repr__(self) -> str:
        edges = "edges on demand" if self._n_edges is None else f"{self._n_edges} edges"
        return f"Graph({self.kind}, {self.n_vertices} vertices, {edges})"


def _alive(codes: AnyArray, k: int) -> AnyArray:
    """Which of k clusters have members; absent ones have larger codes."""
    return np.bincount(np.minimum(codes, k), minlength=k + 1)[:k] > 0


def coassociation(labels: Any, *, cluster_weights: ArrayLike | None = None) -> CoassociationGraph:
    """Return the co-association graph, the clique expansion of the hypergraph.

    Parameters
    ----------
    labels
        An Ensemble, anything Ensemble takes, or a Hypergraph whose hyperedges are the clusters of partitions.
    cluster_weights
        One weight from 0 to 1 per cluster, in the order of the hyperedges, by which being together in that cluster
        counts; 1 by default. Reliabilities of clusters make the locally weighted co-association of Huang et al. 2018.

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
    e = _partitions_of(labels) if isinstance(labels, Hypergraph) else Ensemble.of(labels)
    if cluster_weights is None:
        return CoassociationGraph(e)
    given = as_weights(cluster_weights, int(e.n_clusters.sum()), "clusters")
    if given.max() > 1 + SLACK:
        raise InputError(f"The largest cluster weight is {given.max():g}; expected weights from 0 to 1.")
    return CoassociationGraph(e, given)


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
