"""GML, read by networkx, igraph, Gephi, Cytoscape and yEd."""

from __future__ import annotations

import re
from pathlib import Path

from .._lib.files import atomic
from ..graphs.graph import Graph
from ._text import identifiers, parsing
from .annotate import Given, edge_columns, row_texts, vertex_columns
from .packages import from_networkx

_KEYS = {"differing_loci": "differingloci"}  # of edges: letters and digits only
_ESCAPED = re.compile('[^ -~]|[&"]')


def write_gml(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a graph as GML: names, roles, `bipartite`, all weights and the kind are kept.

    A vertex's `label`, by which networkx tells vertices apart, is its name where all names differ and its number
    where they do not; `name` is always its name. With a consensus vertices have `cluster` and `confidence`. The file
    is ASCII, other characters are escaped.
    """
    # networkx takes ten times as long for a million edges; igraph cuts numbers to 15 digits and writes no ASCII
    labels = {"label": [str(label) for label in identifiers(graph.names)]}
    with atomic(path, text=True) as file:
        file.write(f"graph [\n  kind {_value(graph.kind)}\n")
        for i, data in enumerate(row_texts(labels | vertex_columns(graph, consensus), _line)):
            file.write(f"  node [\n    id {i}\n{data}  ]\n")
        source, target, values = edge_columns(graph)
        for i, j, data in zip(source, target, row_texts(values, _line), strict=True):
            file.write(f"  edge [\n    source {i}\n    target {j}\n{data}  ]\n")
        file.write("]\n")


def read_gml(path: str | Path, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Read GML through networkx, which decodes every escaped character."""
    import networkx as nx

    with parsing(path, "GML"):
        return from_networkx(nx.read_gml(path, label="id"), weight=weight, symmetrize=symmetrize)


def _line(name: str, value: str | float) -> str:
    return f"    {_KEYS.get(name, name)} {_value(value)}\n"


def _value(value: str | float) -> str:
    """Text in quotes and escaped; numbers in full precision, real numbers with a decimal point."""
    if isinstance(value, str):
        return '"' + _ESCAPED.sub(lambda found: f"&#{ord(found[0])};", value) + '"'
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text
