"""New objects in an old consensus: their base labels, and what those base clusters share with each cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._arrays import AnyArray, FloatArray, LabelArray
from ..core.ensemble import Ensemble
from ..views.counting import overlaps
from .matrices import Matrix
from .recipe import Labeler


def new_codes(e: Ensemble, labelers: Sequence[Labeler | None], views: Sequence[Matrix]) -> AnyArray:
    """Base labels of new objects as codes of the ensemble (B × m), −1 where the ensemble has no such cluster."""
    from .._pools import one_pool_thread

    rows = []
    with one_pool_thread():
        for names, label in zip(e.categories, labelers, strict=True):
            assert label is not None
            found = label(views)
            at = np.minimum(np.searchsorted(names, found), max(len(names) - 1, 0))
            rows.append(np.where(names[at] == found, at, -1) if len(names) else np.full(len(found), -1))
    return np.stack(rows)


@dataclass(frozen=True)
class Assignment:
    """Mean co-association of new objects with the clusters of a consensus, as `views.membership` has it for old ones.

    For a new object with base clusters c_t and a cluster C it is Σ_t w_t |C ∩ c_t| / Σ_t w_t |C present in t| over
    the partitions that label the object. O(mBk) for m objects.
    """

    ensemble: Ensemble
    labels: LabelArray
    k: int

    def membership(self, codes: AnyArray) -> FloatArray:
        """Return the m × k memberships; rows sum to 1, and to 0 for objects without any label."""
        e = self.ensemble
        shared = overlaps(e, self.labels, self.k).toarray() * np.repeat(e.weights, e.n_clusters)[:, None]
        evidence, base = np.zeros((codes.shape[1], self.k)), np.zeros((codes.shape[1], self.k))
        for t, row in enumerate(codes):
            table = shared[e.offsets[t] : e.offsets[t + 1]]
            there = row >= 0
            evidence[there] += table[row[there]]
            base[there] += table.sum(axis=0)
        means = np.divide(evidence, base, out=np.zeros_like(evidence), where=base > 0)
        total = means.sum(axis=1, keepdims=True)
        return np.divide(means, total, out=means, where=total > 0)
