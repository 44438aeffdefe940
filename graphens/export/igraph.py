"""igraph graphs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import AnyArray, of_kind
from ..graphs.graph import CLUSTER, Graph
from .annotate import Given, edge_columns, vertex_columns
from .incoming import assembled, check_undirected, edge_weights, vertex_fields

if TYPE_CHECKING:
    import igraph as ig

_AT_ONCE = 4096  # pairs of Python integers alive at a time: small enough for the processor's cache


def to_igraph(graph: Graph, *, consensus: Given | None = None) -> ig.Graph:
    """Return an igraph graph with the vertices 0 … n − 1, see `Graph.to_igraph`. O(n + E)."""
    import igraph

    source, target, _ = graph.edges()
    network = igraph.Graph(graph.n_vertices, _pairs(source, target))  # three times slower with a NumPy array
    network["kind"] = graph.kind
    for name, values in (vertex_columns(graph, consensus) | {"name": list(graph.names)}).items():
        network.vs[name] = values
    if len(np.unique(graph.roles)) > 1:  # igraph takes any graph with this attribute for a bipartite one
        network.vs["type"] = (graph.roles == CLUSTER).tolist()
    for name, column in edge_columns(graph)[2].items():
        network.es[name] = column
    return network


def from_igraph(network: Any, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Return a Graph of an igraph graph; see `Graph.from_igraph`."""
    import igraph

    of_kind("graph", network, igraph.Graph, "a graph of igraph; Graph.of takes those of other packages")
    check_undirected(directed=network.is_directed(), symmetrize=symmetrize)
    columns = {key: network.vs[key] for key in network.vs.attributes()}
    attributes: set[str] = set(network.es.attributes())
    wanted = attributes & {weight} or attributes
    weights = edge_weights({key: network.es[key] for key in wanted}, weight, network.ecount())
    edges = np.column_stack([np.array(network.get_edgelist(), dtype=object).reshape(-1, 2), weights])
    numbers = list(range(network.vcount()))
    kind = network["kind"] if "kind" in network.attributes() else None
    return assembled(edges, vertex_fields(columns, numbers), network.vcount(), kind)


def _pairs(source: AnyArray, target: AnyArray) -> Iterator[tuple[int, int]]:
    pieces = (slice(start, start + _AT_ONCE) for start in range(0, source.size, _AT_ONCE))
    return chain.from_iterable(zip(source[at].tolist(), target[at].tolist(), strict=True) for at in pieces)
