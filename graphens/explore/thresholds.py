"""The exact number of edges and components of a graph at every threshold, counted without storing all edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray
from ..graphs.coassociation import CoassociationGraph
from ..graphs.graph import SLACK, Graph
from ..graphs.matrices import heaviest_forest
from ..measures.agreement import ari

_WORK = 5e10  # comparisons of labels that a page may cost, about half a minute
_SORTED = 15.0  # what sorting similarities costs beside counting them
_WIDTH = 201  # whole numbers of shared evidence that are counted in a table
_RANGES = 64  # ranges of thresholds that are compared with the clusters, the longest
_DISTINCT = 1 << 16  # different weights that are told apart; beyond, they are rounded down to this part of 1


@dataclass(frozen=True, eq=False)
class Levels:
    """The distinct edge weights in decreasing order, with the numbers of edges and of merges at each."""

    vertices: int  #: components before any merge
    weights: FloatArray  #: distinct weights, in decreasing order
    edges: IntArray  #: of each weight
    merges: IntArray  #: edges of a maximum spanning forest of each weight: every one joins two components
    step: float = 0.0  #: 0 if weights are exact, otherwise the step to whose multiples they are rounded down

    def at(self, theta: float) -> tuple[int, int]:
        """Return the number of edges above a threshold, and the number of components that they form."""
        above = int(np.searchsorted(-self.weights, -(theta + SLACK)))
        return int(self.edges[:above].sum()), self.vertices - int(self.merges[:above].sum())

    @property
    def lowest(self) -> float:
        """The smallest threshold: 0, or the smallest weight if a tree has similarities below 0."""
        return min(0.0, float(self.weights.min(initial=0.0)))


def start(edges: tuple[AnyArray, AnyArray, FloatArray], labels: LabelArray, lowest: float = 0.0) -> float:
    """Return the first threshold: the middle of the range whose islands are most like the clusters of the vertices.

    The number of islands would not do: a pair of objects apart from all others is an island, too. Of the ranges between
    weights at which islands merge, the longest are compared; if there is none, the threshold is the lowest. O(E log n).
    """
    from scipy.sparse import csgraph

    n, there, (source, target, weight) = len(labels), labels >= 0, edges
    real = weight > lowest
    both = (np.concatenate(pair)[np.tile(real, 2)] for pair in ((source, target), (target, source)))
    forest = heaviest_forest(sparse.csr_array((np.tile(weight[real], 2), tuple(both)), shape=(n, n)))
    ends = np.append(np.unique(-forest.data), -lowest) * -1.0
    length = -np.diff(ends)
    best, threshold = -1.0, lowest
    for at in np.argsort(-length, kind="stable")[: _RANGES * there.any()].tolist():
        kept = forest.copy()
        kept.data = np.where(forest.data >= ends[at], 1.0, 0.0)
        kept.eliminate_zeros()
        like = ari(csgraph.connected_components(kept, directed=False)[1][there], labels[there])
        if like > best + 1e-9:
            best, threshold = like, _short(float(ends[at + 1]), float(ends[at]))
    return threshold


def _short(low: float, high: float) -> float:
    """The middle of a range, with as few decimals as possible."""
    middle = (low + high) / 2
    for decimals in range(1, 12):
        if abs(round(middle, decimals) - middle) < 0.3 * (high - low):
            return round(middle, decimals)
    return middle


def levels_of(graph: Graph) -> Levels:
    """Count the edges and merges of any graph; O(E log E), and O(ñ²B) on the ñ distinct rows of labels."""
    if isinstance(graph, CoassociationGraph):
        return levels_of_labels(graph)
    return levels_of_edges(graph.n_vertices, graph.edges()[2], graph.spanning_forest().edges()[2])


def levels_of_edges(n: int, weights: FloatArray, merging: FloatArray) -> Levels:
    """Count all edges, and those of a maximum spanning forest, by weight."""
    values, places = np.unique(-np.concatenate([weights, merging]), return_inverse=True)
    edges = np.bincount(places[: len(weights)], minlength=len(values))
    merges = np.bincount(places[len(weights) :], minlength=len(values))
    return Levels(n, -values, edges, merges)


def feasible(graph: Graph) -> bool:
    """Whether all pairs of a graph's vertices can be counted in acceptable time."""
    if not isinstance(graph, CoassociationGraph):
        return True
    return _cost(graph) * float(graph.collapse()[0].n_vertices) ** 2 <= _WORK


