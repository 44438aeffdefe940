"""Edge lists as tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.graph import ROLES, Graph
from ..errors import InputError
from ._text import identifiers, loss
from .answer import Given, on_graph
from .incoming import assembled, vertex_fields
from .reading import parsing
from .tables import as_number, read_table, write_table


def write_edge_list(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write the edges as a table (.csv, .tsv, .parquet): source, target, weight, source_role, target_role.

    With a consensus the columns source_cluster, target_cluster, source_confidence and target_confidence follow.

    Vertices go by name. Vertex weights are not held, nor vertices without edges: a warning counts these. Vertices
    that share a name cannot be told apart by it: then source and target are the numbers 0, 1, …, with a warning.
    """
    source, target, weight = graph.edges()
    lonely = graph.n_vertices - np.unique(np.concatenate([source, target])).size
    if lonely:
        loss(
            f"{lonely} of {graph.n_vertices} vertices have no edge and are left out: an edge list cannot hold them."
        )
    names = np.array(identifiers(graph.names), dtype=object)
    if names.size and not isinstance(names[0], str):
        loss("Some vertices share a name; the edge list has their numbers (0, 1, …) instead of names.")
    shown = {"role": np.array(ROLES, dtype=object)[graph.roles]}
    if consensus is not None:
        placed = on_graph(graph, consensus)
        shown |= {"cluster": placed.cluster, "confidence": placed.confidence}
    ends = {"source": names[source], "target": names[target], "weight": weight}
    for key, values in shown.items():
        ends |= {f"source_{key}": values[source], f"target_{key}": values[target]}
    write_table(ends, path)


def read_edge_list(path: str | Path) -> Graph:
    """Read a table with the columns source, target and, where there are any, weight, source_role and target_role.

    Vertices stand in the order in which the sources, then the targets name them first.
    """
    with parsing(path, "an edge list"):
        table = read_table(path, strip=False)
        lacking = {"source", "target"} - set(table)
        if lacking:
            raise InputError(f"it has no column {', '.join(sorted(lacking))}; expected source and target.")
        ends = [str(name) for name in (*table["source"], *table["target"])]
        place = {name: i for i, name in enumerate(dict.fromkeys(ends))}
        index = [place[name] for name in ends]
        m = len(ends) // 2
        weight = [as_number(cell) for cell in table.get("weight", [1.0] * m)]
        roles = dict(zip(ends, (*table.get("source_role", ()), *table.get("target_role", ())), strict=False))
        fields = vertex_fields({"role": [roles.get(name) for name in place]}, list(place))
        return assembled(list(zip(index[:m], index[m:], weight, strict=True)), fields, len(place))
