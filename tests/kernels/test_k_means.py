"""k-means inside methods: as good as scikit-learn's, and the same for all numbers of threads."""

import numpy as np
import pytest

from graphens._lib.threads import one_thread
from graphens.kernels import centers as module
from graphens.kernels.centers import k_means


def inertia(points: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> float:
    total = 0.0
    for c in np.unique(labels):
        members, mass = points[labels == c], weights[labels == c]
        total += float(mass @ ((members - np.average(members, axis=0, weights=mass)) ** 2).sum(axis=1))
    return total


def test_no_worse_than_scikit_learn() -> None:
    """On random weighted sets; each may win by chance, but not on average."""
    from sklearn.cluster import KMeans

    ratios = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n, d, k = int(rng.integers(20, 100)), int(rng.integers(1, 6)), int(rng.integers(2, 8))
        points, weights = rng.normal(size=(n, d)) + 2 * rng.integers(0, 3, (n, 1)), rng.random(n) + 0.05
        ours = k_means(np.ascontiguousarray(points.T), k, weights, rng, 5)
        theirs = KMeans(k, n_init=5, random_state=seed).fit(points, sample_weight=weights).labels_
        assert len(np.unique(ours)) == k
        ratios.append(inertia(points, ours, weights) / inertia(points, theirs, weights))
    assert np.mean(ratios) < 1.005


def test_an_object_that_weighs_w_counts_w_times() -> None:
    points, weights = np.array([[0.0, 1.0, 5.0, 6.0, 7.0]]), np.array([1.0, 9.0, 1.0, 1.0, 1.0])
    assert len(set(k_means(points, 2, weights, np.random.default_rng(0), 3)[:2])) == 1
    weights[:2] = 1e5, 1e6
    assert len(set(k_means(points, 2, weights, np.random.default_rng(0), 3)[1:])) == 1


def test_fewer_distinct_objects_than_clusters() -> None:
    points = np.repeat(np.array([[0.0, 1.0], [3.0, 1.0]]), 4, axis=1)
    labels = k_means(points, 5, np.ones(8), np.random.default_rng(0), 2)
    assert len(set(labels[:4])) == len(set(labels[4:])) == 1
    assert labels[0] != labels[4]


def test_blocks_in_threads_are_the_blocks_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_SAMPLE", 100)
    monkeypatch.setattr(module, "_BLOCK", 64)
    points = np.random.default_rng(0).normal(size=(3, 500))

    def labels() -> np.ndarray:
        return k_means(points, 4, np.ones(500), np.random.default_rng(1), 2)

    monkeypatch.setattr("graphens._lib.threads._STEPS", 0)
    assert np.array_equal(labels(), one_thread(labels))
