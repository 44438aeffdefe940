"""Graphs of networkx and igraph, and what graphs from outside have in common: names, roles and weights."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, of_kind
from ..errors import DoubtWarning, InputError, TypeMismatch, warn
from ..graphs.graph import CLUSTER, ROLES, Graph
from ._text import loss
from .annotate import Given, edge_columns, vertex_columns
from .table_files import Column, is_number

if TYPE_CHECKING:
    import igraph as ig
    import networkx as nx


def check_undirected(*, directed: bool, symmetrize: bool) -> None:
    """Refuse a directed graph unless the weights of its two directions may be added."""
    if directed and not symmetrize:
        raise InputError(
            "A directed graph was given; expected an undirected one. With symmetrize=True (--symmetrize), directions "
            "are ignored and the weights of both directions are added."
        )


def edge_weights(columns: Mapping[str, Column], weight: str | None, n_edges: int) -> list[Any]:
    """Return the weights of the edges from their attributes, 1 where there is none; see `Graph.from_networkx`."""
    if weight is not None and weight in columns:
        return [1.0 if value is None else value for value in columns[weight]]
    if weight not in ("weight", None):
        names = f": {', '.join(map(repr, sorted(columns)))}" if columns else "; they have none"
        raise InputError.about("weight", weight, f"an attribute of the edges{names}")
    others = [name for name, values in columns.items() if weight and name != "id" and _measures(values)]
    if others:
        warn(
            f"The edges have no attribute 'weight' and count the same, although they have numbers in {others[0]!r}. "
            f"Use weight={others[0]!r} (--weight {others[0]}), or weight=None if no attribute is a weight.",
            DoubtWarning,
        )
    return [1.0] * n_edges


def _measures(values: Column) -> bool:
    """Whether the values are different numbers, or such text."""
    numbers = [value for value in values if value is not None and not isinstance(value, bool)]
    real = (int, float, np.number)
    return len(set(map(str, numbers))) > 1 and all(
        isinstance(value, real) or (isinstance(value, str) and is_number(value)) for value in numbers
    )


def vertex_fields(columns: Mapping[str, Sequence[Any]], otherwise: Sequence[Any]) -> dict[str, Any]:
    """Read names, roles and weights from the attributes of the vertices, each only if all vertices have it.

    The name is `name`, otherwise `label` if all labels are different (it may be a class), otherwise the vertex itself;
    the role is `role`, otherwise `bipartite`.
    """
    complete = {key: values for key, values in columns.items() if all(value is not None for value in values)}
    names = next((complete[key] for key in ("name", "label") if _nameable(complete.get(key), key)), otherwise)
    roles = None
    if "role" in complete and set(complete["role"]) <= set(ROLES):
        roles = [ROLES.index(role) for role in complete["role"]]
    elif "bipartite" in complete and {str(side) for side in complete["bipartite"]} <= {"0", "1", "0.0", "1.0"}:
        roles = [int(float(side)) for side in complete["bipartite"]]
    return {"names": list(names), "roles": roles, "vertex_weights": _weights(complete.get("weight"))}


def _nameable(values: Sequence[Any] | None, key: str) -> bool:
    """Whether values can be names; floats (measurements), lists and class labels cannot."""
    if values is None or (values and all(isinstance(value, float) for value in values)):
        return False
    hashable = all(isinstance(value, Hashable) for value in values)
    return hashable and (key == "name" or len(set(values)) == len(values))


def _weights(values: Sequence[Any] | None) -> Any:
    try:
        weights = None if values is None else np.array([float(value) for value in values])
    except (TypeError, ValueError, OverflowError):
        return None
    usable = weights is not None and np.isfinite(weights).all() and weights.min(initial=0) >= 0 and weights.any()
    return weights if usable else None


def assembled(edges: Any, fields: Mapping[str, Any], n: int, kind: Any = None) -> Graph:
    """Make a graph from (source, target, weight) rows; parallel edges are added, loops and zeros are dropped."""
    try:
        table = np.array(edges, dtype=np.float64).reshape(-1, 3)
    except OverflowError:
        raise InputError("An edge weighs more than 1.8e308, the largest float; scale the weights down first.") from None
    except (TypeError, ValueError) as error:
        raise TypeMismatch(f"The edge weights are not numbers ({error}); name another attribute as weight.") from None
    texts = [value for *_, value in edges if isinstance(value, str)]
    if texts:
        loss(f"{len(texts)} of {len(table)} edge weights are text, such as {texts[0]!r}; they are read as numbers.")
    source, target, weight = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]
    if not np.isfinite(weight).all() or weight.min(initial=0) < 0:
        raise InputError(
            f"An edge weighs {weight[~(weight >= 0)][0] if (~(weight >= 0)).any() else np.inf}; expected finite "
            "weights of zero or more."
        )
    between = source != target
    loops, zeros = int(np.count_nonzero(~between)), int(np.count_nonzero(between & (weight == 0)))
    kinds = " and ".join([f"{loops} from a vertex to itself"] * (loops > 0) + [f"{zeros} of weight 0"] * (zeros > 0))
    if kinds:
        loss(f"{loops + zeros} of {len(weight)} edges are left out: {kinds}.")
    ends = np.concatenate([source[between], target[between]]), np.concatenate([target[between], source[between]])
    matrix = sparse.coo_array((np.tile(weight[between], 2), ends), shape=(n, n))
    return Graph(matrix, kind="graph" if kind is None else str(kind), **fields)


def to_networkx(graph: Graph, *, consensus: Given | None = None) -> nx.Graph[Any]:
    """Return a networkx graph, see `Graph.to_networkx`. O(n + E), about 350 bytes per edge."""
    import networkx as nx

    network = nx.Graph(kind=graph.kind)
    nodes = nodes_called(graph.names)
    columns = vertex_columns(graph, consensus) | {"name": list(graph.names)}
    keys = tuple(columns)
    rows = zip(*columns.values(), strict=True)
    network.add_nodes_from((node, dict(zip(keys, row, strict=True))) for node, row in zip(nodes, rows, strict=True))
    source, target, values = edge_columns(graph)  # as tuples: twice as fast as a SciPy matrix
    ends = [[nodes[i] for i in side] for side in (source, target)]
    for key, column in values.items():
        network.add_weighted_edges_from(zip(*ends, column, strict=True), weight=key)
    return network


def nodes_called(names: Iterable[Any], more: Iterable[int] = ()) -> list[Any]:
    """Return the names and then more nodes, with numbers in place of names that are not all different."""
    named, others = list(names), list(more)
    clear = len({*named, *others}) == len(named) + len(others) and None not in named  # networkx has no node None
    return [*(named if clear else range(len(named))), *others]


def from_networkx(network: Any, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Return a Graph of a networkx graph; see `Graph.from_networkx`."""
    import networkx as nx

    of_kind("graph", network, nx.Graph, "a graph of networkx; Graph.of takes those of other packages")
    check_undirected(directed=network.is_directed(), symmetrize=symmetrize)
    nodes = list(network)
    place = {node: i for i, node in enumerate(nodes)}
    keys = {key for _, data in network.nodes(data=True) for key in data}
    columns = {key: [data.get(key) for _, data in network.nodes(data=True)] for key in keys}
    ends = [(place[a], place[b], data) for a, b, data in network.edges(data=True)]
    attributes: set[str] = {key for *_, data in ends for key in data}
    wanted = attributes & {weight} or attributes
    weights = edge_weights({key: [data.get(key) for *_, data in ends] for key in wanted}, weight, len(ends))
    edges = [(a, b, value) for (a, b, _), value in zip(ends, weights, strict=True)]
    fields = vertex_fields(columns, nodes)
    return assembled(edges, fields, len(nodes), network.graph.get("kind"))


