"""Normalised cuts: k-means on the leading eigenvectors, of K × K matrices only where a graph is bipartite."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, FloatArray, LabelArray, Seed, as_weights, canonical
from .._work import map_threads
from ..core.ensemble import Ensemble
from ..core.graph import CLUSTER, OBJECT, Graph
from ..core.hypergraph import hypergraph
from ..errors import DegenerateWarning, InputError, warn
from ..views.bipartite import BipartiteGraph
from ..views.coassociation import CoassociationGraph
from ..views.counting import cooccurrence
from ..views.membership import overlaps
from .eigen import leading, leading_values, point_clusters
from .mending import counted, exactly, n_parts, pack

_ROWS = 1 << 15  # objects per piece of threaded work


def spectral(graph: Graph, k: int, *, seed: Seed = 0, n_init: int | None = None) -> LabelArray:
    """Cut any graph by its normalised cut; this is the partitioner ``"spectral"``.

    Bipartite graphs take the transfer cut: their clusters get the part that most of their objects have. Vertices that
    the eigenvectors cannot tell apart are split only to make k parts, with a warning.
    """
    labels = _spectral(graph, k, seed, n_init)
    found = n_parts(labels, counted(graph))
    if found == k:
        return labels
    warn(
        f"Only {found} parts of the graph can be told apart where {k} were asked for; loosely attached vertices were "
        f"split off to make {k}.",
        DegenerateWarning,
    )
    return exactly(graph, labels, k)


def _spectral(graph: Graph, k: int, seed: Seed, n_init: int | None) -> LabelArray:
    if not (graph.roles == CLUSTER).any() or not (graph.roles == OBJECT).any():
        return normalized_cut(graph, k, seed=seed, n_init=n_init)
    objects = np.flatnonzero(graph.roles == OBJECT)
    labels = np.full(graph.n_vertices, k, dtype=np.int32)
    weight = np.maximum(graph.vertex_weights[objects], 1e-300)
    if isinstance(graph, BipartiteGraph) and graph.repeated:
        labels[objects] = transfer_cut(
            graph.ensemble, k, cluster_weights=graph.cluster_weights, seed=seed, n_init=n_init
        )
    else:  # edges count as they are: a vertex weight is how often k-means sees the object
        incidence = graph.adjacency[objects][:, graph.roles == CLUSTER] / weight[:, None]
        labels[objects] = transfer_cut(incidence, k, seed=seed, sample_weight=weight, n_init=n_init)
    return _with_clusters(graph, labels)


def _with_clusters(graph: Graph, labels: LabelArray) -> LabelArray:
    """Clusters go where most of their objects went."""
    if not isinstance(graph, BipartiteGraph):
        return exactly(graph, labels, None)
    e = graph.ensemble
    found = labels[: e.n_objects]
    shared = overlaps(e, found, int(found.max()) + 1)
    return np.concatenate([found, np.asarray(shared.argmax(axis=1)).ravel().astype(np.int32)])


def transfer_cut(
    incidence: Any,
    k: int,
    *,
    cluster_weights: FloatArray | None = None,
    seed: Seed = None,
    sample_weight: FloatArray | None = None,
    n_init: int | None = None,
) -> LabelArray:
    """Cut the bipartite graph of objects and clusters into k parts; return the objects' labels.

    With A the n × K weighted incidence, D_X = diag(A1) and W = Aᵀ D_X⁻¹ A, objects are embedded by the leading
    eigenvectors v of D^-½ W D^-½ as D_X⁻¹ A D^-½ v, rows are normalised and clustered by k-means.

    Parameters
    ----------
    incidence
        An Ensemble (each partition counts by its weight), or any non-negative n × K matrix A, sparse or dense.
    k
        Number of parts.
    cluster_weights
        K further weights: A is multiplied by them, column by column.
    seed
        Seed of k-means.
    sample_weight
        How often each object counts; by default the ensemble's object weights, or 1.
    n_init
        Restarts of k-means, by default 10 for small and 3 for large ones.

    Returns
    -------
    labels
        Labels of the objects in order of first appearance; fewer than k only where fewer are distinct.

    Notes
    -----
    O(nB² + K³ + nkB) time. Nothing n × n and, for an ensemble, no incidence matrix: 4 n k bytes beyond the labels.
    Objects with equal labels are embedded once.

    References
    ----------
    Li, Wu and Chang, Segmentation using superpixels: a bipartite graph partitioning approach, 2012.

    Examples
    --------
    >>> import graphens as ge
    >>> from graphens.cutting.spectral import transfer_cut
    >>> transfer_cut(ge.Ensemble([[0, 0], [0, 0], [0, 1], [1, 1]]), 2, seed=0).tolist()
    [0, 0, 1, 1]
    """
    side = _side(incidence, cluster_weights, sample_weight)
    meet = side.meet()
    linked = _linked(meet)
    parts = side.parts(linked)
    if parts.max(initial=-1) + 1 >= k:
        return canonical(side.expand(pack(np.bincount(parts, weights=side.weight).astype(float), k)[parts]))
    rows = side.rows(_cluster_side(meet, k, linked))
    return canonical(side.expand(point_clusters(rows, k, seed, side.weight, n_init)))


def transfer_embedding(
    incidence: Any,
    k: int,
    *,
    cluster_weights: FloatArray | None = None,
    sample_weight: FloatArray | None = None,
) -> AnyArray:
    """Return the n × k rows that `transfer_cut` clusters; parameters as there."""
    side = _side(incidence, cluster_weights, sample_weight)
    meet = side.meet()
    return side.expand(side.rows(_cluster_side(meet, k, _linked(meet))))


def transfer_spectrum(incidence: Any, count: int, *, cluster_weights: FloatArray | None = None) -> FloatArray:
    """Return the largest eigenvalues of the K × K matrix D^-½ W D^-½ of `transfer_cut`, falling from 1.

    1 − λ is how fast a random walk object → cluster → object leaves a group. Where the matrix has fewer than `count`
    eigenvalues the rest are 0. O(nB²) for W and a few products with it.
    """
    side = _side(incidence, cluster_weights, None)
    meet = side.meet()
    scaled, degree = _scaled(meet)[0], np.asarray(meet.sum(axis=1)).ravel()
    found = leading_values(scaled, count, degree, _linked(meet))
    return np.clip(np.append(found, np.zeros(max(count - len(found), 0))), 0.0, 1.0)


class _Matrix:
    """The objects' side of a bipartite graph given by its incidence matrix."""

    def __init__(
        self, incidence: Any, cluster_weights: FloatArray | None, sample_weight: FloatArray | None
    ) -> None:
        matrix = sparse.csr_array(incidence, dtype=np.float64, copy=True)
        if matrix.nnz and not (np.isfinite(matrix.data).all() and matrix.data.min() >= 0):
            raise InputError(
                "The incidence has negative or infinite values; expected weights of zero or more."
            )
        if cluster_weights is not None:
            matrix = sparse.csr_array(matrix * as_weights(cluster_weights, matrix.shape[1], "clusters"))
        matrix.eliminate_zeros()
        self.matrix = matrix
        self.weight = as_weights(sample_weight, matrix.shape[0], "objects", positive=True)
        self.inverse = _inverse(np.asarray(matrix.sum(axis=1)).ravel())

    def meet(self) -> sparse.csr_array:
        """W = Aᵀ D_X⁻¹ A over weighted objects."""
        return sparse.csr_array(self.matrix.T @ (self.matrix * (self.inverse * self.weight)[:, None]))

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Components of the objects from those of the clusters."""
        linked = np.diff(self.matrix.indptr) > 0
        found = np.full(len(linked), -1)
        found[linked] = of_clusters[self.matrix.indices[self.matrix.indptr[:-1][linked]]]
        return np.unique(found, return_inverse=True)[1].astype(np.int32)

    def rows(self, table: FloatArray) -> AnyArray:
        """D_X⁻¹ A T, one row per object."""
        return np.asarray(self.matrix @ table) * self.inverse[:, None]

    def expand(self, rows: AnyArray) -> AnyArray:
        """Rows for all objects."""
        return rows


class _Labels:
    """The objects' side of the bipartite graph of an ensemble, on its distinct label rows, without a matrix."""

    def __init__(
        self, e: Ensemble, cluster_weights: FloatArray | None, sample_weight: FloatArray | None
    ) -> None:
        if sample_weight is not None:
            e = e.replace(object_weights=as_weights(sample_weight, e.n_objects, "objects", positive=True))
        micro, index = e.collapse()
        extra = (
            1.0 if cluster_weights is None else as_weights(cluster_weights, int(e.offsets[-1]), "clusters")
        )
        self.e, self.index, self.weight = micro, index, micro.object_weights
        self.values = np.repeat(e.weights, e.n_clusters) * extra
        self.inverse = _inverse(self._degree())

    def _degree(self) -> FloatArray:
        from ..kernels.embedding import add_values

        total, offsets = np.zeros(self.e.n_objects), self.e.offsets
        for t, row in enumerate(self.e.codes):
            add_values(row, self.e.absent, self.values[offsets[t] : offsets[t + 1]], total)
        return total

    def meet(self) -> sparse.csr_array:
        """W = Aᵀ D_X⁻¹ A from the weight of the objects in each pair of clusters."""
        scaled = self.e.replace(object_weights=self.weight * self.inverse)
        w = cooccurrence(scaled) + sparse.diags_array(scaled.cluster_sizes())
        return sparse.csr_array((w * self.values) * self.values[:, None])

    def parts(self, of_clusters: AnyArray) -> LabelArray:
        """Components of the objects from those of the clusters."""
        e = self.e
        found, offsets = np.full(e.n_objects, -1), e.offsets
        for t, row in enumerate(e.codes):
            own = slice(offsets[t], offsets[t + 1])
            place = np.where(self.values[own] > 0, of_clusters[own], -1)
            open_ = np.flatnonzero((found < 0) & (row != e.absent))
            found[open_] = place[row[open_]]
            if not open_.size:
                break
        return np.unique(found, return_inverse=True)[1].astype(np.int32)

    def rows(self, table: FloatArray) -> AnyArray:
        """D_X⁻¹ A T, one row per distinct label row, in single precision."""
        from ..kernels.embedding import add_rows

        e = self.e
        n, narrow = e.n_objects, (table * self.values[:, None]).astype(np.float32)
        out = np.empty((n, table.shape[1]), dtype=np.float32)

        def piece(start: int) -> None:
            stop = min(n, start + _ROWS)
            add_rows(e.codes, e.offsets, e.absent, narrow, start, stop, out)
            out[start:stop] *= self.inverse[start:stop, None].astype(np.float32)

        map_threads(piece, range(0, n, _ROWS))
        return out

    def expand(self, rows: AnyArray) -> AnyArray:
        """Rows for all objects."""
        return rows[self.index]


