"""Clusterings for several k or several partitions: the tracking strip, and the tree of clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, number, of_kind
from ..graphs.clustree import ClusterTree
from .colors import color, legible, rgb, through
from .display import Display, amount, bare, ink, label_text, paper
from .layouts import lines, most_frequent


@dataclass(eq=False, repr=False)
class TrackingDisplay(Display):
    """One row per clustering, with objects in the order of one of them and colors matched by best overlap.

    Attributes
    ----------
    names
        Names of the rows, such as the numbers of clusters.
    numbers
        Color number of every cell, −1 for objects without a cluster.
    n
        Number of objects; if there are more objects than cells, a cell shows the cluster of most of its objects.
    first
        The row by which the objects are ordered, None if that is the last.
    what, how
        Title and caption, if they say more than what is drawn.
    """

    names: list[str]
    numbers: IntArray
    n: int
    first: int | None = None
    what: str = ""
    how: str = ""

    @classmethod
    def from_labelings(cls, labelings: Mapping[Any, ArrayLike], most: int = 1000, first: Any = None) -> TrackingDisplay:
        """Take several labelings of the same objects, by name; colors and order follow the one named `first`.

        Without it, colors follow the first labeling and the order follows the last. O(n log n) for each.
        """
        of_kind("labelings", labelings, Mapping, "a mapping of names to labels")
        tables = [np.asarray(one) for one in labelings.values()]
        at = list(labelings).index(first) if first in labelings else None
        numbered = through(tables, at or 0)
        n = len(tables[0])
        by = [*tables] if at is None else [*tables[:at], *tables[:at:-1], tables[at]]  # the last decides first
        order = np.lexsort(by)
        shown = [np.append(numbers, -1)[labels][order] for numbers, labels in zip(numbered, tables, strict=True)]
        cells = np.minimum(np.arange(n) * min(most, n) // max(n, 1), most - 1)
        rows = [most_frequent(cells, row)[1] if n > most else row for row in shown]
        return cls([str(name) for name in labelings], np.stack(rows), n, at)

    def _draw(self, ax: Any) -> Any:
        """Draw the rows as a strip."""
        rows = len(self.names)
        ax = self._on(ax, (7.4, 0.9 + 0.3 * rows))
        image = ax.imshow(rgb(self.numbers), aspect="auto", interpolation="nearest")
        bare(ax)
        ax.set_yticks(range(rows), [label_text(name, 24) for name in self.names], fontsize=9 if rows <= 20 else 6)
        ax.hlines(np.arange(rows - 1) + 0.5, -0.5, self.numbers.shape[1] - 0.5, color="white", linewidth=1.5)
        ax.tick_params(length=0)
        cells = self.numbers.shape[1]
        self._frames(ax)
        for row, numbers in enumerate(self.numbers if rows <= 20 else []):
            self._numbers(ax, row, numbers, cells / 45)
        how = [self.how] * bool(self.how)
        how += [f"{cells:,} cells, each in the color of most of its objects"] * (cells < self.n)
        self._headline(self.what or f"{amount(self.n, 'object')} through {amount(rows, 'clustering')}", "; ".join(how))
        return image

    def _frames(self, ax: Any) -> None:
        """An invisible frame around each cluster of the row that orders the objects, for pages that highlight it."""
        from matplotlib.patches import Rectangle

        row = self.numbers[-1 if self.first is None else self.first]
        for c in np.unique(row[row >= 0]).tolist():
            places = np.flatnonzero(row == c)
            wide = places[-1] - places[0] + 1
            frame = Rectangle(
                (places[0] - 0.5, -0.5), wide, len(self.names), fill=False, edgecolor="none", gid=f"frame-{c}"
            )
            ax.add_patch(frame)

    def _numbers(self, ax: Any, row: int, numbers: IntArray, least: float) -> None:
        """Number the clusters of a row where they are widest, if there is room."""
        begin = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
        length = np.diff(np.append(begin, len(numbers)))
        longest = {int(numbers[begin[i]]): i for i in np.argsort(length, kind="stable")}
        for c, i in longest.items():
            if c >= 0 and length[i] >= least:
                ink = legible(color(c))
                ax.text(begin[i] + (length[i] - 1) / 2, row, str(c), ha="center", va="center", fontsize=7, color=ink)


@dataclass(eq=False, repr=False)
class ClusterTreeDisplay(Display):
    """Clusters in layers, one per clustering, with lines between clusters that share objects.

    Attributes
    ----------
    position
        Position of each cluster.
    sizes
        Number of objects in each.
    numbers
        Color number of each.
    edges
        Sources, targets, numbers of shared objects, share of the target that comes from the source.
    layers
        Names of the clusterings.
    names
        Names of the clusters in their clustering.
    """

    position: FloatArray
    sizes: FloatArray
    numbers: LabelArray
    edges: tuple[AnyArray, AnyArray, FloatArray, FloatArray]
    layers: list[str]
    how: str
    names: list[str]

    @classmethod
    def from_tree(cls, tree: ClusterTree, least: float = 0.1) -> ClusterTreeDisplay:
        """Lay out a cluster tree; edges that carry at most the share `least` of their target are not drawn."""
        of_kind("tree", tree, ClusterTree)
        least = number("least", least)
        source, target, shared = tree.edges()
        share = shared / tree.vertex_weights[target]
        strong = share > least
        edges = source[strong], target[strong], shared[strong], share[strong]
        x = _ordered(tree.layer, edges, tree.n_vertices)
        lost = int(np.count_nonzero(~strong))
        how = f"not drawn: {amount(lost, 'line')} with at most {least:.0%} of a cluster" if lost else ""
        numbers = np.concatenate(through(list(tree.ensemble.labels.T)))
        place = np.column_stack([x, -tree.layer.astype(float)])
        names = [str(name) for categories in tree.ensemble.categories for name in categories]
        return cls(place, tree.vertex_weights, numbers, edges, list(tree.layers), how, names)

    def _draw(self, ax: Any) -> Any:
        """Draw lines (darker if they carry more of their target) and clusters (area = objects)."""
        depth = len(self.layers)
        widest = int(np.bincount((-self.position[:, 1]).astype(int)).max(initial=1))
        ax = self._on(ax, (max(4.5, min(14.0, 1.4 + 0.5 * widest)), max(2.5, 0.8 + 0.75 * depth)))
        source, target, shared, share = self.edges
        shade = np.column_stack([np.full((len(share), 3), 0.25), 0.15 + 0.8 * share])
        order = np.argsort(0.6 + 4.5 * shared / max(float(self.sizes.max(initial=1.0)), 1e-12), kind="stable")
        lines(
            ax,
            self.position,
            (source, target),
            0.6 + 4.5 * shared / max(float(self.sizes.max(initial=1.0)), 1e-12),
            colors=shade[order],
        )
        area = 420 * self.sizes / max(float(self.sizes.max(initial=1.0)), 1e-12)
        dots = ax.scatter(
            *self.position.T,
            s=np.maximum(area, 8),
            c=[color(int(c)) for c in self.numbers],
            edgecolors=paper(ax),
            linewidths=0.8,
            zorder=2,
        )
        for place, name, size, c in zip(self.position, self.names, area, self.numbers, strict=True):
            if 0.62 * 7 * len(name) < 0.95 * np.sqrt(size):  # in the clusters that have room for their name
                text_color = legible(color(int(c)))
                ax.annotate(label_text(name), place, ha="center", va="center", fontsize=7, color=text_color, zorder=3)
        bare(ax)
        ax.set_yticks(
            -np.arange(depth),
            [label_text(name, 24) for name in self.layers],
            fontsize=9 if depth <= 25 else 6,
            color=ink(ax),
        )
        ax.tick_params(length=0)
        ax.margins(0.06, 0.5 / max(depth, 1))
        self._headline(f"Cluster tree of {amount(depth, 'clustering')}", self.how)
        return dots


def _ordered(layer: IntArray, edges: tuple[AnyArray, AnyArray, AnyArray, AnyArray], n: int) -> FloatArray:
    """Order each layer by where the strongest line of each cluster comes from; layers are centered."""
    source, target, shared, _ = edges
    x = np.zeros(n)
    for depth in range(int(layer.max(initial=0)) + 1):
        members = np.flatnonzero(layer == depth)
        wanted = np.zeros(len(members))
        for i, cluster in enumerate(members):
            into = np.flatnonzero(target == cluster)
            wanted[i] = x[source[into[np.argmax(shared[into])]]] if into.size else i
        rank = np.argsort(np.argsort(wanted, kind="stable"), kind="stable")
        x[members] = rank - (len(members) - 1) / 2
        if depth:  # keep clusters below their origin where there is room
            x[members] = _spread(wanted, rank)
    return x


def _spread(wanted: FloatArray, rank: IntArray) -> FloatArray:
    """Positions in the order of the ranks, at least 1 apart, near the wanted ones."""
    order = np.argsort(rank)
    placed = wanted[order].astype(float)
    for _ in range(20):
        for i in range(1, len(placed)):
            gap = 1 - (placed[i] - placed[i - 1])
            if gap > 0:
                placed[i - 1] -= gap / 2
                placed[i] += gap / 2
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + 0.9)
    back = np.empty_like(placed)
    back[order] = placed
    return back
