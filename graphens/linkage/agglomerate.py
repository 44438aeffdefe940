"""Single, average and complete link of a similarity graph."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .._arrays import MISSING, FloatArray
from .._memory import require
from ..core.dendrogram import Dendrogram, sorted_merges
from ..core.graph import Graph
from ..errors import InputError
from ..views.coassociation import CoassociationGraph


def link(graph: Graph, method: str = "average") -> Dendrogram:
    """Return the dendrogram of a similarity graph; the distance of two vertices is 1 − weight, 1 without an edge.

    Parameters
    ----------
    graph
        Any graph with weights up to 1: co-association, meta-graph, threshold graph, your own.
    method
        ``"single"`` (the maximum spanning forest), ``"average"`` (by vertex weight, and by evidence where labels
        are missing) or ``"complete"``.

    Returns
    -------
    Dendrogram
        Parts of the graph with no edge between them join at distance 1. Objects absent from every partition are
        in no leaf, and −1 in every cut.

    Notes
    -----
    Single link needs only the edges: O(E log n). Average and complete link of an explicit graph take O(n²) time and
    memory. Co-association graphs are linked on their distinct label rows.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.coassociation([[0, 0], [0, 0], [0, 1], [1, 1]])
    >>> ge.link(g, "single").cut(2).tolist()
    [0, 0, 0, 1]
    """
    if method not in _METHODS:
        raise InputError(f"method = {method!r} was given; expected one of {', '.join(_METHODS)}.")
    if not isinstance(graph, Graph) or not graph.n_vertices:
        raise InputError(
            f"{graph!r} was given; expected a graph with vertices, such as coassociation(labels)."
        )
    if isinstance(graph, CoassociationGraph):
        return _link_labels(graph, method)
    if graph.adjacency.nnz and graph.adjacency.data.max() > 1 + 1e-9:
        raise InputError(
            f"The largest weight is {graph.adjacency.data.max():g}; link needs similarities up to 1. Scale them first."
        )
    return Dendrogram(
        _METHODS[method](graph), leaf_weights=np.maximum(graph.vertex_weights, 1e-300), names=graph.names
    )


def _link_labels(graph: CoassociationGraph, method: str) -> Dendrogram:
    """Link the distinct label rows; an object without any label of weight is like none, and stays out of the tree."""
    e = graph.ensemble.take(partitions=graph.ensemble.weights > 0)
    index = np.full(e.n_objects, MISSING)
    if not e.present.any():
        return Dendrogram([], index=index, names=graph.names)
    micro, index[e.present] = e.take(objects=e.present).collapse()
    tree = _METHODS[method](CoassociationGraph(micro))
    return Dendrogram(tree, leaf_weights=micro.object_weights, index=index, names=graph.names)


def _single(graph: Graph) -> FloatArray:
    source, target, weight = graph.spanning_forest().edges()
    label = graph.components()
    roots = np.unique(label, return_index=True)[1]  # trees join at distance 1, each to the first one
    left = np.concatenate([source, np.full(len(roots) - 1, roots[0])])
    right = np.concatenate([target, roots[1:]])
    heights = np.concatenate([1.0 - weight, np.ones(len(roots) - 1)])
    return sorted_merges(left, right, np.maximum(heights, 0.0), graph.n_vertices)


def _chained(graph: Graph, *, complete: bool) -> FloatArray:
    from ..kernels.merging import chain

    n = graph.n_vertices
    require(16.0 * n * n, f"Linking {n} vertices", "Use link(graph, 'single'), or contract the graph first")
    left, right, heights = np.zeros(n - 1, dtype=np.int64), np.zeros(n - 1, dtype=np.int64), np.zeros(n - 1)
    chain(graph.adjacency.toarray(), _presence(graph), complete, left, right, heights)
    return sorted_merges(left, right, np.maximum(heights, 0.0), n)


def _presence(graph: Graph) -> FloatArray:
    """What ⟨p_A, p_B⟩ is made of: √w per partition an object is present in, times its weight; or its weight alone."""
    if isinstance(graph, CoassociationGraph) and graph.ensemble.has_missing:
        e = graph.ensemble
        return np.ascontiguousarray((e.codes != e.absent).T * np.sqrt(e.weights) * e.object_weights[:, None])
    return np.ascontiguousarray(graph.vertex_weights[:, None])


_METHODS: dict[str, Callable[[Graph], FloatArray]] = {
    "single": _single,
    "average": lambda graph: _chained(graph, complete=False),
    "complete": lambda graph: _chained(graph, complete=True),
}
