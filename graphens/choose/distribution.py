"""The distribution of co-association over all pairs of objects: its CDF and statistics.

Pairs are counted by (how often together, how often both present) in a table of at most (B + 1)² numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, Seed, canonical, draw, narrowest, number
from .._lib.memory import require
from .._lib.threads import map_threads
from ..graphs.affinity import join_most_similar
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble
from ..labels.value import remembered
from ..trees import link
from ..trees.dendrogram import Dendrogram

_ROWS = 64  # objects per piece of threaded work
_PAIRS = 3000  # objects up to which all pairs are kept while they are linked


@dataclass(frozen=True, eq=False)
class Distribution:
    """Pairs of objects by S = together / both present; pairs never present together are left out.

    Attributes
    ----------
    table
        Weight of the pairs by (together, both present).
    moments
        Sums over pairs of 1, c, c² and cS, where c is the height at which the average-link tree joins the pair.
    """

    table: FloatArray
    moments: FloatArray

    @remembered
    def steps(self) -> tuple[FloatArray, FloatArray]:
        """Distinct values of S, rising, and the share of pairs with each."""
        same, both = np.nonzero(self.table)
        if not len(same):
            return np.zeros(0), np.zeros(0)
        values, inverse = np.unique(same / both, return_inverse=True)
        return values, np.bincount(inverse, weights=self.table[same, both]) / self.table.sum()

    def cdf(self) -> tuple[FloatArray, FloatArray]:
        """Return x (0, the values of S, 1) and the share of pairs with S ≤ x."""
        x, share = self.steps
        grid = np.union1d(x, [0.0, 1.0])
        return grid, np.append(0.0, np.cumsum(share))[np.searchsorted(x, grid, side="right")]

    def below(self, bound: float) -> float:
        """Share of pairs with S ≤ bound."""
        x, share = self.steps
        return float(share[x <= bound + 1e-12].sum())

    def pac(self, low: float, high: float) -> float:
        """Proportion of ambiguous clustering: the share of pairs with low < S ≤ high."""
        return self.below(number("high", high)) - self.below(number("low", low))

    @property
    def mean(self) -> float:
        """Mean of S; the area under the CDF is 1 − mean."""
        x, share = self.steps
        return float(x @ share)

    @property
    def dispersion(self) -> float:
        """Mean of 4(S − ½)²: 1 if every pair is always or never together."""
        x, share = self.steps
        return float((4 * (x - 0.5) ** 2) @ share) if len(x) else float("nan")

    @property
    def cophenetic(self) -> float:
        """Correlation of 1 − S with the heights at which the tree joins the pairs; NaN if either is constant."""
        x, share = self.steps
        weight, height, square, product = self.moments
        if weight <= 0:
            return float("nan")
        spread = float(x**2 @ share) - self.mean**2, square / weight - (height / weight) ** 2
        if min(spread) <= 1e-12:
            return float("nan")
        return float((self.mean * height / weight - product / weight) / np.sqrt(spread[0] * spread[1]))


@dataclass(frozen=True, eq=False)
class Linked:
    """The average-link tree of an ensemble, or of a sample if there are many objects; cuts label all objects."""

    ensemble: Ensemble  #: all objects
    rows: IntArray  #: the objects in the tree
    tree: Dendrogram  #: over those
    distribution: Distribution  #: of their pairs

    @property
    def sampled(self) -> bool:
        """Whether objects were left out of the tree."""
        return len(self.rows) < int(np.count_nonzero(self.ensemble.present))

    def cut(self, k: int) -> AnyArray:
        """Return k clusters (fewer if the tree has fewer leaves); objects outside the tree join the most similar."""
        e = self.ensemble
        found = self.tree.cut(min(k, len(self.rows)))
        present = np.flatnonzero(e.present)
        labels = np.full(e.n_objects, -1, dtype=np.int32)
        labels[self.rows] = found
        if self.sampled:
            inside = e.take(objects=present)
            labels[present] = join_most_similar(inside, np.searchsorted(present, self.rows), found)
        return canonical(labels)


def linked(e: Ensemble, sample: int, seed: Seed = 0) -> Linked:
    """Link the objects of an ensemble by average link: all, or `sample` random ones if more rows are distinct.

    If labels are missing, few rows are equal and every pair has its own number of common partitions, so up to 3,000
    objects are linked on the plain means of S, as in Monti. Otherwise distinct rows are linked on their labels, O(m²B).
    """
    present = np.flatnonzero(e.present)
    rows = present
    if len(present) > sample and e.collapse()[0].n_objects > sample:
        rows = present[draw(len(present), sample, seed)]
    seen = e if len(rows) == e.n_objects else e.take(objects=rows)
    few = 1 < len(rows) <= _PAIRS and e.has_missing and bool((seen.object_weights == 1).all())
    return Linked(e, rows, *(_by_pairs if few else _by_rows)(seen))


def _by_pairs(e: Ensemble) -> tuple[Dendrogram, Distribution]:
    """Tree and distribution from every pair: O(n²B) steps of one byte each, 8 n² bytes."""
    from scipy.cluster.hierarchy import linkage

    from ..kernels.counting import pair_distances

    n, size = e.n_objects, _room_for_counts(e)
    distance = np.empty(n * (n - 1) // 2)
    narrow = narrowest(e.n_partitions)  # narrow counts are added many at a time

    def piece(start: int) -> FloatArray:
        counts, table = np.empty((2, n), dtype=narrow), np.zeros((size, size))
        pair_distances(e.codes, e.absent, start, min(n, start + _ROWS), counts, table, distance)
        return table

    table = sum(map_threads(piece, range(0, n, _ROWS), "comparing pairs of objects"), np.zeros((size, size)))
    unseen = np.flatnonzero(np.isnan(distance))
    distance[unseen] = 1.0
    merges = linkage(distance, "average")
    return Dendrogram(merges, names=e.vertex_names()), Distribution(table, _moments(merges, unseen))


def _room_for_counts(e: Ensemble) -> int:
    """Size of the table of counts, B + 1, checked against the memory budget for three such tables at a time."""
    size = e.n_partitions + 1
    require(24.0 * size * size, f"The counts of pairs over {e.n_partitions} partitions", "Use fewer partitions")
    return size


def _moments(merges: FloatArray, unseen: IntArray) -> FloatArray:
    """Sums over pairs of 1, c, c² and cS from the merges alone: 1 − c is the mean of S over the pairs of a merge.

    Pairs that are never both present have no S and are subtracted.
    """
    from scipy.cluster.hierarchy import cophenet

    n = len(merges) + 1
    held = np.append(np.ones(n), merges[:, 3])
    pairs, c = held[merges[:, :2].astype(np.intp)].prod(axis=1), merges[:, 2]
    sums = np.array([pairs.sum(), pairs @ c, pairs @ c**2, pairs @ (c * (1 - c))])
    if len(unseen):
        out = cophenet(merges)[unseen]
        sums -= [len(out), out.sum(), out @ out, 0.0]
    return sums


def _by_rows(e: Ensemble) -> tuple[Dendrogram, Distribution]:
    """Tree and distribution from distinct label rows; pairs are not stored."""
    from ..kernels.counting import pair_counts

    tree = link(coassociation(e), "average")
    first = np.unique(tree.index, return_index=True)[1]
    order, gaps = leaf_order(tree)
    codes = np.ascontiguousarray(e.codes[:, first[order]])
    weights, m = tree.leaf_weights[order], len(order)
    size = _room_for_counts(e)

    def piece(start: int) -> tuple[FloatArray, FloatArray]:
        table, sums = np.zeros((size, size)), np.zeros(4)
        pair_counts(codes, e.absent, weights, gaps, start, min(m, start + _ROWS), table, sums)
        return table, sums

    table, sums = np.zeros((size, size)), np.zeros(4)
    for more, further in map_threads(piece, range(0, m, _ROWS), "comparing pairs of objects"):
        table += more
        sums += further
    return tree, Distribution(table, sums)


def leaf_order(tree: Dendrogram) -> tuple[IntArray, FloatArray]:
    """Return the leaves in an order in which every cluster is contiguous, and the heights between neighbors.

    Two leaves merge at the largest height between them. SciPy's `leaves_list` gives the order without the heights.
    """
    m, merges = tree.n_leaves, tree.merges
    size = np.append(np.ones(m, dtype=np.int64), merges[:, 3].astype(np.int64))
    start = np.zeros(2 * m - 1, dtype=np.int64)
    gaps = np.zeros(max(m - 1, 0))
    for i in range(m - 2, -1, -1):
        left, right = int(merges[i, 0]), int(merges[i, 1])
        start[left], start[right] = start[m + i], start[m + i] + size[left]
        gaps[start[right] - 1] = merges[i, 2]
    return np.argsort(start[:m]), gaps
