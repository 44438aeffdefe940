"""Clusters and confidences as attributes of the vertices of graphs and networks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, as_labels, as_path, divide
from ..errors import InputError, TypeMismatch, warn
from ..graphs.counts import overlaps
from ..graphs.graph import CLUSTER, OBJECT, ROLES, Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..labels.inputs import in_order
from ..labels.names import Names, align, attached_names
from ..result.consensus import Consensus
from ._atomic import atomic
from ._text import NOT_IN_XML, without

if TYPE_CHECKING:
    import igraph as ig
    import networkx as nx

#: endings of files that hold a network with its communities, and networkx's function for each
NETWORK_FILES = {".graphml": "write_graphml", ".gexf": "write_gexf"}


@dataclass(frozen=True, eq=False)
class Answer:
    """Cluster and confidence of every object, from any source.

    Parameters
    ----------
    labels
        Cluster of every object, −1 for none.
    confidence
        Confidence of every object, 1 by default.
    names
        Names of the objects, used to match vertices; None if vertices are in the order of the objects.
    ensemble
        The labels it was made from; needed to place the clusters of a graph that has no objects.
    """

    labels: LabelArray
    confidence: FloatArray
    names: Sequence[Any] | None = None
    ensemble: Ensemble | None = None

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
            raise TypeMismatch(
                f"A {type(given).__name__} was given as consensus; expected a Consensus, or one whole number per "
                f"object. {error}"
            ) from None


#: what `consensus=` takes: a Consensus, an Answer, or one label per object
Given: TypeAlias = Any


@dataclass(frozen=True, eq=False)
class Placed:
    """One cluster (−1 for none) and one confidence per vertex, or per hyperedge; the number of objects if known."""

    cluster: LabelArray
    confidence: FloatArray
    objects: IntArray | None = None

    def columns(self, given: Given) -> dict[str, list[Any]]:
        """The attributes by name, as plain Python values: cluster, confidence and, if clusters have names, the name."""
        made: dict[str, list[Any]] = {"cluster": self.cluster.tolist(), "confidence": self.confidence.tolist()}
        made |= {} if self.objects is None else {"objects": self.objects.tolist()}
        names = given._own_names if isinstance(given, Consensus) else ()
        return made | ({"cluster_name": [(*names, "")[c] for c in made["cluster"]]} if names else {})


def on_graph(graph: Graph, given: Given) -> Placed:
    """Place a result on the vertices of a graph.

    Objects have their cluster and confidence; a vertex for several equal objects has those of the first. A vertex that
    is a cluster of the ensemble gets the cluster of most of its objects, and their share as its confidence.
    """
    known = _known(given, graph.names)
    if known is not None:
        return known
    answer = Answer.of(given)
    cluster, confidence = np.full(graph.n_vertices, MISSING, dtype=np.int32), np.zeros(graph.n_vertices)
    objects, clusters = (np.flatnonzero(graph.roles == role) for role in (OBJECT, CLUSTER))
    own = _own(given, graph.names)
    if own is not None:
        cluster, confidence = own.cluster.copy(), own.confidence.copy()
    elif objects.size:
        index = _index(answer, graph.names.take(objects))
        cluster[objects], confidence[objects] = answer.labels[index], answer.confidence[index]
    if clusters.size:
        shared = (
            graph.adjacency[clusters][:, objects] @ _members(cluster[objects])
            if objects.size
            else _shared(answer, graph.names)
        )
        placed = majority(shared)
        cluster[clusters], confidence[clusters] = placed.cluster, placed.confidence
    if own is not None and given.vertex_labels is not None:  # what the method decided, clusters included
        cluster = given.vertex_labels
    return Placed(cluster, confidence, None if own is None else own.objects)


def on_hypergraph(h: Hypergraph, given: Given) -> tuple[Placed, Placed]:
    """Place a result on the vertices and, by majority, on the hyperedges of a hypergraph."""
    answer = Answer.of(given)
    vertices = _own(given, h.vertex_names)
    if vertices is None:
        index = _index(answer, h.vertex_names)
        vertices = Placed(answer.labels[index], answer.confidence[index])
    weighted = sparse.csr_array(h.incidence * h.vertex_weights[:, None])
    return vertices, majority(weighted.T @ _members(vertices.cluster))


def majority(shared: Any) -> Placed:
    """Return for every row the column with the largest share and that share; −1 and 0 for an empty row."""
    table = sparse.csr_array(shared)
    total = np.asarray(table.sum(axis=1)).ravel()
    if not table.shape[1]:
        return Placed(np.full(table.shape[0], MISSING, dtype=np.int32), np.zeros(table.shape[0]))
    largest = table.max(axis=1).toarray().ravel()
    best = np.asarray(table.argmax(axis=1)).ravel()
    return Placed(np.where(total > 0, best, MISSING).astype(np.int32), divide(largest, total))


def _members(labels: LabelArray) -> sparse.csr_array:
    """Objects × clusters of the result, 1 if an object is in a cluster."""
    kept = np.flatnonzero(labels >= 0)
    size = int(labels.max(initial=MISSING)) + 1
    return sparse.csr_array((np.ones(kept.size), (kept, labels[kept])), shape=(len(labels), size))


def _shared(answer: Answer, names: Sequence[str]) -> sparse.csr_array:
    """Overlaps of the base clusters with the clusters of the result, for a graph without objects."""
    e = answer.ensemble
    if e is None or list(e.cluster_names) != list(names):
        raise InputError(
            f"The graph has {len(names)} clusters and no object, and the consensus does not have their objects; "
            "expected the graph of the ensemble that the consensus was made from."
        )
    return overlaps(e, answer.labels, int(answer.labels.max(initial=0)) + 1)


def _known(given: Given, names: Names) -> Placed | None:
    """The result of a consensus on disk, which can only be placed on the vertices of its own graph."""
    confidence = getattr(given, "vertex_confidence", None)
    if confidence is None or given.graph.names is not names:
        return None
    return Placed(given.vertex_labels, confidence)


def _own(given: Given, names: Names) -> Placed | None:
    """The result on the vertices of its own graph, or of a graph made from that with the same names."""
    graph = given.graph if isinstance(given, Consensus) else None
    if graph is None or given.vertices is None or _names(graph) is not names:
        return None
    first = np.full(len(names), MISSING)
    held = np.flatnonzero(given.vertices >= 0)[::-1]  # of several objects at a vertex the first is written last
    first[given.vertices[held]] = held
    there = first >= 0
    cluster = np.where(there, given.labels[first], MISSING).astype(np.int32)
    return Placed(cluster, np.where(there, given.confidence[first], 0.0), objects_at(given))


def objects_at(r: Consensus) -> IntArray | None:
    """Return how many objects each vertex of the graph stands for: several where objects have the same labels."""
    if r.graph is None or r.vertices is None:
        return None
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
        found = _by_name(objects, names)
        if found is not None:
            return found
    if size == n:
        return np.arange(n)
    first = _distinct(answer)
    if first is not None and len(first) == size:
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


def _distinct(answer: Answer) -> IntArray | None:
    """The first object of every distinct label row, in order."""
    if answer.ensemble is None:
        return None
    return np.unique(answer.ensemble.collapse()[1], return_index=True)[1]


def vertex_columns(graph: Graph, consensus: Given | None = None) -> dict[str, list[Any]]:
    """Return the attributes of the vertices by name, plain Python values in the vertices' order.

    `name` (as text), `role` ("object" or "cluster"), `weight`, `bipartite` (0 objects, 1 clusters) and, with a
    consensus, `cluster` (−1 for none) and `confidence`; in its own graph also `objects`, the number that a vertex
    stands for.
    """
    columns = {
        "name": graph.names.texts(),
        "role": shared(graph.roles, ROLES),
        "weight": graph.vertex_weights.tolist(),
        "bipartite": shared(graph.roles, (0, 1)),
    }
    return columns if consensus is None else columns | on_graph(graph, consensus).columns(consensus)


def edge_columns(graph: Graph) -> tuple[list[int], list[int], dict[str, list[float]]]:
    """Return both ends of every edge and its attributes: `weight` and, for allele profiles, `differing_loci`."""
    source, target, weight = graph.edges()
    columns = {"weight": weight.tolist()}
    if graph._loci:
        columns["differing_loci"] = np.round((1.0 - weight) * graph._loci, 9).tolist()
    return source.tolist(), target.tolist(), columns


def shared(codes: AnyArray, values: tuple[Any, Any]) -> list[Any]:
    """Return the value of each code as a list in which equal values are the same Python object."""
    found: list[Any] = np.array(values, dtype=object)[codes].tolist()
    return found


# networks and graphs with the answer on them ---------------------------------------------------------------


def to_networkx(r: Consensus) -> nx.Graph[Any]:
    """Return the network of the communities, or the graph of the consensus, with cluster, confidence and share."""
    given = r.network
    if given is None:
        made = _graph_of(r).to_networkx(consensus=r)
        _set_as_text(made, lambda value: not isinstance(value, (str, int, float)))
        return made
    made = given.copy() if hasattr(given, "adj") else _as_networkx(given)
    _set_as_text(made, lambda value: isinstance(value, Set))
    nodes = list(made)
    columns = Placed(r.labels, r.confidence).columns(r)
    names = _beside({key for _, data in made.nodes(data=True) for key in data}, columns)
    for key, values in columns.items():
        for node, value in zip(nodes, values, strict=True):
            made.nodes[node][names[key]] = value
    place = {node: i for i, node in enumerate(nodes)}
    share = _shares(r)
    name = _beside({key for *_, data in made.edges(data=True) for key in data}, ["share"])["share"]
    for a, b, data in made.edges(data=True):
        data[name] = share.get(_ends(place[a], place[b]), 0.0)
    return made


def _beside(own: Set[str], names: Iterable[str]) -> dict[str, str]:
    """The attributes to write, under other names where the user's graph has attributes of these names."""
    found = {}
    for name in names:
        found[name] = name
        while found[name] in own:
            found[name] = f"consensus_{found[name]}"
    if changed := [name for name in found if found[name] != name]:
        warn(
            f"The network has its own {', '.join(map(repr, changed))}, which stays; the result of the consensus is in "
            f"{', '.join(repr(found[name]) for name in changed)}."
        )
    return found


