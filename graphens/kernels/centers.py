"""Objects and their nearest centers; coordinates lie dimension by dimension (d × n), so that loops run along memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel, twin_of

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
