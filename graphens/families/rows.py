"""The objects of an ensemble for scalable methods, and the rules by which these label any row.

A scalable method uses counts of clusters and a sample of rows, and returns the rule that gives any row of labels its
cluster. The rows may therefore be in memory, as here, or on disk, where `scale` counts them block by block.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, IntArray, LabelArray, divide
from ..cutting.entry import Cutter
from ..cutting.spectral import walk_of
from ..graphs.affinity import Affinity, Counted, count_overlaps
from ..graphs.bipartite import BipartiteGraph
from ..graphs.counts import cooccurrence, sample_details, sum_cluster_rows, use_sums
from ..graphs.graph import Graph
from ..graphs.metagraph import counted_metagraph, metagraph
from ..graphs.reliability import cluster_reliability
from ..labels.encoding import row_hashes
from ..labels.ensemble import Ensemble
from ..measures.agreement import MEASURES, Contingency
from .vote_tables import votes_of_company

_ROWS = 1 << 16  # rows that are placed at a time
_TINY = 1e-12  # the length of a row that points nowhere


class Rows:
    """The rows of labels of all objects, in memory.

    Attributes
    ----------
    sample
        The rows themselves; for rows on disk, a sample of distinct rows with weights.
    all_clusters
        An ensemble that has the clusters of all rows, and possibly no objects.
    """

    sample: Ensemble
    all_clusters: Ensemble
    in_memory: bool = True  #: whether the sample has all rows

    def __init__(self, e: Ensemble) -> None:
        self.sample = self.all_clusters = e

    def overlaps(self) -> sparse.csr_array:
        """Return |a ∩ b| for all pairs of different clusters, K × K."""
        return cooccurrence(self.sample)

    def sizes(self) -> FloatArray:
        """Return |a| of every cluster."""
        return self.sample.cluster_sizes()

    def largest_degrees(self, t: int) -> FloatArray:
        """Return for every cluster of partition t the largest degree of its objects: the weight of their clusters."""
        return largest_degrees(self.sample, t, self.sizes())

    def nmi(self) -> FloatArray:
        """Return the normalized mutual information of all pairs of partitions, B × B."""
        e, cells = self.all_clusters, (self.overlaps() + sparse.diags_array(self.sizes())).tocoo()
        # One contingency table per pair of partitions, all of them cells of the table of all pairs of clusters.
        owner = np.repeat(np.arange(e.n_partitions), e.n_clusters)
        pair = owner[cells.row] * e.n_partitions + owner[cells.col]
        table = Contingency(pair, cells.row, cells.col, cells.data, e.n_partitions**2)
        return np.asarray(MEASURES["nmi"](table).reshape(e.n_partitions, e.n_partitions))

    def metagraph(self, similarity: Any = "jaccard") -> Graph:
        """Return the graph of the clusters, see `graphs.metagraph`."""
        if self.in_memory:
            return metagraph(self.sample, similarity)
        return counted_metagraph(self.overlaps(), self.sizes(), self.all_clusters.cluster_names, similarity)

    def reliability(self, entropy_scale: float, *, adjusted: bool = True) -> FloatArray:
        """Return how far the ensemble agrees with each cluster, see `graphs.reliability`."""
        counts = None if self.in_memory else self.overlaps()  # an ensemble keeps its own
        return cluster_reliability(self.all_clusters, entropy_scale, counts, adjusted=adjusted)

    def metagraph_details(self, graph: Graph) -> dict[str, Any]:
        """Return the number of partitions whose clusters the edges of a meta-graph lead to; nothing if to all."""
        return {} if graph.kind == "metagraph" else sample_details(self.all_clusters)

    def star_cutter(self, cutter: Cutter) -> Cutter:
        """Return the partitioner of the bipartite graph."""
        return cutter

    def bipartite(
        self, weights: FloatArray | None, k: int | None, *, collapse: bool
    ) -> tuple[BipartiteGraph, IntArray]:
        """Return the bipartite graph of the distinct rows, and the row of each object."""
        micro, index = rows_to_cut(self.sample, k, collapse=collapse)
        return BipartiteGraph(micro, cluster_weights=weights, repeated=True), index


def rows_to_cut(e: Ensemble, k: int | None, *, collapse: bool) -> tuple[Ensemble, IntArray]:
    """Return the distinct label rows and the row of each object; the objects themselves if there are not k rows."""
    if collapse:
        micro, index = e.collapse()
        if k is None or micro.n_objects >= k:
            return micro, index
    return e, np.arange(e.n_objects)


def largest_degrees(e: Ensemble, t: int, sizes: FloatArray) -> FloatArray:
    """Return the largest degree of the objects of each cluster of partition t, given the sizes of all clusters."""
    # The degree of an object in the co-association graph: Σ_t w_t |c_t(i)|, from the sizes of its clusters alone.
    degree = sum_cluster_rows(e, (np.repeat(e.weights, e.n_clusters) * sizes)[:, None])[:, 0]
    there = e.codes[t] != e.absent
    peak = np.zeros(int(e.n_clusters[t]))
    np.maximum.at(peak, e.codes[t][there], degree[there])
    return peak


@dataclass(frozen=True, eq=False)
class Rule:
    """How a row of labels gets its cluster, from tables alone; its fields are arrays, so that it can be stored."""

    table: FloatArray  #: one row for each base cluster

    @property
    def k(self) -> int:
        """The number of clusters."""
        return self.table.shape[1]

    def labels(self, e: Ensemble) -> LabelArray:
        """Return the cluster of every object, −1 if the tables have no evidence for it."""
        raise NotImplementedError

    def retry(self, e: Ensemble, shared: FloatArray, sizes: FloatArray, lost: int) -> Rule:
        """Return the rule for another round if objects with labels were `lost`, otherwise the rule itself.

        `shared` has the overlaps of the assigned clusters with those of `e`, and `sizes` their numbers of objects.
        """
        return self

    def arrays(self) -> dict[str, AnyArray]:
        """Return its name and its tables."""
        return {"rule": np.array(type(self).__name__)} | {
            f.name: np.asarray(getattr(self, f.name)) for f in fields(self)
        }


def read_rule(arrays: Mapping[str, AnyArray]) -> Rule:
    """Return the rule that was stored as `arrays`."""
    rule: Rule = RULES[str(arrays["rule"])](**{name: a for name, a in arrays.items() if name != "rule"})
    return rule


@dataclass(frozen=True, eq=False)
class LargestSum(Rule):
    """Groups of clusters compete for the rows; ties are broken by a hash of the labels and the seed."""

    seed: int

    def labels(self, e: Ensemble) -> LabelArray:
        """Return the group with the largest sum over the rows of an object's clusters."""
        from ..kernels.counting import strongest

        # Equal rows draw the same ticket wherever they lie, so the answer does not depend on blocks or workers.
        tickets = row_hashes(e.codes, int(self.seed))
        winner = np.empty(len(tickets), dtype=np.int32)
        use_sums(e, self.table, lambda some, sums: strongest(sums, tickets[some], winner[some]))
        return winner