def most_distinct(graph: CoassociationGraph) -> int:
    """Return the number of distinct rows that can be counted in acceptable time."""
    return int((_WORK / _cost(graph)) ** 0.5)


def _cost(graph: CoassociationGraph) -> float:
    """Comparisons for a pair of rows."""
    return graph.ensemble.n_partitions * (1.0 if _width(graph) else _SORTED)


def _width(graph: CoassociationGraph) -> int:
    """One more than the largest evidence if it is a small whole number, otherwise 0."""
    weights = graph._evidence.weights
    whole = graph.cluster_weights is None and bool((weights == np.rint(weights)).all())
    return int(weights.sum()) + 1 if whole and weights.sum() < _WIDTH else 0


def levels_of_labels(graph: CoassociationGraph) -> Levels:
    """Count pairs of distinct rows for all their copies; copies of a row have its similarity to itself."""
    micro, index = graph.collapse()
    copies, likeness = np.bincount(index, minlength=micro.n_vertices), micro.likeness()
    merging = micro.spanning_forest().edges()[2]
    values, counts = (_counted if _width(graph) else _sorted)(micro, copies)
    twins = copies * (copies - 1) // 2
    every = [np.concatenate(part) for part in ([values, likeness, merging], [counts, twins, 0 * merging.astype(int)])]
    joined = np.concatenate([0 * counts, copies - 1, np.ones(len(merging), dtype=np.int64)])
    step = 1 / _DISTINCT if len(values) > _DISTINCT else 0.0
    if step:
        every[0] = np.where(joined > 0, every[0], np.floor(every[0] / step) * step)
    there = every[0] > SLACK
    falling, places = np.unique(-every[0][there], return_inverse=True)
    sums = [
        np.bincount(places, part[there].astype(np.float64), len(falling)).astype(np.int64)
        for part in (every[1], joined)
    ]
    return Levels(graph.n_vertices, -falling, sums[0], sums[1], step)


def _counted(micro: CoassociationGraph, copies: AnyArray) -> tuple[FloatArray, IntArray]:
    """Similarities that are whole numbers over whole numbers, in a table of both."""
    from ..kernels.similarity import count_pairs

    width = _width(micro)
    table = np.sum(micro._map_rows(count_pairs, copies.astype(np.int64), width), axis=0)
    present, shared = np.divmod(np.flatnonzero(table), width)
    return shared / np.maximum(present, 1), table[np.flatnonzero(table)]


def _sorted(micro: CoassociationGraph, copies: AnyArray) -> tuple[FloatArray, IntArray]:
    """Any other similarities, sorted block by block."""
    from ..kernels.similarity import similarity_block

    def stretch(ev: object, first: int, last: int) -> tuple[AnyArray, AnyArray]:
        rows, later = np.arange(first, last)[:, None], np.arange(micro.n_vertices)
        upper = later > rows
        values, places = np.unique(similarity_block(ev, first, last)[upper], return_inverse=True)
        many = (copies[first:last, None] * copies)[upper]
        return values, np.bincount(places, many.astype(np.float64), len(values))

    parts = micro._map_rows(stretch)
    values, places = np.unique(np.concatenate([part[0] for part in parts]), return_inverse=True)
    counts = np.bincount(places, np.concatenate([part[1] for part in parts]), len(values))
    return values, counts.astype(np.int64)
