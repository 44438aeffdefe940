"""Evidence accumulation: dendrograms of the co-association graph."""

from __future__ import annotations

from typing import Any

from ..linkage import link
from ..views.coassociation import coassociation
from .registry import Outcome, consensus_function


@consensus_function(
    family="evidence accumulation",
    graph="co-association",
    needs_k=False,
    missing="similarity over partitions that have both objects",
    cost="O(ñ²B)",
    reference="Fred and Jain 2005",
)
def eac(labels: Any, k: int | None = None, *, linkage: str = "single") -> Outcome:
    """Cut the dendrogram of the co-association graph, at k clusters or where a clustering lives longest."""
    graph = coassociation(labels)
    tree = link(graph, linkage)
    return Outcome(tree.cut_longest_lifetime() if k is None else tree.cut(k), graph=graph, dendrogram=tree)
