"""The dendrogram: a tree of merges, its cuts and the lifetimes of its clusterings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import (
    MISSING,
    AnyArray,
    FloatArray,
    IntArray,
    LabelArray,
    as_int,
    as_labels,
    as_numbers,
    as_weights,
    canonical,
    freeze,
    number,
)
from ..errors import InputError, quote
from ..labels.names import Names
from ..labels.value import Savable, Value

if TYPE_CHECKING:
    import networkx as nx

    from ..explore import Explorer
    from ..labels.ensemble import Ensemble
    from ..plot.trees import DendrogramDisplay

#: merges below this height join objects that no threshold tells apart; lifetimes this close are tied
TIE = 1e-9


class Lifetimes(dict[int, float]):
    """Lifetime of every number of clusters; if there are many, only the longest are shown on the screen."""

    def __repr__(self) -> str:
        if len(self) <= 10:
            return super().__repr__()
        longest = sorted(self, key=lambda k: -self[k])[:5]
        shown = ", ".join(f"{k}: {self[k]:.3g}" for k in sorted(longest))
        return f"Lifetimes(of 1 to {max(self)} clusters, the longest {shown})"


class Dendrogram(Value, Savable):
    """A tree of merges over weighted leaves, heights from 0 (identical) upwards.

    Parameters
    ----------
    merges
        SciPy's linkage matrix Z over the leaves: two clusters, height, leaf count, one row per merge,
        in order of increasing height.
    leaf_weights
        How many objects each leaf stands for, 1 by default.
    index
        Leaf of each object, −1 for an object without a leaf; by default, every leaf is one object.
    names
        Names of the objects.

    Examples
    --------
    >>> import graphens as ge
    >>> g = ge.Graph([[0, 0.9, 0.2], [0.9, 0, 0.1], [0.2, 0.1, 0]])
    >>> d = ge.link(g, "average")
    >>> d
    Dendrogram(3 objects, heights 0.1 to 0.85)
    >>> d.cut(2).tolist()
    [0, 0, 1]
    >>> {k: round(length, 3) for k, length in d.lifetimes().items()}
    {1: 0.15, 2: 0.75, 3: 0.1}
    """

    merges: FloatArray
    leaf_weights: FloatArray
    index: AnyArray
    names: Names
    _ensemble: Ensemble | None = None  # whose shares of partitions the heights are, None where they are something else
    _linkage: str | None = None
    _theta: float | None = None  # similarities above which the tree was made, None where of all
    _normalized_edges: FloatArray | None = None  # of every merge of two groups with edges between them

    def __init__(
        self,
        merges: ArrayLike,
        *,
        leaf_weights: ArrayLike | None = None,
        index: ArrayLike | None = None,
        names: Names | ArrayLike | None = None,
    ) -> None:
        z = _check_merges(merges)
        n_leaves = len(z) + 1
        leaf_of = np.arange(n_leaves) if index is None else as_labels(index, np.size(index)).astype(np.int64)
        if leaf_of.max(initial=MISSING) >= n_leaves:
            raise InputError(f"Expected for each object one of the {n_leaves} leaves, or −1; got {quote(index)}.")
        self._set_fields(
            merges=freeze(z),
            leaf_weights=as_weights(leaf_weights, n_leaves, "leaves", positive=True),
            index=freeze(leaf_of),
            names=Names.given(names, len(leaf_of)),
        )

    # looking ---------------------------------------------------------------------------------------------

    @property
    def n_leaves(self) -> int:
        """Number of leaves of the tree."""
        return len(self.merges) + 1

    @property
    def n_objects(self) -> int:
        """Number of objects; several may share a leaf."""
        return len(self.index)

    @property
    def heights(self) -> FloatArray:
        """Height of every merge, in increasing order."""
        return self.merges[:, 2]

    def lifetimes(self) -> Lifetimes:
        """Return, for every number of clusters k, the length of the range of thresholds that give exactly k clusters.

        With merge heights h₁ ≤ … ≤ h₍ₘ₋₁₎, the clustering with k clusters exists from h₍ₘ₋ₖ₎ to h₍ₘ₋ₖ₊₁₎. The
        clustering with one cluster ends at distance 1, and the finest one starts at 0. Merges at height 0 join objects
        that no threshold can separate, so k runs up to the number of clusters left after them.
        """
        ends = np.concatenate(([0.0], self.heights[self.heights > TIE], [max(1.0, self.heights.max(initial=0.0))]))
        return Lifetimes((k + 1, float(length)) for k, length in enumerate(np.diff(ends)[::-1]))

    def longest_lifetime(self, most: int | None = None) -> int:
        """Return the number of clusters with the longest lifetime; ties within 1e-9 go to the smallest above 1.

        The clustering in which all objects are apart is a candidate only if some objects are indistinguishable. The
        result is 1 if no other number of clusters has a positive lifetime. If `most` is given, larger numbers are not
        considered.
        """
        limit = np.inf if most is None else max(number("most", most), 1)
        lengths = {k: length for k, length in self.lifetimes().items() if k <= limit}
        finest = max(lengths)
        if finest > 1 and finest >= max(float(np.count_nonzero(self.index >= 0)), float(self.leaf_weights.sum())):
            del lengths[finest]
        best = max(lengths.values())
        tied = [k for k, length in lengths.items() if length >= best - TIE]
        return min((k for k in tied if k > 1), default=1) if best > TIE else 1

    # cutting ---------------------------------------------------------------------------------------------

    def cut(self, k: int) -> LabelArray:
        """Return k clusters by merging in order until k are left; labels are numbered by first appearance. O(n).

        Objects that share a leaf are separated only if k is larger than the number of leaves.
        """
        inside = self.index >= 0
        k = as_int("k", k, 1, max(int(np.count_nonzero(inside)), 1))
        held = np.bincount(self.index[inside], minlength=self.n_leaves)
        if k <= self.n_leaves and held.all():
            return self._labels(self.n_leaves - k)
        labels = np.full(self.n_objects, MISSING, dtype=np.int32)
        if inside.any():
            labels[inside] = Dendrogram(self._expand(inside)).cut(k)
        return labels

    def cut_at(self, height: float) -> LabelArray:
        """Return the clusters formed by all merges up to this height."""
        limit = number("height", height) + TIE
        return self._labels(int(np.searchsorted(self.heights, limit, side="right")))

    def levels(self, at: int | Sequence[int], *, missing: str = "share", singletons: bool = True) -> Any:
        """Return the clusters at given numbers of differing partitions, as in allele-based typing.

        Parameters
        ----------
        at
            Numbers of partitions t, from 0 to all of them. At level t, single linkage joins two objects if they differ
            in at most t partitions or if a chain of such pairs connects them. Average linkage joins two groups that
            differ in at most t partitions on average, and complete linkage joins two groups if no two of their objects
            differ in more than t.
        missing
            How differences are counted if labels are missing. ``"share"``: the share of differing partitions among
            those that have both objects, times the number of all partitions. ``"count"``: the number of partitions in
            which both objects have labels and the labels differ, so missing labels never separate objects. Only single
            linkage supports ``"count"``.
        singletons
            Whether an object that is alone in its cluster gets an id, which is its own name.

        Returns
        -------
        frame
            One row per object in the order of the ensemble, indexed by name, and one column per level. The id of a
            cluster is the name of its first object, so ids do not change when objects are added at the end: clusters
            only grow, and if two clusters merge, the older id stays. Objects without any label have no id.

        Examples
        --------
        >>> import graphens as ge
        >>> e = ge.Ensemble(
        ...     [[1, 1, 1, 1], [1, 1, 1, 2], [1, 1, 2, 3], [5, 6, 7, 8]],
        ...     object_names=list("abcd"),
        ... )
        >>> ge.link(ge.coassociation(e), "single").levels([0, 1, 2])
           0  1  2
        a  a  a  a
        b  b  a  a
        c  c  c  a
        d  d  d  d
        """
        from ..export.frames import level_frame
        from .differing import level_labels

        return level_frame(self.names, level_labels(self, at, missing), singletons=singletons)

    def cut_longest_lifetime(self) -> LabelArray:
        """Return the clusters with the longest lifetime; see `longest_lifetime`."""
        return self.cut(self.longest_lifetime())

    def _labels(self, n_merges: int) -> LabelArray:
        """Labels of the objects after the first merges: the roots of the resulting forest."""
        m = self.n_leaves
        above = np.arange(m + n_merges)
        above[self.merges[:n_merges, :2].astype(np.int64)] = np.arange(m, m + n_merges)[:, None]
        while not np.array_equal(root := above[above], above):  # twice as far up each time
            above = root
        return canonical(np.where(self.index >= 0, root[self.index], MISSING))

    # leaving ---------------------------------------------------------------------------------------------

    def to_scipy(self) -> FloatArray:
        """Return a linkage matrix with all n objects as leaves.

        Objects that share a leaf merge first, at height 0; objects without a leaf join last, at height 1.
        """
        return self._expand(np.ones(self.n_objects, dtype=bool))

    def _expand(self, inside: AnyArray) -> FloatArray:
        """Linkage matrix in which each of the chosen objects is a leaf of its own."""
        leaf_of = self.index[inside]
        n = len(leaf_of)
        rows: list[tuple[float, float, float]] = []
        node = np.full(self.n_leaves, -1, dtype=np.int64)  # the tree node that a leaf has become
        outside = []
        for i, leaf in enumerate(leaf_of.tolist()):
            if leaf < 0:
                outside.append(i)
            elif node[leaf] < 0:
                node[leaf] = i
            else:
                rows.append((node[leaf], i, 0.0))
                node[leaf] = n + len(rows) - 1
        node = np.concatenate([node, np.full(len(self.merges), -1, dtype=np.int64)])
        for step, (a, b, height) in enumerate(self.merges[:, :3].tolist()):
            left, right = int(node[int(a)]), int(node[int(b)])
            if left < 0 or right < 0:  # a leaf without objects: nothing to merge
                node[self.n_leaves + step] = max(left, right)
                continue
            rows.append((left, right, height))
            node[self.n_leaves + step] = n + len(rows) - 1
        top = int(node[-1])
        for i in outside:
            if top >= 0:
                rows.append((i, top, max(1.0, rows[-1][2] if rows else 0.0)))
                top = n + len(rows) - 1
            else:
                top = i
        leaves = [1.0] * n  # in each node, which SciPy keeps in the fourth column
        for a, b, _ in rows:
            leaves.append(leaves[int(a)] + leaves[int(b)])
        return np.column_stack([np.array(rows).reshape(-1, 3), leaves[n:]])

    def to_newick(self) -> str:
        """Return the tree of all objects in Newick format.

        The length of a branch is the difference of the heights of its ends, in differing loci for allele profiles.
        Names are put in single quotes unless they are plain letters and digits; a quote inside is doubled.

        Examples
        --------
        >>> import graphens as ge
        >>> ge.Dendrogram(
        ...     [[0, 1, 0.25, 2], [2, 3, 0.5, 3]], names=["a", "b", "it's c"]
        ... ).to_newick()
        "('it''s c':0.5,(a:0.25,b:0.25):0.25);"
        """
        from ..export.newick import to_newick

        return to_newick(self)

    def to_networkx(self) -> nx.DiGraph[Any]:
        """Return the tree of all objects as a networkx DiGraph from the root down.

        The first n nodes are the names of the objects, or 0 … n − 1 if two objects have the same name; nodes n, n + 1,
        … are the merges from the lowest to the highest. Every node has `height` and `size` (number of objects below
        it), an object has its `name`, and every edge has a `length`.
        """
        from ..export.newick import tree_network

        return tree_network(self)

    def plot(self, ax: Any = None, k: int | None = None, **options: Any) -> DendrogramDisplay:
        """Draw the last merges, with k clusters in color (by default, the longest lifetime) and their lifetime.

        Other options are passed to `graphens.plot.DendrogramDisplay.from_dendrogram`: `labels`, `most`.
        """
        from ..plot.display import draw_display
        from ..plot.trees import DendrogramDisplay

        return draw_display(DendrogramDisplay.from_dendrogram, self, k, ax=ax, **options)

    @overload
    def explore(
        self, path: None = None, *, k: int | None = None, labels: ArrayLike | None = None, title: str | None = None
    ) -> Explorer: ...
    @overload
    def explore(
        self, path: str | Path, *, k: int | None = None, labels: ArrayLike | None = None, title: str | None = None
    ) -> Path: ...
    def explore(
        self,
        path: str | Path | None = None,
        *,
        k: int | None = None,
        labels: ArrayLike | None = None,
        title: str | None = None,
    ) -> Explorer | Path:
        """Make an HTML page to explore the tree by moving a cut through it.

        The threshold on the page is a similarity, 1 − height: merges with a similarity strictly above it are applied.

        Parameters
        ----------
        path
            File to write, either completely or not at all; the page is self-contained. Without a path, the page is
            returned as an `Explorer`, which a notebook displays.
        k
            Number of clusters in the first view; by default, the one with the longest lifetime.
        labels
            Cluster of every object; an alternative to k.
        title
            Title of the page.

        Examples
        --------
        >>> import graphens as ge
        >>> ge.link(ge.Graph([[0, 0.9, 0.2], [0.9, 0, 0], [0.2, 0, 0]]), "single").explore()
        Explorer(0.1 MB; write(path) saves it to a file)
        """
        from ..explore import explore

        return explore(self, path, k=k, labels=labels, title=title)

    def __repr__(self) -> str:
        if not len(self.merges):
            return f"Dendrogram({self.n_objects} object{'s' if self.n_objects > 1 else ''}, no merges)"
        return f"Dendrogram({self.n_objects} objects, heights {self.heights[0]:.4g} to {self.heights[-1]:.4g})"


def _check_merges(merges: ArrayLike) -> FloatArray:
    """Check a linkage matrix: each cluster is merged once, after it was made; heights are finite and never decrease."""
    z = np.array(as_numbers(merges, "The merges")) if np.size(merges) else np.empty((0, 4))
    if z.ndim != 2 or z.shape[1] != 4:
        raise InputError(f"Merges of shape {z.shape} were given; expected rows (cluster, cluster, height, size).")
    m = len(z) + 1
    children = z[:, :2]
    bad = (
        not np.isfinite(z).all()
        or (children != np.rint(children)).any()
        or (children < 0).any()
        or (children >= m + np.arange(len(z))[:, None]).any()
        or len(np.unique(children)) < children.size
    )
    if bad:
        raise InputError(
            "The merges are not a linkage matrix: expected rows (cluster, cluster, height, size), each cluster once."
        )
    if len(z) and (z[:, 2].min() < -TIE or (np.diff(z[:, 2]) < -TIE).any()):
        raise InputError(
            "The heights of the merges decrease or are negative; expected heights of 0 or more in increasing order. "
            "Sort the merges first."
        )
    z[:, 2] = np.maximum.accumulate(np.maximum(z[:, 2], 0.0)) if len(z) else z[:, 2]
    return z


def sorted_merges(left: IntArray, right: IntArray, heights: FloatArray, n: int) -> FloatArray:
    """Build a linkage matrix from merges in any order, each given by one member of both groups.

    Merges are sorted by height (ties keep their order), and a union-find gives them their cluster numbers. Spanning
    forests and nearest-neighbor chains, which find merges out of order, become a tree in this way.
    """
    from ..kernels.linking import number_merges

    order = np.argsort(heights, kind="stable")
    rows = number_merges(np.asarray(left, dtype=np.int64)[order], np.asarray(right, dtype=np.int64)[order], n)
    rows[:, 2] = heights[order]
    return rows
