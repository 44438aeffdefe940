"""GML, read by networkx, igraph, Gephi, Cytoscape and yEd."""

from __future__ import annotations

from pathlib import Path

from ..core.graph import Graph
from ._atomic import atomic
from ._text import identifiers
from .networkx import to_networkx


def write_gml(graph: Graph, path: str | Path) -> None:
    """Write a graph as GML: names, roles, `bipartite` and all weights are kept.

    A vertex's `label`, by which networkx tells vertices apart, is its name where all names differ and its number
    where they do not; `name` is always its name. The file is ASCII, other characters are escaped.
    """
    import networkx as nx

    made = nx.relabel_nodes(to_networkx(graph), dict(enumerate(identifiers(graph.names))))
    with atomic(path) as file:
        nx.write_gml(made, file)
