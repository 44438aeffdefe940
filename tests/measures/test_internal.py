"""Internal validity indices against scikit-learn and plain loops."""

import math

import numpy as np
import pytest
from sklearn import metrics

import graphens as ge
from graphens.measures.internal import INDICES, internal, internal_weights

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
LABELS = RNG.integers(0, 4, size=40)


@pytest.mark.parametrize(
    ("index", "theirs"),
    [
        ("silhouette", metrics.silhouette_score),
        ("davies_bouldin", metrics.davies_bouldin_score),
        ("calinski_harabasz", metrics.calinski_harabasz_score),
    ],
)
def test_equals_scikit_learn(index: str, theirs) -> None:
    assert internal(X, LABELS, index) == pytest.approx(theirs(X, LABELS))
    single = np.where(np.arange(40) == 7, 9, LABELS)  # a cluster of one object
    assert internal(X, single, index) == pytest.approx(theirs(X, single))
    holes = np.where(np.arange(40) % 5 == 0, -1, LABELS)
    assert internal(X, holes, index) == pytest.approx(theirs(X[holes >= 0], holes[holes >= 0]))


def test_gamma_and_dunn_by_loops() -> None:
    centers = {c: X[c == LABELS].mean(axis=0) for c in set(LABELS)}
    pairs = [(i, j) for i in range(40) for j in range(i)]
    gamma = sum(np.linalg.norm(X[i] - X[j]) * np.linalg.norm(centers[LABELS[i]] - centers[LABELS[j]]) for i, j in pairs)
    assert internal(X, LABELS, "huber_gamma") == pytest.approx(2 * gamma / (40 * 39))
    apart = min(np.linalg.norm(X[i] - X[j]) for i, j in pairs if LABELS[i] != LABELS[j])
    wide = max(np.linalg.norm(X[i] - X[j]) for i, j in pairs if LABELS[i] == LABELS[j])
    assert internal(X, LABELS, "dunn") == pytest.approx(apart / wide)


def test_bic_prefers_the_clusters_that_are_there() -> None:
    blobs = np.concatenate([RNG.normal(size=(60, 2)) + 12 * np.array(c) for c in ((0, 0), (1, 0), (0, 1))])
    right, too_few = np.repeat([0, 1, 2], 60), np.repeat([0, 0, 1], 60)
    too_many = np.repeat([0, 1, 2], 60) * 2 + (np.arange(180) % 2)
    for index in ("bic", "mdl", "stochastic_complexity"):
        values = [internal(blobs, labels, index) for labels in (too_few, right, too_many)]
        assert max(values) == values[1], index


@pytest.mark.parametrize("index", list(INDICES))
def test_partitions_without_structure(index: str) -> None:
    e = ge.Ensemble.from_partitions([np.zeros(40, int), np.arange(40), LABELS, LABELS])
    weights = internal_weights(X, e, index)
    assert ((weights >= 0) & (weights <= 1)).all()
    assert weights[2] == weights[3]
    if index not in ("huber_gamma", "bic", "mdl", "stochastic_complexity"):
        assert math.isnan(internal(X, np.zeros(40, int), index))
        assert weights[0] == weights[1] == 0


def test_a_sample_is_drawn_by_the_seed() -> None:
    e = ge.Ensemble(RNG.integers(0, 3, size=(40, 3)))
    a, b, c = (internal_weights(X, e, sample=20, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


def test_what_makes_no_sense() -> None:
    with pytest.raises(ge.GraphensError, match="expected one of"):
        internal(X, LABELS, "beauty")
    with pytest.raises(ge.GraphensError, match="40 objects"):
        internal(X, LABELS[:9])
