"""k-means for what methods do inside. Users who ask for k-means on their features get scikit-learn's."""

from __future__ import annotations

from functools import partial
from math import log

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, divide
from .._lib.threads import map_threads

_SAMPLE = 1 << 15  # restarts look at this many objects; the best centers are refined on all of them
_REFINE = 2  # assignments of all objects if there are more
_MOST = 300
_BLOCK = 1 << 15  # objects per piece of threaded work, whatever the number of threads
_STILL = 1e-4  # centers that move less than this share of the variance have arrived


def k_means(columns: AnyArray, k: int, weights: FloatArray, rng: np.random.Generator, n_init: int) -> LabelArray:
    """Cluster objects (columns, d × n) around k means, and return the best labels of `n_init` starts.

    Starts are greedy k-means++: each further center is the best of a few objects drawn by weight and squared distance
    (Arthur and Vassilvitskii 2007). With more than 65,536 objects the starts use a sample of half that size.
    """
    d, n = columns.shape
    some, mass = columns, weights
    if n > 2 * _SAMPLE:
        sample = np.sort(rng.choice(n, _SAMPLE, replace=False))
        some, mass = np.ascontiguousarray(columns[:, sample]), weights[sample]
    tolerance = _STILL * float(some.var(axis=1).sum()) / d
    runs = (_lloyd(some, _start(some, k, mass, rng), mass, _MOST, tolerance) for _ in range(n_init))
    _, labels, centers = min(runs, key=lambda run: run[0])
    return labels if some is columns else _lloyd(columns, centers, weights, _REFINE, tolerance)[1]


def draw_by_weight(weights: FloatArray, size: int, rng: np.random.Generator) -> IntArray:
    """Draw places, with repetition, each in proportion to its weight."""
    ladder = np.cumsum(weights)
    return np.minimum(np.searchsorted(ladder, rng.random(size) * ladder[-1], side="right"), len(weights) - 1)


def _start(columns: AnyArray, k: int, weights: FloatArray, rng: np.random.Generator) -> AnyArray:
    """Pick k objects far from each other: each is the candidate that leaves the least distance to all others."""
    from ..kernels.centers import squared_distances

    n, odds = columns.shape[1], weights
    places, near = [], np.full(n, np.inf, dtype=columns.dtype)
    for c in range(k):
        tries = draw_by_weight(odds, 2 + int(log(k)) if c else 1, rng)
        table = np.empty((len(tries), n), dtype=columns.dtype)
        squared_distances(columns, np.ascontiguousarray(columns[:, tries].T), 0, n, table)
        costs = np.minimum(table, near, out=table) * weights
        pick = int(costs.sum(axis=1).argmin())
        near, odds = table[pick], costs[pick]
        places.append(tries[pick])
    return np.ascontiguousarray(columns[:, places].T)


def _lloyd(
    columns: AnyArray, centers: AnyArray, weights: FloatArray, most: int, tolerance: float
) -> tuple[float, LabelArray, AnyArray]:
    """Assign objects to the nearest center and move the centers to the means, until they rest; returns cost and both.

    A center without objects goes to the object furthest from its own.
    """
    from ..kernels.centers import assign_nearest

    n = columns.shape[1]
    labels, distance = np.empty(n, dtype=np.int32), np.empty(n, dtype=columns.dtype)
    blocks = [(start, min(n, start + _BLOCK)) for start in range(0, n, _BLOCK)]
    before = None

    def assign(at: AnyArray, block: tuple[int, int]) -> FloatArray:
        return np.asarray(assign_nearest(columns, weights, at, *block, labels, distance))

    for _ in range(most):
        pieces = map_threads(partial(assign, centers), blocks, each=float(centers.size) * _BLOCK)
        *sums, mass = sum(pieces[1:], start=pieces[0])
        means = np.where(mass > 0, divide(np.array(sums), mass), centers.T)
        empty = np.flatnonzero(mass == 0)
        if empty.size:
            far = np.argsort(-distance, kind="stable")[: len(empty)]
            far = far[distance[far] > 0]
            means[:, empty[: len(far)]] = columns[:, far]
        moved = float(((means - centers.T) ** 2).sum())
        if moved <= tolerance or (before is not None and np.array_equal(labels, before)):
            break
        before = labels.copy()
        centers = np.ascontiguousarray(means.T, dtype=columns.dtype)
    return float(np.sum(weights * distance)), labels, centers
