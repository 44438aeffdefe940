"""Clusters and confidences as attributes of the vertices of graphs and networks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, as_labels, as_path, divide
from ..errors import InputError, TypeMismatch, warn
from ..graphs.bipartite import bipartite
from ..graphs.counts import overlaps
from ..graphs.graph import CLUSTER, OBJECT, ROLES, Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..labels.inputs import in_order
from ..labels.names import Names, align, attached_names
from ..result.consensus import Consensus

if TYPE_CHECKING:
    import igraph as ig
    import networkx as nx

#: endings of files that hold a network with its communities
NETWORK_FILES = (".graphml", ".gexf")


@dataclass(frozen=True, eq=False)
class Answer:
    """Cluster and confidence of every object, from any source."""

    labels: LabelArray  #: −1 for none
    confidence: FloatArray
    names: Sequence[Any] | None = None  #: to match vertices; None if vertices are in the order of the objects
    ensemble: Ensemble | None = None  #: what it was made from, to place the clusters of a graph that has no objects

    @classmethod
    def of(cls, given: Answer | Consensus | Any) -> Answer:
        """Read a consensus, or a plain labeling of the objects."""
        if isinstance(given, Answer):
            return given
        if isinstance(given, Consensus):
            return cls(given.labels, given.confidence, given.names, given.ensemble)
        try:
            labels, names = align(given, None, "consensus"), attached_names(given)
            labels = as_labels(labels, np.size(labels))
            named = None if names is None or names.numbered else names
            return cls(labels, np.ones(labels.size), named)
        except (ValueError, TypeError) as error:
            what = f"A {type(given).__name__} was given as consensus"
            raise TypeMismatch(f"{what}; expected a Consensus, or one whole number per object. {error}") from None


#: what `consensus=` takes: a Consensus, an Answer, or one label per object
Given: TypeAlias = Any


@dataclass(frozen=True, eq=False)
class Placement:
    """One cluster (−1 for none) and one confidence per vertex, or per hyperedge; the number of objects if known."""

    cluster: LabelArray
    confidence: FloatArray
    objects: IntArray | None = None

    def columns(self, given: Given) -> dict[str, list[Any]]:
        """The attributes by name, as plain Python values: cluster, confidence and, if clusters have names, the name."""
        columns: dict[str, list[Any]] = {"cluster": self.cluster.tolist(), "confidence": self.confidence.tolist()}
        columns |= {} if self.objects is None else {"objects": self.objects.tolist()}
        names = given._own_names if isinstance(given, Consensus) else ()
        return columns | ({"cluster_name": [(*names, "")[c] for c in columns["cluster"]]} if names else {})


def on_graph(graph: Graph, given: Given) -> Placement:
    """Place a result on the vertices of a graph.

    Objects have their cluster and confidence; a vertex for several equal objects has those of the first. A vertex that
    is a cluster of the ensemble gets the cluster of most of its objects, and their share as its confidence.
    """
    if getattr(given, "vertex_confidence", None) is not None and given.graph.names is graph.names:  # it is on disk
        return Placement(given.vertex_labels, given.vertex_confidence)
    answer = Answer.of(given)
    cluster, confidence = np.full(graph.n_vertices, MISSING, dtype=np.int32), np.zeros(graph.n_vertices)
    objects, clusters = (np.flatnonzero(graph.roles == role) for role in (OBJECT, CLUSTER))
    own_graph = _own_graph(given, graph.names)
    if own_graph is not None:
        cluster, confidence = own_graph.cluster.copy(), own_graph.confidence.copy()
    elif objects.size:
        index = _index(answer, graph.names.take(objects))
        cluster[objects], confidence[objects] = answer.labels[index], answer.confidence[index]
    if clusters.size:
        if objects.size:
            shared = graph.adjacency[clusters][:, objects] @ _members(cluster[objects])
        elif own_graph is not None and graph.names != given.ensemble.cluster_names:  # with others beside them
            shared = given.graph.adjacency @ _members(given.vertex_labels)
        else:
            shared = _overlaps_of(answer, graph.names)
        placed = largest_share(shared)
        cluster[clusters], confidence[clusters] = placed.cluster, placed.confidence
    if own_graph is not None:  # what the method decided, clusters included
        cluster = given.vertex_labels
    return Placement(cluster, confidence, None if own_graph is None else own_graph.objects)


def on_hypergraph(h: Hypergraph, given: Given) -> tuple[Placement, Placement]:
    """Place a result on the vertices and, by majority, on the hyperedges of a hypergraph."""
    answer = Answer.of(given)
    vertices = _own_graph(given, h.vertex_names)
    if vertices is None:
        index = _index(answer, h.vertex_names)
        vertices = Placement(answer.labels[index], answer.confidence[index])
    weighted = sparse.csr_array(h.incidence * h.vertex_weights[:, None])
    return vertices, largest_share(weighted.T @ _members(vertices.cluster))


def largest_share(shared: Any) -> Placement:
    """Return for every row the column with the largest share and that share; −1 and 0 for an empty row."""
    table = sparse.csr_array(shared)
    total = np.asarray(table.sum(axis=1)).ravel()
    if not table.shape[1]:
        return Placement(np.full(table.shape[0], MISSING, dtype=np.int32), np.zeros(table.shape[0]))
    largest = table.max(axis=1).toarray().ravel()
    best = np.asarray(table.argmax(axis=1)).ravel()
    return Placement(np.where(total > 0, best, MISSING).astype(np.int32), divide(largest, total))


def _members(labels: LabelArray) -> sparse.csr_array:
    """Objects × clusters of the result, 1 if an object is in a cluster."""
    rows = np.flatnonzero(labels >= 0)
    size = int(labels.max(initial=MISSING)) + 1
    return sparse.csr_array((np.ones(rows.size), (rows, labels[rows])), shape=(len(labels), size))


def _overlaps_of(answer: Answer, names: Sequence[str]) -> sparse.csr_array:
    """Overlaps of the base clusters with the clusters of the result, for a graph without objects."""
    e = answer.ensemble
    if e is None or list(e.cluster_names) != list(names):
        raise InputError(
            f"The graph has {len(names)} clusters and no object, and the consensus does not have their objects; "
            "expected the graph of the ensemble that the consensus was made from."
        )
    return overlaps(e, answer.labels, int(answer.labels.max(initial=0)) + 1)


def _own_graph(given: Given, names: Names) -> Placement | None:
    """The result on the vertices of its own graph, or of a graph made from that with the same names."""
    if not isinstance(given, Consensus) or not given._view.computed or _names(given.graph) is not names:
        return None
    first = np.full(len(names), MISSING)
    held = np.flatnonzero(given.vertices >= 0)[::-1]  # of several objects at a vertex the first is written last
    first[given.vertices[held]] = held
    there = first >= 0
    cluster = np.where(there, given.labels[first], MISSING).astype(np.int32)
    return Placement(cluster, np.where(there, given.confidence[first], 0.0), objects_at(given))


def objects_at(r: Consensus) -> IntArray | None:
    """Return how many objects each vertex of the graph stands for: several where objects have the same labels."""
    counts = np.bincount(r.vertices[r.vertices >= 0], minlength=r.graph.n_vertices)
    if isinstance(r.graph, Graph) and counts.any():
        clusters, objects = (np.flatnonzero(r.graph.roles == role) for role in (CLUSTER, OBJECT))
        if clusters.size:
            counts[clusters] = (r.graph.adjacency[clusters][:, objects] > 0) @ counts[objects]
    return counts if counts.any() else None


def _names(graph: Graph | Hypergraph) -> Names:
    return graph.names if isinstance(graph, Graph) else graph.vertex_names


def _index(answer: Answer, names: Names) -> IntArray:
    """The object of every vertex: by name if objects have names, otherwise by position among all or distinct rows."""
    n, size = len(answer.labels), len(names)
    objects = None if answer.names is None else Names.given(answer.names, n)
    if objects is not None and not objects.agree(names):
        index = _by_name(objects, names)
        if index is not None:
            return index
    if size == n:
        return np.arange(n)
    if answer.ensemble is not None:  # the vertices may be the distinct label rows
        first = np.unique(answer.ensemble.collapse()[1], return_index=True)[1]
        if len(first) == size:
            return first
    raise InputError(
        f"A consensus of {n} objects was given for a graph of {size}; expected a graph of the same objects, or "
        "names by which to find them."
    )


def _by_name(objects: Names, names: Names) -> IntArray | None:
    """The object of every vertex by its name; None if the vertices have only default names."""
    if names.numbered or names == Names(("x", len(names))):
        return None
    places = objects.places(names)
    if None not in places and len(set(objects)) == len(objects):
        return np.array(places, dtype=np.int64)
    why = "some objects share a name"
    if None in places:
        why = f"{names[places.index(None)]!r} is not an object of the consensus"
    raise InputError(f"The vertices do not fit the consensus: {why}; expected a graph of the same objects.")


def vertex_columns(graph: Graph, consensus: Given | None = None) -> dict[str, list[Any]]:
    """Return the attributes of the vertices by name, plain Python values in the vertices' order.

    `name` (as text), `role` ("object" or "cluster"), `weight`, `bipartite` (0 objects, 1 clusters) and, with a
    consensus, `cluster` (−1 for none) and `confidence`; in its own graph also `objects`, the number that a vertex
    stands for.
    """
    columns: dict[str, list[Any]] = {"name": graph.names.texts(), "role": values_at(graph.roles, ROLES)}
    columns |= {"weight": graph.vertex_weights.tolist(), "bipartite": values_at(graph.roles, (0, 1))}
    return columns if consensus is None else columns | on_graph(graph, consensus).columns(consensus)


def edge_columns(graph: Graph) -> tuple[list[int], list[int], dict[str, list[Any]]]:
    """Return both ends of every edge and its attributes, which all have a `weight`.

    Also `differing_loci` for allele profiles, and where clusters were matched `matched`, 1 for edges that were chosen.
    """
    source, target, weight = graph.edges()
    columns: dict[str, list[Any]] = {"weight": weight.tolist()}
    matched = graph._chosen(source, target)
    if matched is not None:
        columns["matched"] = matched.astype(int).tolist()
    if graph._loci:
        columns["differing_loci"] = np.round((1.0 - weight) * graph._loci, 9).tolist()
    return source.tolist(), target.tolist(), columns


def row_texts(columns: Mapping[str, list[Any]], cell: Callable[[str, Any], str]) -> Iterator[str]:
    """Yield the text of every row of some columns, made of the texts of its cells."""
    return map("".join, zip(*(map(cell, repeat(name), values) for name, values in columns.items()), strict=False))


def values_at(codes: AnyArray, values: tuple[Any, Any]) -> list[Any]:
    """Return the value of each code as a list in which equal values are the same Python object."""
    column: list[Any] = np.array(values, dtype=object)[codes].tolist()
    return column


# networks and graphs with the answer on them ---------------------------------------------------------------


def networkx_network(r: Consensus) -> nx.Graph[Any]:
    """Return the network of the communities, or the graph of the consensus, with cluster, confidence and share."""
    import networkx as nx

    source = r.network
    if source is None:
        network = _graph_of(r).to_networkx(consensus=r)
        _set_as_text(network, lambda value: not isinstance(value, (str, int, float)))
        return network
    if isinstance(source, Graph):
        network = source.to_networkx()
    elif hasattr(source, "adj"):
        network = source.copy()
    else:  # of igraph, with names as nodes if all names are different
        different = "name" in source.vs.attributes() and len(set(source.vs["name"])) == source.vcount()
        network = source.to_networkx(vertex_attr_hashable="name" if different else "_nx_name")
    _set_as_text(network, lambda value: isinstance(value, Set))
    parts = network.nodes, network.edges
    of_vertices, of_edges = ({key for *_, data in part(data=True) for key in data} for part in parts)
    columns, share = _columns(r, of_vertices, of_edges)
    for key, values in columns.items():
        nx.set_node_attributes(network, dict(zip(network, values, strict=True)), key)
    place = {node: i for i, node in enumerate(network)}
    shares = _shares(r, [(place[a], place[b]) for a, b in network.edges()])
    for (*_, data), value in zip(network.edges(data=True), shares, strict=True):
        data[share] = value
    return network


def _columns(r: Consensus, of_vertices: Set[str], of_edges: Set[str]) -> tuple[dict[str, list[Any]], str]:
    """The attributes of the vertices of a network with such attributes, and the name for the share of an edge."""
    columns = Placement(r.labels, r.confidence).columns(r)
    names = _beside(of_vertices, columns)
    return {names[key]: values for key, values in columns.items()}, _beside(of_edges, ["share"])["share"]


def _beside(own: Set[str], names: Iterable[str]) -> dict[str, str]:
    """The attributes to write, under other names where the user's graph has attributes of these names."""
    written = {}
    for name in names:
        written[name] = name
        while written[name] in own:
            written[name] = f"consensus_{written[name]}"
    if changed := [name for name in written if written[name] != name]:
        warn(
            f"The network has its own {', '.join(map(repr, changed))}, which stays; the result of the consensus is in "
            f"{', '.join(repr(written[name]) for name in changed)}."
        )
    return written


