"""Confidence and cohesion as their definitions say it, pair by pair; splits by looking at every member."""

import numpy as np

import graphens as ge


def confidence(e: ge.Ensemble, found: np.ndarray) -> np.ndarray:
    """a / (a + b) of every object; objects of weight m occur m times."""
    return both(e, found)[0]


def both(e: ge.Ensemble, found: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Confidence and a."""
    labels, k = e.labels, int(found.max(initial=-1)) + 1
    answer, cohesion = np.zeros(e.n_objects), np.zeros(e.n_objects)
    for i in np.flatnonzero(found >= 0):
        near = []
        for c in range(k):
            others = [(j, m - min(m, 1.0) * (i == j)) for j, m in enumerate(e.object_weights) if found[j] == c]
            alone = sum(m for _, m in others) < 1e-9
            met = together = 0.0
            for j, m in others:
                both = (labels[i] >= 0) & (labels[j] >= 0)
                met += m * e.weights[both].sum()
                together += m * e.weights[both & (labels[i] == labels[j])].sum()
            near.append(1.0 if alone else together / met if met > 0 else 0.0)
        a, b = near[found[i]], max((x for c, x in enumerate(near) if c != found[i]), default=0.0)
        answer[i] = a if k == 1 else a / (a + b) if a + b > 0 else 0.5
        cohesion[i] = a
    return answer, cohesion


def splits(e: ge.Ensemble, found: np.ndarray, k: int) -> list[tuple[int, int]]:
    """For each cluster, how many partitions split it, and how many with at most 1.5 k clusters have a member."""
    answer = []
    for c in range(k):
        split = judged = 0
        for t in range(e.n_partitions):
            weights: dict[int, float] = {}
            for i in np.flatnonzero((found == c) & (e.labels[:, t] >= 0)):
                weights[e.labels[i, t]] = weights.get(e.labels[i, t], 0.0) + e.object_weights[i]
            if weights and e.weights[t] > 0 and e.n_clusters[t] <= 1.5 * k:
                judged += 1
                split += max(weights.values()) < 0.9 * sum(weights.values()) - 1e-6
        answer.append((split, judged))
    return answer
