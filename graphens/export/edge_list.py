"""Edge lists as tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..core.graph import ROLES, Graph
from ._text import identifiers, loss
from .tables import write_table


def write_edge_list(graph: Graph, path: str | Path) -> None:
    """Write the edges as a table (.csv, .tsv, .parquet): source, target, weight, source_role, target_role.

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
    roles = np.array(ROLES, dtype=object)[graph.roles]
    ends = {"source": names[source], "target": names[target], "weight": weight}
    write_table(ends | {"source_role": roles[source], "target_role": roles[target]}, path)
