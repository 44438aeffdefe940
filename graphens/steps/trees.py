"""Consensus from a tree: cut where k clusters are left, or where a clustering lives longest."""

from __future__ import annotations

from typing import Any

from ..core.dendrogram import Dendrogram
from ..core.graph import Graph
from .outcome import Outcome


def cut_tree(graph: Graph, tree: Dendrogram, k: int | None, **details: Any) -> Outcome:
    """Cut a tree at k clusters, or without k where a clustering survives the longest range of heights."""
    found = tree.cut_longest_lifetime() if k is None else tree.cut(k)
    return Outcome(found, graph=graph, dendrogram=tree, details=details)
