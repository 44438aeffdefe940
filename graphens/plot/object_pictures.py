"""Pictures of objects: the confidence of their clusters, their positions, their frequencies in cumulative clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import AnyArray, FloatArray, IntArray, LabelArray
from .._features import as_features
from ..core.hypergraph import Hypergraph
from ..core.result import Consensus
from ..errors import InputError
from ..views.coassociation import coassociation
from .colors import INK, color, rgb
from .display import Display, bare, count, number_at, owned, page_points, quiet, roomy, title
from .layouts import centers, springs

_POINTS = 5000  # objects drawn one by one
_QUANTILES = 200
_SCALED = 800  # objects whose co-association is scaled to two dimensions
UNSURE = 0.6  # confidence below which an object is marked
_HELD = 0.5  # of the variation that two dimensions should hold
_TIES = 10  # of each object, where they do not
_LAYERS = 20  # clusters whose cells are drawn one by one
_FEW = 60  # objects among which a number must not cover one
_NUMBERED = 60  # clusters whose numbers can be read in one picture


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

    def __init__(self, curves: list[FloatArray], sizes: IntArray) -> None:
        self.curves, self.sizes = curves, sizes

    @classmethod
    def from_consensus(cls, r: Consensus) -> ConfidenceDisplay:
        """Sort the confidences of a consensus. O(n log n)."""
        found, most = [], int(np.clip(_QUANTILES * 10 / max(r.k, 1), 20, _QUANTILES))
        for c in range(r.k):
            own = np.sort(r.confidence[r.labels == c])[::-1]
            found.append(own if len(own) <= most else np.quantile(own, 1 - np.linspace(0, 1, most)))
        return cls(found, r.sizes())

    def plot(self, ax: Any = None) -> ConfidenceDisplay:
        """Draw one filled curve per cluster, with a width proportional to its size; ½ is undecided."""
        ax = self.on(ax, (7.0, 3.6))
        gap, left = 0.012 * float(self.sizes.sum()), 0.0
        ticks = []
        for c, (curve, size) in enumerate(zip(self.curves, self.sizes.tolist(), strict=True)):
            x = left + np.linspace(0, size, len(curve) + 1 if len(curve) == size else len(curve))
            y = np.append(curve, curve[-1]) if len(curve) == size else curve
            step = "post" if len(curve) == size else None
            owned(ax.fill_between(x, y, step=step, color=color(c), linewidth=0), c, "confidence")
            ticks.append(left + size / 2)
            left += size + gap
        ax.axhline(0.5, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        ax.annotate(
            "undecided",
            (1.0, 0.5),
            xycoords=("axes fraction", "data"),
            xytext=(2, 0),
            textcoords="offset points",
            fontsize=8,
            va="center",
            annotation_clip=False,
        )
        quiet(ax)
        ax.grid(visible=False)
        ax.set_xlim(0, max(left - gap, 1e-9))
        ax.set_ylim(0, 1)
        kept = roomy(ticks, page_points(ax, self.room(13)))
        ax.set_xticks(
            [ticks[c] for c in kept], [self.called(c) for c in kept], fontsize=9 if len(ticks) < 20 else 7
        )
        ax.tick_params(axis="x", length=0)
        ax.set_xlabel("cluster")
        ax.set_ylabel("confidence")
        n = int(self.sizes.sum())
        many = any(len(curve) < size for curve, size in zip(self.curves, self.sizes.tolist(), strict=True))
        title(
            ax,
            f"Confidence of {count(n, 'object')}",
            f"{max(map(len, self.curves))} quantiles of each large cluster" if many else "",
        )
        return self


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
    part
        Name of the picture on a page that highlights clusters: "scatter", or "evidence" if directions have no meaning.
    """

    what: str
    n: int
    points: FloatArray | None
    labels: LabelArray | None
    strength: FloatArray | None
    image: FloatArray | None
    extent: tuple[float, ...] | None
    how: str
    part: str
    centers: dict[int, FloatArray]
    cells: IntArray | None

    def __init__(
        self,
        what: str,
        n: int,
        points: FloatArray | None,
        labels: LabelArray | None,
        strength: FloatArray | None,
        image: FloatArray | None = None,
        extent: tuple[float, ...] | None = None,
        how: str = "",
        part: str = "scatter",
        centers: dict[int, FloatArray] | None = None,
        cells: IntArray | None = None,
    ) -> None:
        self.part, self.centers, self.cells = part, centers or {}, cells
        self.what, self.n, self.points, self.labels, self.strength = what, n, points, labels, strength
        self.image, self.extent, self.how = image, extent, how

    @classmethod
    def from_consensus(cls, r: Consensus, X: Any) -> ScatterDisplay:
        """Use the first two features of X; for more than 5,000 objects, draw a grid of cells. O(n)."""
        given = as_features(X, len(r.labels))
        if given.shape[1] < 2:
            raise InputError(f"X has {given.shape[1]} features; expected at least two to draw.")
        what = f"{count(len(r.labels), 'object')} in {count(r.k, 'cluster')}"
        middle = centers(given[:, :2], r.labels)
        if len(given) <= _POINTS:
            return cls(what, len(given), given[:, :2], r.labels, r.confidence, centers=middle)
        image, cells, extent = _raster(given[:, :2], r.labels, r.k)
        return cls(
            what,
            len(given),
            None,
            None,
            None,
            image,
            extent,
            "grid cells in the color of most of their objects, stronger where there are more objects",
            centers=middle,
            cells=cells,
        )

    @classmethod
    def from_coassociation(cls, r: Consensus, seed: int = 0) -> ScatterDisplay:
        """Scale 1 − co-association to two dimensions (classical scaling); use a sample of more than 800 objects.

        If two dimensions capture less than half of its variation, a layout by strong ties is used instead.
        """
        n = len(r.labels)
        kept = np.flatnonzero(r.labels >= 0)
        drawn = len(kept) > _SCALED
        if drawn:
            kept = np.sort(np.random.default_rng(seed).choice(kept, _SCALED, replace=False))
        graph = coassociation(r.ensemble.take(objects=kept))
        s = graph.to_scipy().toarray()
        np.fill_diagonal(s, 1.0)
        points, held = classical_scaling(1 - s)
        how = f"classical scaling of 1 − co-association, {held:.0%} of its variation"
        if held < _HELD and len(kept) > 2 * _TIES:
            points = springs(graph.neighbors(_TIES), seed)
            how = f"layout by the {_TIES} strongest co-associations of each;\ndistances between groups have no meaning"
        how += f"; {_SCALED} random objects" if drawn else ""
        return cls(
            f"Co-association in two dimensions: {count(n, 'object')}",
            n,
            points,
            r.labels[kept],
            r.confidence[kept],
            how=how,
            part="evidence",
            centers=centers(points, r.labels[kept]),
        )

    def plot(self, ax: Any = None) -> ScatterDisplay:
        """Draw points or cells."""
        ax = self.on(ax, (5.6, 5.2))
        if self.image is not None:
            self._cells(ax)
        else:
            assert self.points is not None
            assert self.labels is not None
            assert self.strength is not None
            size = float(np.clip(9000 / max(len(self.points), 1), 4, 40))
            for c in np.unique(self.labels).tolist():
                own = self.labels == c
                ring = np.where(self.strength[own] < UNSURE, 0.22 * np.sqrt(size), 0.0)
                wide = ring if ring.any() else 0.0  # one style for all is a smaller file
                drawn = ax.scatter(*self.points[own].T, c=color(c), s=size, linewidths=wide, edgecolors=INK)
                owned(drawn, c, self.part)
        for c, place in self.centers.items() if len(self.centers) <= _NUMBERED else []:
            number_at(ax, c, self.called(c), place, (0, 0) if self.n > _FEW else (9, 9))
        quiet(ax)
        ax.grid(visible=False)
        if self.part == "evidence":  # directions mean nothing
            bare(ax)
            ax.set_aspect("equal", adjustable="datalim")
        rings = self.strength is not None and bool((self.strength < UNSURE).any())
        title(
            ax, self.what, "\n".join([self.how] * bool(self.how) + ["ringed: confidence below 0.6"] * rings)
        )
        return self

    def _cells(self, ax: Any) -> None:
        """The grid; with few clusters, each is drawn separately, so that a page can highlight it."""
        assert self.image is not None
        style = {"extent": self.extent, "origin": "lower", "interpolation": "nearest", "aspect": "auto"}
        if self.cells is None or len(self.centers) > _LAYERS:
            ax.imshow(self.image, **style)
            return
        for c in np.unique(self.cells[self.image[:, :, 3] > 0]).tolist():
            own = self.image * (self.cells == c)[:, :, None]
            owned(ax.imshow(own, **style), c, "cells")


