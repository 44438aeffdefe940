"""Criteria for a good consensus: it agrees with the partitions, is better than each of them, and is new."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._lib.arrays import FloatArray, one_of
from ..labels.ensemble import Ensemble, Labels
from .agreement import MEASURES, against, agreement, labeling_of, mean_agreements, two_labelings

_LIKE = ("nmi", "ami", "ari", "rand")  # measures in which more is better, whichever labeling comes first


def _with_members(labels: ArrayLike, e: Ensemble, measure: str) -> FloatArray:
    """Agreement of a labeling with every partition."""
    one_of("measure", measure, _LIKE)
    return MEASURES[measure](against(labeling_of(labels, e), e))


def consistency(labels: ArrayLike, ensemble: Labels, measure: str = "nmi") -> float:
    """Return how similar a consensus is to the partitions: its mean agreement with them, by their weights.

    With ``measure="nmi"`` and no missing labels, it equals `anmi`. Measures: ``"nmi"``, ``"ami"``, ``"ari"``,
    ``"rand"``. O(nB).

    Examples
    --------
    >>> consistency([0, 0, 1, 1], [[0, 0], [0, 0], [1, 0], [1, 1]]) > 0.5
    True
    """
    e = Ensemble.of(ensemble)
    return float(np.average(_with_members(labels, e, measure), weights=e.weights))


def novelty(labels: ArrayLike, ensemble: Labels, measure: str = "nmi") -> float:
    """Return how far a consensus is from the closest partition, 1 − its largest agreement; 0 if it is one of them.

    Examples
    --------
    >>> novelty([0, 0, 1, 1], [[0, 0], [0, 0], [1, 0], [1, 1]])
    0.0
    """
    e = Ensemble.of(ensemble)
    return float(1.0 - _with_members(labels, e, measure)[e.weights > 0].max())


def robustness(labels: ArrayLike, ensemble: Labels, truth: ArrayLike | None = None, *, measure: str = "nmi") -> float:
    """Return the weighted share of the partitions that are not better than the consensus.

    With `truth`, better means a larger agreement with the truth. Without it, better means a larger mean agreement with
    the partitions; a partition is compared only with the other partitions.

    Parameters
    ----------
    labels, ensemble
        The consensus and the partitions that it was made from.
    truth
        Known classes, one per object; missing if unknown.
    measure
        ``"nmi"``, ``"ami"``, ``"ari"`` or ``"rand"``.

    Notes
    -----
    O(nB) with the truth, O(nB²) without.

    Examples
    --------
    >>> robustness(
    ...     [0, 0, 1, 1], [[0, 0], [0, 1], [1, 1], [1, 1]], truth=["a", "a", "b", "b"]
    ... )
    1.0
    """
    e = Ensemble.of(ensemble)
    if truth is not None:
        own, members = agreement(truth, labels, measure), _with_members(truth, e, measure)
    else:
        own, members = consistency(labels, e, measure), mean_agreements(e, measure)
    return float(e.weights @ (members <= own + 1e-12) / e.weights.sum())


def element_centric(a: ArrayLike, b: ArrayLike) -> float:
    """Return the mean over objects of |A ∩ B| / max(|A|, |B|), A and B an object's clusters: 1 for equal partitions.

    This is the element-centric similarity of two partitions, which is not biased by the sizes or the number of
    clusters. For the value of each object, see `element_similarities`.

    References
    ----------
    Gates, Wood, Hetrick and Ahn, Element-centric clustering comparison unifies overlaps and hierarchy, 2019.

    Examples
    --------
    >>> round(element_centric([0, 0, 1, 1], [0, 0, 0, 1]), 3)
    0.542
    """
    each = element_similarities(a, b)
    return float(np.nanmean(each)) if np.isfinite(each).any() else 0.0


def element_similarities(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Return |A ∩ B| / max(|A|, |B|) for every object, A and B its clusters; NaN if either labeling leaves it out.

    Sizes count the objects that both labelings have.

    Examples
    --------
    >>> element_similarities([0, 0, 1, 1], [0, 0, 0, 1]).round(2).tolist()
    [0.67, 0.67, 0.33, 0.5]
    """
    first, second = two_labelings(a, b)
    both = (first >= 0) & (second >= 0)
    found = np.full(len(first), np.nan)
    x, y = first[both].astype(np.int64), second[both].astype(np.int64)
    _, cell, shared = np.unique(x * (int(y.max(initial=0)) + 1) + y, return_inverse=True, return_counts=True)
    found[both] = shared[cell] / np.maximum(np.bincount(x)[x], np.bincount(y)[y]) if both.any() else []
    return found
