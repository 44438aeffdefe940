"""Confidence as its definition says it, pair by pair."""

from __future__ import annotations

import numpy as np

import graphens as ge


def confidence(e: ge.Ensemble, found: np.ndarray) -> np.ndarray:
    """a / (a + b) of every object; objects of weight m occur m times."""
    labels, k = e.labels, int(found.max(initial=-1)) + 1
    answer = np.zeros(e.n_objects)
    for i in np.flatnonzero(found >= 0):
        near = []
        for c in range(k):
            others = [
                (j, m - min(m, 1.0) * (i == j)) for j, m in enumerate(e.object_weights) if found[j] == c
            ]
            alone = sum(m for _, m in others) < 1e-9
            met = together = 0.0
            for j, m in others:
                both = (labels[i] >= 0) & (labels[j] >= 0)
                met += m * e.weights[both].sum()
                together += m * e.weights[both & (labels[i] == labels[j])].sum()
            near.append(1.0 if alone else together / met if met > 0 else 0.0)
        a, b = near[found[i]], max((x for c, x in enumerate(near) if c != found[i]), default=0.0)
        answer[i] = a if k == 1 else a / (a + b) if a + b > 0 else 0.5
    return answer
