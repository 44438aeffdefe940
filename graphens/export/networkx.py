"""networkx graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.graph import Graph
from ..errors import InputError
from .annotate import Given, vertex_columns
from .incoming import assembled, check_undirected, vertex_fields

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(graph: Graph, *, names: bool = False, consensus: Given | None = None) -> nx.Graph[Any]:
    """Return a `networkx.Graph`.

    Parameters
    ----------
    graph
        Any graph.
    names
        Whether the nodes are the names of the vertices, which must all be different; otherwise they are 0 … n − 1.
    consensus
        A Consensus; vertices get its cluster and confidence.

    Returns
    -------
    networkx.Graph
        Vertices have `name`, `role` ("object" or "cluster"), `weight`, `bipartite` (0 objects, 1 clusters, for the
        bipartite algorithms of networkx) and, with a consensus, `cluster` and `confidence`; edges have `weight`; the
        graph has `kind`.

    Notes
    -----
    O(n + E) time and about 350 bytes per edge, because networkx stores dictionaries. Edges are passed as tuples, which
    is twice as fast as a SciPy matrix.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.bipartite([[0, 0], [0, 1]]).to_networkx()
    >>> g.nodes[0], g.edges[0, 2]
    ({'name': 'x0', 'role': 'object', 'weight': 1.0, 'bipartite': 0}, {'weight': 1.0})
    >>> list(ge.bipartite([[0], [0]]).to_networkx(names=True))
    ['x0', 'x1', 'P0:0']
    """
    import networkx as nx

    made = nx.Graph(kind=graph.kind)
    columns = vertex_columns(graph, consensus) | {"name": list(graph.names)}
    nodes: Any = columns["name"] if names else range(graph.n_vertices)
    if names and (len(set(nodes)) < len(nodes) or None in nodes):
        why = "one of the vertices is called None" if None in nodes else "some vertices share a name"
        raise InputError(f"names=True was given, but {why}; rename the vertices, or leave names=True out.")
    keys = tuple(columns)
    rows = zip(*columns.values(), strict=True)
    made.add_nodes_from(
        (node, dict(zip(keys, row, strict=True))) for node, row in zip(nodes, rows, strict=True)
    )
    source, target, weight = (ends.tolist() for ends in graph.edges())
    if names:
        source, target = ([nodes[i] for i in ends] for ends in (source, target))
    made.add_weighted_edges_from(zip(source, target, weight, strict=True))
    return made


def from_networkx(made: Any, *, weight: str = "weight", symmetrize: bool = False) -> Graph:
    """Return a Graph of a networkx graph; see `Graph.from_networkx`."""
    check_undirected(directed=made.is_directed(), symmetrize=symmetrize)
    nodes = list(made)
    place = {node: i for i, node in enumerate(nodes)}
    keys = {key for _, data in made.nodes(data=True) for key in data}
    columns = {key: [data.get(key) for _, data in made.nodes(data=True)] for key in keys}
    edges = [(place[a], place[b], value) for a, b, value in made.edges(data=weight, default=1.0)]
    fields = vertex_fields(columns, nodes)
    return assembled(edges, fields, len(nodes), made.graph.get("kind"))
