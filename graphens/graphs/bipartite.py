"""The bipartite graph of objects and clusters, and its biadjacency matrix with what cuts need of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, LabelArray, divide, freeze, on_one_scale
from .._lib.threads import map_threads
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import Names
from .counts import cooccurrence, fewer_rows, overlaps, sum_by_cluster, sum_cluster_rows, sum_pairs, unweighted
from .graph import CLUSTER, OBJECT, Graph, as_vertices
from .hypergraph import Hypergraph, incidence_of

_CELLS = 1 << 25  # of W: beyond, products with the labels are cheaper than the matrix
_ROWS = 16  # rows of a square of rows per piece of threaded work


class BipartiteGraph(Graph):
    """The bipartite graph of an ensemble; its matrix is built only on demand.

    Parameters
    ----------
    ensemble
        The labels.
    cluster_weights
        K additional weights for the edges of the clusters, multiplied by the weight of their partition.
    repeated
        Whether the edges of an object count as often as the object occurs. The graph of the distinct label rows then
        has the same cuts as the graph of all objects.
    """

    ensemble: Ensemble
    cluster_weights: FloatArray | None
    repeated: bool

    def __init__(
        self, ensemble: Ensemble, *, cluster_weights: FloatArray | None = None, repeated: bool = False
    ) -> None:
        n, k = ensemble.n_objects, int(ensemble.offsets[-1])
        self._set_fields(
            ensemble=ensemble,
            cluster_weights=cluster_weights,
            repeated=repeated or bool((ensemble.object_weights == 1).all()),
            _adjacency=None,
            # Clusters weigh nothing: a balanced partitioner then balances the objects, and clusters follow them.
            # Cutting the objects' side alone is what consensus asks for; the clusters' side says why (`vertex_labels`).
            vertex_weights=freeze(np.concatenate([ensemble.object_weights, np.zeros(k)])),
            roles=freeze(np.repeat(np.array([OBJECT, CLUSTER], dtype=np.uint8), [n, k])),
            names=ensemble.vertex_names() + ensemble.cluster_names,
            kind="bipartite",
        )

    def _edge_weights(self) -> FloatArray:
        """The weight of the edges of each cluster."""
        weights = np.repeat(self.ensemble.weights, self.ensemble.n_clusters)
        return weights if self.cluster_weights is None else weights * self.cluster_weights

    def _explicit(self) -> sparse.csr_array:
        h = incidence_of(self.ensemble)
        if self.repeated and not (self.ensemble.object_weights == 1).all():
            h = sparse.csr_array(h * self.ensemble.object_weights[:, None])
        return _star(h, self._edge_weights())

    def subgraph(self, vertices: ArrayLike) -> Graph:
        """Return the graph on some of the vertices; only their own edges are built."""
        index, n = as_vertices(vertices, self.n_vertices), self.ensemble.n_objects
        objects = np.unique(index[index < n])
        if not objects.size:
            return super().subgraph(vertices)
        e = self.ensemble
        few = e._replace(
            codes=np.ascontiguousarray(e.codes[:, objects]),
            object_weights=e.object_weights[objects],
            _names=e.vertex_names().take(objects),
            memberships=None,
        )
        small = BipartiteGraph(few, cluster_weights=self.cluster_weights, repeated=self.repeated)
        place = np.where(index < n, np.searchsorted(objects, index), index - n + len(objects))
        return Graph.subgraph(small, place)

    @property
    def n_edges(self) -> int:
        """Number of labels whose clusters have a positive weight."""
        return int(unweighted(self.ensemble).cluster_sizes()[self._edge_weights() > 0].sum())

    def _biadjacency(self) -> Biadjacency:
        """Return the edges from objects to clusters, from the labels if edges count as often as objects."""
        return LabelBiadjacency(self.ensemble, self._edge_weights()) if self.repeated else super()._biadjacency()

    def _ties(self, vertices: AnyArray, labels: LabelArray, size: int) -> sparse.csr_array:
        """Return the weight of edges into each part; those of clusters are counted from the labels. O(nB)."""
        n = self.ensemble.n_objects
        if vertices.min(initial=n) < n:
            return super()._ties(vertices, labels, size)
        return sparse.csr_array(self._share(labels, size)[vertices - n])

    def _share(self, labels: LabelArray, size: int) -> sparse.csr_array:
        """K × parts: the weight of each cluster's edges to the objects of each part."""
        e = self.ensemble if self.repeated else unweighted(self.ensemble)
        counts = overlaps(e, labels[: e.n_objects], size)
        return sparse.csr_array(counts * self._edge_weights()[:, None])

    def cut(self, labels: ArrayLike) -> float:
        """Weight of the edges between different parts, counted from the labels. O(nB)."""
        parts, size = self._parts(labels)
        # Every edge has one cluster: summed over clusters, the cut is all edges of a cluster to assigned objects,
        # less those to objects in its own part.
        clusters = parts[self.ensemble.n_objects :]
        shared = self._share(parts, size)
        assigned = np.flatnonzero(clusters >= 0)
        inside = np.asarray(shared[assigned, clusters[assigned]]).ravel()
        return float((np.asarray(shared.sum(axis=1)).ravel()[assigned] - inside).sum())


