"""networkx graphs."""

from __future__ import annotations

from typing import Any

from ..core.graph import ROLES, Graph


def to_networkx(graph: Graph, *, names: list[str] | None = None) -> Any:
    """Return a `networkx.Graph` with the vertices 0 … n − 1.

    Parameters
    ----------
    graph
        Any graph.
    names
        Other names for the vertices than their own.

    Returns
    -------
    networkx.Graph
        Vertices carry `name`, `role` ("object" or "cluster"), `weight` and `bipartite` (0 objects, 1 clusters, as
        networkx's bipartite algorithms read it); edges carry `weight`; the graph carries `kind`.

    Notes
    -----
    O(n + E) time, some 350 bytes for each edge: networkx keeps dictionaries. Edges go in as tuples, which is twice
    as fast as from a SciPy matrix.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.bipartite([[0, 0], [0, 1]]).to_networkx()
    >>> g.nodes[0], g.edges[0, 2]
    ({'name': 'x0', 'role': 'object', 'weight': 1.0, 'bipartite': 0}, {'weight': 1.0})
    """
    import networkx as nx

    made = nx.Graph(kind=graph.kind)
    shown = list(graph.names) if names is None else names
    roles, weights = graph.roles.tolist(), graph.vertex_weights.tolist()
    made.add_nodes_from(
        (i, {"name": name, "role": ROLES[role], "weight": weight, "bipartite": role})
        for i, (name, role, weight) in enumerate(zip(shown, roles, weights, strict=True))
    )
    source, target, weight = graph.edges()
    made.add_weighted_edges_from(zip(source.tolist(), target.tolist(), weight.tolist(), strict=True))
    return made
