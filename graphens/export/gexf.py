"""GEXF, Gephi's own format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .._lib.files import atomic
from ..graphs.graph import Graph
from ._text import NOT_IN_XML, parsing, without
from .annotate import Given
from .packages import from_networkx, to_networkx


def write_gexf(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a graph as GEXF: names (also as `label`, which Gephi shows), roles, `bipartite` and all weights are kept.

    The kind of the graph is not. With a consensus, vertices have `cluster` and `confidence`, the color of their cluster
    in all pictures, a size and a position. Control characters in names, which XML cannot hold, become U+FFFD.
    """
    import networkx as nx

    network = nx.convert_node_labels_to_integers(to_networkx(graph, consensus=consensus))
    network.graph.clear()
    look = None
    if consensus is not None:
        from ..plot.layouts import looks  # the one palette of all pictures

        look = looks(graph, np.array([data["cluster"] for _, data in network.nodes(data=True)]))
    write_networkx(network, graph.names.texts(), look, path, "gexf")


def write_networkx(
    network: Any, names: Sequence[str], look: Mapping[str, list[Any]] | None, path: str | Path, kind: str
) -> None:
    """Write a networkx graph with the vertices 0 … n − 1 as "gexf" or "graphml", with names and the columns of `looks`.

    In GEXF the color, size and position of a vertex are where Gephi reads them.
    """
    import networkx as nx

    for node, name in enumerate(without(NOT_IN_XML, "\ufffd", names, kind)):
        network.nodes[node].update(name=name, label=name)
    columns = look or {}
    for node, row in enumerate(zip(*columns.values(), strict=True)):
        cells = dict(zip(columns, row, strict=True))
        if kind == "gexf":
            shade = {name: cells[name] for name in "rgb"} | {"a": 1.0}
            place = {name: cells[name] for name in "xy"} | {"z": 0.0}
            cells = {"viz": {"color": shade, "size": cells["size"], "position": place}}
        network.nodes[node].update(cells)
    with atomic(path) as file:
        getattr(nx, f"write_{kind}")(network, file)


def read_gexf(path: str | Path, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Read GEXF through networkx."""
    import networkx as nx

    with parsing(path, "GEXF"):
        return from_networkx(nx.read_gexf(path), weight=weight, symmetrize=symmetrize)
