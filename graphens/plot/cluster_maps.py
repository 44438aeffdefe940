"""The clusters of a consensus as a map: discs, how often their objects are together, and the least certain objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, of_kind, percent
from ..graphs.affinity import affinity_of
from ..graphs.coassociation import as_network
from ..result.consensus import Consensus
from .colors import color, legible
from .display import Display, amount, bare, ink, label_text, mark_cluster
from .layouts import discs, lines, with_room

_OBJECTS = 8  # named objects
_SURE = 0.9  # confidence from which on an object is not between clusters
_APART = 1.5  # distance of the discs, if they touch at 1
_LINES = 3  # strongest lines of each cluster
_PERCENT = 24  # lines with a number
_LEAST = 0.005  # mean co-association that a line needs


@dataclass(eq=False, repr=False)
class ClusterMapDisplay(Display):
    """Clusters as discs with an area by their objects; lines say how often the objects of two clusters are together.

    For communities, they say how many edges of the network join two of them.

    Attributes
    ----------
    positions, radii, sizes
        Middle, radius and number of objects of every cluster.
    ties
        The clusters at both ends of every line, and the mean co-association or the number of edges.
    edges
        Whether lines are edges of a network.
    objects, names
        Positions and names of the least certain objects, between their cluster and their rival.
    """

    positions: FloatArray
    radii: FloatArray
    sizes: IntArray
    ties: tuple[AnyArray, AnyArray, FloatArray]
    edges: bool
    objects: FloatArray
    names: list[str]

    @classmethod
    def from_consensus(cls, r: Consensus) -> ClusterMapDisplay:
        """Lay the clusters out by the ties between them. O(nB + k²K)."""
        network = of_kind("r", r, Consensus).network is not None
        if network:
            graph = as_network(r._network_graph(), r.ensemble)
            between = graph.contract(r.labels).to_scipy().toarray()[: r.k, : r.k]
        else:
            between = np.nan_to_num(affinity_of(r).between())
        np.fill_diagonal(between, 0.0)
        sizes, sure, rival = r.sizes(), r.confidence, affinity_of(r).every_object.rival
        centers, radii = discs(sizes, between) if r.k else (np.empty((0, 2)), np.empty(0))
        radii = np.maximum(radii, 0.1 * radii.max(initial=0.0))
        rank = (-between).argsort(axis=1, kind="stable").argsort(axis=1)
        strong = np.minimum(rank, rank.T) < _LINES
        source, target = np.nonzero(np.triu(strong & (between >= (1 if network else _LEAST))))
        unsure = np.flatnonzero((r.labels >= 0) & (rival >= 0) & (sure < _SURE))
        unsure = unsure[np.lexsort((r.cohesion[unsure], sure[unsure]))][:_OBJECTS]
        points = _between(_APART * centers, radii, r.labels[unsure], rival[unsure], 1 - sure[unsure])
        names = [str(name) for name in r.ensemble.vertex_names().take(unsure)]
        ties = source, target, between[source, target]
        return cls(_APART * centers, radii, sizes, ties, network, points, names)

    def _draw(self, ax: Any) -> list[Any]:
        """Draw lines, discs with numbers, and small named dots for the least certain objects."""
        from matplotlib.patches import Circle

        ax = self._on(ax, (6.4, 5.6))
        source, target, weight = self.ties
        share = weight / max(float(weight.max(initial=0.0)), 1e-300)
        lines(ax, self.positions, (source, target), 0.6 + 4 * share, alpha=0.5)
        ax.set_aspect("equal", adjustable="datalim")
        artists = []
        for c, (place, radius) in enumerate(zip(self.positions, self.radii, strict=True)):
            artists.append(ax.add_patch(Circle(place, radius, facecolor=color(c), edgecolor="none", zorder=2)))
            mark_cluster(artists[-1], c, "graph")
        ax.autoscale_view()
        ax.margins(0.06)
        bare(ax)
        ax.figure.draw_without_rendering()  # what fits into a disc is known when the layout is
        discs_at = self._words(ax, source, target, weight)
        if self.names:
            ax.scatter(*self.objects.T, s=14, color=ink(ax), linewidths=0, zorder=4)
            _name_dots(ax, self.objects, [label_text(name, 14) for name in self.names], discs_at)
        what = "edges between them" if self.edges else "how often their objects are together"
        how = f"area: objects; lines: {what}"
        how += f"; dots: the {len(self.names)} least certain objects" if self.names else ""
        size = f"{amount(int(self.sizes.sum()), 'object')} in {amount(len(self.sizes), 'cluster')}"
        self._headline(size, how)
        return artists

    def _words(self, ax: Any, source: AnyArray, target: AnyArray, weight: FloatArray) -> FloatArray:
        """Number the discs, with their objects if there is room, and the lines; return the boxes of the discs."""
        points = 72 / ax.figure.dpi
        place = ax.transData.transform(self.positions) * points
        wide = self.radii * float(np.hypot(*(ax.transData.transform([[1, 0]]) - ax.transData.transform([[0, 0]]))[0]))
        wide *= 2 * points
        for c, (spot, size, room) in enumerate(zip(self.positions, self.sizes.tolist(), wide.tolist(), strict=True)):
            called = self._called(c)
            inside = 6.5 * len(called) < room
            words = f"{called}\n{size:,}" if room > 30 and 6.5 * max(len(called), len(f"{size:,}")) < room else called
            ax.annotate(
                words, spot, ha="center", va="center" if inside else "bottom", fontsize=9 if room > 18 else 7,
                xytext=(0, 0 if inside else room / 2), textcoords="offset points", zorder=4, gid=f"cluster-{c}-number",
                color=legible(color(c)) if inside else ink(ax), fontweight="bold",
            )  # fmt: skip
        order = np.argsort(-weight, kind="stable")[:_PERCENT]
        a, b = place[source[order]], place[target[order]]
        way = (b - a) / np.maximum(np.hypot(*(b - a).T), 1e-9)[:, None]  # the middle of what is seen of a line
        middle = (a + b + way * (wide[source[order]] - wide[target[order]])[:, None] / 2) / 2
        texts = [f"{weight[i]:,.0f}" if self.edges else percent(float(weight[i])) for i in order]
        half = np.column_stack([2.6 * np.array([len(text) for text in texts]), np.full(len(texts), 5.0)])
        boxes = np.hstack([middle - half, middle + half])
        dots = ax.transData.transform(self.objects) * points
        round_boxes = np.hstack([place - 0.4 * wide[:, None], place + 0.4 * wide[:, None]])
        taken = np.vstack([np.full(boxes.shape, np.inf), round_boxes, np.hstack([dots - 12, dots + 12])])
        for i in with_room(boxes, taken):  # of which the first are no place at all: a text may touch its own box
            spot = ax.transData.inverted().transform(middle[i] / points)
            ax.text(*spot, texts[i], ha="center", va="center", fontsize=7.5, color=ink(ax), zorder=3)
        return round_boxes


def _between(centers: FloatArray, radii: FloatArray, own: AnyArray, rival: AnyArray, doubt: FloatArray) -> FloatArray:
    """Points between two discs, the more doubtful the farther from the own one; those of a pair are side by side."""
    if not len(own):
        return np.empty((0, 2))
    way = centers[rival] - centers[own]
    length = np.maximum(np.hypot(*way.T), 1e-9)
    step = way / length[:, None]
    pair = np.minimum(own, rival) * len(radii) + np.maximum(own, rival)
    seat = np.array([np.count_nonzero(pair[:i] == p) for i, p in enumerate(pair)])
    side = np.where(seat % 2, 1, -1) * ((seat + 1) // 2) * np.where(own < rival, 1, -1)
    gap = np.maximum(length - radii[own] - radii[rival], 0.0)
    across = np.column_stack([-step[:, 1], step[:, 0]]) * (0.028 * float(np.ptp(centers, axis=0).max()) * side)[:, None]
    points = centers[own] + step * (radii[own] + gap * np.clip(doubt, 0, 1))[:, None] + across
    hidden = (np.hypot(*(points[:, None] - centers).transpose(2, 0, 1)) < 1.1 * radii).any(axis=1)
    return np.where(hidden[:, None], centers[own] + step * 1.15 * radii[own, None] + across, points)


def _name_dots(ax: Any, points: FloatArray, words: Sequence[str], taken: FloatArray) -> None:
    """Write words beside dots where they touch neither a dot, a word nor a box; a thin line leads to distant ones."""
    places = ax.transData.transform(points) * 72 / ax.figure.dpi
    frame = ax.get_window_extent().extents * 72 / ax.figure.dpi
    taken = np.vstack([np.hstack([places - 2, places + 2]), taken])
    turns = np.deg2rad([0, 180, 90, 270, 45, 135, 225, 315])
    for word, point, place in zip(words, points, places, strict=True):
        box = np.array([4.35 * len(word), 9.4])
        for away, turn in product((3.0, 12.0, 24.0, 40.0, 60.0), turns):
            offset = np.array([np.cos(turn), np.sin(turn)]) * (2 + away + box / 2)
            low, high = place + offset - box / 2, place + offset + box / 2
            clear = ((high <= taken[:, :2]) | (low >= taken[:, 2:])).any(axis=1).all()
            if clear and (low >= frame[:2] - 2).all() and (high <= frame[2:] + 2).all():
                break
        else:
            continue
        taken = np.vstack([taken, [*low, *high]])
        line = {"arrowstyle": "-", "color": "#999999", "linewidth": 0.6, "shrinkA": 0, "shrinkB": 2}
        ax.annotate(
            word, point, xytext=offset, textcoords="offset points", ha="center", va="center", fontsize=7.5,
            color=ink(ax), zorder=5, arrowprops=line if away > 3 else None,
        )  # fmt: skip