@dataclass(frozen=True, eq=False)
class Nearest(Rule):
    """Rows are embedded by the transfer cut, and go to the nearest center."""

    centers: FloatArray

    @classmethod
    def of(cls, graph: BipartiteGraph, labels: LabelArray, k: int) -> Nearest:
        """Return the rule by which the objects of a cut bipartite graph have their labels."""
        # The eigenvectors of the clusters' side embed a row as the mean of its clusters; rows are scaled to length 1,
        # and the centers are the means of the rows of each part.
        a, e = graph._biadjacency(), graph.ensemble
        own, groups = labels[: e.n_objects], labels[e.n_objects :]
        walk, size = walk_of(a), int(labels.max()) + 1
        table = np.eye(size)[groups] if a.row_components(walk.components).max() + 1 >= k else walk.table(k)
        points = a.expand(a.mean_rows(table))
        unit = divide(points, np.sqrt(np.einsum("ij,ij->i", points, points))[:, None], above=_TINY)
        centers = np.zeros((size, unit.shape[1]))
        np.add.at(centers, own, unit * e.object_weights[:, None])
        centers /= np.bincount(own, weights=e.object_weights, minlength=size)[:, None]
        cluster_weight = np.repeat(e.weights, e.n_clusters)
        cluster_weight = cluster_weight if graph.cluster_weights is None else cluster_weight * graph.cluster_weights
        return cls(table * cluster_weight[:, None], centers)

    @property
    def k(self) -> int:
        """The number of centers."""
        return len(self.centers)

    def labels(self, e: Ensemble) -> LabelArray:
        """Return the nearest center.

        The product of a row with the centers is the sum of the products of its clusters; its degree does not matter.
        """
        # One pass gives both the row and its products with the centers: ‖x − c‖² is smallest where x·c − ‖c‖²/2 is
        # largest.
        width, half = self.table.shape[1], (self.centers**2).sum(axis=1) / 2
        labels = np.empty(e.n_objects, dtype=np.int32)

        def choose(some: slice, sums: FloatArray) -> None:
            length = np.sqrt(np.einsum("ij,ij->i", sums[:, :width], sums[:, :width]))
            scale = divide(1.0, length, above=_TINY)
            labels[some] = (sums[:, width:] * scale[:, None] - half).argmax(axis=1)

        use_sums(e, np.hstack([self.table, self.table @ self.centers.T]).astype(np.float32), choose)
        return labels


