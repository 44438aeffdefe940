"""The pictures of a consensus, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._lib.arrays import call, draw, of_kind, one_of
from ..errors import InputError
from ..export.annotate import objects_at
from ..graphs.coassociation import coassociation
from ..graphs.hypergraph import Hypergraph
from ..result.consensus import Consensus
from ..trees import link
from .display import Display
from .flows import FlowDisplay
from .graphs import GraphDisplay, HypergraphDisplay
from .heatmap import CoassociationDisplay
from .object_pictures import ConfidenceDisplay, FrequencyDisplay, MapDisplay, ScatterDisplay
from .trees import DendrogramDisplay

_LINKED = 300  # objects of a tree that the method did not make


def _scatter(r: Consensus, X: Any = None, **options: Any) -> Display:
    if X is None:
        raise InputError(
            "A scatter picture needs features to place the objects by: r.plot('scatter', X=X). Without features, "
            "r.plot('map') places the objects by their co-association."
        )
    return call("r.plot('scatter')", ScatterDisplay.from_consensus, r, X, **options)


def graph_of(r: Consensus, **options: Any) -> Display:
    """Return the graph that the method used, or the network of the communities, with vertices in color."""
    if not r.k:
        raise InputError("No object has a label, so there is no graph to draw.")
    if isinstance(r.graph, Hypergraph):
        return call("r.plot('graph')", HypergraphDisplay.from_hypergraph, r.graph, r.vertex_labels, **options)
    if r.network is not None and "network" not in options:  # its edges between communities are in no run
        options["network"] = r._network_graph()
    options["objects"] = objects_at(r)
    return call("r.plot('graph')", GraphDisplay.from_graph, r.graph, r.vertex_labels, **options)


def _tree(r: Consensus, **options: Any) -> Display:
    if r.dendrogram is None:
        return call("r.plot('tree')", average_link_tree, r, **options)
    fits = r.dendrogram.n_objects == len(r.labels)
    colors = {"labels": np.asarray(r.labels)} if fits else {}
    return call("r.plot('tree')", DendrogramDisplay.from_dendrogram, r.dendrogram, r.k, **(colors | options))


def average_link_tree(r: Consensus, **options: Any) -> DendrogramDisplay:
    """Return the average-link tree of the objects, at most 300 random ones, for a method without a tree of its own."""
    objects = np.flatnonzero(r.labels >= 0)
    objects = objects[draw(len(objects), _LINKED, 0)]
    tree, labels = link(coassociation(r.ensemble.take(objects=objects)), "average"), r.labels[objects]
    cut: dict[str, Any] = {"k": len(np.unique(labels)), "labels": labels}
    display = DendrogramDisplay.from_dendrogram(tree, **(cut | options))
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
    """Draw one of the pictures of a consensus and return its display.

    Parameters
    ----------
    r
        A consensus.
    kind
        ``"heatmap"`` (co-association in cluster order), ``"confidence"``, ``"graph"`` (the graph that the method used),
        ``"tree"`` (dendrogram), ``"map"`` (objects that are often together are close), ``"scatter"`` (with ``X=``),
        ``"flow"`` (from base clusterings, ``columns=``, to ``classes=``) or ``"frequencies"`` (of cumulative clusters).
    ax
        Axes to draw on; by default, a new figure.
    **options
        Passed on to the display.
    """
    one_of("kind", kind, KINDS)
    make = KINDS[kind]
    return with_names(call(f"r.plot({kind!r})", make, of_kind("r", r, Consensus), **options), r).plot(ax=ax)
