"""networkx graphs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .._lib.arrays import of_kind
from ..graphs.graph import Graph
from .annotate import Given, edge_columns, vertex_columns
from .incoming import assembled, check_undirected, edge_weights, vertex_fields

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(graph: Graph, *, consensus: Given | None = None) -> nx.Graph[Any]:
    """Return a networkx graph, see `Graph.to_networkx`. O(n + E), about 350 bytes per edge."""
    import networkx as nx

    network = nx.Graph(kind=graph.kind)
    nodes = nodes_called(graph.names)
    columns = vertex_columns(graph, consensus) | {"name": list(graph.names)}
    keys = tuple(columns)
    rows = zip(*columns.values(), strict=True)
    network.add_nodes_from((node, dict(zip(keys, row, strict=True))) for node, row in zip(nodes, rows, strict=True))
    source, target, values = edge_columns(graph)  # as tuples: twice as fast as a SciPy matrix
    ends = [[nodes[i] for i in side] for side in (source, target)]
    for key, column in values.items():
        network.add_weighted_edges_from(zip(*ends, column, strict=True), weight=key)
    return network


def nodes_called(names: Iterable[Any], more: Iterable[int] = ()) -> list[Any]:
    """Return the names and then more nodes, with numbers in place of names that are not all different."""
    named, others = list(names), list(more)
    clear = len({*named, *others}) == len(named) + len(others) and None not in named  # networkx has no node None
    return [*(named if clear else range(len(named))), *others]


def from_networkx(network: Any, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Return a Graph of a networkx graph; see `Graph.from_networkx`."""
    import networkx as nx

    of_kind("graph", network, nx.Graph, "a graph of networkx; Graph.of takes those of other packages")
    check_undirected(directed=network.is_directed(), symmetrize=symmetrize)
    nodes = list(network)
    place = {node: i for i, node in enumerate(nodes)}
    keys = {key for _, data in network.nodes(data=True) for key in data}
    columns = {key: [data.get(key) for _, data in network.nodes(data=True)] for key in keys}
    ends = [(place[a], place[b], data) for a, b, data in network.edges(data=True)]
    attributes: set[str] = {key for *_, data in ends for key in data}
    wanted = attributes & {weight} or attributes
    weights = edge_weights({key: [data.get(key) for *_, data in ends] for key in wanted}, weight, len(ends))
    edges = [(a, b, value) for (a, b, _), value in zip(ends, weights, strict=True)]
    fields = vertex_fields(columns, nodes)
    return assembled(edges, fields, len(nodes), network.graph.get("kind"))
