"""The co-association matrix in cluster order, with clusters, classes and doubt beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, as_int, of_kind
from ..errors import InputError
from ..graphs.affinity import Affinity, affinity_of
from ..graphs.coassociation import coassociation
from ..graphs.counts import unweighted
from ..graphs.graph import Graph
from ..labels.ensemble import Ensemble
from ..labels.names import align
from ..labels.value import recall
from ..result.consensus import Consensus
from ..trees import link
from ..trees.dendrogram import Dendrogram
from .colors import INK, inherited, rgb
from .display import Display, amount, bare, label_text as shown_name, page_points, printable, roomy
from .layouts import LAID_OUT
from .trees import in_leaf_order

_NAMED = 30  # objects whose names stand beside the matrix
_DOUBT = 0.6  # 1 − confidence that is shown in the darkest red
_LINES = 16  # borders of clusters drawn across the matrix
_KEYS = 8  # partitions by whose labels many objects are sorted
_LINKED = 1500  # objects up to which a tree orders those of a cluster


@dataclass(eq=False, repr=False)
class CoassociationDisplay(Display):
    """How often objects share a cluster, with objects cluster by cluster, and similar clusters next to each other.

    Attributes
    ----------
    similarity
        Mean co-association between blocks of objects (single objects if there are at most 600), NaN if no partition has
        both.
    label, size
        Cluster and number of objects of each block.
    membership, confidence
        Mean of each block; memberships only on request.
    classes
        Color numbers of the classes of each block, with a cell for each of 20 equal shares of its objects, the most
        frequent class first; None if no classes were given.
    numbers
        Color number of each cluster, if they are not 0, 1, …
    names
        Names of the objects, if there are few and each is its own block.
    """

    similarity: FloatArray
    label: LabelArray
    size: Any
    membership: FloatArray | None
    confidence: FloatArray
    classes: LabelArray | None = None
    numbers: LabelArray | None = None
    names: list[str] | None = None
    _plain: bool = field(default=False, init=False)

    @classmethod
    def from_consensus(
        cls,
        r: Consensus,
        classes: ArrayLike | None = None,
        most: int = 600,
        numbers: LabelArray | None = None,
        *,
        membership: bool = False,
    ) -> CoassociationDisplay:
        """Summarize the co-association of a consensus. O(nB + m²K) for m blocks.

        Parameters
        ----------
        r
            A consensus.
        classes
            Known classes of the objects, shown beside the clusters.
        most
            Maximum number of blocks.
        numbers
            Color number of each cluster, such as those of `inherited`; by default, the numbers of the clusters.
        membership
            Whether the memberships of the objects are shown beside the matrix, too.
        """
        cut = blocks(r, most)
        class_colors = None
        if classes is not None:
            class_of, called = class_numbers(classes, r)
            shade = np.append(inherited(r.labels, class_of), -1)  # a class has the color of the cluster it is found in
            class_colors = shade[_shares(cut.block, np.where(class_of < 0, len(called), class_of), len(cut.size))]
        m = len(cut.size)
        near = Affinity(unweighted(r.ensemble), cut.block.astype(np.int32), m).between()
        names = None
        if m == np.count_nonzero(cut.block >= 0) <= _NAMED:
            known_names = r.ensemble.vertex_names()
            names = [str(known_names[int(i)]) for i in np.argsort(cut.block)[-m:]]
        order = np.arange(m) if m == cut.size.sum() else _in_series(near, cut.label)
        order = order[np.argsort(_ranks(r)[cut.label], kind="stable")]
        members = np.stack([cut.mean(column) for column in r.membership.T], axis=1)[order] if membership else None
        return cls(
            near[np.ix_(order, order)],
            cut.label[order],
            cut.size[order],
            members,
            cut.mean(r.confidence)[order],
            None if class_colors is None else class_colors[order],
            numbers,
            None if names is None else [names[i] for i in order],
        )

    def plot(self, ax: Any = None, *, plain: bool = False, **style: Any) -> Self:
        """Draw the matrix with what is known of the objects beside it; if `plain`, only their clusters and classes.

        Other parameters are those of `Display.plot`.
        """
        self._plain = plain
        return super().plot(ax, **style)

    def _draw(self, ax: Any) -> Any:
        plain = self._plain
        ax = self._on(ax, (7.6, 5.8))
        m, k = len(self.size), int(self.label.max(initial=-1)) + 1
        shown = np.ma.masked_invalid(self.similarity)
        image = ax.imshow(shown, cmap="Blues", vmin=0, vmax=1, interpolation="nearest", aspect="auto")
        image.set_gid("shade-matrix")
        ax.set_facecolor("#f2f2f2")
        bare(ax)
        edges = np.flatnonzero(np.diff(self.label)) + 0.5
        if len(edges) <= _LINES:  # lines across the matrix; of more clusters they would outweigh what they part
            style = {"color": INK, "linewidth": float(np.clip(4 / max(len(edges), 1), 0.25, 0.4))}
            ax.hlines(edges, -0.5, m - 0.5, **style)
            ax.vlines(edges, -0.5, m - 0.5, **style)
        self._frames(ax)
        self._beside(ax, plain=plain)
        self._numbers(ax)
        if not plain:
            bar = self.figure_.colorbar(image, ax=ax, location="left", shrink=0.4, pad=0.02, ticks=[0, 0.5, 1])
            bar.ax.set_gid("shade-bar")
            bar.set_label("share of clusterings", fontsize=8)
            bar.ax.tick_params(labelsize=8)
            bar.outline.set_visible(False)
        n = int(np.sum(self.size))
        how = "" if m == n else f"{m} blocks of objects of one cluster each; a cell is a mean"
        self._headline(f"How often together: {amount(n, 'object')} in {amount(k, 'cluster')}", how)
        return image

    def _frames(self, ax: Any) -> None:
        """A frame around each cluster, for pages that highlight it; visible if there are too many for lines."""
        from matplotlib.patches import Rectangle

        clusters = np.unique(self.label).tolist()
        edge = "none" if len(clusters) <= _LINES + 1 else "#777777"
        for c in clusters if len(clusters) <= 200 else []:
            members = np.flatnonzero(self.label == c)
            style = {"fill": False, "edgecolor": edge, "linewidth": 0.3}
            frame = Rectangle((members[0] - 0.5, members[0] - 0.5), len(members), len(members), **style)
            frame.set_gid(f"frame-{c if self.numbers is None else self.numbers[c]}")
            ax.add_patch(frame)

    def _beside(self, ax: Any, *, plain: bool) -> None:
        """Strips left and right of the matrix: cluster, class, doubt, membership."""
        from matplotlib.colors import LinearSegmentedColormap

        doubt = (1 - self.confidence[:, None]) / _DOUBT
        shown, reds = not plain and len(np.unique(self.label)) > 1, ["white", "#fb6a4a", "#67000d"]
        of_doubt = LinearSegmentedColormap.from_list("doubt", reds)
        strips: list[tuple[str, Any, float, Any]] = [("doubt", doubt, 0.05, of_doubt)] * (shown and bool(doubt.any()))
        if self.classes is not None:
            strips.insert(0, ("class", rgb(self.classes), 0.05, None))
        if self.membership is not None and not plain:
            wide = float(np.clip(0.025 * self.membership.shape[1], 0.06, 0.27))
            strips.append(("membership", self.membership, wide, "Purples"))
        shade = self.label if self.numbers is None else self.numbers[self.label]
        beside = ax.inset_axes([-0.055, 0, 0.04, 1])
        self._strip(beside, "cluster", rgb(shade)[:, None], None)
        if self.names is not None and not plain:
            beside.set_yticks(range(len(self.names)), [shown_name(name, 14) for name in self.names], fontsize=8)
            beside.tick_params(length=0)
        left = 1.015
        for name, values, wide, cmap in strips:
            self._strip(ax.inset_axes([left, 0, wide, 1]), name, values, cmap)
            left += wide + 0.015

    def _strip(self, strip: Any, name: str, values: Any, cmap: Any) -> None:
        image = strip.imshow(values, aspect="auto", interpolation="nearest", cmap=cmap, vmin=0, vmax=1)
        image.set_gid(None if cmap is None else f"shade-{name}")
        bare(strip)
        strip.set_xlabel(name, fontsize=8, rotation=90)
        strip.set_label(name)

    def _numbers(self, ax: Any) -> None:
        """Number the clusters along the bottom if there is room."""
        begin = np.flatnonzero(np.append(True, np.diff(self.label) != 0))
        middle = (begin + np.append(begin[1:], len(self.label)) - 1) / 2
        spaced = roomy(middle.tolist(), page_points(ax, self._room(14)))
        ax.set_xticks(middle[spaced], [self._called(int(c)) for c in self.label[begin[spaced]]], fontsize=8)
        ax.tick_params(length=0)


def class_numbers(classes: ArrayLike, r: Consensus) -> tuple[LabelArray, list[str]]:
    """Return known classes of the objects as numbers (−1 for none), and the names of the classes."""
    e, n = Ensemble.from_partitions([align(classes, r.ensemble.vertex_names(), "classes")]), len(r.labels)
    if e.n_objects != n:
        raise InputError(f"{e.n_objects:,} classes were given; expected one for each of the {n} objects.")
    return e.labels[:, 0], [printable(name) for name in e.categories[0]]


def _ranks(r: Consensus) -> IntArray:
    """The place of every cluster, so that those whose objects are often together are next to each other."""
    between = np.nan_to_num(affinity_of(r).between()) if r.k <= LAID_OUT else np.empty((0, 0))
    if len(between) < 3:
        return np.arange(r.k)
    np.fill_diagonal(between, 0.0)
    return np.argsort(in_leaf_order(link(Graph((between + between.T) / 2), "average")), kind="stable")


def _in_series(near: FloatArray, label: LabelArray) -> IntArray:
    """Order the blocks of each cluster by their own tree, so that similar blocks are adjacent."""
    order = np.arange(len(label))
    for c in np.unique(label):
        members = np.flatnonzero(label == c)
        if len(members) > 2:
            alike = np.clip(np.nan_to_num(near[np.ix_(members, members)]), 0, 1)
            np.fill_diagonal(alike, 0.0)
            order[members] = members[in_leaf_order(link(Graph((alike + alike.T) / 2), "average"))]
    return order


def _shares(block: Any, numbers: Any, m: int, cells: int = 20) -> LabelArray:
    """The classes in each block, one for each of a number of equal shares of its objects, the most frequent first."""
    k, inside = int(numbers.max(initial=0)) + 1, block >= 0
    table = np.bincount(block[inside] * k + numbers[inside], minlength=m * k).reshape(m, k)
    order = np.argsort(-table, axis=1, kind="stable")
    ends = np.cumsum(np.take_along_axis(table, order, axis=1), axis=1)
    middle = (np.arange(cells) + 0.5) / cells * ends[:, -1:]
    place = (middle[:, :, None] > ends[:, None, :]).sum(axis=2)
    return np.take_along_axis(order, np.minimum(place, k - 1), axis=1).astype(np.int32)


@dataclass(frozen=True, eq=False)
class Blocks:
    """Blocks of consecutive objects, each from one cluster."""

    block: IntArray  #: of each object; −1 for objects without a cluster
    label: LabelArray  #: cluster of each block
    size: IntArray  #: number of objects of each block

    def mean(self, values: AnyArray) -> FloatArray:
        """Mean over the objects of each block."""
        inside = self.block >= 0
        total = np.bincount(self.block[inside], weights=values[inside], minlength=len(self.size))
        return np.asarray(total / np.maximum(self.size, 1))


def display_order(r: Consensus) -> IntArray:
    """Return the objects cluster by cluster, few of them in the order of their tree, many by rival and labels."""
    assigned = np.flatnonzero(r.labels >= 0)
    if len(assigned) > _LINKED:
        rival, codes = affinity_of(r).every_object.rival[assigned], r.ensemble.codes[:_KEYS, assigned]
        return assigned[np.lexsort((*codes[::-1], rival, r.labels[assigned]))]  # those alike side by side
    order = assigned[in_leaf_order(object_tree(r, assigned))] if len(assigned) else assigned
    return order[np.argsort(r.labels[order], kind="stable")]


def object_tree(r: Consensus, objects: IntArray) -> Dendrogram:
    """Return the average-link tree of all objects that have a cluster, or of a sample of so many; made once."""
    return recall(r, ("tree", len(objects)), lambda: link(coassociation(r.ensemble.take(objects=objects)), "average"))


def blocks(r: Consensus, most: int = 400) -> Blocks:
    """Cut the ordered objects into at most about `most` blocks; every cluster has at least one."""
    return cut_blocks(display_order(of_kind("r", r, Consensus)), r.labels, as_int("most", most, 1))


def cut_blocks(order: IntArray, labels: LabelArray, most: int) -> Blocks:
    """Cut objects, ordered cluster by cluster, into at most about `most` blocks of objects from one cluster each."""
    cluster, n = labels[order], len(order)
    sizes = np.bincount(cluster)
    share = np.minimum(np.maximum(1, np.rint(most * sizes / max(n, 1)).astype(np.int64)), sizes)
    parts = sizes if n <= most else share
    begin, before = np.cumsum(sizes) - sizes, np.cumsum(parts) - parts
    block = np.full(len(labels), -1, dtype=np.int64)
    place = np.arange(n) - begin[cluster]
    block[order] = before[cluster] + place * parts[cluster] // np.maximum(sizes[cluster], 1)
    label = np.repeat(np.arange(len(sizes)), parts).astype(np.int32)
    return Blocks(block, label, np.bincount(block[order], minlength=len(label)))
