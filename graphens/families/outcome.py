"""The outcome of a method, and the way from it to the `Consensus` of all objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, canonical, divide
from ..errors import InputError
from ..graphs.affinity import Affinity
from ..graphs.bipartite import BipartiteGraph
from ..graphs.counts import majority_labels
from ..graphs.graph import CLUSTER, OBJECT, Graph
from ..graphs.hypergraph import Hypergraph
from ..graphs.reliability import informative
from ..labels.ensemble import Ensemble
from ..labels.ready import Ready
from ..labels.value import Lazy
from ..measures.agreement import score
from ..result.consensus import Consensus, View, view_overlaps
from ..trees.dendrogram import Dendrogram

if TYPE_CHECKING:
    from .rows import Rule


#: a graph with the vertex of each object and the cluster of each vertex; for None, what `Outcome` says
Sketch = tuple[Graph | Hypergraph, AnyArray | None, AnyArray | None]


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a consensus method, with its graph and its tree."""

    labels: AnyArray  #: cluster of every object, in any numbering; −1 for an unassigned object
    #: the method's own memberships, n × clusters, where column j belongs to label j. If None, memberships come from
    #: the co-association.
    membership: FloatArray | None = None
    #: the graph that the method used, or a function that returns a graph, `index` and `vertex_labels` when they are
    #: first needed. Without it, the result has the overlaps of its clusters with those of the partitions.
    graph: Graph | Hypergraph | Callable[[], Sketch] | None = None
    dendrogram: Dendrogram | None = None  #: the dendrogram that the method used
    details: Mapping[str, Any] = field(default_factory=dict)  #: additional results, by name
    #: vertex of each object in the graph, −1 for none, as in a `Dendrogram` for its leaves. Without it, the object
    #: vertices of the graph are the objects in order.
    index: AnyArray | None = None
    #: cluster of each vertex of the graph, in the numbering of `labels`, if the method assigns clusters, too. Without
    #: it, an object's vertex gets the label of the object, and a cluster's vertex gets the label of most of its
    #: weight; the cluster vertices of the graph are then all clusters of the ensemble in order.
    vertex_labels: AnyArray | None = None
    #: whether the leaves of the dendrogram are clusters rather than objects, so that absent objects do not affect it
    tree_of_clusters: bool = False
    k_ignored: str = ""  #: why a given k could not be reached, and what to do; empty if it was
    #: where the number of clusters comes from if k is not given, such as "the reference"; empty if it was found
    k_from: str = ""
    #: names of the details that are sums of partition weights; they are reported in the unit of the given weights
    sums: tuple[str, ...] = ()
    #: for scalable methods, a function that returns the rule by which any other object gets its label; see
    #: `families.rows`
    rule: Callable[[], Rule] | None = None


def required(k: int | None) -> int:
    """Return k, which has a default for methods that need it."""
    if k is None:
        raise InputError("k = None was given; expected the number of clusters.")
    return k


def cut_tree(graph: Graph, tree: Dendrogram, k: int | None, **details: Any) -> Outcome:
    """Cut a tree at k clusters or, without k, at the clustering with the longest lifetime."""
    labels = tree.cut_longest_lifetime() if k is None else tree.cut(k)
    return Outcome(labels, graph=graph, dendrogram=tree, details=details)


def tree_of_some(tree: Dendrogram, drawn: IntArray, e: Ensemble) -> Dendrogram:
    """Return the tree of some objects as a tree of all objects of an ensemble; the others have no leaf."""
    leaf = np.full(e.n_objects, MISSING, dtype=np.int64)
    leaf[drawn] = tree.index
    return Dendrogram(tree.merges, leaf_weights=tree.leaf_weights, index=leaf, names=e.vertex_names())


def place_weakly_labeled_last(e: Ensemble, k: int | None, solve: Callable[[Ensemble], Outcome]) -> Outcome:
    """Solve without the objects whose only labels come from partitions that agree by chance, and place these last.

    Each joins the cluster it is most often together with, or none if it is never together with the others. If there are
    fewer than k different label rows without them, they take part.
    """
    # No reliable evidence connects these objects to others, so cutting each of them off would cost nothing.
    lone = e.present & ~(e.codes[informative(e)] != e.absent).any(axis=0)
    if not lone.any() or (known := e.take(objects=~lone)).collapse()[0].n_objects < (k or 1):
        return solve(e)
    found, others = solve(known), np.flatnonzero(~lone)
    # First the answer of the others, in the places of all; then each object that is left joins the cluster of most
    # similarity.
    labels, index = (np.full(e.n_objects, MISSING, dtype=np.int32) for _ in range(2))
    labels[others] = found.labels
    index[others] = np.arange(len(others)) if found.index is None else found.index
    labels[lone] = Affinity(e, labels, int(labels.max()) + 1).place(e.codes[:, lone]).labels
    tree = None if found.dendrogram is None else tree_of_some(found.dendrogram, others, e)
    details = {**found.details, "placed_last": int(lone.sum())}
    return replace(found, labels=labels, index=index, dendrogram=tree, details=details)


