"""Collapse and compete: groups of clusters sum up the members of their clusters, and compete for the objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._lib.arrays import FloatArray, IntArray, LabelArray, Seed, divide, freeze, reported_seed
from ..cutting.entry import Cutter, Partition
from ..graphs.counts import sum_cluster_rows
from ..graphs.graph import Graph
from ..labels.encoding import row_hashes
from ..labels.ensemble import Ensemble
from .outcome import Outcome
from .rows import LargestSum
from .vote_tables import room_for_table


@dataclass(frozen=True, eq=False)
class Association:
    """The association of each distinct label row with each group of clusters."""

    groups: LabelArray  #: the group of every cluster
    table: FloatArray  #: what a cluster adds to each group, K × groups
    strength: FloatArray  #: the sums over the clusters of each distinct row
    micro: Ensemble  #: the distinct rows, and the row of each object
    index: IntArray

    def of_objects(self) -> FloatArray:
        """Return one row per object."""
        return self.strength[self.index]


def group_clusters(graph: Graph, k: int | None, cutter: Cutter) -> Partition:
    """Cut a graph of clusters into at most as many groups as there are clusters."""
    return cutter.cut(graph, None if k is None else min(k, graph.n_vertices))


def collapse(e: Ensemble, groups: LabelArray, *, mean: bool = False, k: int | None = None) -> Association:
    """Sum the partition weights of an object's clusters within each of k groups of clusters.

    With `mean`, divided by the weight of the group: the weighted mean of the indicators of its clusters. O(nB).
    """
    k = int(groups.max()) + 1 if k is None else k
    room_for_table(e.n_objects, k)
    room_for_table(len(groups), k, "base clusters")
    weight = np.repeat(e.weights, e.n_clusters)
    if mean:
        weight = divide(weight, np.bincount(groups, weights=weight)[groups])
    table = np.zeros((len(groups), k))
    table[np.arange(len(groups)), groups] = weight
    micro, index = e.collapse()
    return Association(groups, table, sum_cluster_rows(micro, table), micro, index)


def compete(association: Association, seed: Seed, **fields: Any) -> Outcome:
    """Assign every object to the group with the largest association.

    Ties are broken at random with the seed, by a hash of the labels, so that equal rows get the same group.
    """
    from ..kernels.counting import strongest

    tickets = row_hashes(association.micro.codes, reported_seed(seed))
    winner = np.empty(len(tickets), dtype=np.int32)
    strongest(association.strength, tickets, winner)
    return Outcome(
        winner[association.index],
        membership=association.of_objects(),
        vertex_labels=association.groups,
        rule=lambda: LargestSum(association.table, reported_seed(seed)),
        **fields,
    )


def alike(graph: Graph) -> Graph:
    """Return the graph with vertices of weight 1, so that clusters count instead of their members."""
    return Graph._trusted(graph.adjacency, graph, vertex_weights=freeze(np.ones(graph.n_vertices)))
