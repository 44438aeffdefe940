"""Partitioning around medoids; neither SciPy nor scikit-learn has it."""

from __future__ import annotations

import numpy as np

from .._lib.arrays import FloatArray, LabelArray


def medoids(distances: FloatArray, weights: FloatArray, k: int) -> LabelArray:
    """Partition weighted points around k medoids: greedy build, then the best swap until none helps.

    O(n²k) to build, O(n²) per round of swaps for all candidates at once, as in FastPAM. Fewer than k distinct
    points give fewer clusters.

    References
    ----------
    Kaufman and Rousseeuw, Finding groups in data, 1990. Schubert and Rousseeuw, Faster k-medoids clustering, 2019.
    """
    centers = _build(distances, weights, k)
    cost = np.inf
    while True:
        to = distances[:, centers]
        now = float(weights @ to.min(axis=1))
        if len(centers) == len(distances) or now >= cost - 1e-12 * weights.sum():
            return to.argmin(axis=1).astype(np.int32)
        cost = now
        change, out = _swaps(distances, weights, to)
        change[centers] = np.inf
        best = int(np.argmin(change))
        if change[best] < -1e-12 * weights.sum():
            centers[out[best]] = best


def _build(distances: FloatArray, weights: FloatArray, k: int) -> list[int]:
    """Add the medoid that lowers the cost most, k times or until no point is left outside."""
    nearest = np.full(len(distances), np.inf)
    centers: list[int] = []
    for _ in range(min(k, len(distances))):
        cost = weights @ np.minimum(nearest[:, None], distances)
        cost[centers] = np.inf
        centers.append(int(np.argmin(cost)))
        nearest = np.minimum(nearest, distances[:, centers[-1]])
    return centers


def _swaps(distances: FloatArray, weights: FloatArray, to: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For every candidate, the change of cost if it replaces the best medoid to give up, and which medoid that is."""
    k = to.shape[1]
    order = np.argsort(to, axis=1)
    first = to[np.arange(len(to)), order[:, 0]]
    second = to[np.arange(len(to)), order[:, 1]] if k > 1 else np.full(len(to), np.inf)
    gain = weights @ np.minimum(distances - first[:, None], 0.0)  # points that move to the candidate anyway
    change = np.empty((k, len(distances)))
    for j in range(k):  # the members of j need the candidate or their second medoid
        own = order[:, 0] == j
        near = distances[own]
        lost = np.minimum(near, second[own, None]) - first[own, None] - np.minimum(near - first[own, None], 0.0)
        change[j] = gain + weights[own] @ lost
    return change.min(axis=0), change.argmin(axis=0)
