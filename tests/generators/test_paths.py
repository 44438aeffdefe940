"""Path-based clustering against a plain version that walks all pairs."""

import itertools

import numpy as np
import pytest

import graphens as ge


def plain_minimax(d: np.ndarray) -> np.ndarray:
    """Smallest largest step between all pairs, as Floyd and Warshall would."""
    u = d.copy()
    for m, i, j in itertools.product(range(len(d)), repeat=3):
        u[i, j] = min(u[i, j], max(u[i, m], u[m, j]))
    return u


def plain_cost(d: np.ndarray, groups: list[set[int]]) -> float:
    """Σ (1/|C|) Σ of effective distances, paths staying inside the cluster."""
    cost = 0.0
    for group in groups:
        inside = plain_minimax(d[np.ix_(sorted(group), sorted(group))])
        cost += inside.sum() / len(group)
    return cost


def plain_path_based(d: np.ndarray, k: int) -> list[set[int]]:
    """Merge neighbors in the spanning tree, wherever the cost rises least."""
    u, n = plain_minimax(d), len(d)
    tree = [(i, j) for i, j in itertools.combinations(range(n), 2) if d[i, j] == u[i, j]]
    groups = [{i} for i in range(n)]
    while len(groups) > k:
        trials = []
        for a, b in itertools.combinations(groups, 2):
            if any((i in a and j in b) or (i in b and j in a) for i, j in tree):
                trials.append([g for g in groups if g is not a and g is not b] + [a | b])
        groups = min(trials, key=lambda trial: plain_cost(d, trial))
    return groups


def test_path_based_is_the_plain_one() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        n = int(rng.integers(2, 9))
        points = rng.normal(size=(n, 2))
        k = int(rng.integers(1, n + 1))
        d = np.linalg.norm(points[:, None] - points[None], axis=2)
        labels = ge.path_based(points, k)
        assert {frozenset(np.flatnonzero(labels == j).tolist()) for j in range(k)} == set(
            map(frozenset, plain_path_based(d, k))
        )
        np.testing.assert_array_equal(ge.path_based(d, k, metric="precomputed"), labels)


def test_long_shapes_stay_whole_and_an_outlier_is_not_a_cluster() -> None:
    rng = np.random.default_rng(1)
    angle = np.concatenate([np.linspace(0, 3, 120), np.linspace(0, 3, 120)])
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    ring[120:] = [1, -0.15] - ring[120:]
    points = np.vstack([ring + rng.normal(scale=0.02, size=ring.shape), [[3.0, 3.0]]])
    labels = ge.path_based(points, 2)
    assert ge.measures.error_rate(np.repeat([0, 1], 120), labels[:240]) == 0


def test_equal_points_are_no_trouble() -> None:
    assert ge.path_based([[0.0], [0.0], [5.0], [5.0], [5.0]], 2).tolist() == [0, 0, 1, 1, 1]
    assert ge.path_based([[1.0, 2.0]], 1).tolist() == [0]


@pytest.mark.parametrize(
    ("x", "k", "metric"),
    [
        ([[0.0], [np.nan]], 1, "euclidean"),
        ([0.0, 1.0], 1, "euclidean"),
        ([[0.0], [1.0]], 3, "euclidean"),
        ([[0, 1], [2, 0]], 1, "precomputed"),
    ],
)
def test_what_cannot_be_clustered(x: object, k: int, metric: str) -> None:
    with pytest.raises(ge.GraphensError):
        ge.path_based(x, k, metric=metric)


def test_bagging_path_based_clusterings_by_maximum_likelihood() -> None:
    rng = np.random.default_rng(2)
    angle = rng.uniform(0, 3, size=160)
    points = np.column_stack([np.cos(angle), np.sin(angle)])
    points[80:] = [1, -0.3] - points[80:]
    points += rng.normal(scale=0.04, size=points.shape)
    samples = np.full((160, 15), -1)
    for t in range(15):
        drawn = np.unique(rng.integers(160, size=160))
        samples[drawn, t] = ge.path_based(points[drawn], 2)
    r = ge.mlmap(samples, 2)
    assert ge.measures.error_rate(np.repeat([0, 1], 80), r.labels) < 0.05
