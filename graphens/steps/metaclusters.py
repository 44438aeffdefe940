"""Collapse and compete: groups of clusters gather what their clusters hold, and compete for the objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray, IntArray, LabelArray, Seed, freeze, reported_seed
from .._work import map_threads
from ..core.codes import row_hashes
from ..core.ensemble import Ensemble
from ..core.graph import Graph

_ROWS = 1 << 15  # objects per piece of threaded work


@dataclass(frozen=True, eq=False)
class Association:
    """How strongly each distinct label row is tied to each group of clusters, and the row of each object."""

    strength: FloatArray
    index: IntArray
    micro: Ensemble

    def of_objects(self) -> FloatArray:
        """Return one row per object."""
        return self.strength[self.index]


def gather(e: Ensemble, groups: LabelArray, *, mean: bool = False, k: int | None = None) -> Association:
    """Sum the partition weights of an object's clusters within each of k groups of clusters.

    With `mean`, divided by the weight of the group: the weighted mean of the indicators of its clusters. O(ñB).
    """
    weight = np.repeat(e.weights, e.n_clusters)
    if mean:
        total = np.bincount(groups, weights=weight)[groups]
        weight = np.divide(weight, total, out=np.zeros_like(weight), where=weight > 0)
    micro, index = e.collapse()
    table = np.zeros((len(weight), int(groups.max()) + 1 if k is None else k))
    table[np.arange(len(weight)), groups] = weight
    return Association(sum_rows(micro, table), index, micro)


def sum_rows(e: Ensemble, table: FloatArray) -> FloatArray:
    """Return H · table for the incidence H of the ensemble: the sum of the rows of every object's clusters. O(nB)."""
    from ..kernels.embedding import add_rows

    n = e.n_objects
    out = np.empty((n, table.shape[1]))
    map_threads(
        lambda start: add_rows(e.codes, e.offsets, e.absent, table, start, min(n, start + _ROWS), out),
        range(0, n, _ROWS),
    )
    return out


def compete(association: Association, ties: Seed) -> LabelArray:
    """Give every object the group it is tied to most strongly.

    Ties are broken at random under the seed, by a hash of the labels: the same for equal rows, wherever they are read.
    """
    strength = association.strength
    tied = strength >= strength.max(axis=1, keepdims=True) * (1 - 1e-9)
    winner = strength.argmax(axis=1).astype(np.int32)
    torn = np.flatnonzero(np.count_nonzero(tied, axis=1) > 1)
    if torn.size:
        drawn = row_hashes(np.take(association.micro.codes, torn, axis=1), reported_seed(ties)) >> np.uint64(
            11
        )
        rank = tied[torn].cumsum(axis=1)
        winner[torn] = (rank > (drawn % rank[:, -1].astype(np.uint64))[:, None]).argmax(axis=1)
    return winner[association.index]


def alike(graph: Graph) -> Graph:
    """Return the graph with vertices of weight 1: it counts clusters, not their members."""
    return Graph.trusted(graph.adjacency, graph, vertex_weights=freeze(np.ones(graph.n_vertices)))
