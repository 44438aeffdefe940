"""The pictures of a consensus, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import draw, of_kind, one_of
from ..errors import InputError
from ..export.annotate import objects_at
from ..graphs.affinity import affinity_of
from ..graphs.bipartite import bipartite
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..result.consensus import Consensus
from .cluster_maps import ClusterMapDisplay
from .display import Display, draw_display
from .flows import FlowDisplay
from .graphs import HYPEREDGES, GraphDisplay, HypergraphDisplay
from .heatmap import CoassociationDisplay, object_tree
from .object_pictures import ConfidenceDisplay, FrequencyDisplay, MapDisplay, ScatterDisplay
from .trees import DendrogramDisplay

_LINKED = 300  # objects of a tree that the method did not make


def _scatter(r: Consensus, X: Any = None) -> Display:
    if X is None:
        raise InputError(
            "A scatter picture places objects by their features, but none were given; expected X=X (on the command "
            "line: --features). Without features, a picture of the kind 'map' places the objects by their "
            "co-association."
        )
    return ScatterDisplay.from_consensus(r, X)


def graph_of(
    r: Consensus, what: str | None = None, *, X: Any = None, most: int = 300, edges: int = 1500, seed: int = 0
) -> Display:
    """Return the graph that the method used, or the network of the communities; of many vertices, a map of clusters.

    `what` may be ``"clusters"`` or ``"bipartite"``, to have the map of clusters, or the graph of objects and base
    clusters, at any size.
    """
    if what is not None:
        one_of("what", what, ("clusters", "bipartite"))
    if not r.k:
        raise InputError("No object has a label, so there is no graph to draw.")
    graph, labels, objects = r.graph, r.vertex_labels, objects_at(r)
    if what == "bipartite" and (not isinstance(graph, Graph) or graph.kind != "bipartite"):
        graph, objects = bipartite(r.ensemble), None
        of_clusters = affinity_of(r).table.argmax(axis=1)
        labels = np.append(r.labels, np.asarray(of_clusters).ravel())
    many = graph.n_vertices > most if isinstance(graph, Graph) else graph.n_hyperedges > HYPEREDGES
    if what == "clusters" or (what is None and X is None and many):
        return ClusterMapDisplay.from_consensus(r)
    if isinstance(graph, Hypergraph):
        return HypergraphDisplay.from_hypergraph(graph, labels)
    network = None if r.network is None or what else r._network_graph()  # its edges between communities are in no run
    return GraphDisplay.from_graph(
        graph, labels, X, network=network, objects=objects, most=most, edges=edges, seed=seed
    )


def _tree(r: Consensus, k: int | None = None, *, labels: ArrayLike | None = None, most: int = 40) -> Display:
    if r.dendrogram is None:
        return average_link_tree(r, k, labels=labels, most=most)
    fits = r.dendrogram.n_objects == len(r.labels)
    labels = np.asarray(r.labels) if labels is None and fits else labels
    return DendrogramDisplay.from_dendrogram(r.dendrogram, r.k if k is None else k, labels, most)


def average_link_tree(
    r: Consensus, k: int | None = None, *, labels: ArrayLike | None = None, most: int = 40
) -> DendrogramDisplay:
    """Return the average-link tree of the objects, at most 300 random ones, for a method without a tree of its own."""
    objects = np.flatnonzero(r.labels >= 0)
    objects = objects[draw(len(objects), _LINKED, 0)]
    tree = object_tree(r, objects)
    shown = r.labels[objects] if labels is None else np.asarray(labels)[objects]
    display = DendrogramDisplay.from_dendrogram(tree, len(np.unique(shown)) if k is None else k, shown, most)
    display.whole = len(r.labels)
    return display


KINDS: dict[str, Callable[..., Display]] = {
    "heatmap": CoassociationDisplay.from_consensus,
    "confidence": ConfidenceDisplay.from_consensus,
    "graph": graph_of,
    "tree": _tree,
    "map": MapDisplay.from_consensus,
    "scatter": _scatter,
    "flow": FlowDisplay.from_consensus,
    "frequencies": FrequencyDisplay.from_consensus,
}


def with_names(display: Any, r: Consensus) -> Any:
    """Return the display with the names of the clusters of a consensus."""
    display.cluster_names = r._own_names
    return display


def draw_consensus(r: Consensus, kind: str = "heatmap", ax: Any = None, **options: Any) -> Display:
    """Draw one of the pictures of a consensus and return its display; see `Consensus.plot`."""
    one_of("kind", kind, KINDS)
    names = of_kind("r", r, Consensus)._own_names
    return draw_display(KINDS[kind], r, ax=ax, cluster_names=names, **options)
