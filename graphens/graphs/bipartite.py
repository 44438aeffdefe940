"""The bipartite graph: objects on one side, clusters on the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, LabelArray, freeze
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import Names
from .biadjacency import Biadjacency, LabelBiadjacency
from .counts import overlaps, unweighted
from .graph import CLUSTER, OBJECT, Graph, as_vertices
from .hypergraph import Hypergraph, incidence_of


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
