"""Sequences that learn from their own past."""

from itertools import permutations

import numpy as np
import pytest

import graphens as ge
from graphens.errors import DegenerateWarning, InputError
from graphens.generators.adaptive import _consistency, _vote, boost
from graphens.generators.bases import find_bases
from graphens.generators.ensembles import make_recipe
from graphens.generators.features import read_views
from graphens.generators.recipe import PartitionCodes

X, TRUTH = ge.datasets.load("blobs", seed=0)
CLOSE = np.vstack([X[::4], X[:1] / 2 + X[100:101] / 2])  # the last object lies between two blobs


def test_boosting_follows_its_formulas():
    views = read_views(CLOSE)
    recipe = make_recipe(views, 3, 4, find_bases("kmeans"), 0, sampling="boosting")
    state, n = {}, len(CLOSE)
    weights = np.full(n, 1 / n)
    for t in range(3):
        made, state = boost(recipe, views.matrices, t, state, keep=True)
        distances = made.labeler.model.transform(CLOSE)
        h = (1 / distances**2) / (1 / distances**2).sum(axis=1, keepdims=True)
        doubt = 1 - h.max(axis=1) + h.min(axis=1)
        error = (weights * doubt).sum()
        assert made.weight == pytest.approx(np.log((1 - error) / error))
        weights = weights * ((1 - error) / error) ** doubt
        weights /= weights.sum()
        assert np.allclose(state["weights"], weights)
    assert weights[-1] > 2 / n  # the object in between is drawn more often
    e = ge.generate(CLOSE, 3, k=4, sampling="boosting", seed=0)
    assert e.weights[-1] == made.weight
    assert not e.has_missing


def test_boosting_says_when_it_ends():
    with pytest.raises(InputError, match="stopped at partition 0"):
        ge.generate(np.random.default_rng(0).normal(size=(50, 8)), 5, k=20, sampling="boosting", seed=0)
    with pytest.raises(InputError, match="agglomerative cannot label"):
        ge.generate(X, 5, k=4, base="agglomerative", sampling="boosting", seed=0)


def test_boosting_that_ends_later_keeps_what_it_has():
    rng = np.random.default_rng(0)
    data = np.vstack([rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + np.array([3, 0])])
    with pytest.warns(DegenerateWarning, match=r"The ensemble has \d+ partitions"):
        e = ge.generate(data, 200, k=2, sampling="boosting", seed=0)
    assert 0 < e.n_partitions == len(e.weights) < 200
    assert (e.weights > 0).all()


@pytest.mark.parametrize("seed", range(30))
def test_votes_are_aligned_for_the_largest_agreement(seed):
    rng = np.random.default_rng(seed)
    votes = rng.integers(0, 4, size=(15, 4))
    codes = rng.integers(0, 4, size=15).astype(np.uint8)
    codes[:3] = [0, 1, 2]
    codes[3] = 3
    codes[rng.integers(4, 15, size=3)] = 255
    added = _vote(votes, PartitionCodes(0, codes, np.arange(4))) - votes
    there = codes < 4
    assert np.array_equal(added.sum(axis=1), there.astype(int))
    best = max(sum(votes[i, order[codes[i]]] for i in np.flatnonzero(there)) for order in permutations(range(4)))
    assert (added * votes).sum() == best


def test_consistency_is_the_share_of_the_winner():
    votes = np.array([[3, 1], [2, 2], [0, 0], [4, 0]])
    assert _consistency(votes).tolist() == [0.75, 0.5, 0.75, 1.0]


def test_doubtful_objects_are_drawn_more_often():
    rng = np.random.default_rng(0)
    data = np.vstack([rng.normal(size=(40, 1)) * 0.1, rng.normal(size=(40, 1)) * 0.1 + 5, [[2.5]] * 4])
    e = ge.generate(data, 60, k=2, sampling="consistency", seed=0)
    drawn = (e.codes != e.absent).mean(axis=0)
    assert drawn[80:].mean() > drawn[:80].mean()