_AT_ONCE = 4096  # pairs of Python integers alive at a time: small enough for the processor's cache


def to_igraph(graph: Graph, *, consensus: Given | None = None) -> ig.Graph:
    """Return an igraph graph with the vertices 0 … n − 1, see `Graph.to_igraph`. O(n + E)."""
    import igraph

    source, target, _ = graph.edges()
    network = igraph.Graph(graph.n_vertices, _pairs(source, target))  # three times slower with a NumPy array
    network["kind"] = graph.kind
    for name, values in (vertex_columns(graph, consensus) | {"name": list(graph.names)}).items():
        network.vs[name] = values
    if len(np.unique(graph.roles)) > 1:  # igraph takes any graph with this attribute for a bipartite one
        network.vs["type"] = (graph.roles == CLUSTER).tolist()
    for name, column in edge_columns(graph)[2].items():
        network.es[name] = column
    return network


def from_igraph(network: Any, *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Return a Graph of an igraph graph; see `Graph.from_igraph`."""
    import igraph

    of_kind("graph", network, igraph.Graph, "a graph of igraph; Graph.of takes those of other packages")
    check_undirected(directed=network.is_directed(), symmetrize=symmetrize)
    columns = {key: network.vs[key] for key in network.vs.attributes()}
    attributes: set[str] = set(network.es.attributes())
    wanted = attributes & {weight} or attributes
    weights = edge_weights({key: network.es[key] for key in wanted}, weight, network.ecount())
    edges = np.column_stack([np.array(network.get_edgelist(), dtype=object).reshape(-1, 2), weights])
    numbers = list(range(network.vcount()))
    kind = network["kind"] if "kind" in network.attributes() else None
    return assembled(edges, vertex_fields(columns, numbers), network.vcount(), kind)


def _pairs(source: AnyArray, target: AnyArray) -> Iterator[tuple[int, int]]:
    pieces = (slice(start, start + _AT_ONCE) for start in range(0, source.size, _AT_ONCE))
    return chain.from_iterable(zip(source[at].tolist(), target[at].tolist(), strict=True) for at in pieces)
