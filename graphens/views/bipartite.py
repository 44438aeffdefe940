"""The bipartite graph: objects on one side, clusters on the other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arrays import freeze
from ..core.ensemble import Ensemble
from ..core.graph import CLUSTER, OBJECT, Graph
from ..core.hypergraph import Hypergraph, hypergraph
from ..core.names import Names
from .overlap import overlaps


class BipartiteGraph(Graph):
    """The bipartite graph of an ensemble; its matrix is built only when somebody reads it."""

    def __init__(self, ensemble: Ensemble) -> None:
        n, k = ensemble.n_objects, int(ensemble.offsets[-1])
        self.ensemble = ensemble
        self._adjacency = None
        self.vertex_weights = freeze(np.concatenate([ensemble.object_weights, np.zeros(k)]))
        self.roles = freeze(np.repeat(np.array([OBJECT, CLUSTER], dtype=np.uint8), [n, k]))
        self.names = Names(*ensemble.vertex_names()._parts, *ensemble.cluster_names._parts)
        self.kind = "bipartite"

    def _explicit(self) -> sparse.csr_array:
        return _star(hypergraph(self.ensemble))

    @property
    def n_edges(self) -> int:
        """Number of labels in partitions that weigh something."""
        e = self.ensemble
        return sum(
            int(np.count_nonzero(row != e.absent)) for row, w in zip(e.codes, e.weights, strict=True) if w > 0
        )

    def cut(self, labels: ArrayLike) -> float:
        """Weight of the edges between different parts, counted from the labels. O(nB)."""
        given, size = self._parts(labels)
        e = self.ensemble._with(object_weights=np.ones(self.ensemble.n_objects))
        objects, clusters = given[: e.n_objects], given[e.n_objects :]
        shared = overlaps(e, objects, size)
        assigned = clusters >= 0
        own = np.asarray(shared[np.flatnonzero(assigned), clusters[assigned]]).ravel()
        apart = np.asarray(shared.sum(axis=1)).ravel()[assigned] - own
        return float(np.repeat(e.weights, e.n_clusters)[assigned] @ apart)


def bipartite(labels: Any) -> Graph:
    """Return the bipartite graph of objects and clusters, the star expansion of the hypergraph.

    Parameters
    ----------
    labels
        An Ensemble, anything Ensemble takes, or a Hypergraph.

    Returns
    -------
    Graph
        Vertices 0 … n − 1 are the objects with their weights, the K after them the clusters, which weigh nothing.
        An edge joins an object to each of its clusters and weighs what the partition weighs.

    Notes
    -----
    Making it from labels is free; the matrix takes O(nB) time and 24 bytes for each label when it is read.

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
        _star(h),
        vertex_weights=freeze(np.concatenate([h.vertex_weights, np.zeros(k)])),
        roles=freeze(np.repeat(np.array([OBJECT, CLUSTER], dtype=np.uint8), [n, k])),
        names=Names(*h.vertex_names._parts, *h.hyperedge_names._parts),
        kind="bipartite",
    )


def _star(h: Hypergraph) -> sparse.csr_array:
    """[[0, H W], [W Hᵀ, 0]], put together from the rows and the columns of H."""
    down, n = h.incidence, h.n_vertices
    weighted = down if (h.hyperedge_weights == 1).all() else sparse.csr_array(down * h.hyperedge_weights)
    up = weighted.tocsc()
    wide = np.int32 if 2 * down.nnz < 2**31 else np.int64
    adjacency = sparse.csr_array(
        (
            np.concatenate([weighted.data, up.data]),
            np.concatenate([weighted.indices.astype(wide) + wide(n), up.indices.astype(wide)]),
            np.concatenate([weighted.indptr, up.indptr[1:].astype(wide) + wide(down.nnz)]),
        ),
        shape=(n + h.n_hyperedges, n + h.n_hyperedges),
    )
    if (h.hyperedge_weights == 0).any():
        adjacency.eliminate_zeros()
    return adjacency
