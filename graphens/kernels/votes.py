"""Tables of votes, objects × clusters: what a partition finds in them, and who wins."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._jit import kernel


@kernel(work=lambda row, absent, n_clusters, values, *_: values.size)
def column_sums(row: Any, absent: int, n_clusters: int, values: Any, binary: bool, weights: Any) -> Any:
    """Sum the weighted rows of a table over the members of every cluster; counts read as 0 or 1 if `binary`."""
    k = values.shape[1]
    sums = np.zeros((n_clusters, k))
    for i in range(row.shape[0]):
        if row[i] != absent:
            c = row[i]
            w = weights[i]
            if binary:
                for j in range(k):
                    sums[c, j] += w * (values[i, j] > 0.0)
            else:
                for j in range(k):
                    sums[c, j] += w * values[i, j]
    return sums


@kernel
def winners(scores: Any, favored: Any) -> Any:
    """Return the column with the largest score of every row; −1 for a row without any.

    A column wins a tie (within rounding) if it is the favored one, and otherwise if it comes first.
    """
    n, k = scores.shape
    labels = np.full(n, -1, dtype=np.int32)
    for i in range(n):
        total = 0.0
        for j in range(k):
            total += scores[i, j]
        slack = 1e-9 * total
        best = 0.0
        for j in range(k):
            if scores[i, j] > best + slack:
                best = scores[i, j]
                labels[i] = j
        if favored[i] >= 0 and labels[i] >= 0 and scores[i, favored[i]] >= best - slack:
            labels[i] = favored[i]
    return labels


@kernel
def strongest(strength: Any, drawn: Any, winner: Any) -> None:
    """Write the column with the largest number of every row; where some tie (within rounding) a drawn number picks."""
    k = strength.shape[1]
    for i in range(strength.shape[0]):
        most = strength[i, 0]
        for j in range(1, k):
            most = max(most, strength[i, j])
        level = most * (1 - 1e-9)
        tied = 0
        for j in range(k):
            tied += strength[i, j] >= level
        left = (drawn[i] >> np.uint64(11)) % np.uint64(tied)
        for j in range(k):
            if strength[i, j] >= level:
                if left == np.uint64(0):
                    winner[i] = j
                    break
                left -= np.uint64(1)
