"""GEXF, Gephi's own format."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..core.graph import Graph
from ._atomic import atomic
from ._text import NOT_IN_XML, without
from .annotate import Given
from .networkx import from_networkx, to_networkx
from .reading import parsing


def write_gexf(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a graph as GEXF: names (also as `label`, which Gephi shows), roles, `bipartite` and all weights are kept.

    The kind of the graph is not. With a consensus vertices have `cluster` and `confidence`, and the color their cluster
    has in every picture. Control characters in names, which XML cannot hold, become U+FFFD.
    """
    import networkx as nx

    made = to_networkx(graph, consensus=consensus)
    names = dict(enumerate(without(NOT_IN_XML, "\ufffd", graph.names.texts(), "GEXF")))
    nx.set_node_attributes(made, names, "name")
    nx.set_node_attributes(made, names, "label")
    made.graph.clear()
    paint(made)
    with atomic(path) as file:
        nx.write_gexf(made, file)


def paint(made: Any, places: Mapping[Any, Any] | None = None) -> None:
    """Give the vertices of a networkx graph that have a cluster its color, a size and, where known, a place.

    Gephi reads all three. Vertices that stand for clusters of the ensemble are larger.
    """
    from ..plot.colors import color  # the one palette of all pictures

    for node, data in made.nodes(data=True):
        if data.get("cluster") is not None:
            red, green, blue = bytes.fromhex(color(int(data["cluster"]))[1:])
            size = 20.0 if data.get("role") == "cluster" else 10.0
            data["viz"] = {"color": {"r": red, "g": green, "b": blue, "a": 1.0}, "size": size}
            at = np.asarray((places or {}).get(node, ()))
            if at.shape in {(2,), (3,)} and at.dtype.kind in "iuf" and np.isfinite(at).all():
                data["viz"]["position"] = dict(zip("xyz", [*at.tolist(), 0.0], strict=False))


def read_gexf(path: str | Path, *, symmetrize: bool = False) -> Graph:
    """Read GEXF through networkx."""
    import networkx as nx

    with parsing(path, "GEXF"):
        return from_networkx(nx.read_gexf(path), symmetrize=symmetrize)
