"""The co-association graph: how often two objects share a cluster, computed from labels without an n × n matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    as_int,
    as_weights,
    canonical,
    divide,
    freeze,
    on_one_scale,
)
from .._lib.features import as_features, feature_neighbors
from .._lib.memory import require
from .._lib.threads import map_threads, run
from ..errors import DoubtWarning, InputError, unheard
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import align
from ..labels.value import remembered
from .counts import unweighted
from .graph import OBJECT, SLACK, Graph, as_vertices
from .hypergraph import Hypergraph, incidence_of, partitions_of
from .matrices import as_theta, membership, row_of, strongest_in_rows, symmetric, tidy

if TYPE_CHECKING:
    from ..kernels.similarity import Evidence
    from .near_pairs import NearPairs


def as_neighbors(neighbors: ArrayLike, n: int) -> IntArray:
    """Check neighbor lists from the user: n rows of object numbers, padded with −1."""
    lists = np.asarray(neighbors)
    if lists.ndim != 2 or len(lists) != n or not np.issubdtype(lists.dtype, np.integer):
        raise InputError(
            f"Neighbors of shape {lists.shape} and type {lists.dtype} were given; expected whole numbers, "
            f"{n} rows, one per object."
        )
    if lists.size and (lists.min() < -1 or lists.max() >= n):
        raise InputError(
            f"Neighbors from {lists.min()} to {lists.max()} were given; expected objects 0 to {n - 1}, "
            "and −1 where there are fewer."
        )
    return lists.astype(np.int64, copy=False)


def neighbor_graph(graph: CoassociationGraph, neighbors: int | ArrayLike, X: Any = None) -> Graph:
    """Keep co-association only between neighbors; an edge stays if either end lists the other.

    Neighbors are lists (n × p object numbers, −1 where there are fewer), or their length p: then the p nearest in the
    features X or, without X, those with the largest co-association. O(npB) time and O(np) memory, in addition to
    finding the neighbors (O(n²B) without X). Fred and Jain 2005, section 3.3.

    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> neighbor_graph(g, [[1], [2], [3], [2]]).edges()[2].tolist()
    [1.0, 0.5, 0.5]
    """
    n = graph.n_vertices
    if np.ndim(neighbors) == 0:
        p = as_int("neighbors", neighbors, 1)
        if X is None:
            return graph.neighbors(p)
        lists = feature_neighbors(as_features(align(X, graph.names, "X"), n), p)
    else:
        lists = as_neighbors(neighbors, n)
    p = lists.shape[1]
    require(60.0 * n * p, f"The graph of {n} objects and {p} neighbors each", "Use fewer neighbors")
    rows = np.repeat(np.arange(n), p)
    there = (lists.ravel() >= 0) & (lists.ravel() != rows)
    left, right = rows[there], lists.ravel()[there]
    key = np.minimum(left, right) * n + np.maximum(left, right)
    key = np.sort(key)  # NumPy's unique goes by hashes, which takes ten times as long here
    key = key[np.append(True, key[1:] != key[:-1])] if key.size else key
    return _of_pairs(graph, key // n, key % n, f"{graph.kind}, {p} neighbors")


def on_edges(graph: CoassociationGraph, network: Graph) -> Graph:
    """Return the co-association on the edges of a network only; edges never together are absent. O(mB)."""
    source, target, _ = network.edges()
    low, high = np.minimum(source, target).astype(np.int64), np.maximum(source, target).astype(np.int64)
    return _of_pairs(graph, low, high, f"{graph.kind} on a network")


def _of_pairs(graph: CoassociationGraph, low: IntArray, high: IntArray, kind: str) -> Graph:
    """The graph of given pairs, each once."""
    half = sparse.csr_array((pair_similarities(graph, low, high), (low, high)), shape=(graph.n_vertices,) * 2)
    return Graph._trusted(tidy(half + half.T), graph, kind=kind)


def pair_similarities(graph: CoassociationGraph, left: AnyArray, right: AnyArray) -> FloatArray:
    """Return the co-association of given pairs. O(B) each."""
    from ..kernels.similarity import similarity_of_pairs

    ev = graph._evidence
    by_object = np.ascontiguousarray(ev.codes.T)  # a pair is two rows, read along memory
    similarities, done = np.empty(len(left)), 0

    def advance(steps: int) -> int:
        nonlocal done
        part = slice(done, done + steps)
        similarity_of_pairs(ev, by_object, left[part], right[part], similarities[part])
        done += steps
        return steps

    run("comparing objects", len(left), advance)
    return similarities


_SMALL = 1e8  # steps for which nothing need be cheaper
_NEAR = 0.5  # similarities below it are not near enough to look for in another way
_ASKED = 64  # objects that say how near the neighbors of all are
_ROWS = 64  # rows of the matrix per piece of threaded work


class CoassociationGraph(Graph):
    """The co-association graph of an ensemble, computed from its labels.

    S_ij = Σ_t w_t r(c) [same cluster c in t] / Σ_t w_t [both present in t], 0 for a pair never present together; the
    cluster weights r are 1 unless given. Every operation of `Graph` is available; only those that need all pairs at
    once (`adjacency`, `edges`, exports) build the matrix, after comparing its size with the memory budget.
    """

    ensemble: Ensemble
    cluster_weights: FloatArray | None
    _n_edges: int | None

    def __init__(self, ensemble: Ensemble, cluster_weights: FloatArray | None = None) -> None:
        self._set_fields(
            ensemble=ensemble,
            cluster_weights=cluster_weights,
            _adjacency=None,
            _n_edges=None,
            vertex_weights=ensemble.object_weights,
            roles=freeze(np.full(ensemble.n_objects, OBJECT, dtype=np.uint8)),
            names=ensemble.vertex_names(),
            kind="coassociation",
            _loci=ensemble.n_partitions
            if ensemble._loci and cluster_weights is None and len(set(ensemble.weights)) == 1
            else 0,
        )

    @remembered
    def _evidence(self) -> Evidence:
        """The input of the kernels."""
        from ..kernels.similarity import evidence

        e = self.ensemble
        weights = on_one_scale(e.weights)
        return evidence(e.codes, weights, e.offsets, e.absent, e.has_missing, self.cluster_weights)

    def collapse(self) -> tuple[CoassociationGraph, IntArray]:
        """Return the graph of the distinct label rows, weighted by their numbers, and the row of every object."""
        micro, index = self.ensemble.collapse()
        return CoassociationGraph(micro, self.cluster_weights), index

    def _distinct(self) -> tuple[Graph, AnyArray, FloatArray]:
        """Merge equal label rows: edges count for all copies, and loops are the edges among the copies of a row."""
        return RepeatedGraph(CoassociationGraph(unweighted(self.ensemble), self.cluster_weights))._distinct()

    def _leaves(self) -> tuple[Graph, AnyArray]:
        """Return the graph of the distinct label rows; an object without a label of positive weight is in no leaf."""
        # Partitions of weight 0 say nothing: rows that differ only there are the same leaf.
        counting = self.ensemble.weights > 0
        weighty = self if counting.all() else self.take(partitions=counting)
        present = weighty.ensemble.present
        if present.all():
            micro, index = weighty.ensemble.collapse()
            return CoassociationGraph(micro, weighty.cluster_weights), index
        leaf = np.full(len(present), MISSING)
        if not present.any():
            return Graph(np.empty((0, 0))), leaf
        small, leaf[present] = weighty.take(objects=present).collapse()
        return small, leaf

    def product(self) -> Callable[[FloatArray], FloatArray]:
        """Return the function v ↦ Sv, from the labels in O(nB), or from the matrix if labels are missing."""
        if self.ensemble.has_missing:  # every pair has its own denominator: no way around the matrix
            return super().product()
        require(40.0 * self.ensemble.codes.size, "Products with the labels", "collapse() first, or use fewer")
        h = incidence_of(self.ensemble)
        left, right, loops = sparse.csr_array(h * self._gains()), h.T.tocsr(), self.likeness()
        return lambda v: np.asarray(left @ (right @ np.asarray(v))) - (loops * np.asarray(v).T).T

    def likeness(self) -> FloatArray:
        """Similarity of each object to a copy of itself: 1 without cluster weights. O(nB)."""
        e = self.ensemble
        if self.cluster_weights is None:
            return e.present.astype(np.float64)
        there = (e.codes != e.absent).T @ on_one_scale(e.weights)
        gains = np.repeat(on_one_scale(e.weights), e.n_clusters) * self.cluster_weights
        return divide(incidence_of(e) @ gains, there)

    def _map_rows(self, function: Callable[..., Any], *extra: Any) -> list[Any]:
        """Apply a kernel to blocks of rows in threads, with the results in order."""
        n, ev = self.n_vertices, self._evidence
        work = lambda start: function(ev, *extra, start, min(n, start + _ROWS))  # noqa: E731
        return map_threads(work, range(0, n, _ROWS), "counting how often objects are together")

    # the matrix, built on demand --------------------------------------------------------------------------

    def _explicit(self) -> sparse.csr_array:
        sizes = unweighted(self.ensemble).cluster_sizes()
        pairs = min(float((sizes * (sizes - 1)).sum()), self.n_vertices * (self.n_vertices - 1.0))
        require(
            12 * pairs + 8 * (self.n_vertices + 1),
            f"The explicit co-association matrix of {self.n_vertices} objects",
            "Use threshold(), neighbors(), spanning_forest() or link(), which work on the labels; collapse() first",
        )
        return self._above(0.0)

    def _above(self, limit: float) -> sparse.csr_array:
        """The similarities above a limit as CSR; they are counted first, so that the size is known in advance."""
        from ..kernels.similarity import count_above, fill_above

        n = self.n_vertices
        # Two passes over the labels are quicker than growing arrays, and a graph that does not fit is refused before
        # anything is allocated.
        counts = np.concatenate(self._map_rows(count_above, limit))
        total = int(counts.sum())
        require(
            12 * total + 8 * (n + 1),
            f"A graph with {total // 2} edges",
            "Use a larger theta or neighbors(p), or collapse() first",
        )
        wide = np.int32 if max(total, n) < 2**31 else np.int64
        indptr = np.concatenate(([0], np.cumsum(counts))).astype(wide)
        indices, data, ev = np.empty(total, dtype=wide), np.empty(total), self._evidence

        def fill(start: int) -> None:
            fill_above(ev, limit, start, min(n, start + _ROWS), indptr, indices, data)

        map_threads(fill, range(0, n, _ROWS), "counting how often objects are together")
        return sparse.csr_array((data, indices, indptr), shape=(n, n))

    # the interface of every graph ------------------------------------------------------------------------

    @property
    def n_edges(self) -> int:
        """Number of pairs that share at least one cluster; counted once, O(n²B)."""
        from ..kernels.similarity import count_above

        if self._n_edges is None:
            self._set_fields(_n_edges=int(sum(counts.sum() for counts in self._map_rows(count_above, 0.0))) // 2)
        return self._n_edges or 0

    def degree(self) -> FloatArray:
        """Sum of the similarities at each object: O(nB) if nothing is missing, otherwise O(n²B)."""
        from ..kernels.similarity import similarity_block

        if self.ensemble.has_missing:  # each stretch of rows is summed where it is counted
            return np.concatenate(self._map_rows(lambda *which: similarity_block(*which).sum(axis=1)))
        e = self.ensemble
        # S without missing labels is Σ_t g(c): an object is together with all others of its cluster, each for g(c).
        total = np.zeros(e.n_objects)
        for row, gain in zip(e.codes, np.split(self._gains(), e.offsets[1:-1]), strict=True):
            total += (gain * (np.bincount(row, minlength=len(gain)) - 1))[row]
        return total

    def _gains(self) -> FloatArray:
        """What sharing a cluster adds to the similarity of two objects if nothing is missing."""
        e, shares = self.ensemble, 1.0 if self.cluster_weights is None else self.cluster_weights
        return np.repeat(e.weights / e.weights.sum(), e.n_clusters) * shares

    def threshold(self, theta: float) -> Graph:
        """Keep the pairs whose similarity is above theta (by more than rounding). O(n²B) at most, memory for the edges.

        If these pairs are together in almost all of many partitions, not all pairs are compared.
        """
        limit, ev = as_theta(theta) + SLACK, self._evidence
        near = _near_pairs(ev, limit, 2.0 * self.n_vertices * ev.codes.size)
        edges = self._above(limit) if near is None else near.matrix()
        return Graph._trusted(edges, self, kind=f"{self.kind} > {theta:g}", theta=float(theta))

    def neighbors(self, p: int) -> Graph:
        """Keep each object's p most similar others (ties to the smaller index). O(n²B) at most, O(np) memory.

        If most objects have p others that are with them in almost all of many partitions, not all pairs are compared.
        """
        n = self.n_vertices
        p = min(as_int("p", p, 1), max(n - 1, 1))
        require(80.0 * n * p, f"A graph with {p} neighbors of each of {n} objects", "Use a smaller p")
        near = self._near_neighbors(p)
        edges = self._strongest(p, np.arange(n)) if near is None else near
        return Graph._trusted(tidy(edges.maximum(edges.T)), self, kind=f"{self.kind}, {p} neighbors")

    def _strongest(self, p: int, rows: IntArray) -> sparse.csr_array:
        """The p strongest similarities of some objects, each compared with all others; the other rows are empty."""
        from ..kernels.similarity import strongest

        ev, n = self._evidence, self.n_vertices
        # Rows that follow each other are counted at once.
        pieces = np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1)
        stretches = [piece[start : start + _ROWS] for piece in pieces for start in range(0, len(piece), _ROWS)]
        work = lambda some: strongest(ev, p, int(some[0]), int(some[-1]) + 1)  # noqa: E731
        parts = map_threads(work, stretches, "counting how often objects are together")
        other, value = (np.concatenate(part) for part in zip(*parts, strict=True))
        there = other >= 0
        row = np.repeat(rows, there.sum(axis=1))
        return sparse.csr_array((value[there], (row, other[there])), shape=(n, n))

    def _near_neighbors(self, p: int) -> sparse.csr_array | None:
        """The same from near pairs, with a limit that suits nearly all objects; the others are compared with all."""
        n, steps = self.n_vertices, float(self.n_vertices) * self._evidence.codes.size
        if steps < _SMALL or n < 20 * _ASKED:
            return None
        sample = np.unique(np.linspace(0, n - 1, _ASKED).astype(np.int64))
        strongest = self._strongest(p, sample)[sample]
        # The p-th neighbor of some objects says how near neighbors are; the 3 % with farther ones are compared
        # with all others, which costs less than a lower limit for everyone.
        weakest = [row.data.min() if row.nnz == p else 0.0 for row in strongest]
        near = _near_pairs(self._evidence, float(np.quantile(weakest, 0.03, method="lower")) - SLACK, steps)
        if near is None:
            return None
        pairs = near.matrix()
        few = np.diff(pairs.indptr) < p
        edges = strongest_in_rows(pairs, p)
        edges.data[few[row_of(edges)]] = 0.0
        return edges + self._strongest(p, np.flatnonzero(few)) if few.any() else edges

    def spanning_forest(self, theta: float | None = None) -> Graph:
        """Return the maximum spanning forest by Prim's algorithm on the labels. O(n²B) time, O(n) memory.

        With theta, only pairs above it are used; if these are few, not all pairs are compared.
        """
        limit = 0.0 if theta is None else as_theta(theta) + SLACK
        half = strong_forest(self._evidence, limit)
        return Graph._trusted(tidy(half + half.T), self, kind=f"spanning forest of {self.kind}")

    def components(self) -> LabelArray:
        """Return the components: objects are connected if a chain of shared clusters links them. O(nB)."""
        from scipy.sparse import csgraph

        # Two objects are connected in S if and only if they are connected in the star expansion, which has nB edges
        # instead of n². Its rows of clusters may stay empty, because the search ignores directions.
        h = sparse.csr_array(incidence_of(self.ensemble) * (self._gains() > 0))
        h.eliminate_zeros()
        n, k = h.shape
        star = sparse.csr_array(
            (h.data, h.indices + n, np.append(h.indptr, np.full(k, h.nnz, h.indptr.dtype))), shape=(n + k, n + k)
        )
        return canonical(csgraph.connected_components(star, directed=False)[1][:n])

    def contract(self, labels: ArrayLike) -> Graph:
        """Sum the similarities between parts: O(nB + Kk) if nothing is missing, otherwise O(n²B)."""
        parts, size = self._parts(labels)
        return self._merged(symmetric(self._sums(parts, size)), parts, size)

    def _sums(self, parts: LabelArray, size: int) -> Any:
        """Σ S over pairs of parts; the diagonal is not used."""
        instead = "Contract into fewer parts, or threshold() first"
        if self.ensemble.has_missing:
            require(16.0 * size * size, f"Contracting into {size} parts", instead)
            return self._summed_rows(parts, size)
        shares = self._shares(parts, size)
        pairs = min(float((np.diff(shares.indptr).astype(float) ** 2).sum()), float(size) ** 2)
        require(24 * pairs, f"Contracting into {size} parts", instead)
        weighted = shares.multiply(self._gains()[:, None])
        return shares.T.tocsr() @ sparse.csr_array(weighted)

    def _summed_rows(self, parts: LabelArray, size: int) -> FloatArray:
        """Rows of the matrix summed by part; rows of one part are adjacent, so that intermediate results stay small."""
        from ..kernels.similarity import sum_rows

        order = np.argsort(parts, kind="stable")[np.count_nonzero(parts < 0) :]
        starts, ev = range(0, len(order), _ROWS), self._evidence
        pieces = map_threads(
            lambda start: sum_rows(ev, parts, size, order[start : start + _ROWS]),
            starts,
            "counting how often objects are together",
        )
        sums = np.zeros((size, size))
        for start, piece in zip(starts, pieces, strict=True):
            first = parts[order[start]]
            sums[first : first + len(piece)] += piece
        return sums

    def _shares(self, parts: LabelArray, size: int) -> sparse.csr_array:
        """K × parts: the number of objects of each cluster in each part."""
        return sparse.csr_array(incidence_of(self.ensemble).T @ membership(parts, size))

    def cut(self, labels: ArrayLike) -> float:
        """Similarity between different parts; unassigned objects do not count. O(nB), O(n²B) with missing labels."""
        from ..kernels.similarity import cut_rows

        parts, size = self._parts(labels)
        if self.ensemble.has_missing:
            return float(np.concatenate(self._map_rows(cut_rows, parts)).sum()) / 2
        shares = self._shares(parts, size)
        # A cluster with s_j objects in part j has (Σ s_j)² − Σ s_j² ordered pairs across parts, each of the gain of the
        # cluster. With missing labels every pair has its own denominator, so the rows are counted one by one.
        together = np.asarray(shares.multiply(shares).sum(axis=1)).ravel()
        pairs = np.asarray(shares.sum(axis=1)).ravel() ** 2 - together
        return float(self._gains() @ pairs) / 2

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """Return the co-association graph of some of the objects."""
        index = as_vertices(vertices, self.n_vertices)
        part = self.take(objects=index)
        part._set_fields(names=self.names.take(index))
        return part

    def take(self, objects: ArrayLike | None = None, partitions: ArrayLike | None = None) -> CoassociationGraph:
        """Return the graph of some objects and some partitions, as in `Ensemble.take`, with their cluster weights."""
        e = self.ensemble.take(objects=objects, partitions=partitions)
        if self.cluster_weights is None:
            return CoassociationGraph(e)
        part = self.ensemble.take(partitions=partitions)
        which = np.arange(len(self.ensemble.weights))
        which = which if partitions is None else which[np.asarray(partitions)]
        # Taking objects drops clusters that lose all members; their weights are dropped with them.
        cuts = np.split(self.cluster_weights, self.ensemble.offsets[1:-1])
        inside: Any = slice(None) if objects is None else np.asarray(objects)
        alive = [  # which clusters still have members; absent labels have larger codes
            np.bincount(np.minimum(row[inside], k), minlength=k + 1)[:k] > 0
            for row, k in zip(part.codes, part.n_clusters.tolist(), strict=True)
        ]
        weights = [cuts[t][there] for t, there in zip(which, alive, strict=True)]
        return CoassociationGraph(e, freeze(np.concatenate(weights)))

    def __repr__(self) -> str:
        edges = "edges on demand" if self._n_edges is None else f"{self._n_edges} edges"
        return f"Graph({self.kind}, {self.n_vertices} vertices, {edges})"


def strong_forest(ev: Evidence, limit: float) -> sparse.csr_array:
    """Return the maximum spanning forest of the pairs above a limit, each edge in one direction. O(n²B) at most."""
    from ..kernels.linking import spanning_forest

    n = ev.codes.shape[1]
    near = _near_pairs(ev, limit, 0.5 * n * ev.codes.size)
    if near is not None:
        return near.forest()
    link, strength = spanning_forest(ev)
    child = np.flatnonzero((link >= 0) & (strength > limit))
    return sparse.csr_array((strength[child], (child, link[child])), shape=(n, n))


def _near_pairs(ev: Evidence, limit: float, steps: float) -> NearPairs | None:
    """The pairs above a limit, if they can be found in clearly fewer steps than the given number."""
    if steps < _SMALL or limit < _NEAR:
        return None
    from .near_pairs import NearPairs

    return NearPairs.if_cheaper(ev, limit, steps)


@overload
def coassociation(labels: Labels, *, cluster_weights: ArrayLike | None = None) -> CoassociationGraph: ...
@overload
def coassociation(labels: Labels, *, cluster_weights: ArrayLike | None = None, on: Any) -> Graph: ...
def coassociation(labels: Labels, *, cluster_weights: ArrayLike | None = None, on: Any = None) -> Graph:
    """Return the co-association graph, the clique expansion of the hypergraph.

    Parameters
    ----------
    labels
        An Ensemble, anything that Ensemble accepts, or a Hypergraph whose hyperedges are the clusters of partitions.
    cluster_weights
        One weight from 0 to 1 for each cluster, in the order of the hyperedges: the weight of being together in that
        cluster; 1 by default. With the reliabilities of clusters, this is the locally weighted co-association of Huang
        et al. 2018.
    on
        A network of the objects (a networkx or igraph graph, or a `Graph`, matched by name if both have names). The
        result then has only the pairs joined by its edges, as an ordinary graph; edges with share 0 are absent.

    Returns
    -------
    CoassociationGraph
        A `Graph` that computes on the labels; its matrix is built only on demand and within the memory budget.

    Notes
    -----
    Creating it costs nothing; on a network with m edges, it takes O(mB). References: Fred and Jain, Combining multiple
    clusterings using evidence accumulation, 2005.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 1], [1, -1]])
    >>> g.to_scipy().toarray().tolist()
    [[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]]
    >>> g.threshold(0.4)
    Graph(coassociation > 0.4, 3 vertices, 1 edges)
    """
    e = partitions_of(labels) if isinstance(labels, Hypergraph) else Ensemble.of(labels)
    gains = None if cluster_weights is None else as_weights(cluster_weights, int(e.n_clusters.sum()), "clusters")
    if gains is not None and gains.max() > 1 + SLACK:
        raise InputError(f"The largest cluster weight is {gains.max():g}; expected weights from 0 to 1.")
    graph = CoassociationGraph(e, gains)
    return graph if on is None else on_edges(graph, as_network(on, e, "on"))


class RepeatedGraph(Graph):
    """The co-association graph of objects that occur c times, with an edge for every pair of copies: S_ij c_i c_j.

    Merging equal rows of an ensemble does not change its cuts: edges between copies of one object are never cut, and
    `distinct` returns them as loops.

    Parameters
    ----------
    base
        A co-association graph; its vertex weights are the numbers of copies c.
    """

    base: CoassociationGraph

    def __init__(self, base: CoassociationGraph) -> None:
        fields = {name: getattr(base, name) for name in ("vertex_weights", "roles", "names", "kind")}
        self._set_fields(base=base, _adjacency=None, **fields)

    def _explicit(self) -> sparse.csr_array:
        return self._of_copies(self.base.adjacency)

    def _of_copies(self, s: sparse.csr_array) -> sparse.csr_array:
        c = self.vertex_weights
        return sparse.csr_array((s.data * (c[row_of(s)] * c[s.indices]), s.indices, s.indptr), shape=s.shape)

    def neighbors(self, p: int) -> Graph:
        """Keep the p most similar rows of each row; an edge stays if either end keeps it."""
        near = self.base.neighbors(p)
        return Graph._trusted(self._of_copies(near.adjacency), near)

    @property
    def n_edges(self) -> int:
        """Number of pairs of distinct rows that share at least one cluster."""
        return self.base.n_edges

    def components(self) -> LabelArray:
        """Return the components, which copies do not change. O(nB)."""
        return self.base.components()

    def product(self) -> Callable[[FloatArray], FloatArray]:
        """Return the function v ↦ c∘S(c∘v)."""
        once, c = self.base.product(), self.vertex_weights
        return lambda v: (c * once((c * np.asarray(v).T).T).T).T

    def degree(self) -> FloatArray:
        """Sum of the edge weights at each vertex."""
        return self.product()(np.ones(self.n_vertices))

    def cut(self, labels: ArrayLike) -> float:
        """Similarity between the copies in different parts; unassigned vertices do not count. O(nBk)."""
        parts, size = self._parts(labels)
        inside = membership(parts, size).toarray()
        return float((inside.sum(axis=1, keepdims=True) - inside).ravel() @ self.product()(inside).ravel()) / 2

    def _distinct(self) -> tuple[Graph, AnyArray, FloatArray]:
        """Merge equal label rows; loops are the edges among the copies of each."""
        # c copies of a row have c(c − 1) ordered pairs among themselves, each as similar as the row is to a copy.
        micro, index = self.base.collapse()
        c = micro.vertex_weights
        return RepeatedGraph(micro), index, np.maximum(c * (c - 1), 0.0) * micro.likeness()

    def __repr__(self) -> str:
        return repr(self.base)


def as_network(G: Any, e: Ensemble, name: str = "G") -> Graph:
    """Return a network with its vertices in the order of the objects, matched by name if both have names."""
    with unheard(DoubtWarning):  # weights of edges do not matter here
        graph = Graph.of(G)
    if graph.n_vertices != e.n_objects:
        raise InputError(
            f"{name} has {graph.n_vertices} vertices and the partitions have {e.n_objects} objects; expected one "
            "vertex for each object, those without any label included."
        )
    if e.object_names is None or graph.names.numbered or graph.names.agree(e.vertex_names()):
        return graph
    places = graph.names.places(e.vertex_names())
    if None in places or len(set(places)) < len(places):
        reason = "two of its vertices share a name"
        if None in places:
            reason = f"{e.vertex_names()[places.index(None)]!r} is not a vertex of it"
        raise InputError(
            f"The vertices of {name} cannot be matched with the objects by name: {reason}. "
            "Give the same names, or leave the names of the objects out."
        )
    return graph.subgraph(np.array(places, dtype=np.int64))
