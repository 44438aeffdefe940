"""GEXF, Gephi's own format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..graphs.graph import Graph
from ._atomic import atomic
from ._text import NOT_IN_XML, without
from .annotate import Given
from .networkx import from_networkx, to_networkx
from .reading import parsing


def write_gexf(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a graph as GEXF: names (also as `label`, which Gephi shows), roles, `bipartite` and all weights are kept.

    The kind of the graph is not. With a consensus, vertices have `cluster` and `confidence`, the color of their cluster
    in all pictures, a size and a position. Control characters in names, which XML cannot hold, become U+FFFD.
    """
    import networkx as nx

    made = nx.convert_node_labels_to_integers(to_networkx(graph, consensus=consensus))
    names = dict(enumerate(without(NOT_IN_XML, "\ufffd", graph.names.texts(), "GEXF")))
    nx.set_node_attributes(made, names, "name")
    nx.set_node_attributes(made, names, "label")
    made.graph.clear()
    if consensus is not None:
        from ..plot.layouts import looks  # the one palette of all pictures

        paint(made, looks(graph, np.array([data["cluster"] for _, data in made.nodes(data=True)])))
    with atomic(path) as file:
        nx.write_gexf(made, file)


def paint(made: Any, look: Mapping[str, list[Any]]) -> None:
    """Give the vertices of a networkx graph the color, size and position of `looks`, which Gephi reads."""
    columns = zip(*(look[name] for name in ("r", "g", "b", "size", "x", "y")), strict=True)
    for (_, data), (red, green, blue, size, x, y) in zip(made.nodes(data=True), columns, strict=True):
        shade = {"r": red, "g": green, "b": blue, "a": 1.0}
        data["viz"] = {"color": shade, "size": size, "position": {"x": x, "y": y, "z": 0.0}}


def read_gexf(path: str | Path, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Read GEXF through networkx."""
    import networkx as nx

    with parsing(path, "GEXF"):
        return from_networkx(nx.read_gexf(path), weight=weight, symmetrize=symmetrize)
