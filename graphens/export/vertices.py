"""What a vertex carries into every outside form, in one place."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import AnyArray
from ..core.graph import ROLES, Graph
from .answer import Given, on_graph


def vertex_columns(graph: Graph, consensus: Given | None = None) -> dict[str, list[Any]]:
    """Return the attributes of the vertices by name, plain Python values in the vertices' order.

    `name` (as text), `role` ("object" or "cluster"), `weight`, `bipartite` (0 objects, 1 clusters) and, with a
    consensus, `cluster` (−1 for none) and `confidence`.
    """
    columns = {
        "name": graph.names.texts(),
        "role": shared(graph.roles, ROLES),
        "weight": graph.vertex_weights.tolist(),
        "bipartite": shared(graph.roles, (0, 1)),
    }
    return columns if consensus is None else columns | on_graph(graph, consensus).columns()


def shared(codes: AnyArray, values: tuple[Any, Any]) -> list[Any]:
    """Return the value of each code as a list that holds the same few objects over and over."""
    found: list[Any] = np.array(values, dtype=object)[codes].tolist()
    return found
