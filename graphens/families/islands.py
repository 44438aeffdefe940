"""Islands: the large pieces of the single-link tree; small pieces are set aside until the end."""

from __future__ import annotations

import numpy as np

from .._lib.arrays import MISSING, FloatArray, LabelArray, Seed, as_int, number
from ..errors import InputError
from ..graphs.affinity import join_most_similar
from ..graphs.coassociation import coassociation
from ..labels.ensemble import Ensemble
from ..trees import link
from ..trees.agglomerate import objects_of_tree
from ..trees.dendrogram import TIE, Dendrogram
from .contract import consensus_function
from .method import Cost
from .outcome import Outcome, required, tree_of_some


@consensus_function(
    family="evidence accumulation",
    graph="co-association",
    missing="similarity over the partitions that have both objects",
    cost=Cost("ñ²B + nBk", sample="sample"),
    reference="Fred and Jain 2005; Campello, Moulavi and Sander 2013",
    merges=True,
)
def islands(e: Ensemble, k: int | None = None, *, share: float = 0.2, sample: int = 3000, seed: Seed = None) -> Outcome:
    """Single linkage that sets small pieces aside: the k large pieces at the level where they hold most objects.

    Objects together in more than a share τ of the partitions are connected. As τ decreases, pieces of at least share ·
    n / k objects appear and merge. Among the levels with exactly k such pieces, the one where they hold the most
    objects is used. Every object outside joins the piece with the largest mean co-association.

    Parameters
    ----------
    share
        Size below which a piece is set aside, as a share of the mean size n / k. 0 is plain single linkage.
    sample
        Maximum number of distinct label rows for which the tree has all objects. Beyond that, it has a random sample of
        this many objects.
    seed
        Seed of the sample.

    Returns
    -------
    Consensus
        With the co-association graph, and the single-linkage dendrogram if it has all objects. ``details``: "lifetime",
        the range of τ over which these k pieces stay the same (0 if no level has k large pieces; the tree is then cut
        at k); "set_aside", the number of objects in the tree that were in no large piece; "smallest", the size of the
        smallest piece; "sampled", the number of objects in the tree, if not all.

    Notes
    -----
    A long lifetime is good evidence for clusters of any shape: no pair of objects from different pieces is together as
    often as neighbors within each piece. Plain single linkage (`eac`) wastes its k clusters on outliers. O(ñ²B) time,
    O(ñB) memory.

    References
    ----------
    Fred and Jain, Combining multiple clusterings using evidence accumulation, 2005. Campello, Moulavi and Sander,
    Density-based clustering based on hierarchical density estimates, 2013 (a least size of clusters).

    Examples
    --------
    >>> import graphens as ge
    >>> r = ge.islands(
    ...     [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]], 2
    ... )
    >>> r.labels.tolist(), round(r.details["lifetime"], 3)
    ([0, 0, 0, 1, 1, 1], 0.667)
    """
    k, most = required(k), as_int("sample", sample, 2)
    if not 0 <= number("share", share) <= 1:
        raise InputError.about("share", share, "a share of the mean size, 0 to 1")
    graph = coassociation(e)
    drawn = objects_of_tree(e, max(most, k), seed)
    tree = link(graph if drawn is None else graph.take(objects=drawn), "single")
    found, lifetime = large_pieces(tree, k, share)
    rows = np.arange(e.n_objects) if drawn is None else drawn
    labels = join_most_similar(e, rows[found >= 0], found[found >= 0])
    sizes = np.bincount(found[found >= 0])
    details = {"lifetime": lifetime, "set_aside": int(np.count_nonzero(found < 0)), "smallest": int(sizes.min())}
    if drawn is not None:
        tree, details = tree_of_some(tree, drawn, e), details | {"sampled": len(drawn)}
    return Outcome(labels, graph=graph, dendrogram=tree, details=details)


def large_pieces(tree: Dendrogram, k: int, share: float) -> tuple[LabelArray, float]:
    """Return the k large pieces at the level where they hold the most objects (−1 for none), and their lifetime."""
    limit = share * float(tree.leaf_weights.sum()) / k * (1 - TIE)
    n, size = tree.n_leaves, _sizes(tree)
    children = tree.merges[:, :2].astype(np.int64)
    large = size >= limit
    change = large[n:].astype(np.int64) - large[children].sum(axis=1)
    moved = np.where(large, size, 0.0)
    count = large[:n].sum() + np.concatenate([[0], np.cumsum(change)])
    held = moved[:n].sum() + np.concatenate([[0.0], np.cumsum(moved[n:] - moved[children].sum(axis=1))])
    ends = np.concatenate([[0.0], tree.heights, [max(1.0, tree.heights.max(initial=0.0))]])
    lives = np.diff(ends)
    fit = np.flatnonzero((count == k) & (lives > TIE))
    if not fit.size:
        return tree.cut(k), 0.0
    best = fit[np.lexsort((lives[fit], held[fit]))[-1]]
    own = tree.cut_at(float(ends[best]))
    weight = np.bincount(own, minlength=int(own.max()) + 1, weights=_object_weights(tree))
    names = np.full(len(weight), MISSING, dtype=np.int32)
    order = np.flatnonzero(weight >= limit)
    names[order[np.argsort(-weight[order], kind="stable")]] = np.arange(len(order))
    return names[own], float(lives[best])


def _sizes(tree: Dendrogram) -> FloatArray:
    """The weight of every leaf and of every merge."""
    size = np.concatenate([tree.leaf_weights, np.zeros(len(tree.merges))])
    for step, (a, b) in enumerate(tree.merges[:, :2].astype(np.int64).tolist(), start=tree.n_leaves):
        size[step] = size[a] + size[b]
    return size


def _object_weights(tree: Dendrogram) -> FloatArray:
    """The share of each object in the weight of its leaf."""
    return tree.leaf_weights[tree.index] / np.bincount(tree.index, minlength=tree.n_leaves)[tree.index]
