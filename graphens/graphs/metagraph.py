"""The meta-graph: clusters as vertices, the overlap of their members as edge weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, as_numbers, freeze, one_of
from .._lib.threads import map_threads
from ..errors import InputError, named_failure
from ..labels.ensemble import Ensemble, Labels
from ..labels.names import Names
from .counts import cooccurrence, sampled_partitions, shared_clusters
from .graph import CLUSTER, Graph
from .hypergraph import Hypergraph

_PAIRS = 1 << 25  # of clusters that may overlap: beyond, only the strongest edges are kept
_EDGES, _NEIGHBORS = 4_000_000, (20, 100)  # how many then, and of one cluster

#: similarity of two clusters from the weight they share and the weight of each
Similarity = Callable[[AnyArray, AnyArray, AnyArray], AnyArray]

SIMILARITIES: dict[str, Similarity] = {
    "jaccard": lambda both, a, b: both / (a + b - both),
    "overlap": lambda both, a, b: both / np.minimum(a, b),
    "dice": lambda both, a, b: 2 * both / (a + b),
    "count": lambda both, a, b: both,
}


def metagraph(labels: Labels | Hypergraph, similarity: str | Similarity = "jaccard") -> Graph:
    """Return the cluster meta-graph, the line graph of the hypergraph.

    Parameters
    ----------
    labels
        An Ensemble, anything that Ensemble accepts, or a Hypergraph (whose counts are read as 0/1).
    similarity
        ``"jaccard"`` |a ∩ b| / |a ∪ b|, ``"overlap"`` |a ∩ b| / min(|a|, |b|), ``"dice"``, ``"count"`` |a ∩ b|, or a
        function ``(shared, sizes_a, sizes_b)`` of the shared weight and the two cluster weights: these are arrays with
        one entry per pair of clusters, and so is its result.

    Returns
    -------
    Graph
        One vertex per cluster, with the weight of its objects. An absent object is in none of a partition's clusters.

    Notes
    -----
    O(nB²) time from labels, and memory for the tables and the K × K result; no incidence matrix is built. If more than
    33 million pairs of clusters could overlap, each cluster keeps only its 20 to 100 strongest edges, and the `kind` of
    the graph says so; with many partitions, these are edges to the clusters of a random sample of partitions.

    References
    ----------
    Strehl and Ghosh, Cluster ensembles, 2002 (meta-clustering algorithm).

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.metagraph([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> g
    Graph(metagraph, 4 vertices, 3 edges)
    >>> g.to_scipy().toarray().round(2).tolist()[0]
    [0.0, 0.0, 0.67, 0.25]
    """
    if isinstance(labels, Hypergraph):
        binary = labels.incidence.copy()
        binary.data = np.ones_like(binary.data)
        shared = sparse.csr_array(binary.T @ (binary * labels.vertex_weights[:, None]))
        sizes, names = np.asarray(binary.T @ labels.vertex_weights), labels.hyperedge_names
    else:
        e = Ensemble.of(labels)
        if not fits_metagraph(e):
            return strongest_metagraph(e, similarity)
        shared, sizes, names = cooccurrence(e), e.cluster_sizes(), e.cluster_names
    return counted_metagraph(shared, sizes, names, similarity)


def counted_metagraph(
    shared: sparse.csr_array, sizes: FloatArray, names: Names, similarity: str | Similarity = "jaccard"
) -> Graph:
    """Return the meta-graph from counts: the overlap of each pair of clusters, and the weight of each cluster."""
    measure = _measure(similarity)
    pairs = shared.tocoo()
    apart = (pairs.row != pairs.col) & (pairs.data > 0)
    row, col = pairs.row[apart], pairs.col[apart]
    weight = np.asarray(measure(pairs.data[apart], sizes[row], sizes[col]), dtype=np.float64)
    adjacency = sparse.csr_array((weight, (row, col)), shape=shared.shape)
    return _of_clusters(adjacency, sizes, names, "metagraph", similarity)


def fits_metagraph(e: Ensemble) -> bool:
    """Return whether all edges of the meta-graph can be stored."""
    k = int(e.offsets[-1])
    return min(float(e.n_objects) * e.n_partitions**2, float(k) ** 2) <= _PAIRS


def strongest_metagraph(e: Ensemble, similarity: str | Similarity = "jaccard") -> Graph:
    """Return the meta-graph with the strongest edges of every cluster to the clusters of some partitions.

    O(nB²), or O(nB) if a sample of many partitions is used; memory for the edges.
    """
    from ..kernels.counting import keep_strongest

    measure, sizes, others = _measure(similarity), e.cluster_sizes(), sampled_partitions(e)
    k, offsets = len(sizes), e.offsets
    p = int(np.clip(_EDGES // k, *_NEIGHBORS))
    ids, best = np.full((k, p), -1, dtype=np.int64), np.zeros((k, p))

    def keep(s: int) -> None:
        clusters = slice(int(offsets[s]), int(offsets[s + 1]))
        for some, place, row, column, both in shared_clusters(e, s, others[others != s]):
            other = offsets[some[place]] + column
            weight = np.asarray(measure(both, sizes[clusters][row], sizes[other]), dtype=np.float64)
            keep_strongest(row, other, weight, ids[clusters], best[clusters])

    map_threads(keep, range(e.n_partitions), "comparing clusters", each=float(e.n_objects) * len(others))
    there = ids >= 0
    edges = sparse.csr_array((best[there], (np.nonzero(there)[0], ids[there])), shape=(k, k))
    return _of_clusters(
        sparse.csr_array(edges.maximum(edges.T)), sizes, e.cluster_names, f"metagraph, {p} neighbors", similarity
    )


def _of_clusters(
    adjacency: sparse.csr_array, sizes: FloatArray, names: Names, kind: str, similarity: str | Similarity
) -> Graph:
    adjacency.eliminate_zeros()
    adjacency.sort_indices()
    make = Graph if callable(similarity) else Graph._trusted  # what a user's function returns is checked
    roles = freeze(np.full(len(sizes), CLUSTER, dtype=np.uint8))
    return make(adjacency, vertex_weights=freeze(sizes), roles=roles, names=names, kind=kind)


def _measure(similarity: str | Similarity) -> Similarity:
    """A similarity by its name, or the user's function with a check that it returns one number for each pair."""
    if not callable(similarity):
        return SIMILARITIES[one_of("similarity", similarity, SIMILARITIES, more=", or a function")]

    def measure(shared: AnyArray, a: AnyArray, b: AnyArray) -> FloatArray:
        with named_failure("The function given as similarity"):
            answer = similarity(shared, a, b)
        values = as_numbers(answer, "What the function given as similarity returned")
        if values.shape != shared.shape:
            raise InputError(
                f"The function given as similarity returned an array of shape {values.shape}; expected one number for "
                f"each of the {len(shared)} pairs of clusters."
            )
        return values

    return measure
