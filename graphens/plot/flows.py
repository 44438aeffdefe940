"""How objects flow from clustering to clustering: bands between columns of clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, IntArray, as_int, of_kind, percent
from ..errors import InputError, quote
from ..labels.encoding import labels_of_codes
from ..labels.ensemble import Ensemble
from ..measures.agreement import agreement_with_each
from ..result.consensus import Consensus
from .colors import FAINT, INK, color, legible
from .display import Display, amount, bare, ink, label_text, mark_cluster, page_points, printable
from .heatmap import class_numbers
from .object_pictures import UNSURE, certainty

_COLUMNS = 3  # base clusterings that stand for many
_BANDS = 2000  # between two columns
_GAP = 0.25  # of the height, between the clusters of a column together
_CURVE = np.linspace(0, 1, 16)


@dataclass(frozen=True, eq=False)
class Column:
    """One clustering of a flow; its clusters are in the order drawn, from the top."""

    name: str
    labels: IntArray  #: cluster of every object; objects without one are in the last, `k`
    names: list[str]  #: what the clusters are called
    numbers: IntArray  #: their own numbers
    sizes: IntArray  #: objects of each
    gaps: bool  #: whether the last of them are the objects without a cluster

    @classmethod
    def of(cls, name: str, labels: AnyArray, names: list[str], order: IntArray) -> Column:
        """Number the clusters of a labeling in the order drawn; objects without a label, if any, come last."""
        k = len(names)
        place = np.empty(k + 1, dtype=np.int64)
        place[order] = np.arange(k + 1)
        put = place[np.where(labels < 0, k, labels)]
        sizes = np.bincount(put, minlength=k + 1)
        called = [[*names, _ABSENT][int(c)] for c in order]
        gaps = bool(sizes[k])
        shown = k + gaps
        return cls(name, put, called[:shown], order[:shown], sizes[:shown], gaps)

    def bands(self, to: Column, paint: AnyArray, unsure: AnyArray) -> IntArray:
        """Return the objects by cluster here and in the next column, color, and whether they are unsure: a row each."""
        m, k = int(to.labels.max(initial=0)) + 1, int(paint.max(initial=-1)) + 2
        key = ((self.labels * m + to.labels) * k + paint + 1) * 2 + unsure
        keys, size = np.unique(key, return_counts=True)
        rest, doubt = np.divmod(keys, 2)
        rest, number = np.divmod(rest, k)
        return np.column_stack([*np.divmod(rest, m), number - 1, doubt, size])

    def ends(self, share: float) -> FloatArray:
        """Upper end of every cluster, for a column whose objects take so much of the height."""
        gap = _GAP / max(len(self.sizes) - 1, 1) if len(self.sizes) > 1 else 0.0
        return np.asarray(1 - np.append(0, np.cumsum(self.sizes * share + gap)[:-1]))


@dataclass(eq=False, repr=False)
class FlowDisplay(Display):
    """Columns of clusters and the objects that flow from one to the next, in the colors of one of the clusterings.

    Attributes
    ----------
    columns
        The clusterings, from left to right.
    colored
        The clustering that defines the colors.
    bands
        For each pair of adjacent columns, a row for each group of objects: cluster on the left, cluster on the right,
        color number (−1 without a cluster), whether their confidence is low, and their number.
    crossings
        Pairs of objects whose lines cross between two columns, as a share of all pairs.
    how
        Description of what was left out.
    """

    columns: list[Column]
    colored: int
    bands: list[IntArray]
    crossings: float
    how: str

    @classmethod
    def from_consensus(
        cls, r: Consensus, classes: ArrayLike | None = None, columns: Sequence[int | str] | None = None
    ) -> FlowDisplay:
        """Show the flow from base clusterings through the consensus to known classes. O(n log n) for each.

        Parameters
        ----------
        r
            A consensus.
        classes
            Known classes of the objects, shown as the last column.
        columns
            Base clusterings, by name or number. By default, if there are more than three, those with the lowest, the
            median and the highest agreement with the consensus are shown.
        """
        chosen, how = _of_consensus(of_kind("r", r, Consensus), columns)
        answer = [("consensus", r.labels, list(r.cluster_names))]
        end = [] if classes is None else [("class", *class_numbers(classes, r))]
        before = [_base(r.ensemble, t) for t in chosen]
        unsure = (r.labels >= 0) & (certainty(r) < UNSURE)
        return cls._laid_out([*before, *answer, *end], len(before), unsure, how)

    @classmethod
    def from_ensemble(cls, e: Ensemble, columns: Sequence[int | str] | None = None) -> FlowDisplay:
        """Show the flow of the objects through clusterings, in the colors of the first one.

        `columns` are their names or numbers; by default, the first eight.
        """
        of_kind("e", e, Ensemble)
        chosen = list(range(min(e.n_partitions, 8))) if columns is None else partition_numbers(e, columns)
        if len(chosen) < 2:
            raise InputError(
                f"{amount(len(chosen), 'clustering')} was given; a flow picture needs two or more columns."
            )
        left_out = columns is None and len(chosen) < e.n_partitions
        how = f"the first {len(chosen)} of {e.n_partitions:,} clusterings" if left_out else ""
        return cls._laid_out([_base(e, t) for t in chosen], 0, np.zeros(e.n_objects, dtype=bool), how)

    @classmethod
    def _laid_out(
        cls, given: list[tuple[str, AnyArray, list[str]]], colored: int, unsure: AnyArray, how: str
    ) -> FlowDisplay:
        """Order the clusters of every column for few crossings, and count the bands."""
        layers = Layers.of([one[1] for one in given], [len(one[2]) for one in given])
        orders = layers.order(colored)
        columns = [Column.of(*one, order) for one, order in zip(given, orders, strict=True)]
        bands = [a.bands(b, given[colored][1], unsure) for a, b in pairwise(columns)]
        n = len(unsure)
        pairs = max(n * (n - 1) / 2, 1.0) * max(len(bands), 1)
        widest = [band[np.argsort(-band[:, 4], kind="stable")[:_BANDS]] for band in bands]
        lost = sum(int(band[:, 4].sum()) for band in bands) - sum(int(band[:, 4].sum()) for band in widest)
        notes = [how] if how else []
        notes += ["hatched: a confidence below 0.6"] if unsure.any() else []
        notes += [f"bands of {percent(lost / (n * len(bands)), 1)} of the objects are too thin to draw"] if lost else []
        return cls(columns, colored, widest, layers.crossings(orders) / pairs, "; ".join(notes))

    def _draw(self, ax: Any) -> Any:
        """Draw the clusters as boxes in columns, and the objects between them as bands."""
        most = max(len(column.names) for column in self.columns)
        tall = float(np.clip(1.2 + 0.19 * most, 5.2, 10.0))
        ax = self._on(ax, (max(5.0, 1.6 + 1.9 * len(self.columns)), tall))
        n = max(int(self.columns[0].sizes.sum()), 1)
        flows = [band for at, bands in enumerate(self.bands) for band in self._flow(ax, at, bands, (1 - _GAP) / n)]
        bare(ax)
        ax.set_xlim(-0.3, len(self.columns) - 0.7)
        ax.set_ylim(-0.03, 1.03)
        for at, column in enumerate(self.columns):
            self._boxes(ax, at, column, (1 - _GAP) / n)
        fits = int(page_points(ax, 6) ** -1)  # letters of a name
        ax.set_xticks(
            range(len(self.columns)), [label_text(c.name, min(fits, 18)) for c in self.columns], fontsize=9,
            color=ink(ax),
        )  # fmt: skip
        ax.tick_params(length=0)
        through = amount(self.colored or len(self.columns), "clustering") + " to the consensus" * (self.colored > 0)
        self._headline(f"{amount(n, 'object')} through {through}", self.how)
        return flows

    def _flow(self, ax: Any, at: int, bands: IntArray, share: float) -> list[Any]:
        """The bands between two columns: a collection for each color, those of unsure objects hatched."""
        from matplotlib.collections import PolyCollection

        left, right, paint, unsure, size = bands.T
        high = size * share
        y0 = self.columns[at].ends(share)[left] - _before(high, left, (unsure, paint, right))
        y1 = self.columns[at + 1].ends(share)[right] - _before(high, right, (unsure, paint, left))
        x = at + _HALF + (1 - 2 * _HALF) * _CURVE
        bend = _CURVE**2 * (3 - 2 * _CURVE)
        upper = y0[:, None] + (y1 - y0)[:, None] * bend
        edge = np.concatenate([upper, (upper - high[:, None])[:, ::-1]], axis=1)
        across = np.broadcast_to(np.concatenate([x, x[::-1]]), edge.shape)
        shapes = np.stack([across, edge], axis=2)
        artists = []
        for c, doubt in np.unique(np.column_stack([paint, unsure]), axis=0).tolist():
            outlines = shapes[(paint == c) & (unsure == doubt)]
            style = {"hatch": "//////", "edgecolor": (1, 1, 1, 0.75)} if doubt else {"edgecolor": "none"}
            bands_of_color = PolyCollection(outlines, facecolor=color(c), alpha=0.62, linewidth=0, **style)
            artists.append(ax.add_collection(bands_of_color))
            mark_cluster(bands_of_color, c, f"flow{at}{'u' if doubt else ''}")
        return artists

    def _boxes(self, ax: Any, at: int, column: Column, share: float) -> None:
        """The clusters of a column; names stand in those that are tall enough."""
        from matplotlib.patches import Rectangle

        tall = ax.get_window_extent().height * 72 / ax.figure.dpi  # in points
        for j, (name, size, top) in enumerate(zip(column.names, column.sizes, column.ends(share), strict=True)):
            lost = column.gaps and j == len(column.names) - 1
            mine = at == self.colored and not lost
            paint = color(int(column.numbers[j])) if mine else FAINT
            style = {"linestyle": "--", "facecolor": "white"} if lost else {"facecolor": paint}
            high = float(size * share)
            edge = {"edgecolor": "white" if mine else INK, "linewidth": 0.6}
            box = Rectangle((at - _HALF, top - high), 2 * _HALF, high, zorder=2, **edge, **style)
            ax.add_patch(box)
            if mine:
                mark_cluster(box, int(column.numbers[j]), f"flowbox{at}")
            if high * tall >= 6:
                ax.annotate(
                    label_text(name, 12), (at, top - high / 2), ha="center", va="center",
                    fontsize=8 if len(column.names) <= 20 else 6, color=legible(paint) if mine else INK, zorder=3,
                )  # fmt: skip


_HALF = 0.16  # of the width of a box
_ABSENT = "no label"


def _base(e: Ensemble, t: int) -> tuple[str, AnyArray, list[str]]:
    """Name, labels and names of the clusters of a partition."""
    return str(e.partition_names[t]), labels_of_codes(e.codes[t]), [printable(name) for name in e.categories[t]]


def partition_numbers(e: Ensemble, columns: Sequence[int | str]) -> list[int]:
    """Return the numbers of partitions that were named or numbered."""
    names = [str(name) for name in e.partition_names]
    if isinstance(columns, str) or not isinstance(columns, Sequence | np.ndarray):
        raise InputError(f"columns = {quote(columns)} was given; expected a list of clusterings, by name or number.")
    for one in columns:
        if isinstance(one, str) and one not in names:
            raise InputError(f"There is no clustering {quote(one)}; they are called {', '.join(names[:8])}.")
    return [
        names.index(one) if isinstance(one, str) else as_int("columns", one, 0, e.n_partitions - 1) for one in columns
    ]


def _of_consensus(r: Consensus, columns: Sequence[int | str] | None) -> tuple[list[int], str]:
    """The base clusterings of a flow: those named, all of few, or the least, the middle and the most agreeing."""
    e = r.ensemble
    if columns is not None:
        return partition_numbers(e, columns), ""
    if e.n_partitions <= _COLUMNS:
        return list(range(e.n_partitions)), ""
    order = np.argsort(np.nan_to_num(agreement_with_each(r.labels, e), nan=-1.0), kind="stable")
    chosen = order[[0, len(order) // 2, -1]].tolist()
    return (
        chosen,
        f"of {e.n_partitions:,} clusterings, those with the least, median and most agreement with the consensus",
    )


def _before(high: FloatArray, box: IntArray, by: tuple[IntArray, ...]) -> FloatArray:
    """How far below the top of its box each band begins: bands of a box follow each other by the last key of `by`."""
    order = np.lexsort((*by, box))
    ends = np.cumsum(high[order])
    first = np.append(True, box[order][1:] != box[order][:-1])
    begin = np.maximum.accumulate(np.where(first, ends - high[order], 0.0))
    offset = np.empty(len(high))
    offset[order] = ends - high[order] - begin
    return offset


def crossings(table: FloatArray) -> float:
    """Return the pairs of objects whose lines cross, for the overlaps of two columns as they are ordered."""
    below = np.cumsum(table[::-1], axis=0)[::-1] - table  # objects that begin lower
    left = np.cumsum(below, axis=1) - below  # of them those that end higher
    return float((table * left).sum())


class Layers:
    """Columns of clusters and the objects that neighboring ones share: a layered graph to draw with few crossings."""

    #: overlaps of the clusters of each column (rows) with those of the next (columns); the last row and the last
    #: column are the objects without a label, which are always drawn last
    tables: list[FloatArray]
    sizes: list[int]  #: clusters of each column

    def __init__(self, tables: list[FloatArray]) -> None:
        self.tables, self.sizes = tables, [len(tables[0]), *(t.shape[1] for t in tables)]

    @classmethod
    def of(cls, labelings: list[AnyArray], sizes: list[int]) -> Layers:
        """Count what neighboring ones of several labelings share, of so many clusters each."""
        tables = []
        for (a, k), (b, m) in pairwise(zip(labelings, sizes, strict=True)):
            cell = np.where(a < 0, k, a).astype(np.int64) * (m + 1) + np.where(b < 0, m, b)
            counts = np.bincount(cell, minlength=(k + 1) * (m + 1))
            tables.append(counts.reshape(k + 1, m + 1).astype(float))
        return cls(tables)

    def order(self, fixed: int = 0) -> list[IntArray]:
        """Return an order of the clusters of every column in which few lines cross.

        The better of two orders: by the second eigenvector of the graph of all clusters, and by the mean place of
        what columns beside each other share, to and fro from column `fixed`. In both, neighbors in a column change
        places as long as that saves crossings.
        """
        orders = [self._exchanged(start) for start in (self._by_eigenvector(fixed), self._by_sweeps(fixed))]
        return min(orders, key=self.crossings)

    def crossings(self, orders: list[IntArray]) -> float:
        """Return the pairs of objects whose lines cross."""
        pairs = zip(self.tables, pairwise(orders), strict=True)
        return sum(crossings(table[np.ix_(a, b)]) for table, (a, b) in pairs)

    def _by_eigenvector(self, fixed: int) -> list[IntArray]:
        """The clusters of all columns along the second eigenvector of their graph, whose edges are what they share."""
        from scipy.linalg import eigh

        begin = np.cumsum([0, *self.sizes])
        graph = np.zeros((begin[-1], begin[-1]))
        for t, table in enumerate(self.tables):
            overlap = table.copy()
            overlap[-1], overlap[:, -1] = 0, 0  # objects without a label tie nothing together
            graph[begin[t] : begin[t + 1], begin[t + 1] : begin[t + 2]] = overlap
        graph += graph.T
        scale = 1 / np.sqrt(np.maximum(graph.sum(axis=0), 1e-12))
        place = eigh(scale[:, None] * graph * scale)[1][:, -2] * scale
        if place[begin[fixed]] > np.median(place[begin[fixed] : begin[fixed + 1]]):
            place = -place  # of two mirror images the one that begins with cluster 0
        place[begin[1:] - 1] = np.inf
        return [np.argsort(place[a:b], kind="stable") for a, b in pairwise(begin)]

    def _by_sweeps(self, fixed: int) -> list[IntArray]:
        """Columns sorted by their neighbors, to and fro; the column that is fixed at first is in its own order."""
        orders: list[IntArray] = [np.arange(size) for size in self.sizes]
        best, least = list(orders), self.crossings(orders)
        ways = [*range(fixed + 1, len(orders)), *range(fixed - 1, -1, -1)]
        for sweep in range(8):
            for at in ways:
                near = [t for t in self._beside(at) if sweep or abs(t - fixed) < abs(at - fixed)]
                orders[at] = self._by_place(at, near, orders, 4 if sweep < 2 else 1)
            ways = [*range(len(orders))] if sweep % 2 else [*range(len(orders))][::-1]
            now = self.crossings(orders)
            if now < least:
                best, least = list(orders), now
        return best

    def _beside(self, at: int) -> list[int]:
        return [t for t in (at - 1, at + 1) if 0 <= t < len(self.sizes)]

    def _shared(self, at: int, other: int, orders: list[IntArray]) -> FloatArray:
        """Overlaps of the clusters of a column with those of a neighboring one, as that is ordered."""
        return (self.tables[at] if other > at else self.tables[other].T)[:, orders[other]]

    def _by_place(self, at: int, near: list[int], orders: list[IntArray], power: int) -> IntArray:
        """The clusters of a column by the mean place of their objects in the columns beside it.

        The higher the power, the more the largest overlap decides.
        """
        place = np.zeros(self.sizes[at])
        for other in near:
            shared = self._shared(at, other, orders)
            total = shared.sum(axis=0)
            middle = (np.cumsum(total) - total / 2) / max(float(total.sum()), 1.0)
            pull = (shared / np.maximum(shared.max(axis=1, keepdims=True), 1e-12)) ** power
            place += pull @ middle / np.maximum(pull.sum(axis=1), 1e-12)
        place[-1] = np.inf
        return orders[at][np.argsort(place[orders[at]], kind="stable")]

    def _exchanged(self, start: list[IntArray]) -> list[IntArray]:
        """The orders after neighbors changed places wherever that saves crossings."""
        orders, moved = [order.copy() for order in start], True
        for _ in range(20):
            if not moved:
                break
            moved = False
            for at, order in enumerate(orders):
                parts = [self._shared(at, other, orders) for other in self._beside(at)]
                for i in range(len(order) - 2):  # the last are the objects without a label
                    a, b = order[i], order[i + 1]
                    gain = sum(crossings(part[[a, b]]) - crossings(part[[b, a]]) for part in parts)
                    if gain > 1e-9:
                        order[i], order[i + 1] = b, a
                        moved = True
        return orders
