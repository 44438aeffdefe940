"""GraphML, read by networkx, igraph, Gephi, Cytoscape and yEd."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from .._lib.files import atomic
from ..graphs.graph import Graph
from ._text import NOT_IN_XML, parsing, without
from .annotate import Given, edge_columns, row_texts, vertex_columns
from .packages import from_igraph

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""
_NAN = re.compile(rb">\s*[+-]?nan\s*<", re.IGNORECASE)
_TYPES = {str: "string", int: "long", float: "double"}


def write_graphml(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a graph as GraphML: names (also as `label`), roles, `bipartite`, all weights and the kind are kept.

    With a consensus, vertices have `cluster` and `confidence`, the `color` of their cluster in all pictures (also
    as `r`, `g` and `b`), `size`, `x` and `y`. Control characters in names, which XML cannot hold, become U+FFFD.
    """
    # networkx takes twenty times as long for a million edges; igraph cuts numbers to 15 digits
    columns = vertex_columns(graph, consensus)
    columns["name"] = without(NOT_IN_XML, "\ufffd", columns["name"], "GraphML")
    columns["label"] = columns["name"]
    if consensus is not None:
        from ..plot.layouts import looks  # the one palette of all pictures

        columns |= looks(graph, np.array(columns["cluster"]))
    with atomic(path, text=True) as file:
        file.write(_HEAD)
        source, target, values = edge_columns(graph)
        file.write('<key id="kind" for="graph" attr.name="kind" attr.type="string"/>\n')
        for part, prefix, lists in (("node", "", columns), ("edge", "edge_", values)):
            for name, cells in lists.items():
                kind = _TYPES[type(cells[0])] if cells else "string" if part == "node" else "double"
                file.write(f'<key id="{prefix}{name}" for="{part}" attr.name="{name}" attr.type="{kind}"/>\n')
        file.write(f'<graph edgedefault="undirected">\n  <data key="kind">{_text(graph.kind)}</data>\n')
        file.writelines(f'  <node id="{i}">{data}</node>\n' for i, data in enumerate(row_texts(columns, _data)))
        edges = zip(source, target, row_texts({f"edge_{name}": values[name] for name in values}, _data), strict=True)
        file.writelines(f'  <edge source="{i}" target="{j}">{data}</edge>\n' for i, j, data in edges)
        file.write("</graph>\n</graphml>\n")


def read_graphml(path: str | Path, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Read GraphML through igraph; vertices without `name` or `label` are named by their ids."""
    import igraph

    with parsing(path, "GraphML"):
        network = igraph.Graph.Read_GraphML(str(path))
        named = {"name", "label"} & set(network.vs.attributes())
        ids = network.vs["id"] if "id" in network.vs.attributes() else []
        if not named and ids != [f"n{i}" for i in range(len(ids))]:  # igraph's own ids are numbers
            network.vs["name"] = ids
        if weight in network.es.attributes() and not _NAN.search(Path(path).read_bytes()):
            # igraph says NaN of an edge without a weight, which weighs 1 as in other formats
            network.es[weight] = [1.0 if value != value else value for value in network.es[weight]]
        return from_igraph(network, weight=weight, symmetrize=symmetrize)


def _data(key: str, value: str | float) -> str:
    return f'<data key="{key}">{_text(value) if isinstance(value, str) else repr(value)}</data>'


def _text(text: str) -> str:
    """Text escaped for XML, including carriage returns, which would otherwise be read as line feeds."""
    return escape(NOT_IN_XML.sub("\ufffd", text), {"\r": "&#13;"})
