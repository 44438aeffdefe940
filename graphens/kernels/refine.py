"""Moves of single vertices that lower the connectivity of a partitioned hypergraph."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np

from ._jit import kernel

_STEPS = 12  # widths, each half of the one before
_PASSES = 2  # over all vertices for each width


@kernel
def _gains(pins: Any, loss: Any, ratio: Any, home: int, gain: Any) -> None:
    """Write what moving a vertex with these hyperedges from `home` to each part takes off the objective."""
    gain[:] = 0.0
    away = 0.0
    for p in range(pins.shape[0]):
        e = pins[p]
        row = loss[e]
        away += row[home] * ratio[e]  # leaving undoes the step that entering last was
        for j in range(gain.shape[0]):
            gain[j] -= row[j]
    for j in range(gain.shape[0]):
        gain[j] += away


@kernel(
    work=lambda indptr, indices, n_edges, weights, mass, limit, labels, order, k: (
        4 * _STEPS * _PASSES * indices.size * k
    )
)
def anneal(
    indptr: Any, indices: Any, n_edges: int, weights: Any, mass: Any, limit: Any, labels: Any, order: Any, k: int
) -> Any:
    """Move vertices greedily while φ_s narrows from wide to the indicator; return the best labeling met.

    `loss[e, j]` is what one more vertex of e in part j adds: w (φ(x + 1) − φ(x)) = w q^x (1 − q), q = exp(−1/s).
    """
    # φ_s(x) = 1 − exp(−x/s) for x vertices of a hyperedge in a part. While s is wide, a vertex is drawn to where most
    # of its hyperedge is, even if that frees no part yet; as s narrows this becomes 1 for every part that is touched,
    # which is the connectivity itself.
    n = labels.shape[0]
    inside = np.zeros((n_edges, k))
    size = np.zeros(n_edges)
    load = np.zeros(k)
    count = np.zeros(k, dtype=np.int64)
    for v in range(n):
        load[labels[v]] += mass[v]
        count[labels[v]] += 1
        for p in range(indptr[v], indptr[v + 1]):
            inside[indices[p], labels[v]] += 1.0
            size[indices[p]] += 1.0
    best = labels.copy()
    lowest = _km1(inside, weights)
    width, ratio, loss, gain = np.empty(n_edges), np.empty(n_edges), np.empty((n_edges, k)), np.empty(k)
    for step in range(_STEPS):
        for e in range(n_edges):
            width[e] = max(size[e] / k / 2.0**step, 0.3)
            ratio[e] = exp(1.0 / width[e])
            for j in range(k):
                loss[e, j] = weights[e] * exp(-inside[e, j] / width[e]) * (1.0 - 1.0 / ratio[e])
        for _ in range(_PASSES):
            moved = 0
            for i in range(n):
                v = order[i]
                home = labels[v]
                if count[home] == 1:
                    continue
                pins = indices[indptr[v] : indptr[v + 1]]
                _gains(pins, loss, ratio, home, gain)
                target = -1
                value = 1e-9
                for j in range(k):
                    if j != home and gain[j] > value and load[j] + mass[v] <= limit[j]:
                        value = gain[j]
                        target = j
                if target < 0:
                    continue
                moved += 1
                labels[v] = target
                load[home] -= mass[v]
                load[target] += mass[v]
                count[home] -= 1
                count[target] += 1
                for p in range(pins.shape[0]):
                    e = pins[p]
                    inside[e, home] -= 1.0
                    inside[e, target] += 1.0
                    rise = weights[e] * (1.0 - 1.0 / ratio[e])
                    loss[e, home] = exp(-inside[e, home] / width[e]) * rise
                    loss[e, target] = exp(-inside[e, target] / width[e]) * rise
            if moved == 0:
                break
        # Moves follow φ_s, so that the connectivity may rise on the way: the best labeling met is kept.
        value = _km1(inside, weights)
        if value < lowest:
            lowest = value
            best[:] = labels
    return best


@kernel
def _km1(inside: Any, weights: Any) -> float:
    total = 0.0
    for e in range(inside.shape[0]):
        touched = 0
        for j in range(inside.shape[1]):
            touched += inside[e, j] > 0.5
        total += weights[e] * max(touched - 1, 0)
    return total
