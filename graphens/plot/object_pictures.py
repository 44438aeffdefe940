"""Pictures of objects: the confidence of their clusters, their positions, their frequencies in cumulative clusters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, draw, of_kind
from ..errors import InputError
from ..graphs.hypergraph import Hypergraph
from ..result.consensus import Consensus
from .colors import color, rgb
from .display import Display, amount, bare, ink, mark_cluster, number_at, page_points, quiet, roomy
from .layouts import MAP_POINTS, centers, dot_areas, lines, most_frequent, place_objects, two_features

_POINTS = 5000  # objects drawn one by one
_QUANTILES = 200
UNSURE = 0.6  # confidence below which an object is marked
_LAYERS = 20  # clusters whose cells are drawn one by one
_FEW = 60  # objects among which a number must not cover one
_CLEAR = 18  # points around a number that are enough
_NUMBERED = 60  # clusters whose numbers can be read in one picture


@dataclass(eq=False, repr=False)
class ConfidenceDisplay(Display):
    """Confidence of the objects, sorted within each cluster: a full block is certain, a long tail is not.

    Attributes
    ----------
    curves
        The sorted confidences of each cluster, or quantiles of them if there are too many.
    sizes
        Number of objects of each cluster.
    """

    curves: list[FloatArray]
    sizes: IntArray

    @classmethod
    def from_consensus(cls, r: Consensus) -> ConfidenceDisplay:
        """Sort the confidences of a consensus. O(n log n)."""
        of_kind("r", r, Consensus)
        curves, most = [], int(np.clip(_QUANTILES * 10 / max(r.k, 1), 20, _QUANTILES))
        for c in range(r.k):
            confidence = np.sort(r.confidence[r.labels == c])[::-1]
            curves.append(
                confidence if len(confidence) <= most else np.quantile(confidence, 1 - np.linspace(0, 1, most))
            )
        return cls(curves, r.sizes())

    def _draw(self, ax: Any) -> Any:
        """Draw one filled curve per cluster, with a width proportional to its size; ½ is undecided."""
        ax = self._on(ax, (7.0, 3.6))
        gap, left = 0.012 * float(self.sizes.sum()), 0.0
        ticks, artists = [], []
        for c, (curve, size) in enumerate(zip(self.curves, self.sizes.tolist(), strict=True)):
            x = left + np.linspace(0, size, len(curve) + 1 if len(curve) == size else len(curve))
            y = np.append(curve, curve[-1]) if len(curve) == size else curve
            step = "post" if len(curve) == size else None
            artists.append(ax.fill_between(x, y, step=step, color=color(c), linewidth=0))
            mark_cluster(artists[-1], c, "confidence")
            ticks.append(left + size / 2)
            left += size + gap
        ax.axhline(0.5, color=ink(ax), linewidth=0.8, linestyle=(0, (4, 3)))
        ax.annotate(
            "undecided" if self._alone else "", (1.0, 0.5), xycoords=("axes fraction", "data"), xytext=(2, 0),
            textcoords="offset points", fontsize=8, va="center", annotation_clip=False,
        )  # fmt: skip
        quiet(ax)
        ax.grid(visible=False)
        ax.set_xlim(0, max(left - gap, 1e-9))
        ax.set_ylim(0, 1)
        spaced = roomy(ticks, page_points(ax, self._room(13)))
        ax.set_xticks(
            [ticks[c] for c in spaced], [self._called(c) for c in spaced], fontsize=9 if len(ticks) < 20 else 7
        )
        ax.tick_params(axis="x", length=0)
        ax.set_xlabel("cluster")
        ax.set_ylabel("confidence")
        n = int(self.sizes.sum())
        many = any(len(curve) < size for curve, size in zip(self.curves, self.sizes.tolist(), strict=True))
        self._headline(
            f"Confidence of {amount(n, 'object')}",
            f"{max(map(len, self.curves))} quantiles of each large cluster" if many else "",
        )
        return artists


@dataclass(eq=False, repr=False)
class ScatterDisplay(Display):
    """Objects at two coordinates, colored by cluster, with rings around uncertain ones; as a grid if there are many.

    Attributes
    ----------
    points, labels, strength
        Coordinates, cluster and confidence of the objects that are drawn one by one; None if a grid is drawn.
    image, extent
        Colors of the cells (the cluster of most objects there, stronger if there are more objects) and their corners.
    cells
        The cluster of most objects in each cell, −1 for none.
    centers
        The object in the middle of each cluster, where its number is drawn.
    """

    what: str
    n: int
    points: FloatArray | None
    labels: LabelArray | None
    strength: FloatArray | None
    image: FloatArray | None = None
    extent: tuple[float, ...] | None = None
    how: str = ""
    centers: dict[int, FloatArray] = field(default_factory=dict)
    cells: IntArray | None = None

    @classmethod
    def from_consensus(cls, r: Consensus, X: Any) -> ScatterDisplay:
        """Use two features, or two principal components of more; for over 5,000 objects, draw a grid of cells. O(n)."""
        names = of_kind("r", r, Consensus).ensemble.vertex_names()
        points = two_features(X, names, len(r.labels))
        what = f"{amount(len(r.labels), 'object')} in {amount(r.k, 'cluster')}"
        n, middle = len(points), centers(points, r.labels)
        how = "" if np.shape(X)[1:] == (2,) else "axes: two principal components"
        if n <= _POINTS:
            return cls(what, n, points, r.labels, certainty(r), how=how, centers=middle)
        image, cells, extent = _raster(points, r.labels)
        how = f"cells in the color of most of their objects, stronger where there are more{f'; {how}' if how else ''}"
        return cls(what, n, None, None, None, image, extent, how, middle, cells)

    def _draw(self, ax: Any) -> Any:
        """Draw points or cells."""
        ax = self._on(ax, (5.6, 5.2))
        artists: list[Any] = [] if self.image is None else self._cells(ax)
        if self.image is None:
            assert self.points is not None
            assert self.labels is not None
            assert self.strength is not None
            size = float(np.clip(9000 / max(len(self.points), 1), 4, 40))
            for c in np.unique(self.labels).tolist():
                members = self.labels == c
                ring = np.where(self.strength[members] < UNSURE, 0.22 * np.sqrt(size), 0.0)
                wide = ring if ring.any() else 0.0  # one style for all is a smaller file
                dots = ax.scatter(*self.points[members].T, c=color(c), s=size, linewidths=wide, edgecolors=ink(ax))
                mark_cluster(dots, c, "scatter")
                artists.append(dots)
        for c, place in self.centers.items() if len(self.centers) <= _NUMBERED else []:
            number_at(ax, c, self._called(c), place, (0, 0) if self.n > _FEW else (9, 9))
        quiet(ax)
        ax.grid(visible=False)
        rings = self.strength is not None and bool((self.strength < UNSURE).any())
        self._headline(self.what, "; ".join([self.how] * bool(self.how) + ["ringed: confidence below 0.6"] * rings))
        return artists

    def _cells(self, ax: Any) -> list[Any]:
        """The grid; with few clusters, each is drawn separately, so that a page can highlight it."""
        assert self.image is not None
        style = {"extent": self.extent, "origin": "lower", "interpolation": "nearest", "aspect": "auto"}
        if self.cells is None or len(self.centers) > _LAYERS:
            return [ax.imshow(self.image, **style)]
        layers = []
        for c in np.unique(self.cells[self.image[:, :, 3] > 0]).tolist():
            layer = self.image * (self.cells == c)[:, :, None]
            layers.append(ax.imshow(layer, **style))
            mark_cluster(layers[-1], c, "cells")
        return layers


@dataclass(eq=False, repr=False)
class MapDisplay(Display):
    """A map of the objects: those that are often together are close, and lines join those that are most often together.

    Attributes
    ----------
    positions
        Two coordinates of every object; NaN for an object without a cluster.
    dots, labels, sizes, strength
        Position, cluster, number of objects and confidence of every dot: one for all objects with the same labels.
    ties
        The dots at both ends of every line; empty if there are too many.
    """

    positions: FloatArray
    dots: FloatArray
    labels: LabelArray
    sizes: IntArray
    strength: FloatArray
    ties: tuple[IntArray, IntArray]

    @classmethod
    def from_consensus(cls, r: Consensus, seed: int = 0) -> MapDisplay:
        """Place the objects by their co-association; see `graphens.plot.layouts.place_objects`."""
        map_ = place_objects(of_kind("r", r, Consensus), seed)
        first = map_.objects
        return cls(map_.positions, map_.positions[first], r.labels[first], map_.sizes, certainty(r)[first], map_.ties)

    def _draw(self, ax: Any) -> Any:
        """Draw the dots over their ties; the tint behind them is a cluster, and rings are unsure objects."""
        ax = self._on(ax, (5.6, 5.2))
        lines(ax, self.dots, self.ties, np.full(len(self.ties[0]), 0.5), alpha=0.35)
        sample = draw(len(self.dots), _POINTS, 0)
        wide = ax.get_window_extent().width / ax.figure.dpi * 72
        area, artists, hulls = dot_areas(self.sizes) * min(wide / MAP_POINTS, 1.0) ** 2, [], {}
        radii = np.sqrt(area / np.pi)
        for c in np.unique(self.labels).tolist():
            members = sample[self.labels[sample] == c]
            hulls[c] = around = _hull(self.dots[members], 0.02 + radii[members] / MAP_POINTS)
            mark_cluster(ax.fill(*around.T, color=color(c), alpha=0.08, linewidth=0)[0], c, "map")
            rings = np.where(self.strength[members] < UNSURE, 0.9, 0.0)
            style = {"s": area[members], "linewidths": rings, "edgecolors": ink(ax), "zorder": 2}
            artists.append(ax.scatter(*self.dots[members].T, c=color(c), **style))
            mark_cluster(artists[-1], c, "map")
        bare(ax)
        if len(self.dots) == 1:
            ax.update_datalim(self.dots + np.array([[-0.5], [0.5]]))
        ax.margins(0.09)
        ax.set_aspect("equal", adjustable="datalim")
        if len(hulls) <= _NUMBERED:
            self._numbers(ax, hulls, sample, radii[sample])
        how = ["objects that are often together are close"]
        how += ["area of a dot: objects with the same labels"] if self.sizes.max(initial=1) > 1 else []
        how += ["ringed: confidence below 0.6"] if (self.strength < UNSURE).any() else []
        self._headline(f"Map of {amount(len(self.positions), 'object')}", "; ".join(how))
        return artists

    def _numbers(self, ax: Any, hulls: dict[int, FloatArray], sample: IntArray, radii: FloatArray) -> None:
        """Number the clusters beside their hulls, or, if there is no room for one of them, in their middles."""
        ax.figure.draw_without_rendering()  # the layout decides how far the dots are apart
        points = 72 / ax.figure.dpi
        dots, labels = ax.transData.transform(self.dots[sample]) * points, self.labels[sample]
        spots: dict[int, FloatArray] = {}
        room = np.inf
        for c, around in hulls.items():
            corners, middle = ax.transData.transform(around) * points, dots[labels == c].mean(axis=0)
            way = (corners - middle) / np.maximum(np.hypot(*(corners - middle).T), 1e-9)[:, None]
            corners = corners + way * (3.2 * len(self._called(c)) + 2)
            others = np.vstack([dots[labels != c], *spots.values(), [[-1e9, -1e9]]])
            size = np.append(radii[labels != c], np.full(len(others) - np.count_nonzero(labels != c), 4.0))
            gap = (np.hypot(*(corners[:, None] - others).transpose(2, 0, 1)) - size).min(axis=1)
            far = np.square(corners - dots.mean(axis=0)).sum(axis=1)
            best = np.lexsort((-far, -np.minimum(gap, _CLEAR)))[0]
            spots[c], room = corners[best], min(room, float(gap[best]))
        for c in hulls:
            spot = spots[c] if room > _CLEAR / 2 else dots[labels == c].mean(axis=0)
            number_at(ax, c, self._called(c), ax.transData.inverted().transform(spot / points))


def certainty(r: Consensus) -> FloatArray:
    """Return the confidence of the objects, 1 if there is no other cluster to doubt between."""
    return r.confidence if r.k > 1 else np.ones(len(r.labels))


def _hull(points: FloatArray, pad: FloatArray) -> FloatArray:
    """The corners of the smallest convex area around discs at some points."""
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    every = (points[:, None] + pad[:, None, None] * circle).reshape(-1, 2)
    return np.asarray(every[ConvexHull(every).vertices])


def _raster(points: AnyArray, labels: LabelArray, cells: int = 260) -> tuple[FloatArray, IntArray, tuple[float, ...]]:
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, 1e-12)
    at = np.minimum((points - low) / size * cells, cells - 1).astype(np.int64)
    cell = at[:, 1] * cells + at[:, 0]
    where, cluster = most_frequent(cell, labels)
    total = np.bincount(cell)[where]
    image = np.ones((cells * cells, 4))
    image[:, 3] = 0.0
    image[where, :3] = rgb(cluster)
    image[where, 3] = np.clip(0.25 + 0.75 * np.sqrt(total / np.quantile(total, 0.95)), 0, 1)
    most = np.full(cells * cells, -1)
    most[where] = cluster
    return image.reshape(cells, cells, 4), most.reshape(cells, cells), (low[0], high[0], low[1], high[1])


@dataclass(eq=False, repr=False)
class FrequencyDisplay(Display):
    """How often each cumulative cluster contained the objects, with objects in the order of the clusters.

    Attributes
    ----------
    frequency
        Mean count, cumulative clusters × blocks of objects.
    owner
        Consensus cluster of each cumulative cluster.
    label
        Consensus cluster of each block.
    """

    frequency: FloatArray
    owner: LabelArray
    label: LabelArray
    n: int

    @classmethod
    def from_consensus(cls, r: Consensus, most: int = 400) -> FrequencyDisplay:
        """Take the counts of a consensus by `cumulative`, averaged over blocks of objects."""
        from .heatmap import blocks

        of_kind("r", r, Consensus)
        if not isinstance(r.graph, Hypergraph) or r.graph.partition.max(initial=-1) >= 0:
            raise InputError(f"The consensus was made by {r.method}; expected one made by cumulative.")
        cut = blocks(r, most)
        table = np.zeros((len(r.labels), r.graph.n_hyperedges))
        inside = np.flatnonzero(r.vertices >= 0)
        table[inside] = r.graph.incidence[r.vertices[inside]].toarray()
        frequency = np.stack([cut.mean(column) for column in table.T])
        owner = np.array(
            [
                int(np.bincount(r.labels[r.labels >= 0], weights=column[r.labels >= 0], minlength=r.k).argmax())
                for column in table.T
            ]
        )
        return cls(frequency, owner, cut.label, len(r.labels))

    def _draw(self, ax: Any) -> Any:
        """Draw one row of bars per cumulative cluster, in the color of the cluster it was merged into."""
        rows = len(self.frequency)
        ax = self._on(ax, (7.0, max(2.2, min(9.0, 0.9 + 0.5 * rows))))
        top = max(float(self.frequency.max(initial=0.0)), 1e-12)
        x = np.arange(self.frequency.shape[1] + 1) - 0.5
        artists = []
        for base, row, c in zip(range(rows)[::-1], self.frequency, self.owner.tolist(), strict=True):
            high = base + 0.9 * np.append(row, row[-1]) / top
            artists.append(ax.fill_between(x, base, high, step="post", color=color(c), linewidth=0))
        for edge in np.flatnonzero(np.diff(self.label)) + 0.5:
            ax.axvline(edge, color="#bbbbbb", linewidth=0.6)
        bare(ax)
        ax.set_xlim(x[0], x[-1])
        ax.set_ylim(-0.05, rows)
        if rows <= 40:
            ax.set_yticks(np.arange(rows)[::-1], [str(j) for j in range(rows)], fontsize=8)
        ax.tick_params(length=0)
        ax.set_ylabel("cumulative cluster")
        ax.set_xlabel("objects, cluster by cluster")
        blocks = self.frequency.shape[1]
        self._headline(
            f"Frequencies of {amount(self.n, 'object')} in {amount(rows, 'cumulative cluster')}",
            f"means of {blocks} blocks" if blocks < self.n else "",
        )
        return artists
