"""Ensembles over the vertices of a network: the network in the ensemble's order, co-association on its edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.matrices import tidy
from ..errors import InputError
from .coassociation import CoassociationGraph
from .neighbors import mirrored, pair_similarities


def as_network(G: Any, e: Ensemble, name: str = "G") -> Graph:
    """Return a network with its vertices in the order of the objects: by their names, or as they come without names."""
    graph = Graph.of(G)
    if graph.n_vertices != e.n_objects:
        raise InputError(
            f"{name} has {graph.n_vertices} vertices and the partitions have {e.n_objects} objects; expected one "
            "vertex for each object, those without any label included."
        )
    if e.object_names is None or graph.names.numbered:
        return graph
    if graph.names.agree(e.vertex_names()):
        return graph
    places = graph.names.places(e.vertex_names())
    if None in places or len(set(places)) < len(places):
        said = "two of its vertices share a name"
        if None in places:
            said = f"{e.vertex_names()[places.index(None)]!r} is not a vertex of it"
        raise InputError(
            f"The vertices of {name} cannot be matched with the objects by name: {said}. "
            "Give the same names, or leave the names of the objects out."
        )
    return graph.subgraph(np.array(places, dtype=np.int64))


def on_edges(graph: CoassociationGraph, network: Graph) -> Graph:
    """Return the co-association on the edges of a network only; edges never together are absent. O(mB)."""
    source, target, _ = network.edges()
    low, high = np.minimum(source, target).astype(np.int64), np.maximum(source, target).astype(np.int64)
    matrix = tidy(mirrored(low, high, pair_similarities(graph, low, high), network.n_vertices))
    return Graph._trusted(matrix, graph, kind=f"{graph.kind} on a network")
