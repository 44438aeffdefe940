"""The pictures of a consensus, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from .._arrays import one_of
from ..core.hypergraph import Hypergraph
from ..core.result import Consensus
from ..errors import InputError
from .display import Display
from .flows import FlowDisplay
from .graphs import GraphDisplay, HypergraphDisplay
from .heatmap import CoassociationDisplay
from .object_pictures import ConfidenceDisplay, FrequencyDisplay, ScatterDisplay
from .trees import DendrogramDisplay


def _scatter(r: Consensus, X: Any = None, **options: Any) -> Display:
    if X is None:
        raise InputError(
            "A scatter picture needs features to place the objects by: r.plot('scatter', X=X). Without features, "
            "r.plot('evidence') places the objects by their co-association."
        )
    return ScatterDisplay.from_consensus(r, X, **options)


def _graph(r: Consensus, **options: Any) -> Display:
    if r.graph is None:
        raise InputError(f"{r.method} has no graph to draw; choose another kind of picture.")
    if isinstance(r.graph, Hypergraph):
        return HypergraphDisplay.from_hypergraph(r.graph, r.vertex_labels, **options)
    if r.network is not None and "network" not in options:  # its edges between communities are in no run
        options["network"] = r._network_graph()
    return GraphDisplay.from_graph(r.graph, r.vertex_labels, **options)


def _tree(r: Consensus, **options: Any) -> Display:
    if r.dendrogram is None:
        raise InputError(
            f"{r.method} has no dendrogram to draw. ge.link(ge.coassociation(e), 'average').plot(k={r.k}) draws one of "
            "the same partitions."
        )
    fits = r.dendrogram.n_objects == len(r.labels)
    known = {"labels": np.asarray(r.labels)} if fits else {}
    return DendrogramDisplay.from_dendrogram(r.dendrogram, r.k, **(known | options))


KINDS: dict[str, Callable[..., Display]] = {
    "heatmap": CoassociationDisplay.from_consensus,
    "confidence": ConfidenceDisplay.from_consensus,
    "graph": _graph,
    "tree": _tree,
    "evidence": ScatterDisplay.from_coassociation,
    "scatter": _scatter,
    "flow": FlowDisplay.from_consensus,
    "frequencies": FrequencyDisplay.from_consensus,
}


def named(display: Any, r: Consensus) -> Any:
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
        ``"tree"`` (dendrogram), ``"evidence"`` (co-association scaled to two dimensions), ``"scatter"`` (with ``X=``),
        ``"flow"`` (from base clusterings, ``columns=``, to ``classes=``) or ``"frequencies"`` (of cumulative clusters).
    ax
        Axes to draw on; by default, a new figure.
    **options
        Passed on to the display.
    """
    one_of("kind", kind, KINDS)
    draw = KINDS[kind]
    try:
        inspect.signature(draw).bind(r, **options)
    except TypeError as error:
        raise InputError(f"r.plot({kind!r}, …) cannot take these options: {error}.") from None
    return named(draw(r, **options), r).plot(ax=ax)
