"""Collapse and compete: groups of clusters sum up the members of their clusters, and compete for the objects."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._lib.arrays import FloatArray, IntArray, LabelArray, Seed, divide, freeze, reported_seed
from ..graphs.counts import sum_rows, use_sums
from ..graphs.graph import Graph
from ..labels.encoding import row_hashes
from ..labels.ensemble import Ensemble
from .vote_tables import room_for_table


@dataclass(frozen=True, eq=False)
class Association:
    """The association of each distinct label row with each group of clusters, and the row of each object."""

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
    room_for_table(e.n_objects, int(groups.max()) + 1 if k is None else k)
    micro, index = e.collapse()
    return Association(sum_rows(micro, group_table(e, groups, mean=mean, k=k)), index, micro)


def group_table(e: Ensemble, groups: LabelArray, *, mean: bool = False, k: int | None = None) -> FloatArray:
    """Return the contribution of each cluster to each group, K × k; see `gather`."""
    weight = np.repeat(e.weights, e.n_clusters)
    if mean:
        weight = divide(weight, np.bincount(groups, weights=weight)[groups])
    k = int(groups.max()) + 1 if k is None else k
    room_for_table(len(weight), k, "base clusters")
    table = np.zeros((len(weight), k))
    table[np.arange(len(weight)), groups] = weight
    return table


def compete(association: Association, ties: Seed) -> LabelArray:
    """Assign every object to the group with the largest association.

    Ties are broken at random with the seed, by a hash of the labels, so that equal rows get the same group.
    """
    from ..kernels.counting import strongest

    drawn = row_hashes(association.micro.codes, reported_seed(ties))
    winner = np.empty(len(drawn), dtype=np.int32)
    strongest(association.strength, drawn, winner)
    return winner[association.index]


def strongest_groups(e: Ensemble, table: FloatArray, ties: Seed) -> LabelArray:
    """Assign every object to the group with the largest sum over the rows of its clusters; ties as in `compete`."""
    from ..kernels.counting import strongest

    drawn = row_hashes(e.codes, reported_seed(ties))
    winner = np.empty(len(drawn), dtype=np.int32)
    use_sums(e, table, lambda some, sums: strongest(sums, drawn[some], winner[some]))
    return winner


def alike(graph: Graph) -> Graph:
    """Return the graph with vertices of weight 1, so that clusters count instead of their members."""
    return Graph._trusted(graph.adjacency, graph, vertex_weights=freeze(np.ones(graph.n_vertices)))
