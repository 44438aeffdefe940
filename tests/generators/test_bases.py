"""Bases of our own against plain versions."""

from contextlib import nullcontext

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

import graphens as ge
from graphens._lib.threads import one_pool_thread
from graphens.errors import InputError
from graphens.generators.bases import BASES, Medoids, random_radius


@pytest.mark.parametrize("seed", range(8))
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
    with one_pool_thread(), one_pool_thread():
        assert all(x["num_threads"] == 1 for x in threadpool_info() if x["filepath"] in dict(before))
    assert before == [(x["filepath"], x["num_threads"]) for x in threadpool_info()]


@pytest.mark.filterwarnings("ignore:2 of 2 partitions have no cluster")
@pytest.mark.parametrize("base", sorted(BASES))
def test_one_object_is_clustered_or_refused_in_our_words(base):
    expected = pytest.raises(InputError, match="expected at least 2") if BASES[base].least > 1 else nullcontext()
    with expected:
        assert ge.generate(np.ones((1, 2)), 2, k=1, base=base, seed=0).n_objects == 1
