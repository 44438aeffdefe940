"""GraphML, read by networkx, igraph, Gephi, Cytoscape and yEd."""

from __future__ import annotations

from pathlib import Path

from ..core.graph import Graph
from ._atomic import atomic
from ._text import NOT_IN_XML, without
from .networkx import to_networkx


def write_graphml(graph: Graph, path: str | Path) -> None:
    """Write a graph as GraphML: names, roles, `bipartite` and all weights are kept.

    Control characters in names, which XML cannot hold, become U+FFFD.
    """
    import networkx as nx

    made = to_networkx(graph, names=without(NOT_IN_XML, "\ufffd", list(graph.names), "GraphML"))
    with atomic(path) as file:
        nx.write_graphml(made, file)
