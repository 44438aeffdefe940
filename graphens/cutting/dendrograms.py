"""Partitioners that cut trees: connected components and dendrograms."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import LabelArray, canonical
from ..graphs.graph import Graph
from ..trees import link
from ..trees.dendrogram import Dendrogram
from .mending import counted, exactly, pack


def components(graph: Graph, k: int | None = None, *, seed: Any = None) -> LabelArray:
    """Return the connected components; a given k is reached with as few cuts as possible.

    For more parts than components, the weakest edges of the maximum spanning forest are dropped, which is the cut of
    the single-link dendrogram. For fewer, the components are packed into k parts of similar weight. Nothing is random.
    """
    labels = graph.components()
    weight = np.bincount(labels, weights=np.where(counted(graph), graph.vertex_weights, 0.0)).astype(float)
    if k is None or len(weight) == k:
        return labels
    if len(weight) > k:
        return canonical(pack(weight, k)[labels])
    return linkage(graph, k, method="single")


def linkage(graph: Graph, k: int | None = None, *, method: str = "average", seed: Any = None) -> LabelArray:
    """Return the cut of the dendrogram at k clusters, or at the longest lifetime. Nothing is random.

    `method` is ``"single"``, ``"average"`` or ``"complete"``. Larger edge weights are scaled to at most 1.
    """
    scaled = graph
    if graph._evidence is None and graph.adjacency.data.max(initial=1.0) > 1:  # those counted from labels never are
        a = graph.adjacency
        scaled = Graph._trusted(sparse.csr_array((a.data / a.data.max(), a.indices, a.indptr), shape=a.shape), graph)
    tree = link(scaled, method)
    if (tree.index < 0).any():  # a vertex in no leaf has no edge; here it is one more vertex to join at the end
        tree = Dendrogram(tree.to_scipy(), names=graph.names)
    labels = tree.cut_longest_lifetime() if k is None else tree.cut(k)
    return labels if counted(graph).all() else _among_objects(graph, tree, labels, k)


def _among_objects(graph: Graph, tree: Any, labels: LabelArray, k: int | None) -> LabelArray:
    """Cut the tree further down until the objects, not only the cluster vertices, are in k parts."""
    inside, n = counted(graph), graph.n_vertices
    if k is None:
        return exactly(graph, labels, None)
    # Cutting by all vertices counts clusters of cluster vertices, too; more cuts bring more parts of the objects.
    low, high = k, n
    while low < high:  # more parts of all vertices never means fewer parts of the objects
        middle = (low + high) // 2
        if len(np.unique(tree.cut(middle)[inside])) >= k:
            high = middle
        else:
            low = middle + 1
    return exactly(graph, tree.cut(low), k)
