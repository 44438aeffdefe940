"""Weighted ensembles: weights from validity indices."""

import tracemalloc

import numpy as np
import pytest

import graphens as ge
from tests import plain

X = np.concatenate([np.random.default_rng(0).normal(size=(15, 2)), np.random.default_rng(1).normal(size=(15, 2)) + 6])
GOOD = np.repeat([0, 1], 15)
BAD = np.tile([0, 1], 15)


def test_good_partitions_weigh_more() -> None:
    near = np.where(np.arange(30) == 14, 1, GOOD)
    e = ge.Ensemble.from_partitions([GOOD, near, BAD])
    for index in (
        "silhouette",
        "davies_bouldin",
        "calinski_harabasz",
        "dunn",
        "huber_gamma",
        "bic",
        "mdl",
        "rate_distortion",
        "stochastic_complexity",
        "purity",
        "nmi",
        "ari",
        "rand",
        "vi",
        "mirkin",
    ):
        weights = ge.wce(e, X=X, indices=index).details["weights"][0]
        assert weights[:2].min() > weights[2], index
        assert ((weights >= 0) & (weights <= 1)).all(), index


def test_the_graph_is_weighted_by_the_mean_of_the_indices() -> None:
    rng = np.random.default_rng(2)
    e = ge.Ensemble(rng.integers(-1, 3, size=(30, 5)))
    r = ge.wce(e, X=X, indices=["silhouette", "nmi", lambda labels, X: (labels.max() + 1) / 9], k=3)
    weights = r.details["weights"]
    assert weights.shape == (3, 5)
    np.testing.assert_allclose(weights[2], 3 / 9)
    expected = plain.coassociation(e.reweight(weights.mean(axis=0)))
    np.testing.assert_allclose(r.graph.to_scipy().toarray(), expected, atol=1e-12)


def test_a_function_gets_what_it_names() -> None:
    e = ge.Ensemble.from_partitions([GOOD, GOOD, BAD])
    seen: list[tuple[int, ...]] = []

    def external(labels: np.ndarray, ensemble: ge.Ensemble) -> float:
        seen.append((len(labels), ensemble.n_partitions))
        return ge.measures.anmi(labels, ensemble)

    def all_three(X: np.ndarray, ensemble: ge.Ensemble, labels: np.ndarray) -> float:
        return float(len(X) == ensemble.n_objects == len(labels))

    weights = ge.wce(e, X=X, indices=[external, all_three]).details["weights"]
    assert set(seen) == {(30, 3)}
    assert weights[0, 0] > weights[0, 2]
    assert weights[1].tolist() == [1, 1, 1]


def test_the_complexity_of_a_multinomial_is_that_of_all_label_vectors() -> None:
    """C(k, n) = Σ over all vectors of n labels of their own maximum likelihood."""
    from itertools import product

    from graphens.measures.internal import _multinomial_complexity

    for k, n in ((1, 4), (2, 5), (3, 4), (4, 4)):
        total = 0.0
        for labels in product(range(k), repeat=n):
            sizes = np.bincount(labels, minlength=k)
            total += float(np.prod([(s / n) ** s for s in sizes]))
        assert _multinomial_complexity(k, n) == pytest.approx(np.log(total))


def test_agreement_is_the_mean_over_the_others() -> None:
    e = ge.Ensemble(np.random.default_rng(3).integers(0, 3, size=(30, 4)))
    weights = ge.wce(e, indices="nmi").details["weights"][0]
    columns = e.labels.T
    for t in range(4):
        others = [ge.measures.nmi(columns[t], columns[s]) for s in range(4) if s != t]
        assert weights[t] == pytest.approx(np.mean(others))


def test_copies_count_as_one_partition_with_their_weight() -> None:
    columns = np.random.default_rng(5).integers(0, 3, size=(30, 4)).T
    copies = ge.wce(ge.Ensemble.from_partitions([*columns, columns[0], 2 - columns[0]]), 3, indices="nmi")
    weighted = ge.wce(ge.Ensemble.from_partitions(columns, weights=[3, 1, 1, 1]), 3, indices="nmi")
    np.testing.assert_allclose(copies.details["weights"][:, :4], weighted.details["weights"])
    np.testing.assert_array_equal(copies.labels, weighted.labels)


def test_reconciliation_accumulates_one_consensus_per_index() -> None:
    e = ge.Ensemble(np.random.default_rng(4).integers(0, 3, size=(30, 6)))
    r = ge.wce(e, 2, X=X, indices=["silhouette", "nmi"], reconcile=True)
    weights = r.details["weights"]
    each = [ge.dspa(e.reweight(row), 2).labels for row in weights]
    np.testing.assert_array_equal(r.labels, ge.dspa(ge.Ensemble.from_partitions(each), 2).labels)


def test_what_makes_no_sense() -> None:
    e = ge.Ensemble.from_partitions([GOOD, BAD])
    with pytest.raises(ge.GraphensError, match="needs the features"):
        ge.wce(e, indices="silhouette")
    with pytest.raises(ge.GraphensError, match="expected a callable or one of"):
        ge.wce(e, X=X, indices="beauty")
    with pytest.raises(ge.GraphensError, match="expected 0 to 1"):
        ge.wce(e, X=X, indices=lambda labels, X: 3)
    with pytest.raises(ge.GraphensError, match="at least one"):
        ge.wce(e, X=X, indices=[])
    for indices in (-1, 0.5, {"nmi"}):
        with pytest.raises(ge.GraphensError, match="indices ="):
            ge.wce(e, X=X, indices=indices)
    with pytest.raises(ge.GraphensError, match="X has 5 rows; expected one for each of the 30"):
        ge.wce(e, X=X[:5])
    with pytest.warns(ge.GraphensWarning, match="weight 0"):
        ge.wce(e, X=X, indices=lambda labels, X: 0)


def test_an_object_known_to_worthless_partitions_alone_keeps_its_place() -> None:
    rows = [[4, 0], [3, -1], [-1, 1], [4, 2], [2, -1], [2, 4], [0, -1], [4, 1], [1, 3], [3, -1], [3, 3], [4, 1]]
    features = np.random.default_rng(0).normal(size=(12, 2))
    r = ge.wce(rows, X=features, indices="mdl", seed=0)
    assert (r.details["weights"] == 0).any()
    assert (r.labels >= 0).all()
    assert r.labels[2] == r.labels[7] == r.labels[11]  # together wherever two of them meet
    assert ge.wce(rows, 10, X=features, indices="mdl", seed=0).k == 10


def test_internal_indices_stay_within_the_memory_budget() -> None:
    rng = np.random.default_rng(3)
    e, features = ge.Ensemble(rng.integers(0, 5, (3000, 4))), rng.normal(size=(3000, 2))
    ge.wce(e, 5, X=features, sample=50, seed=1)  # what is compiled and imported once does not count
    tracemalloc.start()
    with ge.memory_budget("20 MB"):
        with pytest.raises(ge.GraphensError, match="distances of 2000 objects"):
            ge.wce(e, 5, X=features, seed=1)
        assert ge.wce(e, 5, X=features, sample=600, seed=1).k == 5
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6
