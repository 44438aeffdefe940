"""Distances and likelihoods in label space.

Both are sums over the partitions an object is present in of one number per cluster and center: a table with a row for
every base cluster and a column for every center. Objects come in short stretches whose sums stay in cache.
"""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np

from ._jit import kernel
from .counting import add_partition

_STRETCH = 256


@kernel
def _gather(codes: Any, absent: int, offsets: Any, table: Any, start: int, stop: int, sums: Any) -> None:
    """Add the rows of an object's clusters to its sums, for objects start … stop − 1."""
    # Partition by partition: the labels of the stretch are read along memory, and its sums stay in cache.
    for t in range(codes.shape[0]):
        add_partition(codes[t, start:stop], absent, offsets[t], table, 0, stop - start, sums)


@kernel(
    work=lambda codes, absent, offsets, table, slack, weights, labels, distance, start, stop: (
        codes.shape[0] * table.shape[1] * (stop - start)
    )
)
def nearest(
    codes: Any,
    absent: int,
    offsets: Any,
    table: Any,
    slack: float,
    weights: Any,
    labels: Any,
    distance: Any,
    start: int,
    stop: int,
) -> Any:
    """Give objects start … stop − 1 to the nearest center (the first within `slack`).

    Fills `labels` and `distance`, returns the weight that every base cluster (row) shares with every center (column).
    """
    k = table.shape[1]
    counts = np.zeros(table.shape)
    sums = np.empty((_STRETCH, k))
    for first in range(start, stop, _STRETCH):
        last = min(stop, first + _STRETCH)
        sums[:] = 0.0
        _gather(codes, absent, offsets, table, first, last, sums)
        for i in range(first, last):
            best = 0
            for j in range(1, k):
                if sums[i - first, j] < sums[i - first, best] - slack:
                    best = j
            labels[i] = best
            distance[i] = sums[i - first, best]
        # The counts from which the next centers are made, while the labels are still in cache.
        for t in range(codes.shape[0]):
            for i in range(first, last):
                if codes[t, i] != absent:
                    counts[offsets[t] + np.int64(codes[t, i]), labels[i]] += weights[i]
    return counts


@kernel(
    work=lambda codes, absent, offsets, table, prior, weights, start, stop: (
        2 * codes.shape[0] * table.shape[1] * (stop - start)
    )
)
def expectation(
    codes: Any, absent: int, offsets: Any, table: Any, prior: Any, weights: Any, start: int, stop: int
) -> Any:
    """Do the E-step for a stretch of objects: expected counts per base cluster and component, mass, likelihood."""
    k = table.shape[1]
    counts = np.zeros(table.shape)
    mass = np.zeros(k)
    sums = np.empty((_STRETCH, k))
    alone = np.empty(_STRETCH, dtype=np.int64)
    likelihood = 0.0
    for first in range(start, stop, _STRETCH):
        last = min(stop, first + _STRETCH)
        sums[:] = prior
        _gather(codes, absent, offsets, table, first, last, sums)
        for i in range(first, last):
            likelihood += weights[i] * _softmax(sums[i - first], weights[i])
            alone[i - first] = -1
            for j in range(k):
                mass[j] += sums[i - first, j]
                if sums[i - first, j] == weights[i]:
                    alone[i - first] = j
        for t in range(codes.shape[0]):
            for i in range(first, last):
                if codes[t, i] != absent:
                    c = offsets[t] + np.int64(codes[t, i])
                    if alone[i - first] >= 0:  # one component has the whole object, as most soon do
                        counts[c, alone[i - first]] += weights[i]
                    else:
                        for j in range(k):
                            counts[c, j] += sums[i - first, j]
    return counts, mass, likelihood


@kernel
def _softmax(row: Any, scale: float) -> float:
    """Turn log scores into shares of `scale`; return the logarithm of their sum.

    Shares too small to change a sum in double precision are 0: the table of a likelihood loses nothing, and most
    exponentials need not be taken.
    """
    highest = row.max()
    total = 0.0
    for j in range(row.shape[0]):
        gap = row[j] - highest
        row[j] = exp(gap) if gap > -45.0 else 0.0
        total += row[j]
    for j in range(row.shape[0]):
        row[j] *= scale / total
    return highest + log(total)


@kernel(
    work=lambda codes, absent, offsets, table, prior, out, start, stop: codes.shape[0] * table.shape[1] * (stop - start)
)
def posterior(codes: Any, absent: int, offsets: Any, table: Any, prior: Any, out: Any, start: int, stop: int) -> None:
    """Write the probability of every component for objects start … stop − 1."""
    out[start:stop] = prior
    _gather(codes, absent, offsets, table, start, stop, out[start:stop])
    for i in range(start, stop):
        _softmax(out[i], 1.0)


@kernel(work=lambda codes, *_: codes.size)
def mismatches(codes: Any, absent: int, weights: Any, v: int, out: Any) -> None:
    """Write the weight of the partitions in which each object is apart from object v; absent ones say nothing."""
    out[:] = 0.0
    for t in range(codes.shape[0]):
        row = codes[t]
        label = row[v]
        if label != absent:
            for i in range(row.shape[0]):
                out[i] += weights[t] * (row[i] != label and row[i] != absent)
