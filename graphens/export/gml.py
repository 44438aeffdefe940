"""GML, read by networkx, igraph, Gephi, Cytoscape and yEd."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .._lib.files import atomic
from ..graphs.graph import Graph
from ._text import identifiers
from .annotate import Given, edge_columns, vertex_columns
from .networkx import from_networkx
from .reading import parsing

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
        file.writelines(_nodes(labels | vertex_columns(graph, consensus)))
        source, target, values = edge_columns(graph)
        names = [name.replace("_", "") for name in values]  # letters and digits only
        for i, j, *row in zip(source, target, *values.values(), strict=True):
            data = "".join(f"    {name} {_value(value)}\n" for name, value in zip(names, row, strict=True))
            file.write(f"  edge [\n    source {i}\n    target {j}\n{data}  ]\n")
        file.write("]\n")


def read_gml(path: str | Path, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Read GML through networkx, which decodes every escaped character."""
    import networkx as nx

    with parsing(path, "GML"):
        return from_networkx(nx.read_gml(path, label="id"), weight=weight, symmetrize=symmetrize)


def _nodes(columns: dict[str, list[Any]]) -> Iterator[str]:
    shown = [[f"    {name} {_value(value)}\n" for value in values] for name, values in columns.items()]
    for i, lines in enumerate(zip(*shown, strict=True)):
        yield f"  node [\n    id {i}\n{''.join(lines)}  ]\n"


def _value(value: str | float) -> str:
    """Text in quotes and escaped; numbers in full precision, real numbers with a decimal point."""
    if isinstance(value, str):
        return '"' + _ESCAPED.sub(lambda found: f"&#{ord(found[0])};", value) + '"'
    text = repr(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text
