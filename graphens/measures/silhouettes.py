"""Silhouettes: how clearly objects belong to their own cluster, measured by the ensemble alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, Seed, as_int, canonical, divide, draw
from ..graphs.affinity import Affinity
from ..graphs.coassociation import coassociation
from ..graphs.reliability import cluster_reliability
from ..labels.ensemble import Ensemble, Labels
from ..trees import link
from ..trees.agglomerate import objects_of_tree
from ..trees.dendrogram import Dendrogram
from .agreement import labeling_of


def reliable_silhouette(
    labels: ArrayLike,
    ensemble: Labels,
    *,
    entropy_scale: float = 0.4,
    reliability: FloatArray | None = None,
    sample: int | None = 20_000,
    seed: Seed = 0,
) -> float:
    """Mean silhouette of a labeling on the co-association, with more weight on reliable base clusters.

    S_ij = Σ_t w_t ECI(c) [i and j share cluster c of t] / Σ_t w_t [both present in t]; a is an object's mean S with the
    other objects in its cluster, b is the largest mean S with another cluster, and s = (a − b) / max(a, b): 1 if the
    object is never with another cluster, 0 if it is undecided, and below 0 if it is closer to another cluster. The
    score is the weighted mean of s over the objects.

    Parameters
    ----------
    labels
        The labeling to evaluate; unassigned objects are ignored.
    ensemble
        An Ensemble, or anything that Ensemble accepts.
    entropy_scale
        How quickly the reliability ECI of a base cluster falls with its entropy.
    reliability
        One reliability per base cluster, if already known.
    sample
        If there are more objects than this, a random sample of this size is used; None for all.
    seed
        Seed of the sample.

    Returns
    -------
    float
        From −1 to 1. The value of an object that is alone in its cluster is 0, and all values are 0 if there is a
        single cluster.

    Notes
    -----
    Unlike ANMI, it does not reward clusters of equal size. Computed from the counts |c ∩ C|: O(nB²) for the
    reliabilities, O(nB) for the counts and O(Bk) for each object used. With missing labels, both sums of S_ij run over
    the partitions that have both objects.

    References
    ----------
    Huang, Wang and Lai, Locally weighted ensemble clustering, 2018 (ECI). Rousseeuw, Silhouettes, 1987.

    Examples
    --------
    >>> e = [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]]
    >>> (
    ...     round(reliable_silhouette([0, 0, 0, 1, 1, 1], e), 3),
    ...     round(reliable_silhouette([0, 0, 1, 1, 1, 1], e), 3),
    ... )
    (1.0, 0.627)
    """
    e = Ensemble.of(ensemble)
    weights = cluster_reliability(e, entropy_scale) if reliability is None else np.asarray(reliability, float)
    return weighted_silhouette(labeling_of(labels, e), e, weights, sample, seed)


def weighted_silhouette(
    labels: LabelArray,
    e: Ensemble,
    weights: FloatArray | None,
    sample: int | None = 20_000,
    seed: Seed = 0,
    *,
    distance: bool = False,
) -> float:
    """Return the silhouette of labels 0 … k − 1 or −1 on S with a weight for each base cluster, or on 1 − S."""
    k, rows = int(labels.max(initial=-1)) + 1, np.flatnonzero(labels >= 0)
    if sample is not None and len(rows) > as_int("sample", sample, 1):
        rows = rows[draw(len(rows), sample, seed)]
    if k < 2:
        return 0.0
    affinity = Affinity(e, labels, k, weights)
    each = [affinity.own_and_rival(some) for some in affinity.blocks(rows)]
    scores = [_scores(near, far, alone, distance=distance) for near, far, _, alone in each]
    return float(np.average(np.concatenate(scores), weights=e.object_weights[rows]))


def consensus_silhouette(labels: ArrayLike, ensemble: Labels, *, sample: int | None = 20_000, seed: Seed = 0) -> float:
    """Mean silhouette of a labeling on the distances 1 − S, S the co-association: exact, from counts.

    If a is the mean distance to the other objects in an object's cluster and b is the smallest mean distance to another
    cluster, then s = (b − a) / max(a, b). Without missing labels, it equals scikit-learn's ``silhouette_score(1 − S,
    metric="precomputed")``; with missing labels, means run over the partitions that have both objects. Parameters and
    cost are those of `reliable_silhouette`, without the reliabilities.

    Examples
    --------
    >>> e = [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]]
    >>> round(consensus_silhouette([0, 0, 0, 1, 1, 1], e), 3)
    0.778
    """
    e = Ensemble.of(ensemble)
    return weighted_silhouette(labeling_of(labels, e), e, None, sample, seed, distance=True)


def path_silhouette(labels: ArrayLike, ensemble: Labels, *, sample: int = 3000, seed: Seed = 0) -> float:
    """Mean silhouette of a labeling on path similarities: how much better objects are connected within clusters.

    P_ij is the largest value such that some path from i to j has at least this co-association at every step; it equals
    1 − the height at which the single-linkage tree joins them. If a is the mean P with the other objects in an object's
    cluster and b is the largest mean P with another cluster, then s = (a − b) / max(a, b). The score is the weighted
    mean of s over the objects.

    Parameters and range are those of `reliable_silhouette`, but the sample is that of the tree: it is drawn if more
    than `sample` label rows are different.

    Notes
    -----
    Near 0 if clusters are cut through connected objects, whatever their shape. Single linkage makes it large even if it
    only splits off outliers, so it should not be used alone. O(ñ²B) for the tree, O(ñk) for a labeling.

    References
    ----------
    Fischer and Buhmann, Path-based clustering for grouping of smooth curves and texture segmentation, 2003. Rousseeuw,
    Silhouettes, 1987.

    Examples
    --------
    >>> e = [[0, 0, 1], [0, 0, 1], [0, 0, 2], [1, 1, 0], [1, 1, 0], [1, 2, 0]]
    >>> (
    ...     round(path_silhouette([0, 0, 0, 1, 1, 1], e), 3),
    ...     round(path_silhouette([0, 0, 1, 1, 1, 1], e), 3),
    ... )
    (1.0, 0.611)
    """
    e = Ensemble.of(ensemble)
    return PathSilhouettes(e, sample, seed)(labeling_of(labels, e))


class PathSilhouettes:
    """The path silhouettes of several labelings of one ensemble; the tree is computed once."""

    drawn: IntArray | None
    tree: Dendrogram
    weights: FloatArray

    def __init__(self, e: Ensemble, sample: int = 3000, seed: Seed = 0) -> None:
        self.drawn = objects_of_tree(e, as_int("sample", sample, 2), seed)
        part = e if self.drawn is None else e.take(objects=self.drawn)
        self.tree, self.weights = link(coassociation(part), "single"), part.object_weights

    def __call__(self, labels: LabelArray) -> float:
        """The path silhouette of labels 0 … k − 1 or −1."""
        from ..kernels.linking import path_sums

        own = labels if self.drawn is None else canonical(labels[self.drawn])
        k, rows = int(own.max(initial=-1)) + 1, np.flatnonzero(own >= 0)
        if k < 2:
            return 0.0
        tree, own, at, weights = self.tree, own[rows], np.arange(len(rows)), self.weights[rows]
        leaves, merges = tree.index[rows], tree.merges[:, :2].astype(np.int64)
        held = np.zeros((tree.n_leaves + len(merges), k))
        np.add.at(held, (leaves, own), weights)
        # Σ_{j ∈ C} P_ij and |C| for every object and cluster; of its own cluster, without the object itself.
        sums = path_sums(merges, 1.0 - tree.heights, held)[leaves]
        sizes = np.tile(np.bincount(own, weights, k).astype(float), (len(rows), 1))
        for table in (sums, sizes):
            table[at, own] = np.maximum(table[at, own] - np.minimum(weights, 1.0), 0.0)
        means = divide(sums, sizes)
        near = means[at, own]
        means[at, own] = -np.inf
        return float(np.average(_scores(near, means.max(axis=1), sizes[at, own] <= 0), weights=weights))


def _scores(near: FloatArray, far: FloatArray, alone: AnyArray, *, distance: bool = False) -> FloatArray:
    top = np.maximum(1 - near, 1 - far) if distance else np.maximum(near, far)
    return np.where(alone, 0.0, divide(near - far, top))
