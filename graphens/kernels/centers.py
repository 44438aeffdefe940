"""k-means for what methods do inside; users who ask for k-means on their features get scikit-learn's.

Coordinates lie dimension by dimension (d × n), so that loops run along memory.
"""

from __future__ import annotations

from functools import partial
from math import log
from typing import Any

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, divide
from .._lib.threads import map_threads
from ._jit import kernel, twin_of

_SAMPLE = 1 << 15  # restarts look at this many objects; the best centers are refined on all of them
_REFINE = 2  # assignments of all objects if there are more
_MOST = 300
_BLOCK = 1 << 15  # objects per piece of threaded work, whatever the number of threads
_STILL = 1e-4  # centers that move less than this share of the variance have arrived
_STRETCH = 256


@kernel(work=lambda columns, points, start, stop, out: columns.shape[0] * out.size)
def squared_distances(columns: Any, points: Any, start: int, stop: int, out: Any) -> None:
    """Write the squared distances of points (rows) from objects start … stop − 1, one row of `out` for each point."""
    for c in range(points.shape[0]):
        row = out[c]
        row[: stop - start] = 0.0
        for j in range(columns.shape[0]):
            column, place = columns[j, start:stop], points[c, j]
            for i in range(stop - start):
                away = column[i] - place
                row[i] += away * away


@twin_of(squared_distances)
def _squared_whole(columns: Any, points: Any, start: int, stop: int, out: Any) -> None:
    part = out[:, : stop - start]
    part[:] = 0.0
    for column, places in zip(columns[:, start:stop], points.T):
        away = column - places[:, None]
        part += away * away


@kernel(work=lambda columns, weights, centers, start, stop, *_: centers.size * (stop - start))
def assign_nearest(columns: Any, weights: Any, centers: Any, start: int, stop: int, labels: Any, distance: Any) -> Any:
    """Give objects start … stop − 1 to their nearest centers, the first where several are.

    Fills `labels` and the squared `distance`; returns the weighted sums of the coordinates of each center's objects,
    d × k, and their weights in a last row.
    """
    d, k = columns.shape[0], centers.shape[0]
    sums = np.zeros((d + 1, k))
    room = np.empty((k, _STRETCH), dtype=columns.dtype)
    for first in range(start, stop, _STRETCH):
        last = min(stop, first + _STRETCH)
        squared_distances(columns, centers, first, last, room)
        own, best = labels[first:last], distance[first:last]
        own[:] = 0
        best[:] = room[0, : last - first]
        for c in range(1, k):
            row = room[c]
            for i in range(last - first):
                # Without a branch this runs in vector registers.
                nearer = row[i] < best[i]
                own[i] = c if nearer else own[i]
                best[i] = row[i] if nearer else best[i]
        mass = weights[first:last]
        for j in range(d):
            column, line = columns[j, first:last], sums[j]
            for i in range(last - first):
                line[own[i]] += mass[i] * column[i]
        for i in range(last - first):
            sums[d, own[i]] += mass[i]
    return sums


@twin_of(assign_nearest)
def _assign_whole(columns: Any, weights: Any, centers: Any, start: int, stop: int, labels: Any, distance: Any) -> Any:
    (d, _), k, mass = columns.shape, len(centers), weights[start:stop]
    table = np.empty((k, stop - start), dtype=columns.dtype)
    squared_distances(columns, centers, start, stop, table)
    labels[start:stop], distance[start:stop] = table.argmin(axis=0), table.min(axis=0)
    cells = labels[start:stop] + k * np.arange(d + 1)[:, None]
    values = np.concatenate([columns[:, start:stop] * mass, mass[None]])
    return np.bincount(cells.ravel(), values.ravel(), (d + 1) * k).reshape(d + 1, k)


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