def _side(
    incidence: Any, cluster_weights: FloatArray | None, sample_weight: FloatArray | None
) -> _Matrix | _Labels:
    kind = _Labels if isinstance(incidence, Ensemble) else _Matrix
    return kind(incidence, cluster_weights, sample_weight)


def _linked(meet: sparse.csr_array) -> AnyArray:
    from scipy.sparse.csgraph import connected_components

    return np.asarray(connected_components(meet, directed=False)[1])


def _inverse(degree: FloatArray) -> FloatArray:
    return np.divide(1.0, degree, out=np.zeros_like(degree), where=degree > 0)


def _cluster_side(w: sparse.csr_array, k: int, parts: AnyArray) -> FloatArray:
    """D^-½ v: the leading eigenvectors of D^-½ W D^-½, scaled for the objects' side."""
    scaled, root = _scaled(w)
    return leading(scaled, k, np.asarray(w.sum(axis=1)).ravel(), parts) * root[:, None]


def _scaled(w: sparse.csr_array) -> tuple[sparse.csr_array, FloatArray]:
    """D^-½ W D^-½ and the diagonal of D^-½."""
    degree = np.asarray(w.sum(axis=1)).ravel()
    root = np.divide(1.0, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0)
    return sparse.csr_array((w * root) * root[:, None]), root