def to_igraph(r: Consensus) -> ig.Graph:
    """Return the same as an igraph graph."""
    given = r.network
    if given is None:
        return _graph_of(r).to_igraph(consensus=r)
    made = given.copy() if hasattr(given, "es") else _as_igraph(given)
    columns = Placed(r.labels, r.confidence).columns(r)
    for key, name in _beside(set(made.vs.attributes()), columns).items():
        made.vs[name] = columns[key]
    share = _shares(r)
    name = _beside(set(made.es.attributes()), ["share"])["share"]
    made.es[name] = [share.get(_ends(*edge), 0.0) for edge in made.get_edgelist()]
    return made


def write_network(r: Consensus, path: str | Path) -> None:
    """Write what `to_networkx` returns as .graphml or .gexf, vertices by number, their names as `name` and `label`.

    Attributes that files cannot hold, such as tuples, become text. In .gexf vertices have the color of their cluster.
    """
    import networkx as nx

    ending = as_path(path).suffix.lower()
    if ending not in NETWORK_FILES:
        raise InputError(f"{path} was given; expected a file ending in {', '.join(NETWORK_FILES)}.")
    answered = to_networkx(r)
    names = [str(data.get("name", node)) for node, data in answered.nodes(data=True)]
    made = nx.convert_node_labels_to_integers(answered)
    for node, name in enumerate(without(NOT_IN_XML, "\ufffd", names, ending[1:])):
        made.nodes[node].update(name=name, label=name)
    from ..plot.layouts import looks  # the one palette of all pictures
    from .gexf import paint  # which imports this module

    given = [np.asarray(at) for _, at in made.nodes(data="pos")]
    known = all(at.shape in {(2,), (3,)} and at.dtype.kind in "iuf" and np.isfinite(at).all() for at in given)
    places = np.stack([at[:2] for at in given]).astype(float) if given and known else None
    drawn = _graph_of(r) if r.network is None else r._network_graph()
    labels = r.labels if r.vertex_labels is None or r.network is not None else r.vertex_labels
    look = looks(drawn, labels, places)
    _set_as_text(made, lambda value: not isinstance(value, (str, int, float, np.number)))
    if ending == ".gexf":
        paint(made, look)
    else:
        for name, values in look.items():
            nx.set_node_attributes(made, dict(enumerate(values)), name)
    with atomic(path) as file:
        getattr(nx, NETWORK_FILES[ending])(made, file)