def classical_scaling(distance: FloatArray) -> tuple[FloatArray, float]:
    """Return two coordinates whose distances come closest to the given ones, and the share of variation they hold.

    They are the leading eigenvectors of −½ J D² J, and the share is that of their eigenvalues in its trace.
    """
    from scipy.linalg import eigh

    from ..cutting.lanczos import lanczos

    n = len(distance)
    centered = distance**2
    centered = centered - centered.mean(axis=0) - centered.mean(axis=1)[:, None] + centered.mean()
    if n < 3:
        return np.column_stack([np.arange(n, dtype=float), np.zeros(n)]), 1.0
    if n < 50:
        value, vector = (each[..., ::-1] for each in eigh(-0.5 * centered, subset_by_index=(n - 2, n - 1)))
    else:
        value, vector = lanczos(lambda x: -0.5 * (centered @ x), n, 2)
    value = np.maximum(value, 0)
    found = vector * np.sqrt(value)
    whole = float(np.trace(-0.5 * centered))
    mirrored = np.where(found[np.abs(found).argmax(axis=0), [0, 1]] < 0, -1, 1)  # one of two mirror images
    return found * mirrored, min(1.0, float(value.sum()) / whole) if whole > 0 else 1.0


def _raster(
    points: AnyArray, labels: LabelArray, k: int, cells: int = 260
) -> tuple[FloatArray, IntArray, tuple[float, ...]]:
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, 1e-12)
    at = np.minimum((points - low) / size * cells, cells - 1).astype(np.int64)
    cell = at[:, 1] * cells + at[:, 0]
    order = np.argsort(cell * (k + 1) + labels + 1, kind="stable")
    key = (cell * (k + 1) + labels + 1)[order]
    begin = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    amount = np.diff(np.append(begin, len(key)))
    where, who = key[begin] // (k + 1), key[begin] % (k + 1) - 1
    best = np.lexsort((amount, where))
    last = best[np.append(where[best][1:] != where[best][:-1], True)]
    total = np.bincount(where, weights=amount, minlength=cells * cells)
    image = np.ones((cells * cells, 4))
    image[:, 3] = 0.0
    image[where[last], :3] = rgb(who[last])
    shade = np.sqrt(total[where[last]] / np.quantile(total[total > 0], 0.95))
    image[where[last], 3] = np.clip(0.25 + 0.75 * shade, 0, 1)
    most = np.full(cells * cells, -1)
    most[where[last]] = who[last]
    return image.reshape(cells, cells, 4), most.reshape(cells, cells), (low[0], high[0], low[1], high[1])


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

    def __init__(self, frequency: FloatArray, owner: LabelArray, label: LabelArray, n: int) -> None:
        self.frequency, self.owner, self.label, self.n = frequency, owner, label, n

    @classmethod
    def from_consensus(cls, r: Consensus, most: int = 400) -> FrequencyDisplay:
        """Take the counts of a consensus by `cumulative`, averaged over blocks of objects."""
        from .heatmap import blocks

        if not isinstance(r.graph, Hypergraph) or r.vertices is None:
            raise InputError(f"The consensus was made by {r.method}; expected one made by cumulative.")
        found = blocks(r, most)
        table = np.zeros((len(r.labels), r.graph.n_hyperedges))
        inside = np.flatnonzero(r.vertices >= 0)
        table[inside] = r.graph.incidence[r.vertices[inside]].toarray()
        frequency = np.stack([found.mean(column) for column in table.T])
        owner = np.array(
            [
                int(
                    np.bincount(
                        r.labels[r.labels >= 0], weights=column[r.labels >= 0], minlength=r.k
                    ).argmax()
                )
                for column in table.T
            ]
        )
        return cls(frequency, owner, found.label, len(r.labels))

    def plot(self, ax: Any = None) -> FrequencyDisplay:
        """Draw one row of bars per cumulative cluster, in the color of the cluster it was merged into."""
        rows = len(self.frequency)
        ax = self.on(ax, (7.0, max(2.2, min(9.0, 0.9 + 0.5 * rows))))
        top = max(float(self.frequency.max(initial=0.0)), 1e-12)
        x = np.arange(self.frequency.shape[1] + 1) - 0.5
        for j, row in enumerate(self.frequency):
            base = rows - 1 - j
            ax.fill_between(
                x,
                base,
                base + 0.9 * np.append(row, row[-1]) / top,
                step="post",
                color=color(int(self.owner[j])),
                linewidth=0,
            )
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
        title(
            ax,
            f"Frequencies of {count(self.n, 'object')} in {count(rows, 'cumulative cluster')}",
            f"means of {blocks} blocks" if blocks < self.n else "",
        )
        return self
