"""Ensembles to measure on, made from a seed."""

from dataclasses import dataclass

import numpy as np

from graphens import Ensemble


@dataclass(frozen=True)
class Grouped:
    """Gaussian groups: points, the group of each, and partitions of them."""

    points: np.ndarray
    truth: np.ndarray
    ensemble: Ensemble


def grouped(
    n: int,
    n_partitions: int,
    clusters: tuple[int, int],
    *,
    dimensions: int,
    seed: int = 0,
    groups: int = 20,
    spread: float = 4.0,
) -> Grouped:
    """Gaussian groups, each partition the nearest of k random objects: the shape of k-means, at any n.

    In 2 dimensions many objects share their label row; in 16 fewer do, and the fewer the more clusters there are.
    """
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(groups, dimensions)) * spread
    truth = rng.integers(groups, size=n)
    points = (centers[truth] + rng.normal(size=(n, dimensions))).astype(np.float32)
    partitions = []
    for _ in range(n_partitions):
        k = int(rng.integers(clusters[0], clusters[1] + 1))
        partitions.append(_nearest(points, points[rng.choice(n, size=k, replace=False)]))
    return Grouped(points, truth, Ensemble.from_partitions(partitions))


def _nearest(points: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    half = (seeds**2).sum(axis=1) / 2
    return np.concatenate(
        [(half - points[start : start + 65536] @ seeds.T).argmin(axis=1) for start in range(0, len(points), 65536)]
    ).astype(np.int16)


def in_random_order(seed: int, e: Ensemble, truth: np.ndarray) -> tuple[Ensemble, np.ndarray]:
    """Return the same objects in another order, so that no method can read the classes from it."""
    rows = np.random.default_rng((seed, len(truth))).permutation(len(truth))
    return e.take(objects=rows), truth[rows]
