"""k-medoids by alternation: assign to the nearest medoid, take each cluster's most central member."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import AnyArray, IntArray
from .features import Matrix

_MEMBERS = 1000  # of a larger cluster as many are drawn: n² distances would be too many


class Medoids:
    """Clusters around objects, by Euclidean distance (Park and Jun 2009 alternate the same way).

    scikit-learn has no k-medoids. O(nk·d) per round, plus at most 1000² distances per cluster.
    """

    k: int
    seed: int
    rounds: int
    medoids_: Matrix

    def __init__(self, k: int, seed: int, rounds: int = 30) -> None:
        self.k, self.seed, self.rounds = k, seed, rounds

    def fit_predict(self, X: Matrix) -> AnyArray:
        """Cluster the rows of X."""
        rng = np.random.default_rng(self.seed)
        medoids = rng.choice(X.shape[0], size=self.k, replace=False)
        labels = _nearest(X, X[medoids])
        for _ in range(self.rounds):
            moved = np.array(
                [_central(X, np.flatnonzero(labels == c), m, rng) for c, m in enumerate(medoids)]
            )
            if np.array_equal(moved, medoids):
                break
            medoids = moved
            labels = _nearest(X, X[medoids])
        self.medoids_ = X[medoids]
        return labels

    def predict(self, X: Matrix) -> AnyArray:
        """Label of the nearest medoid."""
        return _nearest(X, self.medoids_)

    def transform(self, X: Matrix) -> AnyArray:
        """Distances to the medoids."""
        from sklearn.metrics import pairwise_distances

        return pairwise_distances(X, self.medoids_)


def _nearest(X: Matrix, medoids: Matrix) -> AnyArray:
    from sklearn.metrics import pairwise_distances_argmin

    return pairwise_distances_argmin(X, medoids)


def _central(X: Matrix, members: IntArray, medoid: Any, rng: np.random.Generator) -> int:
    """The member with the least sum of distances to the others."""
    from sklearn.metrics import pairwise_distances

    if members.size == 0:  # of two equal medoids the first takes all
        return int(medoid)
    drawn = members if members.size <= _MEMBERS else rng.choice(members, size=_MEMBERS, replace=False)
    return int(drawn[pairwise_distances(X[drawn]).sum(axis=1).argmin()])