def igraph_network(r: Consensus) -> ig.Graph:
    """Return the same as an igraph graph."""
    source = r.network
    if source is None:
        return _graph_of(r).to_igraph(consensus=r)
    network = source.copy() if hasattr(source, "es") else _as_igraph(source)
    columns, share = _columns(r, set(network.vs.attributes()), set(network.es.attributes()))
    for key, values in columns.items():
        network.vs[key] = values
    network.es[share] = _shares(r, network.get_edgelist())
    return network


def write_network(r: Consensus, path: str | Path) -> None:
    """Write what `networkx_network` returns as .graphml or .gexf, vertices by number, with names, colors and places.

    Attributes that files cannot hold, such as tuples, become text.
    """
    import networkx as nx

    from ..plot.layouts import looks  # the one palette of all pictures
    from .gexf import write_networkx  # which imports this module

    ending = as_path(path).suffix.lower()
    if ending not in NETWORK_FILES:
        raise InputError(f"{path} was given; expected a file ending in {', '.join(NETWORK_FILES)}.")
    network = networkx_network(r)
    names = [str(data.get("name", node)) for node, data in network.nodes(data=True)]
    network = nx.convert_node_labels_to_integers(network)
    positions = [np.asarray(at) for _, at in network.nodes(data="pos")]
    usable = all(at.shape in {(2,), (3,)} and at.dtype.kind in "iuf" and np.isfinite(at).all() for at in positions)
    places = np.stack([at[:2] for at in positions]).astype(float) if positions and usable else None
    graph = _graph_of(r) if r.network is None else r._network_graph()
    labels = on_graph(graph, r).cluster if r.network is None else r.labels
    _set_as_text(network, lambda value: not isinstance(value, (str, int, float, np.number)))
    write_networkx(network, names, looks(graph, labels, places), path, ending[1:])


