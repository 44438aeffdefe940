"""How well objects are connected with the clusters of a labeling: means over a single-link tree, never n × n."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._arrays import FloatArray, IntArray, LabelArray
from ..core.dendrogram import Dendrogram
from ..core.value import remembered
from .affinity import Duel, divided


@dataclass(frozen=True, eq=False)
class PathAffinity:
    """Mean path similarity of objects with every cluster C of a labeling.

    P_ij = 1 − the height at which the single-link tree joins i and j: the largest co-association that every step of
    some path from i to j has.

    Parameters
    ----------
    tree
        Single-link dendrogram of the objects.
    labels
        The labeling, 0 … k − 1 and −1 for objects in no cluster.
    k
        Its number of clusters.
    weights
        One weight per object.
    """

    tree: Dendrogram
    labels: LabelArray
    k: int
    weights: FloatArray

    @remembered
    def held(self) -> FloatArray:
        """The weight of every cluster in every leaf and in every merge, (2ñ − 1) × k."""
        n, inside = self.tree.n_leaves, self.labels >= 0
        held = np.zeros((n + len(self.tree.merges), self.k))
        np.add.at(held, (self.tree.index[inside], self.labels[inside]), self.weights[inside])
        for step, (a, b) in enumerate(self._children(), start=n):
            held[step] = held[a] + held[b]
        return held

    @remembered
    def sums(self) -> FloatArray:
        """Σ_{j ∈ C} P_ij of every leaf, ñ × k. O(ñk)."""
        n, held = self.tree.n_leaves, self.held
        total = np.zeros_like(held)
        near = 1.0 - self.tree.heights
        for step, (a, b) in zip(
            range(len(held) - 1, n - 1, -1), reversed(list(self._children())), strict=True
        ):
            total[a] = total[step] + near[step - n] * held[b]
            total[b] = total[step] + near[step - n] * held[a]
        return total[:n] + held[:n]

    def duel(self, rows: IntArray) -> Duel:
        """Set the own cluster of some objects, themselves left out, against the nearest other."""
        own, at = self.labels[rows], np.arange(len(rows))
        sums = self.sums[self.tree.index[rows]]
        sizes = np.tile(
            np.bincount(self.labels[self.labels >= 0], self._inside(), self.k).astype(float), (len(rows), 1)
        )
        itself = np.minimum(self.weights[rows], 1.0)
        for table in (sums, sizes):
            table[at, own] = np.maximum(table[at, own] - itself, 0.0)
        alone = sizes[at, own] <= 0
        means = divided(sums, sizes)
        near = means[at, own]
        means[at, own] = -np.inf
        return Duel(near, means.max(axis=1), means.argmax(axis=1).astype(np.int32), alone)

    def _inside(self) -> FloatArray:
        return self.weights[self.labels >= 0]

    def _children(self) -> list[tuple[int, int]]:
        return [(int(a), int(b)) for a, b in self.tree.merges[:, :2].tolist()]
