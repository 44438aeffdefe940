"""Diversity against loops over partitions and objects."""

import itertools
import math

import numpy as np
import pytest

import graphens as ge
from graphens._lib.arrays import canonical
from graphens.measures import diversity


def right(e: ge.Ensemble, reference: np.ndarray) -> np.ndarray:
    """n × B: whether each partition places each object as the reference does."""
    found = np.zeros((e.n_objects, e.n_partitions), dtype=bool)
    for t in range(e.n_partitions):
        for c in range(int(e.n_clusters[t])):
            inside = e.labels[:, t] == c
            found[inside, t] = reference[inside] == np.bincount(reference[inside]).argmax()
    return found


@pytest.mark.parametrize("seed", range(5))
def test_measures_are_their_definitions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = canonical(rng.integers(0, 3, size=40))  # ties go to the cluster that appears first
    labels = np.where(rng.random((40, 5)) < 0.4, rng.integers(0, 4, size=(40, 5)), truth[:, None])
    e = ge.Ensemble(labels)
    y = right(e, truth)
    n, b = y.shape
    pairs = list(itertools.combinations(range(b), 2))
    count = y.sum(axis=1)
    p = y.mean()
    failing = [np.mean((b - count) == m) for m in range(b + 1)]
    p1 = sum(m / b * failing[m] for m in range(b + 1))
    p2 = sum(m * (m - 1) / (b * (b - 1)) * failing[m] for m in range(b + 1))
    expected = {
        "disagreement": np.mean([np.mean(y[:, s] != y[:, t]) for s, t in pairs]),
        "double_fault": np.mean([np.mean(~y[:, s] & ~y[:, t]) for s, t in pairs]),
        "entropy": np.mean(np.minimum(count, b - count) / (b - math.ceil(b / 2))),
        "kohavi_wolpert": np.sum(count * (b - count)) / (n * b * b),
        "difficulty": np.var(count / b),
        "interrater": 1 - np.sum(count * (b - count)) / b / (n * (b - 1) * p * (1 - p)),
        "generalized": 1 - p2 / p1,
    }
    for name, value in expected.items():
        assert diversity(e, name, truth) == pytest.approx(value, abs=1e-12), name


def test_equal_partitions_do_not_differ() -> None:
    e = ge.Ensemble(np.tile([[0], [0], [1], [1]], 3))
    for name in ("nmi", "disagreement", "double_fault", "entropy", "kohavi_wolpert", "difficulty", "generalized"):
        assert diversity(e, name) == pytest.approx(0.0, abs=1e-12)
    assert diversity(e, "interrater") == 1.0


def test_objects_in_fewer_than_two_partitions_do_not_count() -> None:
    for measure in ("nmi", "entropy"):
        with pytest.warns(ge.GraphensWarning, match="only one partition, so diversity is NaN"):
            assert math.isnan(diversity([[0], [1]], measure))
    e = ge.Ensemble([[0, 0, -1], [0, 1, 0], [1, 1, 1], [-1, -1, 0]])
    assert diversity(e, "disagreement", [0, 0, 1, 1]) == pytest.approx((0 + 2 / 3 + 0) / 3)


def test_bad_calls() -> None:
    with pytest.raises(ge.GraphensError, match="measure = 'luck'"):
        diversity([[0], [1]], "luck")
    with pytest.raises(ge.GraphensError, match="1 labels were given for 2 objects"):
        diversity([[0, 0], [1, 1]], "entropy", [0])