def _as_igraph(given: Any) -> Any:
    """A networkx graph or a `Graph` for igraph, with its attributes."""
    import igraph

    if isinstance(given, Graph):
        return given.to_igraph()
    network = igraph.Graph.from_networkx(given, vertex_attr_hashable="name")
    network.vs["name"] = list(given)
    return network


def _set_as_text(made: Any, odd: Callable[[Any], bool]) -> None:
    """Turn attributes that files cannot store into text, with the elements of sets in order."""
    texts: dict[int, str] = {}  # networkx's communities are one set for all their vertices
    for *_, data in (*made.nodes(data=True), *made.edges(data=True)):
        for key, value in data.items():
            if odd(value):
                members = ", ".join(map(str, in_order(list(value)))) if isinstance(value, Set) else ""
                text = f"{{{members}}}" if isinstance(value, Set) else str(value)
                data[key] = texts.setdefault(id(value), text)


def _graph_of(r: Consensus) -> Graph:
    return r.graph if isinstance(r.graph, Graph) else bipartite(r.graph)


def _shares(r: Consensus, ends: Sequence[tuple[int, int]]) -> list[float]:
    """The share of the runs that keep both ends of an edge together, for each edge."""
    a, b = np.array(ends, dtype=np.int64).reshape(-1, 2).T
    return np.asarray(sparse.csr_matrix(_graph_of(r).adjacency)[a, b]).ravel().tolist() if a.size else []