def normalized_cut(graph: Graph, k: int, *, seed: Seed = None, n_init: int | None = None) -> LabelArray:
    """Cut a graph into k parts by its normalised cut; return the labels of its vertices.

    The rows of the k leading eigenvectors of D^-½ A D^-½, scaled to length one, are clustered by k-means. Components
    count as parts: with k of them or more they are packed into k parts of about equal weight.

    Parameters
    ----------
    graph
        Any graph. A co-association graph is never built where nothing is missing: its products with vectors come
        from the labels of its distinct rows, O(ñB) each.
    k
        Number of parts.
    seed, n_init
        Seed and restarts of k-means.

    References
    ----------
    Ng, Jordan and Weiss, On spectral clustering, 2001. Shi and Malik, Normalized cuts and image segmentation, 2000.

    Examples
    --------
    >>> import graphens as ge
    >>> from graphens.cutting.spectral import normalized_cut
    >>> g = ge.Graph([[0, 1, 0.1, 0], [1, 0, 0, 0], [0.1, 0, 0, 1], [0, 0, 1, 0]])
    >>> normalized_cut(g, 2, seed=0).tolist()
    [0, 0, 1, 1]
    """
    parts = graph.components()
    if parts.max(initial=-1) + 1 >= k:
        return canonical(pack(np.bincount(parts, weights=graph.vertex_weights).astype(float), k)[parts])
    if isinstance(graph, CoassociationGraph):
        return canonical(_coassociation_cut(graph, k, seed, n_init))
    degree = graph.degree()
    root = np.divide(1.0, np.sqrt(degree), out=np.zeros_like(degree), where=degree > 0)
    vectors = leading(sparse.csr_array((graph.adjacency * root) * root[:, None]), k, degree, parts)
    return canonical(point_clusters(vectors, k, seed, None, n_init))