def bipartite(labels: Labels | Hypergraph) -> Graph:
    """Return the bipartite graph of objects and clusters, the star expansion of the hypergraph.

    Parameters
    ----------
    labels
        An Ensemble, anything that Ensemble accepts, or a Hypergraph.

    Returns
    -------
    Graph
        Vertices 0 … n − 1 are the objects with their weights; the following K vertices are the clusters, with weight 0.
        An edge joins an object to each of its clusters and has the weight of the partition.

    Notes
    -----
    Creating it from labels costs nothing; the matrix takes O(nB) time and 24 bytes for each label when it is first
    used.

    References
    ----------
    Fern and Brodley, Solving cluster ensemble problems by bipartite graph partitioning, 2004.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.bipartite([[0, 0], [0, 1], [1, -1]])
    >>> g
    Graph(bipartite, 7 vertices, 5 edges)
    >>> list(g.names)
    ['x0', 'x1', 'x2', 'P0:0', 'P0:1', 'P1:0', 'P1:1']
    """
    if not isinstance(labels, Hypergraph):
        return BipartiteGraph(Ensemble.of(labels))
    h = labels
    n, k = h.n_vertices, h.n_hyperedges
    return Graph._trusted(
        _star(h.incidence, h.hyperedge_weights),
        vertex_weights=freeze(np.concatenate([h.vertex_weights, np.zeros(k)])),
        roles=freeze(np.repeat(np.array([OBJECT, CLUSTER], dtype=np.uint8), [n, k])),
        names=h.vertex_names + h.hyperedge_names,
        kind="bipartite",
    )


def join_clusters(
    names: Names,
    sizes: FloatArray,
    table: FloatArray | sparse.csr_array,
    others: AnyArray,
    prefix: str,
    kind: str,
    matched: FloatArray | None = None,
) -> tuple[Graph, None, LabelArray]:
    """Return the graph between clusters and others (of a reference, a model or a result), without objects as vertices.

    `table` has the weight of the edge from each cluster to each of the others, which are called `prefix` and their
    number. `matched` has 1 for every chosen pair of a table of matches; by default, every cluster chooses its heaviest
    edge. The third value is the group of each vertex: one of the others, −1 for none.
    """
    down = sparse.csr_array(table)
    k, m = down.shape
    choice = down if matched is None else sparse.csr_array(matched)
    group = np.full(k + m, MISSING, dtype=np.int32)
    group[k:] = np.arange(m)
    chosen = np.flatnonzero(np.diff(choice.indptr))
    group[chosen] = np.asarray(choice.argmax(axis=1)).ravel()[chosen] if m else MISSING
    partner = np.where((group >= 0) & (np.arange(k + m) < k), group + k, MISSING)
    graph = Graph._trusted(
        _star(down, np.ones(m)),
        vertex_weights=freeze(np.concatenate([sizes, others])),
        roles=freeze(np.full(k + m, CLUSTER, dtype=np.uint8)),
        names=names + Names((f"{prefix}:", m)),
        kind=kind,
        _matched=None if matched is None else freeze(partner),
    )
    return graph, None, group


