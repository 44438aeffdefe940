"""Pajek networks. networkx's writer loses numbers and trips over quotes, so the few lines are our own."""

from __future__ import annotations

import re
from pathlib import Path

from ..core.graph import ROLES, Graph
from ._atomic import atomic
from ._text import without

_SHAPES = ("ellipse", "box")
_UNHELD = re.compile(r'["\\]|[\x00-\x1f\x7f-\x9f\u2028\u2029]')


def write_pajek(graph: Graph, path: str | Path) -> None:
    """Write a graph as a Pajek network (.net), vertices numbered from 1.

    Names are the labels, edge weights the edge values. Pajek has no place for the rest, so objects are ellipses and
    clusters boxes, and `role`, `weight` and `bipartite` follow as further parameters of a vertex, which networkx
    and igraph read as text. A label cannot hold double quotes, backslashes or line breaks: they become ', / and a
    space. networkx tells vertices apart by label and joins those with the same one; Pajek and igraph go by number.
    """
    names = without(
        _UNHELD, lambda found: {'"': "'", "\\": "/"}.get(found[0], " "), list(graph.names), "a Pajek label"
    )
    roles, weights = graph.roles.tolist(), graph.vertex_weights.tolist()
    source, target, weight = graph.edges()
    with atomic(path, text=True) as file:
        file.write(f"*Vertices {graph.n_vertices}\n")
        file.writelines(
            f'{i} "{name}" 0.0 0.0 {_SHAPES[role]} role {ROLES[role]} weight {heavy!r} bipartite {role}\n'
            for i, (name, role, heavy) in enumerate(zip(names, roles, weights, strict=True), start=1)
        )
        file.write("*Edges\n")
        file.writelines(
            f"{i} {j} {strong!r}\n"
            for i, j, strong in zip(
                (source + 1).tolist(), (target + 1).tolist(), weight.tolist(), strict=True
            )
        )