def _as_networkx(given: Any) -> Any:
    """An igraph graph or a `Graph` for networkx, with names as nodes if all names are different."""
    if isinstance(given, Graph):
        return given.to_networkx()
    named = "name" in given.vs.attributes() and len(set(given.vs["name"])) == given.vcount()
    return given.to_networkx(vertex_attr_hashable="name" if named else "_nx_name")


def _as_igraph(given: Any) -> Any:
    """A networkx graph or a `Graph` for igraph, with its attributes."""
    import igraph

    if isinstance(given, Graph):
        return given.to_igraph()
    made = igraph.Graph.from_networkx(given, vertex_attr_hashable="name")
    made.vs["name"] = list(given)
    return made


def _set_as_text(made: Any, odd: Callable[[Any], bool]) -> None:
    """Turn attributes that files cannot store into text, with the elements of sets in order."""
    texts: dict[int, str] = {}  # networkx's communities are one set for all their vertices
    for *_, data in (*made.nodes(data=True), *made.edges(data=True)):
        for key, value in data.items():
            if odd(value):
                data[key] = texts.get(id(value)) or texts.setdefault(id(value), _as_text(value))


def _as_text(value: Any) -> str:
    return "{" + ", ".join(map(str, in_order(list(value)))) + "}" if isinstance(value, Set) else str(value)


def _graph_of(r: Consensus) -> Graph:
    if not isinstance(r.graph, Graph):
        raise InputError(
            f"{r.method} does not use a graph; expected a method that does, or "
            "coassociation(e).to_networkx(consensus=r)."
        )
    return r.graph


def _shares(r: Consensus) -> dict[tuple[int, int], float]:
    source, target, weight = _graph_of(r).edges()
    return {_ends(a, b): w for a, b, w in zip(source.tolist(), target.tolist(), weight.tolist(), strict=True)}


def _ends(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