def _star(down: sparse.csr_array, weights: FloatArray) -> sparse.csr_array:
    """[[0, H W], [W Hᵀ, 0]], assembled from the rows and the columns of H."""
    n, k = down.shape
    weighted = down if (weights == 1).all() else sparse.csr_array(down * weights)
    # Rows of objects are rows of H with shifted columns, rows of clusters are columns of H: both are sorted as they
    # are, so the blocks are put one after the other. SciPy's block_array would sort them again in twice the memory.
    up = weighted.tocsc()
    wide = np.int32 if 2 * down.nnz < 2**31 else np.int64
    adjacency = sparse.csr_array(
        (
            np.concatenate([weighted.data, up.data]),
            np.concatenate([weighted.indices.astype(wide) + wide(n), up.indices.astype(wide)]),
            np.concatenate([weighted.indptr, up.indptr[1:].astype(wide) + wide(down.nnz)]),
        ),
        shape=(n + k, n + k),
    )
    if (weights == 0).any():
        adjacency.eliminate_zeros()
    return adjacency


# the matrix between both sides --------------------------------------------------------------------------------------


class Biadjacency:
    """The n × K matrix A of edge weights between objects (rows) and clusters (columns), with D_X = diag(A1)."""

    matrix: sparse.csr_array
    weight: FloatArray  #: how often each row counts when rows are grouped
    shape: tuple[int, int]
    inverse: FloatArray  #: d_X⁻¹, without that weight
    whole: sparse.csr_array | None = None  #: W of more objects than these, if they are a sample

    def __init__(self, matrix: sparse.csr_array, weight: FloatArray) -> None:
        self.matrix, self.weight, self.shape = sparse.csr_array(matrix), weight, matrix.shape
        self.inverse = divide(1.0, np.asarray(self.matrix.sum(axis=1)).ravel())

    @property
    def by_clusters(self) -> bool:
        """Whether W is the cheaper way to look at the graph: no more clusters than rows, and W is not too large.

        The eigenvectors of W, K × K, say the same as those of its counterpart between rows, n × n: the smaller one is
        decomposed. If both are large, products with A need no matrix at all.
        """
        n, k = self.shape
        return self.whole is not None or (k <= n and k * k <= _CELLS)

    def matvec(self, x: FloatArray) -> FloatArray:
        """Return A x, one number for each row."""
        return np.asarray(self.matrix @ x)

    def rmatvec(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y, one number for each cluster, or one row if y has columns."""
        return np.asarray(self.matrix.T @ y)

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ, rows × rows."""
        return np.asarray(((self.matrix * gains) @ self.matrix.T).toarray())

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A, K × K: how strongly clusters overlap."""
        return sparse.csr_array(self.matrix.T @ (self.matrix * self.inverse[:, None]))

    def components(self) -> AnyArray:
        """Return the component of every cluster, from the graph of rows and clusters."""
        from scipy.sparse.csgraph import connected_components

        # Objects come first, so the components of the clusters are the last K.
        star = sparse.block_array([[None, self.matrix], [self.matrix.T, None]], format="csr")
        return np.asarray(connected_components(star, directed=False)[1][self.shape[0] :])

    def row_components(self, of_clusters: AnyArray) -> LabelArray:
        """Return the component of every row: that of its first cluster. Rows without a cluster share one."""
        linked = np.diff(self.matrix.indptr) > 0
        part = np.full(len(linked), -1)
        part[linked] = of_clusters[self.matrix.indices[self.matrix.indptr[:-1][linked]]]
        return np.unique(part, return_inverse=True)[1].astype(np.int32)

    def mean_rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T: for every row the mean of the rows of T that belong to its clusters."""
        return np.asarray(self.matrix @ table) * self.inverse[:, None]

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return rows, or labels of rows, for all objects."""
        return rows


class LabelBiadjacency(Biadjacency):
    """The same from labels, on their distinct rows, without a matrix; edges count as often as objects.

    Parameters
    ----------
    e
        The labels.
    edge_weights
        The weight of the edges of each cluster.
    merge
        Without it, equal rows are merged only where that makes W cheaper, and `expand` is of no use.
    whole
        W of more objects than these, if they are a sample.
    """

    e: Ensemble
    index: AnyArray
    values: FloatArray
    weight: FloatArray
    shape: tuple[int, int]
    inverse: FloatArray
    whole: sparse.csr_array | None

    def __init__(
        self, e: Ensemble, edge_weights: FloatArray, *, merge: bool = True, whole: sparse.csr_array | None = None
    ) -> None:
        if merge and e._rows is not None:
            self.e, self.index = e.collapse()
        else:  # W needs no way back to the objects, and distinct rows are the objects
            self.e, self.index = e if merge else fewer_rows(e), np.arange(e.n_objects)
        # Objects and clusters have weights apart: A = diag(weight) H diag(values). D_X⁻¹ A needs no object weights,
        # since copies of a row have the same mean.
        self.weight, self.values = on_one_scale(self.e.object_weights), on_one_scale(edge_weights)
        self.shape, self.whole = (self.e.n_objects, len(self.values)), whole
        # of what one copy's edges weigh
        self.inverse = divide(1.0, sum_cluster_rows(self.e, self.values[:, None])[:, 0])

    def matvec(self, x: FloatArray) -> FloatArray:
        """Return A x. O(nB)."""
        return self.weight * sum_cluster_rows(self.e, (self.values * x)[:, None])[:, 0]

    def rmatvec(self, y: FloatArray) -> FloatArray:
        """Return Aᵀ y. O(nB) for each column."""
        return (self.values * sum_by_cluster(self.e, (self.weight * y.T).T).T).T

    def gram(self, gains: FloatArray) -> FloatArray:
        """Return A diag(gains) Aᵀ. O(n²B), n × n memory."""
        from ..kernels.counting import gain_rows

        e, n = self.e, self.e.n_objects
        square, gain = np.zeros((n, n)), self.values**2 * gains
        map_threads(
            lambda start: gain_rows(e.codes, e.offsets, e.absent, gain, start, min(n, start + _ROWS), square),
            range(0, n, _ROWS),
            each=_ROWS * float(e.codes.size),
        )
        lower = np.tril(square, -1)
        return (square + lower.T) * self.weight * self.weight[:, None]

    def transfer_matrix(self) -> sparse.csr_array:
        """Return W = Aᵀ D_X⁻¹ A from the weight of the objects in each pair of clusters.

        If all objects have the same degree, as without missing labels and cluster weights, W is the plain overlaps
        times a constant, and these may have been counted already.
        """
        if self.whole is not None:
            return self.whole
        e = self.e
        if (self.inverse == self.inverse[0]).all() and self.weight is e.object_weights:
            w = (cooccurrence(e) + sparse.diags_array(e.cluster_sizes())) * self.inverse[0]
        else:
            w = sum_pairs(e, self.weight * self.inverse)
        w = sparse.csr_array((w * self.values) * self.values[:, None])
        w.eliminate_zeros()  # clusters without weight connect nothing
        return w

    def components(self) -> AnyArray:
        """Return the component of every cluster. O(nB)."""
        from ..kernels.counting import connect_clusters

        parent = np.arange(len(self.values))
        connect_clusters(self.e.codes, self.e.offsets, self.e.absent, self.values > 0, parent)
        return parent

    def row_components(self, of_clusters: AnyArray) -> LabelArray:
        """Return the component of every row: that of its first cluster with positive weight."""
        e = self.e
        part, place = np.full(e.n_objects, -1), np.where(self.values > 0, of_clusters, -1)
        for t, row in enumerate(e.codes):
            rest = np.flatnonzero((part < 0) & (row != e.absent))
            part[rest] = place[e.offsets[t] + row[rest].astype(np.int64)]
            if (part >= 0).all():
                break
        return np.unique(part, return_inverse=True)[1].astype(np.int32)

    def mean_rows(self, table: FloatArray) -> AnyArray:
        """Return D_X⁻¹ A T, one row per distinct label row, in single precision."""
        out = sum_cluster_rows(self.e, (table * self.values[:, None]).astype(np.float32))
        out *= self.inverse[:, None].astype(np.float32)
        return out

    def expand(self, rows: AnyArray) -> AnyArray:
        """Return the rows, or labels of rows, of all objects."""
        return rows[self.index]
