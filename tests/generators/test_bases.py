"""Bases of our own against plain versions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import pdist, squareform

from graphens import datasets, measures
from graphens.generators.medoids import Medoids
from graphens.generators.neighbours import random_radius
from graphens.generators.paths import PathBased
from graphens.generators.threads import one_thread


def cost(gaps, labels):
    """(1/|C|) Σ_{i<j in C} gap(i, j), summed over clusters."""
    inside = [np.flatnonzero(labels == c) for c in np.unique(labels)]
    return sum(gaps[np.ix_(c, c)].sum() / 2 / len(c) for c in inside)


def prunings(members, merges, n, k):
    """All ways to cut a node of the tree into k nodes."""
    if k == 1:
        yield [members]
    elif members >= n:
        left, right = int(merges[members - n, 0]), int(merges[members - n, 1])
        for share in range(1, k):
            for a in prunings(left, merges, n, share):
                for b in prunings(right, merges, n, k - share):
                    yield a + b


def leaves(node, merges, n):
    if node < n:
        return [node]
    return [x for side in merges[node - n, :2] for x in leaves(int(side), merges, n)]


@pytest.mark.parametrize("seed", range(40))
def test_path_based_clustering_is_the_cheapest_pruning(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 10))
    k = int(rng.integers(1, n + 1))
    X = rng.normal(size=(n, 2))
    merges = linkage(X, "single")
    gaps = squareform(cophenet(merges))
    labels = PathBased(k).fit_predict(X)
    assert len(set(labels.tolist())) == k
    every = []
    for cut in prunings(2 * n - 2, merges, n, k):
        candidate = np.empty(n, dtype=int)
        for c, node in enumerate(cut):
            candidate[leaves(node, merges, n)] = c
        every.append(cost(gaps, candidate))
    assert cost(gaps, labels) == pytest.approx(min(every))


def test_path_based_clustering_follows_shapes_past_outliers():
    X, truth = datasets.load("ring-bar-gauss", seed=0)
    assert measures.error_rate(truth, PathBased(3).fit_predict(X)) == 0
    outlier = np.vstack([X, [[30.0, 30.0]]])
    labels = PathBased(4).fit_predict(outlier)[:-1]
    assert measures.error_rate(truth, labels) == 0


def test_gaps_are_minimax_paths():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(7, 2))
    gaps, distances = squareform(cophenet(linkage(X, "single"))), squareform(pdist(X))
    for via in range(7):  # Floyd and Warshall with max for +
        distances = np.minimum(distances, np.maximum(distances[:, [via]], distances[[via], :]))
    assert np.allclose(gaps, distances)


@pytest.mark.parametrize("seed", range(20))
def test_medoids_are_members_that_cannot_be_bettered_alone(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2))
    k = int(rng.integers(1, 6))
    model = Medoids(k, seed, rounds=100)
    labels = model.fit_predict(X)
    distances = squareform(pdist(X))
    assert np.array_equal(labels, model.predict(X))
    assert np.allclose(model.transform(X).min(axis=1), model.transform(X)[np.arange(40), labels])
    for c in range(k):
        members = np.flatnonzero(labels == c)
        best = distances[np.ix_(members, members)].sum(axis=1).min()
        mine = np.linalg.norm(X[members] - model.medoids_[c], axis=1).sum()
        assert mine == pytest.approx(best)


def test_medoids_with_equal_points():
    assert len(Medoids(3, 0).fit_predict(np.zeros((10, 2)))) == 10


def test_random_radius_is_between_half_and_nearly_all():
    X = np.random.default_rng(0).normal(size=(200, 2))
    fifth = np.sort(squareform(pdist(X)), axis=1)[:, 4]
    radii = [random_radius(X, 5, seed) for seed in range(50)]
    assert np.quantile(fifth, 0.49) <= min(radii) < max(radii) <= np.quantile(fifth, 0.96)


def test_one_thread_restores_what_was_there():
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_info

    before = [(x["filepath"], x["num_threads"]) for x in threadpool_info()]
    with one_thread(), one_thread():
        assert all(x["num_threads"] == 1 for x in threadpool_info() if x["filepath"] in dict(before))
    assert before == [(x["filepath"], x["num_threads"]) for x in threadpool_info()]
