"""igraph graphs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from .._arrays import AnyArray
from ..core.graph import CLUSTER, ROLES, Graph

_AT_ONCE = 4096  # pairs of Python integers alive at a time: small enough for the processor's cache


def to_igraph(graph: Graph) -> Any:
    """Return an `igraph.Graph` with the vertices 0 … n − 1.

    Parameters
    ----------
    graph
        Any graph.

    Returns
    -------
    igraph.Graph
        Vertices carry `name`, `role` ("object" or "cluster"), `weight`, `bipartite` (0 objects, 1 clusters) and, where
        both occur, `type` (the same as a truth value, as igraph's bipartite functions read it); edges carry `weight`;
        the graph carries `kind`.

    Notes
    -----
    O(n + E). Edges go in as a stream of pairs: igraph took three times as long with a NumPy array of them.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.bipartite([[0, 0], [0, 1]]).to_igraph()
    >>> g.vcount(), g.ecount(), g.vs[4]["name"], g.vs["type"]
    (5, 4, 'P1:1', [False, False, True, True, True])
    """
    import igraph

    source, target, weight = graph.edges()
    made = igraph.Graph(graph.n_vertices, _pairs(source, target))
    made["kind"] = graph.kind
    made.vs["name"] = list(graph.names)
    made.vs["role"] = _shared(graph.roles, ROLES)
    made.vs["bipartite"] = _shared(graph.roles, (0, 1))
    if len(np.unique(graph.roles)) > 1:  # igraph takes any graph with this attribute for a bipartite one
        made.vs["type"] = (graph.roles == CLUSTER).tolist()
    made.vs["weight"] = graph.vertex_weights.tolist()
    made.es["weight"] = weight.tolist()
    return made


def _pairs(source: AnyArray, target: AnyArray) -> Iterator[tuple[int, int]]:
    pieces = (slice(start, start + _AT_ONCE) for start in range(0, source.size, _AT_ONCE))
    return chain.from_iterable(zip(source[at].tolist(), target[at].tolist(), strict=True) for at in pieces)


def _shared(codes: AnyArray, values: tuple[Any, Any]) -> list[Any]:
    """The value of each code as a list that holds the same few objects over and over."""
    found: list[Any] = np.array(values, dtype=object)[codes].tolist()
    return found
