"""Prototypes by shared nearest neighbors."""

import numpy as np
import pytest

import graphens as ge
from graphens.generators.prototypes import link_strength


def plain_strength(X: np.ndarray, q: int) -> np.ndarray:
    distance = np.linalg.norm(X[:, None] - X, axis=2) + np.diag(np.full(len(X), np.inf))
    lists = np.argsort(distance, axis=1)[:, :q].tolist()
    strength = np.zeros(len(X))
    for i, mine in enumerate(lists):
        for j in mine:
            if i in lists[j]:
                shared = set(mine) & set(lists[j])
                strength[i] += sum((q - mine.index(v)) * (q - lists[j].index(v)) for v in shared)
    return strength


@pytest.mark.parametrize("q", [1, 3, 10])
def test_link_strength(q: int) -> None:
    X = np.random.default_rng(q).normal(size=(40, 2))
    np.testing.assert_allclose(link_strength(X, q), plain_strength(X, q))


def test_cores_are_dense_and_objects_take_the_label_of_the_nearest() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(80, 2)), rng.uniform(-30, 30, size=(6, 2))])
    p = ge.snn_prototypes(X, len(X), q=8)
    assert p.core[:80].mean() > p.core[80:].mean()
    np.testing.assert_array_equal(p.core, p.density >= p.density.mean() - p.density.std())
    distance = np.linalg.norm(X[:, None] - p.points, axis=2)
    np.testing.assert_array_equal(p.index, distance.argmin(axis=1))
    labels = np.arange(len(p)) % 3
    np.testing.assert_array_equal(p.expand(labels), labels[p.index])


def test_around_any_method() -> None:
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(100, 2)), rng.normal(size=(100, 2)) + 8])
    p = ge.snn_prototypes(X, 60, q=8, seed=0)
    assert len(p) <= 60
    labels = p.cluster(lambda points: ge.eac(ge.generate(points, 20, k=(5, 10), seed=0), 2))
    assert ge.measures.error_rate(np.repeat([0, 1], 100), labels) == 0
    again = ge.snn_prototypes(X, 60, q=8, seed=0)
    np.testing.assert_array_equal(p.points, again.points)


def test_what_makes_no_sense() -> None:
    with pytest.raises(ge.GraphensError, match="n_prototypes"):
        ge.snn_prototypes([[0.0], [1.0]], 3)
    with pytest.raises(ge.GraphensError, match="core prototypes"):
        ge.snn_prototypes([[0.0], [1.0], [2.0]], q=1).expand([0])
    assert len(ge.snn_prototypes([[0.0]])) == 1
