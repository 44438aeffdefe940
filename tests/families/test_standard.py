"""Options other than the defaults, which contracts/ tests: what must not matter to them, and the standard form."""

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import graphens as ge
from graphens.families.standard_form import standard
from tests.plain import random_ensemble

Call = Callable[[ge.Ensemble, int], ge.Consensus]
CALLS: dict[str, Call] = {
    "vote, first": lambda e, k: ge.vote(e, k, reference=0),
    "vote, most": lambda e, k: ge.vote(e, k, reference="most"),
    "bagclust2, pam": lambda e, k: ge.bagclust2(e, k, clustering="pam"),
    "mlmap, shuffled": lambda e, k: ge.mlmap(e, k, order="shuffled", seed=3),
    "cumulative": lambda e, k: ge.cumulative(e, k, order="most", seed=3),
    "cumulative, rows": lambda e, k: ge.cumulative(e, k, order="most", mapping="rows", seed=3),
    "cumulative, bottleneck": lambda e, k: ge.cumulative(e, k, order="most", clustering="bottleneck", seed=3),
    "combine, product": lambda e, k: ge.combine(e, k, rule="product"),
    "combine, majority": lambda e, k: ge.combine(e, k, rule="majority"),
    "ivc, shares": lambda e, k: ge.ivc(e, k, voting="shares", seed=3),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())


def planted(seed: int, n: int = 60, b: int = 7, *, missing: float = 0.1) -> ge.Ensemble:
    """Three groups, each partition finds them with errors of its own."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    labels = np.stack([np.where(rng.random(n) < 0.2, rng.integers(0, 4, n), truth) for _ in range(b)], axis=1)
    labels[rng.random((n, b)) < missing] = -1
    return ge.Ensemble(labels, weights=rng.integers(1, 4, size=b))


def same(a: ge.Consensus, b: ge.Consensus, order: np.ndarray | None = None) -> None:
    """Both say the same about every object, object order[i] of the first being object i of the second."""
    order = np.arange(len(a.labels)) if order is None else order
    assert a.k == b.k
    assert ge.measures.vi(a.labels[order], b.labels) < 1e-12
    np.testing.assert_allclose(a.confidence[order], b.confidence, atol=1e-7)


def quiet(call: Call, e: ge.Ensemble, k: int) -> ge.Consensus:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ge.GraphensWarning)
        return call(e, k)


@every_call
def test_names_of_labels_do_not_matter(call: Call) -> None:
    e, rng = planted(0), np.random.default_rng(0)
    renamed = [rng.permutation(9)[row] * 7 for row in e.labels.T]
    renamed = [np.where(row >= 0, new, -1) for row, new in zip(e.labels.T, renamed, strict=True)]
    same(quiet(call, e, 3), quiet(call, ge.Ensemble.from_partitions(renamed, weights=e.weights), 3))


@every_call
def test_order_of_objects_does_not_matter(call: Call) -> None:
    e = planted(1)
    order = np.random.default_rng(1).permutation(e.n_objects)
    same(quiet(call, e, 3), quiet(call, e.take(objects=order), 3), order)


@every_call
def test_a_partition_twice_is_weight_two(call: Call) -> None:
    e = planted(2).reweight(np.ones(7))
    twice = e.take(partitions=[*range(7), 2])
    same(quiet(call, e.reweight([1, 1, 2, 1, 1, 1, 1]), 3), quiet(call, twice, 3))


@every_call
def test_collapsing_changes_nothing(call: Call) -> None:
    e = planted(0, n=200, missing=0.02)
    micro, index = e.collapse()
    assert micro.n_objects < 150
    same(quiet(call, micro, 3), quiet(call, e, 3), index)


@every_call
def test_weight_zero_is_absence(call: Call) -> None:
    e = planted(5)
    noisy = e.append(np.arange(60)[:, None] % 2).reweight([*e.weights, 0])
    same(quiet(call, e, 3), quiet(call, noisy, 3))


@every_call
def test_small_and_odd_ensembles_get_an_answer(call: Call) -> None:
    rng = np.random.default_rng(0)
    for _ in range(15):
        e = random_ensemble(rng)
        if not e.present.any():
            continue
        k = int(rng.integers(1, 1 + max(1, int(e.n_clusters.max()))))
        k = min(k, int(e.present.sum()), max(1, int(e.n_clusters[0])))
        r = quiet(call, e, k)
        assert ((r.labels >= 0) == e.present).all()
        assert r.k <= max(k, 1)
        assert (r.membership.sum(axis=1) <= e.present + 1e-9).all()
        again = quiet(call, e, k)
        assert (again.labels == r.labels).all()


def test_standard_form_is_the_same_whatever_the_names_and_orders() -> None:
    rng = np.random.default_rng(1)
    differ = total = 0
    for _ in range(200):
        e = random_ensemble(rng, n=12, b=4)
        if not e.present.all() or not e.n_clusters.all():
            continue
        order = rng.permutation(12)
        names = [np.where(row >= 0, rng.permutation(9)[row], -1) for row in e.labels[order].T]
        other = ge.Ensemble.from_partitions(names, weights=e.weights, object_weights=e.object_weights[order])
        a, b = standard(e), standard(other)
        assert (a.ensemble.labels[a.index[order]] >= 0).tolist() == (e.labels[order] >= 0).tolist()
        np.testing.assert_array_equal(a.ensemble.object_weights, b.ensemble.object_weights)
        total += 1
        differ += not np.array_equal(a.ensemble.codes, b.ensemble.codes)
    assert total > 150
    assert differ <= total // 100  # objects that mirror each other can stand in either order


def test_standard_form_adds_up_equal_partitions_and_objects() -> None:
    e = ge.Ensemble([[0, 5, 1], [0, 5, 1], [1, 3, 1], [1, 3, 0]], weights=[1, 2, 4])
    s = standard(e)
    assert s.ensemble.weights.tolist() == [3, 4]
    assert s.origin.tolist() == [0, 0, 1]
    assert sorted(s.ensemble.object_weights.tolist()) == [1, 1, 2]
