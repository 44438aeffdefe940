"""What cuts are judged by, on any graph: smaller is better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._arrays import LabelArray
from ..core.graph import Graph


def modularity(graph: Graph, labels: LabelArray) -> float:
    """Share of edge weight inside the parts, less what degrees alone would put there (Newman). O(E)."""
    degree = graph.degree()
    total = degree.sum()
    if total <= 0:
        return 0.0
    volume = np.bincount(labels, weights=degree)
    return float(1 - 2 * graph.cut(labels) / total - ((volume / total) ** 2).sum())


def normalized_cut_value(graph: Graph, labels: LabelArray) -> float:
    """Σ over parts of the weight leaving a part over the degrees inside it (Shi and Malik). O(E)."""
    leaving = graph.contract(labels).degree()
    volume = np.bincount(labels, weights=graph.degree(), minlength=len(leaving))
    return float(np.divide(leaving, volume, out=np.zeros_like(leaving), where=volume > 0).sum())


#: what the best of several runs is chosen by, for a graph or a hypergraph and its labels
OBJECTIVES: dict[str, Callable[[Any, LabelArray], float]] = {
    "cut": lambda graph, labels: graph.cut(labels),
    "km1": lambda graph, labels: graph.km1(labels),
    "ncut": normalized_cut_value,
    "modularity": lambda graph, labels: -modularity(graph, labels),
}