def object_vertices(graph: Graph | Hypergraph, index: AnyArray | None, n: int) -> AnyArray:
    """For each of n objects its vertex of the outcome's graph."""
    if index is not None:
        return index
    objects = np.arange(graph.n_vertices) if isinstance(graph, Hypergraph) else np.flatnonzero(graph.roles == OBJECT)
    if objects.size not in (0, n):
        raise InputError(
            f"The graph has {len(objects)} object vertices for {n} objects; expected Outcome(index=…), the vertex of "
            "each object."
        )
    return objects if objects.size else np.full(n, MISSING)


def of_all_objects(outcome: Outcome, ready: Ready) -> Outcome:
    """Return the outcome for all objects; those that did not take part have no label, vertex or leaf."""
    if ready.unit != 1:
        scaled = {name: outcome.details[name] * ready.unit for name in outcome.sums if name in outcome.details}
        outcome = replace(outcome, details={**outcome.details, **scaled})
    labels = ready.spread(outcome.labels)
    membership, tree = outcome.membership, outcome.dendrogram
    # The heights are shares of all partitions, those included that were merged because they repeat others.
    if tree is not None and tree._ensemble is not None:
        tree = tree._replace(_ensemble=ready.whole)
    if ready.present.all() or not ready.anyone:
        return replace(outcome, labels=labels, dendrogram=tree)
    if membership is not None:
        wide = np.zeros((len(ready.present), membership.shape[1]))
        wide[ready.present] = membership
        membership = wide
    if tree is not None and not outcome.tree_of_clusters:
        leaf, names = ready.spread(tree.index), ready.whole.vertex_names()
        tree = tree._replace(index=leaf, names=names)
    return replace(outcome, labels=labels, membership=membership, dendrogram=tree)


def to_consensus(name: str, ready: Ready, outcome: Outcome, options: Mapping[str, Any]) -> Consensus:
    """The Consensus of an outcome: canonical labels, membership, confidence, score, and the cluster of each vertex."""
    e, raw = ready.whole, outcome.labels
    labels = canonical(raw)
    k = int(labels.max(initial=MISSING)) + 1
    own = None
    if outcome.membership is not None:
        # Cluster c of the result is the raw label of its first object; −1 sorts before all and is left out by −k. What
        # belongs to a cluster that has no objects, and therefore no column, is missing from the sum of a row.
        first = np.unique(labels, return_index=True)[1][-k:] if k else np.empty(0, dtype=np.int64)
        own = np.asarray(outcome.membership[:, raw[first]], dtype=np.float64)
        own[labels < 0] = 0
        own = divide(own, outcome.membership.sum(axis=1, keepdims=True))
    return Consensus._from_fields(
        labels=labels,
        k=k,
        _evidence=Affinity(e, labels, k),
        _own=own,
        score=score(labels, e),
        method=name,
        options=dict(options),
        _view=_view(outcome, ready, labels) or view_overlaps(e, labels, k),
        dendrogram=outcome.dendrogram,
        _details=dict(outcome.details),
        names=e.vertex_names(),
        tree_of_clusters=outcome.tree_of_clusters,
        why=f"{k} cluster{'' if k == 1 else 's'} by {name}.",
    )


def _view(outcome: Outcome, ready: Ready, labels: LabelArray) -> Lazy[View] | None:
    """The graph of an outcome if it has one, with labels of vertices in the numbers of the final labels."""
    graph, index, groups, raw = outcome.graph, outcome.index, outcome.vertex_labels, outcome.labels
    if graph is None:
        return None
    unit, e, part = ready.unit if outcome.sums else 1.0, ready.ensemble, labels[ready.present]

    def view() -> View:
        seen, at, of_vertices = graph() if callable(graph) else (graph, index, groups)
        # Partition weights in the original unit, as the sums of them.
        if isinstance(seen, BipartiteGraph):
            seen = seen._replace(ensemble=seen.ensemble.reweight(seen.ensemble.weights * unit))
        elif isinstance(seen, Hypergraph):
            seen = seen._replace(hyperedge_weights=seen.hyperedge_weights * unit)
        vertices = ready.spread(object_vertices(seen, at, e.n_objects))
        if of_vertices is not None:
            return View(seen, vertices, _rename(of_vertices, raw, labels))
        of_vertices = np.full(seen.n_vertices, MISSING, dtype=np.int32)
        of_vertices[vertices[vertices >= 0]] = labels[vertices >= 0]
        # A cluster among the vertices has the label that most of its objects have.
        clusters = np.flatnonzero(seen.roles == CLUSTER) if isinstance(seen, Graph) else np.empty(0, dtype=np.int64)
        if clusters.size:
            of_vertices[clusters] = majority_labels(e, part)
        return View(seen, vertices, of_vertices)

    return Lazy(view)


def _rename(given: AnyArray, raw: AnyArray, labels: LabelArray) -> LabelArray:
    """Final numbers of labels in the method's numbering; −1 for labels without objects."""
    size = int(max(np.max(given, initial=MISSING), np.max(raw, initial=MISSING))) + 1
    name = np.full(size + 1, MISSING, dtype=np.int32)  # the last place serves −1
    name[raw[raw >= 0]] = labels[raw >= 0]
    return name[given]