def _coassociation_cut(graph: CoassociationGraph, k: int, seed: Seed, n_init: int | None) -> LabelArray:
    """The normalised cut of all objects, worked out on the c_i-fold distinct rows.

    On vectors that are equal for equal rows, D^-½ S D^-½ without its diagonal is s∘(S(s∘y)) − y/d for y = √c x and
    s = √(c/d); the other eigenvalues are negative and never lead.
    """
    from scipy.sparse.linalg import LinearOperator

    micro, index = graph.ensemble.collapse()
    count, small = micro.object_weights, CoassociationGraph(micro)
    product = _similarity_product(small)
    degree = np.maximum(product(count[:, None]).ravel() - 1.0, 1e-12)
    scale = np.sqrt(count / degree)[:, None]

    def apply(y: FloatArray) -> FloatArray:
        y = y.reshape(len(count), -1)
        return scale * product(scale * y) - y / degree[:, None]

    operator = LinearOperator((len(count), len(count)), matvec=apply, matmat=apply, dtype=np.float64)
    vectors = leading(operator, k, count * degree, small.components()) / np.sqrt(count)[:, None]
    return point_clusters(vectors, k, seed, count, n_init)[index]


def _similarity_product(graph: CoassociationGraph) -> Any:
    """A function that multiplies S, with ones on its diagonal, by a tall matrix."""
    e = graph.ensemble
    if e.has_missing:  # every pair has its own denominator: no way around the matrix
        s = graph.adjacency
        return lambda y: s @ y + y
    h = hypergraph(e)
    left = sparse.csr_array(h.incidence * (h.hyperedge_weights / e.weights.sum()))
    right = h.incidence.T.tocsr()
    return lambda y: left @ (right @ y)


__all__ = ["normalized_cut", "spectral", "transfer_cut", "transfer_embedding", "transfer_spectrum"]
