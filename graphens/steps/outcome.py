"""What a method found, before the contract makes a `Consensus` of it, and the outcome of cutting a tree."""

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
    """What a consensus function found, and what its graph and its tree are over.

    Attributes
    ----------
    labels
        A cluster for every object, numbered as the method likes; −1 for one it leaves out.
    membership
        The method's own memberships, n × clusters: column j belongs to label j. None: co-association decides.
    graph, dendrogram
        What decided.
    index
        For each object its vertex of the graph, −1 for none, as a `Dendrogram` has it for its leaves. Without it the
        graph's object vertices are the objects in their order.
    vertex_labels
        For each vertex of the graph its cluster, in the numbers of `labels`, where the method knows it for clusters
        too. Without it an object's vertex follows the object, and a cluster's vertex the label that most of its
        weight has; the graph's cluster vertices are then all clusters of the ensemble in their order.
    tree_of_clusters
        Whether the leaves of the dendrogram are something else than objects, so that absent ones do not concern it.
    k_ignored
        Why a given k could not be followed, and what to do; empty where it was.
    details
        Further findings, by name.
    rule
        Makes the rule by which any other object would get its label, see `steps.objects`: of methods that scale.
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
    rule: Callable[[], Rule] | None = None


def required(k: int | None) -> int:
    """Return k, which the contract fills in for methods that need it."""
    if k is None:
        raise InputError("k = None was given; expected the number of clusters.")
    return k


def cut_tree(graph: Graph, tree: Dendrogram, k: int | None, **details: Any) -> Outcome:
    """Cut a tree at k clusters, or without k where a clustering survives the longest range of heights."""
    found = tree.cut_longest_lifetime() if k is None else tree.cut(k)
    return Outcome(found, graph=graph, dendrogram=tree, details=details)


def tree_of_some(tree: Dendrogram, drawn: IntArray, e: Ensemble) -> Dendrogram:
    """Return the tree of some objects as one of all objects of an ensemble, in which the others have no leaf."""
    leaf = np.full(e.n_objects, MISSING, dtype=np.int64)
    leaf[drawn] = tree.index
    return Dendrogram(tree.merges, leaf_weights=tree.leaf_weights, index=leaf, names=e.vertex_names())
