"""The answer on the vertices of a graph: which cluster of a consensus each belongs to, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from .._arrays import MISSING, FloatArray, IntArray, LabelArray, as_labels
from ..core.ensemble import Ensemble
from ..core.graph import CLUSTER, OBJECT, Graph
from ..core.hypergraph import Hypergraph
from ..core.names import Names
from ..core.result import Consensus
from ..errors import InputError, TypeMismatch
from ..views.counting import overlaps


@dataclass(frozen=True, eq=False)
class Answer:
    """Cluster and confidence of every object, wherever they come from.

    Parameters
    ----------
    labels
        Cluster of every object, −1 for none.
    confidence
        How sure that is, 1 by default.
    names
        The objects' names, by which vertices find their object; None: vertices stand in the objects' order.
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
            labels = np.asarray(given)
            return cls(as_labels(labels, labels.size), np.ones(labels.size))
        except (InputError, TypeMismatch) as error:
            raise TypeMismatch(
                f"A {type(given).__name__} was given as consensus; expected a Consensus, or one whole number per "
                f"object. {error}"
            ) from None


#: what `consensus=` takes: a Consensus, an Answer, or one label per object
Given: TypeAlias = Any


@dataclass(frozen=True, eq=False)
class Placed:
    """One cluster (−1 for none) and one confidence per vertex, or per hyperedge."""

    cluster: LabelArray
    confidence: FloatArray

    def columns(self) -> dict[str, list[Any]]:
        """The two attributes by name, as plain Python values."""
        return {"cluster": self.cluster.tolist(), "confidence": self.confidence.tolist()}


def on_graph(graph: Graph, given: Given) -> Placed:
    """Place an answer on the vertices of a graph.

    Objects have their cluster and confidence; a vertex for several equal objects has those of the first. A cluster of
    the ensemble goes where most of its objects go, and its confidence is their share.
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
    return Placed(cluster, confidence)


def on_hypergraph(h: Hypergraph, given: Given) -> tuple[Placed, Placed]:
    """Place an answer on the vertices and, by majority, on the hyperedges of a hypergraph."""
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
    held = total > 0
    if not table.shape[1]:
        return Placed(np.full(table.shape[0], MISSING, dtype=np.int32), np.zeros(table.shape[0]))
    largest = table.max(axis=1).toarray().ravel()
    best = np.asarray(table.argmax(axis=1)).ravel()
    share = np.divide(largest, total, out=np.zeros_like(total), where=held)
    return Placed(np.where(held, best, MISSING).astype(np.int32), share)


def _members(labels: LabelArray) -> sparse.csr_array:
    """Objects × clusters of the answer, 1 where an object is in a cluster."""
    kept = np.flatnonzero(labels >= 0)
    size = int(labels.max(initial=MISSING)) + 1
    return sparse.csr_array((np.ones(kept.size), (kept, labels[kept])), shape=(len(labels), size))


def _shared(answer: Answer, names: Sequence[str]) -> sparse.csr_array:
    """What the base clusters share with the clusters of the answer, for a graph of clusters alone."""
    e = answer.ensemble
    if e is None or list(e.cluster_names) != list(names):
        raise InputError(
            f"The graph has {len(names)} clusters and no object, and the consensus does not know their objects; "
            "expected the graph of the ensemble that the consensus was made from."
        )
    return overlaps(e, answer.labels, int(answer.labels.max(initial=0)) + 1)


def _known(given: Given, names: Names) -> Placed | None:
    """The answer of a consensus on disk, which knows only the vertices of its own graph."""
    confidence = getattr(given, "vertex_confidence", None)
    if confidence is None or given.graph.names is not names:
        return None
    return Placed(given.vertex_labels, confidence)


def _own(given: Given, names: Names) -> Placed | None:
    """The answer on the vertices of its own graph, or of a graph made from that: these share its names."""
    graph = given.graph if isinstance(given, Consensus) else None
    if graph is None or given.vertices is None or _names(graph) is not names:
        return None
    first = np.full(len(names), MISSING)
    held = np.flatnonzero(given.vertices >= 0)[
        ::-1
    ]  # of several objects at a vertex the first is written last
    first[given.vertices[held]] = held
    there = first >= 0
    cluster = np.where(there, given.labels[first], MISSING).astype(np.int32)
    return Placed(cluster, np.where(there, given.confidence[first], 0.0))


def _names(graph: Graph | Hypergraph) -> Names:
    return graph.names if isinstance(graph, Graph) else graph.vertex_names


def _index(answer: Answer, names: Names) -> IntArray:
    """The object of every vertex: by name where objects have names, else by place, all or the distinct rows."""
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
    """The object of every vertex by its name; None where the vertices are only numbered."""
    if names.numbered or names == Names(("x", len(names))):
        return None
    places = objects.places(names)
    if None not in places and len(set(objects)) == len(objects):
        return np.array(places, dtype=np.int64)
    why = "some objects share a name"
    if None in places:
        why = f"{names[places.index(None)]!r} is no object of the consensus"
    raise InputError(f"The vertices do not fit the consensus: {why}; expected a graph of the same objects.")


def _distinct(answer: Answer) -> IntArray | None:
    """The first object of every distinct label row, in order."""
    if answer.ensemble is None:
        return None
    return np.unique(answer.ensemble.collapse()[1], return_index=True)[1]
