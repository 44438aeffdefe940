"""Similarity by the trajectories of random walks, and the tree of such a similarity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray
from .._lib.memory import require
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from ..trees import link
from ..trees.dendrogram import Dendrogram
from .outcome import Outcome, cut_tree

_INSTEAD = "Use lwgp(), which needs no n × n"


def trajectory_similarity(step: sparse.csr_array, n_steps: int) -> FloatArray:
    """Cosine of the trajectories P¹ … P^T of each vertex, where P has the row-normalized steps; 1 on the diagonal.

    A walk from a vertex without edges stays there. O(n³T) time, n × n memory: Σ_s P^s P^sᵀ is summed step by step.
    """
    total = np.asarray(step.sum(axis=1)).ravel()
    resting = sparse.diags_array((total <= 0).astype(float))
    walk = sparse.csr_array(step / np.where(total > 0, total, 1.0)[:, None] + resting)
    at = walk.toarray()
    gram = at @ at.T
    for _ in range(n_steps - 1):
        at = walk @ at
        gram += at @ at.T
    length = np.sqrt(gram.diagonal())
    cosine = np.clip(gram / length[:, None] / length[None, :], 0.0, 1.0)
    np.fill_diagonal(cosine, 1.0)
    return np.asarray((cosine + cosine.T) / 2)


def room_for_walks(n: int, what: str = "distinct label rows", per_pair: float = 60.0) -> None:
    """Refuse walks whose n × n matrices, with a given number of bytes per pair, exceed the memory budget."""
    require(per_pair * n * n, f"Walks between {n} {what}", _INSTEAD)


def average_link(e: Ensemble, similarity: Callable[[Ensemble], FloatArray], k: int | None) -> Outcome:
    """Average link of a similarity of the distinct rows, cut at k or at the longest lifetime."""
    micro, index = e.collapse()
    room_for_walks(micro.n_objects)
    matrix = similarity(micro)
    np.fill_diagonal(matrix, 0.0)
    graph = Graph(matrix, vertex_weights=micro.object_weights, names=micro.vertex_names(), kind="walks")
    tree = link(graph, "average")
    tree = Dendrogram(tree.merges, leaf_weights=micro.object_weights, index=index, names=e.vertex_names())
    return replace(cut_tree(graph, tree, k), index=index)
