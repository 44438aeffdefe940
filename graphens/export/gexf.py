"""GEXF, Gephi's own format."""

from __future__ import annotations

from pathlib import Path

from ..core.graph import Graph
from ._atomic import atomic
from ._text import NOT_IN_XML, without
from .networkx import to_networkx


def write_gexf(graph: Graph, path: str | Path) -> None:
    """Write a graph as GEXF: names (also as `label`, which Gephi shows), roles, `bipartite` and all weights are kept.

    The kind of the graph is not. Control characters in names, which XML cannot hold, become U+FFFD.
    """
    import networkx as nx

    names = without(NOT_IN_XML, "\ufffd", list(graph.names), "GEXF")
    made = to_networkx(graph, names=names)
    nx.set_node_attributes(made, dict(enumerate(names)), "label")
    with atomic(path) as file:
        nx.write_gexf(made, file)
