"""Consensus from a tree: cut where k clusters are left, or where a clustering lives longest."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import MISSING, IntArray
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from .outcome import Outcome


def cut_tree(graph: Graph, tree: Dendrogram, k: int | None, **details: Any) -> Outcome:
    """Cut a tree at k clusters, or without k where a clustering survives the longest range of heights."""
    found = tree.cut_longest_lifetime() if k is None else tree.cut(k)
    return Outcome(found, graph=graph, dendrogram=tree, details=details)


def tree_of_some(tree: Dendrogram, drawn: IntArray, e: Ensemble) -> Dendrogram:
    """Return the tree of some objects as one of all objects of an ensemble, in which the others have no leaf."""
    leaf = np.full(e.n_objects, MISSING, dtype=np.int64)
    leaf[drawn] = tree.index
    return Dendrogram(tree.merges, leaf_weights=tree.leaf_weights, index=leaf, names=e.vertex_names())