@dataclass(frozen=True, eq=False)
class Majority(Rule):
    """Clusters vote; ties go to the label of the object's cluster in the reference, then to the first label.

    Rows without a vote get labels from the distribution of labels in their clusters, round by round.
    """

    favored: LabelArray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    reference: int = 0
    mixes: FloatArray = field(default_factory=lambda: np.empty((0, 0, 0)))
    lost: int = -1

    def labels(self, e: Ensemble) -> LabelArray:
        """Return the label with most votes."""
        from ..kernels.counting import winners

        micro, index = e.collapse()
        # The last place serves absent objects.
        own = np.append(self.favored, np.int32(MISSING))
        row = micro.codes[int(self.reference)]
        labels = winners(
            sum_cluster_rows(micro, self.table), own[np.minimum(row, len(own) - 1).astype(np.int64)].astype(np.int32)
        )
        # Objects whose clusters have no votes: each round knows how labels are distributed in the clusters by then.
        for mix in self.mixes:
            lone = np.flatnonzero(labels < 0)
            some = micro._replace(codes=np.take(micro.codes, lone, axis=1), object_weights=micro.object_weights[lone])
            labels[lone] = winners(sum_cluster_rows(some, mix), np.full(len(lone), MISSING, dtype=np.int32))
        return np.asarray(labels[index])

    def retry(self, e: Ensemble, shared: FloatArray, sizes: FloatArray, lost: int) -> Rule:
        """Add the distribution of labels in each cluster; if that helped no row, the most common label for all."""
        if not lost:
            return self
        mix = votes_of_company(e, shared)
        if lost == self.lost:
            mix = np.zeros_like(mix)
            mix[:, sizes.argmax()] = 1
        mixes = np.concatenate([self.mixes.reshape(-1, *mix.shape), mix[None]])
        return replace(self, mixes=mixes, lost=lost)


@dataclass(frozen=True, eq=False)
class MostTogether(Rule):
    """Rows go to the cluster of a sample with which they are together most, as in `Consensus.assign`."""

    seen: FloatArray
    size: FloatArray

    @classmethod
    def of(cls, sample: Ensemble, labels: LabelArray, k: int) -> MostTogether:
        """Return the rule of a labeled sample."""
        shared, seen, size = count_overlaps(sample, labels, k)
        return cls(shared.toarray(), seen, size)

    def labels(self, e: Ensemble) -> LabelArray:
        """Return the cluster with the largest mean co-association, −1 if there is no evidence."""
        counted = Counted(sparse.csr_array(self.table), self.seen, self.size)
        affinity = Affinity(e, np.full(e.n_objects, MISSING, dtype=np.int32), self.k, counted=counted)
        parts = [affinity.place(e.codes[:, a : a + _ROWS]).labels for a in range(0, e.n_objects, _ROWS)]
        return np.concatenate([np.empty(0, dtype=np.int32), *parts])


RULES: dict[str, Any] = {rule.__name__: rule for rule in (LargestSum, Nearest, Majority, MostTogether)}
