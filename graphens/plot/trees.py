"""Pictures of dendrograms: the top of the tree, its clusters, and the range of heights in which they exist."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import FloatArray, IntArray, as_int, as_labels, canonical, of_kind
from ..labels.names import align
from ..trees.dendrogram import Dendrogram
from .colors import color
from .display import Display, amount, ink, label_text, mark_cluster, number_at, page_points, quiet, roomy, tint

_NAMED = 3  # objects of a leaf up to which their names stand below it


@dataclass(eq=False, repr=False)
class DendrogramDisplay(Display):
    """The last merges of a tree; earlier merges are drawn as groups.

    Attributes
    ----------
    corners
        One row per merge that is drawn: (left x, left y, right x, right y, height).
    sizes
        Number of objects in each group, from left to right.
    owner
        The cluster of each merge that is drawn, −1 above the cut; that of each group is in `group_owner`.
    sides
        For each merge that is drawn, the clusters of its left and right side.
    k, band
        Number of clusters at the cut, and the range of heights with exactly that many; None if the clusters are not
        those of the cut.
    whole
        Number of all objects; the tree may have a sample of them.
    names
        Names of the objects in each group, if all leaves are drawn and contain few objects.
    """

    corners: FloatArray
    sizes: FloatArray
    owner: IntArray
    group_owner: IntArray
    sides: IntArray
    k: int
    band: tuple[float, float] | None
    whole: int = 0
    names: list[str] | None = None

    @classmethod
    def from_dendrogram(
        cls, d: Dendrogram, k: int | None = None, labels: ArrayLike | None = None, most: int = 40
    ) -> DendrogramDisplay:
        """Take the last merges of a tree.

        Parameters
        ----------
        d
            Any dendrogram.
        k
            Number of clusters to color; by default, the one with the longest lifetime.
        labels
            Clusters of the objects, used for the colors; by default, those of the cut.
        most
            Maximum number of groups, at least two for each cluster; O(n) for any number of leaves.
        """
        of_kind("d", d, Dendrogram)
        k = d.longest_lifetime() if k is None else min(as_int("k", k, 1), d.n_leaves)
        top = _Top(d, min(max(as_int("most", most, 1), 2 * k), d.n_leaves))
        cut = d.cut(k) if labels is None else as_labels(align(labels, d.names, "labels"), d.n_objects)
        weight = np.bincount(d.index[d.index >= 0], minlength=d.n_leaves)
        corners, owner, group_owner, sides = top.drawn(cut, k)
        ends = [0.0, *d.heights.tolist(), max(1.0, float(d.heights.max(initial=0.0)))]
        n = d.n_leaves
        inside = np.flatnonzero(cut >= 0)
        whole_cut = labels is None or np.array_equal(canonical(cut[inside]), canonical(d.cut(k)[inside]))
        band = (ends[n - k], ends[n - k + 1]) if whole_cut else None
        sizes, names = top.sizes(weight), None
        if top.first == 0 and sizes.max(initial=0) <= _NAMED:  # the groups are the leaves, with room for names
            names = [", ".join(str(d.names[int(i)]) for i in np.flatnonzero(d.index == g)) for g in top.groups]
        return cls(corners, sizes, owner, group_owner, sides, k, band, d.n_objects, names)

    def _draw(self, ax: Any) -> Any:
        """Draw the tree with clusters in color and the lifetime of the cut as a band."""
        from matplotlib.collections import LineCollection

        wide = max(5.0, min(12.0, 0.24 * len(self.sizes)))
        ax = self._on(ax, (wide, 4.2))
        x0, y0, x1, y1, height = self.corners.T if len(self.corners) else np.empty((5, 0))
        points = [np.column_stack(point) for point in ((x0, y0), (x0, height), (x1, height), (x1, y1))]
        lines = [np.stack(ends, axis=1) for ends in pairwise(points)]  # stem, bar, stem
        owner = np.stack([self.sides[:, 0], self.owner, self.sides[:, 1]])
        if self.band is not None:
            ax.axhspan(*self.band, color=tint(ax), zorder=0, label="lifetime")
        every, whose, drawn = np.concatenate(lines), owner.ravel(), []
        for c in np.unique(whose).tolist():
            shade = color(c) if c >= 0 else ink(ax)
            branches = LineCollection(every[whose == c], colors=shade, linewidths=1.4, capstyle="projecting")
            drawn.append(ax.add_collection(branches))
            if c >= 0:
                mark_cluster(branches, c, "tree")
        quiet(ax)
        ax.grid(visible=False)
        ax.set_xlim(-0.7, len(self.sizes) - 0.3)
        high, low = float(height.max(initial=self.band[1] if self.band else 0.0)) or 1.0, float(height.min(initial=1.0))
        near_top = 0.8 * high < low < high
        low = low - 0.1 * (high - low) if near_top else 0.0
        if not len(self.corners):  # one group
            ax.vlines(0, low, high, colors=color(int(self.group_owner.max(initial=-1))), linewidth=1.4)
        ax.set_ylim(low, high + 0.03 * (high - low))
        ax.ticklabel_format(axis="y", useOffset=False)
        ax.spines["bottom"].set_visible(False)
        self._sizes(ax)
        self._numbers(ax)
        ax.set_ylabel("distance")
        if self.band is not None:
            low, high = self.band
            ax.annotate(
                amount(self.k, "cluster") + f"\n{low:.3g} to {high:.3g}" * self._alone,
                (1.0, (low + high) / 2), xycoords=("axes fraction", "data"), xytext=(3, 0), textcoords="offset points",
                va="center", fontsize=8, annotation_clip=False,
            )  # fmt: skip
        n = int(self.sizes.sum())
        grouped = len(self.sizes) < n and self.names is None
        notes = [f"the last {len(self.corners)} merges; below, objects per group"] * grouped
        notes += ["the clusters are not a cut of this tree"] * (self.band is None)
        self._headline(
            f"Dendrogram of {f'{n:,} of {self.whole:,} objects' if n < self.whole else amount(n, 'object')}",
            "; ".join(notes),
        )
        return drawn

    def _numbers(self, ax: Any) -> None:
        """Number every cluster on the stem of its highest branch, below the merge that joins it."""
        joining = self.owner < 0
        stems = np.concatenate([self.corners[joining][:, [0, 1, 4]], self.corners[joining][:, [2, 3, 4]]])
        clusters = np.concatenate([self.sides[joining, 0], self.sides[joining, 1]])
        order = np.lexsort((-stems[:, 1], clusters))
        order = order[clusters[order] >= 0]
        order = order[np.unique(clusters[order], return_index=True)[1]]  # a cluster may hang in several places
        order = order[np.argsort(stems[order, 0], kind="stable")]
        for i in order[roomy(stems[order, 0].tolist(), page_points(ax, self._room(13)))] if len(order) else []:
            (x, low, high), c = stems[i], int(clusters[i])
            number_at(ax, c, self._called(c), (x, (max(low, self.band[0] if self.band else 0.0) + high) / 2))

    def _sizes(self, ax: Any) -> None:
        below = [f"{int(size):,}" for size in self.sizes] if self.names is None else self.names
        ax.set_xticks(range(len(self.sizes)), [label_text(name, 14) for name in below], fontsize=8, color=ink(ax))
        if page_points(ax, 9) > 1:  # no room for so many
            ax.set_xticks([])
        if len(self.sizes) > 12 or max(map(len, below), default=0) > 4:
            ax.tick_params(axis="x", rotation=90)
        ax.tick_params(axis="x", length=0)


def in_leaf_order(d: Dendrogram) -> IntArray:
    """Return the objects of a tree from left to right, as it is drawn without crossings."""
    from scipy.cluster.hierarchy import leaves_list

    if d.n_leaves < 2:
        return np.arange(d.n_objects)
    position = np.empty(d.n_leaves, dtype=np.int64)
    position[leaves_list(d.merges)] = np.arange(d.n_leaves)
    return np.argsort(position[d.index], kind="stable")


class _Top:
    """The last p − 1 merges of a tree and the p groups they merge, from left to right."""

    def __init__(self, d: Dendrogram, p: int) -> None:
        self.d, self.n, self.first = d, d.n_leaves, d.n_leaves - p
        self.groups = self._left_to_right()
        self.place = {node: x for x, node in enumerate(self.groups)}

    def _left_to_right(self) -> list[int]:
        stack, nodes = [2 * self.n - 2], []
        while stack:
            node = stack.pop()
            if node < self.n + self.first:
                nodes.append(node)
            else:
                left, right = self.d.merges[node - self.n, :2].astype(int)
                stack += [int(right), int(left)]
        return nodes

    def _group_of_leaf(self) -> IntArray:
        """For each leaf the position of its group, by pointer doubling."""
        up = np.arange(self.n + self.first)
        up[self.d.merges[: self.first, :2].astype(np.int64).ravel()] = np.repeat(self.n + np.arange(self.first), 2)
        while not np.array_equal(up, further := up[up]):
            up = further
        position = np.full(len(up), -1)
        position[self.groups] = np.arange(len(self.groups))
        return position[up[: self.n]]

    def sizes(self, weight: IntArray) -> FloatArray:
        """Objects in each group."""
        return np.bincount(self._group_of_leaf(), weights=weight, minlength=len(self.groups)).astype(float)

    def drawn(self, cut: Any, k: int) -> tuple[FloatArray, IntArray, IntArray, IntArray]:
        """Corners of the merges, the clusters of merges and groups, and those of the two sides of each merge."""
        n, d = self.n, self.d
        first_object = np.full(n, -1)
        inside = np.flatnonzero(d.index >= 0)[::-1]
        first_object[d.index[inside]] = inside
        leaf_label = np.where(first_object >= 0, cut[first_object], -1)
        group_of = self._group_of_leaf()
        group_label = np.full(len(self.groups), -1)
        group_label[group_of] = leaf_label
        x: dict[int, float] = {node: float(at) for node, at in self.place.items()}
        y = {node: 0.0 if node < n else float(d.merges[node - n, 2]) for node in self.groups}
        label = {node: int(group_label[at]) for node, at in self.place.items()}
        corners, owner, sides = [], [], []
        for j in range(self.first, n - 1):
            a, b, height = int(d.merges[j, 0]), int(d.merges[j, 1]), float(d.merges[j, 2])
            a, b = (a, b) if x[a] <= x[b] else (b, a)
            corners.append((x[a], y[a], x[b], y[b], height))
            sides.append((label[a], label[b]))
            cluster = label[a] if j < n - k and label[a] == label[b] else -1
            x[n + j], y[n + j], label[n + j] = (x[a] + x[b]) / 2, height, cluster
            owner.append(cluster)
        joined = np.array(sides, dtype=np.int64).reshape(-1, 2)
        return np.array(corners).reshape(-1, 5), np.array(owner, dtype=np.int64), group_label, joined
