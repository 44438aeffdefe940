"""The outcome of a method, before it becomes a `Consensus`, and the outcome of cutting a tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import MISSING, AnyArray, FloatArray, IntArray
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.hypergraph import Hypergraph
from ..errors import InputError

if TYPE_CHECKING:
    from .objects import Rule


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a consensus method, with its graph and its tree.

    Attributes
    ----------
    labels
        Cluster of every object, in any numbering; −1 for an unassigned object.
    membership
        The method's own memberships, n × clusters, where column j belongs to label j. If None, memberships come from
        the co-association.
    graph, dendrogram
        The graph and dendrogram that the method used.
    index
        Vertex of each object in the graph, −1 for none, as in a `Dendrogram` for its leaves. Without it, the object
        vertices of the graph are the objects in order.
    vertex_labels
        Cluster of each vertex of the graph, in the numbering of `labels`, if the method assigns clusters, too.
        Without it, an object's vertex gets the label of the object, and a cluster's vertex gets the label of most of
        its weight; the cluster vertices of the graph are then all clusters of the ensemble in order.
    tree_of_clusters
        Whether the leaves of the dendrogram are clusters rather than objects, so that absent objects do not affect it.
    k_ignored
        Why a given k could not be reached, and what to do; empty if it was.
    k_from
        Where the number of clusters comes from if k is not given, such as "the reference"; empty if it was found.
    details
        Additional results, by name.
    sums
        Names of the details that are sums of partition weights; they are reported in the unit of the given weights.
    rule
        For scalable methods, a function that returns the rule by which any other object gets its label; see
        `steps.objects`.
    """

    labels: AnyArray
    membership: FloatArray | None = None
    graph: Graph | Hypergraph | None = None
    dendrogram: Dendrogram | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    index: AnyArray | None = None
    vertex_labels: AnyArray | None = None
    tree_of_clusters: bool = False
    k_ignored: str = ""
    k_from: str = ""
    sums: tuple[str, ...] = ()
    rule: Callable[[], Rule] | None = None


def required(k: int | None) -> int:
    """Return k, which has a default for methods that need it."""
    if k is None:
        raise InputError("k = None was given; expected the number of clusters.")
    return k


def cut_tree(graph: Graph, tree: Dendrogram, k: int | None, **details: Any) -> Outcome:
    """Cut a tree at k clusters or, without k, at the clustering with the longest lifetime."""
    found = tree.cut_longest_lifetime() if k is None else tree.cut(k)
    return Outcome(found, graph=graph, dendrogram=tree, details=details)


def tree_of_some(tree: Dendrogram, drawn: IntArray, e: Ensemble) -> Dendrogram:
    """Return the tree of some objects as a tree of all objects of an ensemble; the others have no leaf."""
    leaf = np.full(e.n_objects, MISSING, dtype=np.int64)
    leaf[drawn] = tree.index
    return Dendrogram(tree.merges, leaf_weights=tree.leaf_weights, index=leaf, names=e.vertex_names())
