"""The meta-graph: clusters as vertices, the overlap of their members as edge weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from .._arrays import AnyArray, FloatArray, as_numbers, freeze, one_of
from ..core.ensemble import Ensemble, Labels
from ..core.graph import CLUSTER, Graph
from ..core.hypergraph import Hypergraph
from ..core.names import Names
from ..errors import InputError, named_failure
from .incidence import cooccurrence

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
        An Ensemble, anything Ensemble takes, or a Hypergraph (whose counts are read as 0/1).
    similarity
        ``"jaccard"`` |a ∩ b| / |a ∪ b|, ``"overlap"`` |a ∩ b| / min(|a|, |b|), ``"dice"``, ``"count"`` |a ∩ b|, or a
        function ``(shared, sizes_a, sizes_b)`` of the shared weight and the two cluster weights: arrays with one entry
        per pair of clusters, as is what it returns.

    Returns
    -------
    Graph
        One vertex per cluster, weighing what its objects weigh. An absent object is in none of a partition's clusters.

    Notes
    -----
    O(nB²) time from labels, tables and the K × K result as memory; no incidence matrix is built.

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
        shared, sizes, names = cooccurrence(e), e.cluster_sizes(), e.cluster_names
    return counted_metagraph(shared, sizes, names, similarity)


def counted_metagraph(
    shared: sparse.csr_array, sizes: FloatArray, names: Names, similarity: str | Similarity = "jaccard"
) -> Graph:
    """Return the meta-graph from counts: what each pair of clusters shares, and what each cluster weighs."""
    measure = _measure(similarity)
    pairs = shared.tocoo()
    apart = (pairs.row != pairs.col) & (pairs.data > 0)
    row, col = pairs.row[apart], pairs.col[apart]
    weight = np.asarray(measure(pairs.data[apart], sizes[row], sizes[col]), dtype=np.float64)
    adjacency = sparse.csr_array((weight, (row, col)), shape=shared.shape)
    adjacency.eliminate_zeros()
    adjacency.sort_indices()
    make = Graph if callable(similarity) else Graph._trusted  # what a user's function returns is checked
    return make(
        adjacency,
        vertex_weights=freeze(sizes),
        roles=freeze(np.full(len(sizes), CLUSTER, dtype=np.uint8)),
        names=names,
        kind="metagraph",
    )


def _measure(similarity: str | Similarity) -> Similarity:
    if callable(similarity):
        return lambda shared, a, b: _called(similarity, shared, a, b)
    one_of("similarity", similarity, SIMILARITIES, more=", or a function")
    return SIMILARITIES[similarity]


def _called(function: Similarity, shared: AnyArray, a: AnyArray, b: AnyArray) -> FloatArray:
    """What a user's function says of the pairs, one number for each."""
    with named_failure("The function given as similarity"):
        found = function(shared, a, b)
    values = as_numbers(found, "What the function given as similarity returned")
    if values.shape != shared.shape:
        raise InputError(
            f"The function given as similarity returned an array of shape {values.shape}; expected one number for each "
            f"of the {len(shared)} pairs of clusters."
        )
    return values
