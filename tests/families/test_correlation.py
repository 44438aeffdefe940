"""Correlation clustering against plain versions that look at every pair."""

import warnings
from collections.abc import Iterator

import numpy as np
import pytest

import graphens as ge
from graphens.families.median_exact import pair_gains
from graphens.families.median_partitions import ALGORITHMS, best_partition, improve
from graphens.families.move_counts import disagreement
from tests import plain


def ensembles(count: int, largest: int = 8, seed: int = 0) -> Iterator[ge.Ensemble]:
    """Random ensembles: half with missing labels, some with weights of partitions and objects."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        n, b = int(rng.integers(2, largest)), int(rng.integers(1, 7))
        labels = rng.integers(int(rng.integers(1, 5)), size=(n, b))
        if i % 2:
            labels[rng.random(labels.shape) < 0.25] = -1
            labels[(labels < 0).all(axis=1), 0] = 0
        yield ge.Ensemble(
            labels,
            weights=rng.uniform(0.1, 3, b) if i % 3 == 0 else None,
            object_weights=rng.integers(1, 4, n) if i % 5 == 0 else None,
        )


def plain_cost(e: ge.Ensemble, labels: np.ndarray) -> float:
    """Look at every pair in every partition."""
    given, cost = e.labels, 0.0
    for i in range(e.n_objects):
        for j in range(i):
            both = (given[i] >= 0) & (given[j] >= 0)
            seen = e.weights @ both
            together = e.weights @ (both & (given[i] == given[j]))
            joined = labels[i] == labels[j] and labels[i] >= 0
            pair = e.object_weights[i] * e.object_weights[j]
            cost += pair * (seen - together if joined else together)
    return cost / e.weights.sum()


def gain(gains: np.ndarray, labels: np.ndarray) -> float:
    same = labels[:, None] == labels[None, :]
    return float(np.triu(gains * same, 1).sum())


def test_cost_counts_disagreeing_pairs() -> None:
    rng = np.random.default_rng(1)
    for e in ensembles(150):
        labels = rng.integers(-1, 3, e.n_objects)
        assert disagreement(e, labels) == pytest.approx(plain_cost(e, labels), abs=1e-9)


def test_cost_with_nothing_missing_is_that_of_the_co_association() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(3, size=(9, 5)))
    s = ge.coassociation(e).to_scipy().toarray()
    labels = np.array([0, 0, 1, 1, 1, 2, 2, 0, 1])
    same = labels[:, None] == labels[None, :]
    expected = np.triu(np.where(same, 1 - s, s), 1).sum()
    assert disagreement(e, labels) == pytest.approx(expected)
    mean = np.mean([ge.measures.mirkin(labels, e.labels[:, t]) for t in range(5)])
    assert disagreement(e, labels) == pytest.approx(mean)


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_exact_median_is_the_best_of_all_partitions() -> None:
    for e in ensembles(40, largest=6, seed=2):
        best = min(disagreement(e, labels) for labels in plain.every_partition(e.n_objects))
        r = ge.exact_median(e)
        assert r.details["optimal"]
        assert r.details["cost"] == pytest.approx(best, abs=1e-9)


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_no_algorithm_beats_the_exact_median_and_local_search_mostly_reaches_it() -> None:
    reached, total = 0, 0
    for i, e in enumerate(ensembles(30, largest=10, seed=3)):
        best = ge.exact_median(e).details["cost"]
        for name in ALGORITHMS:
            cost = ge.aggregate(e, algorithm=name, seed=i).details["cost"]
            assert cost >= best - 1e-9, name
            reached += name == "localsearch" and cost <= best + 1e-9
        total += 1
    assert reached >= 0.85 * total


def test_local_search_never_costs_more_than_its_start_and_ends_at_a_local_optimum() -> None:
    rng = np.random.default_rng(4)
    for i, e in enumerate(ensembles(60, largest=12, seed=5)):
        start = best_partition(e) if i % 2 else rng.integers(-1, 4, e.n_objects)
        found = improve(e, start, rng)
        cost = disagreement(e, found)
        assert cost <= disagreement(e, start) + 1e-9
        for v in range(e.n_objects):  # no single object has a better place
            if e.object_weights[v] == 1:
                for c in range(-1, found.max() + 1):
                    moved = found.copy()
                    moved[v] = found.max() + 1 if c < 0 else c
                    same_row = (e.labels == e.labels[v]).all(axis=1)
                    if same_row.sum() == 1:  # equal rows move as one
                        assert disagreement(e, moved) >= cost - 1e-7


def test_local_search_starts_anywhere() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(4, size=(40, 6)))
    for start in ("best", "balls", "agglomerative", "furthest", "pivot", np.arange(40), np.zeros(40, int)):
        r = ge.aggregate(e, start=start, seed=0)
        assert r.details["cost"] <= disagreement(e, np.arange(40)) + 1e-9
    given = ge.aggregate(e, algorithm="balls")
    assert ge.aggregate(e, start=given, seed=0).details["cost"] <= given.details["cost"] + 1e-9


def plain_balls(e: ge.Ensemble, alpha: float) -> np.ndarray:
    s = ge.coassociation(e).to_scipy().toarray()
    order = np.argsort(-s.sum(axis=1), kind="stable")
    labels, k = np.full(e.n_objects, -1), 0
    for v in order:
        if labels[v] < 0:
            ball = [u for u in range(e.n_objects) if u != v and labels[u] < 0 and s[v, u] >= 0.5 - 1e-12]
            labels[v] = k
            if ball and np.mean([1 - s[v, u] for u in ball]) <= alpha + 1e-12:
                labels[ball] = k
            k += 1
    return labels


def test_balls_equal_the_plain_version() -> None:
    """Where all rows differ and no two objects are equally central, the order is the same and so are the balls."""
    rng, compared = np.random.default_rng(6), 0
    for _ in range(60):
        e = ge.Ensemble(rng.integers(3, size=(8, 7)), weights=rng.uniform(0.5, 2, 7))
        degree = np.sort(ge.coassociation(e).to_scipy().toarray().sum(axis=1).round(9))
        if (np.diff(degree) == 0).any() or e.collapse()[0].n_objects < 8:
            continue
        for alpha in (0.25, 0.4):
            r = ge.aggregate(e, algorithm="balls", alpha=alpha)
            assert ge.measures.ari(r.labels, plain_balls(e, alpha)) == pytest.approx(1.0)
        compared += 1
    assert compared > 10


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_pivots_are_at_most_half_apart_from_their_cluster() -> None:
    for i, e in enumerate(ensembles(60, largest=15, seed=7)):
        s = ge.coassociation(e).to_scipy().toarray() + np.eye(e.n_objects)
        labels = ge.aggregate(e, algorithm="pivot", seed=i).labels
        for c in range(labels.max() + 1):
            own = np.flatnonzero(labels == c)
            assert (s[np.ix_(own, own)] > 0.5).all(axis=1).any(), "some member is close to all the others"


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_agglomerative_merges_while_the_mean_distance_is_below_half() -> None:
    for e in ensembles(60, largest=12, seed=8):
        r = ge.aggregate(e, algorithm="agglomerative")
        heights = r.dendrogram.heights
        extra = r.dendrogram.n_leaves - np.count_nonzero(heights < 0.5 - 1e-9)
        assert r.k == extra


def test_a_given_k_cuts_the_tree_without_a_word_and_the_exact_median_says_that_it_ignores_it() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(3, size=(12, 5)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ge.aggregate(e, 4, algorithm="agglomerative").k == 4
    with pytest.warns(ge.GraphensWarning, match="k = 4 is ignored"):
        ge.exact_median(e, 4)


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_too_large_for_the_exact_median() -> None:
    with pytest.raises(ge.GraphensError, match="61 distinct label rows"):
        ge.exact_median(np.arange(61)[:, None])


def test_pair_gains_explain_the_cost() -> None:
    for e in ensembles(40, largest=8, seed=9):
        gains = pair_gains(e)
        apart = np.arange(e.n_objects)
        labels = np.random.default_rng(0).integers(3, size=e.n_objects)
        saved = (disagreement(e, apart) - disagreement(e, labels)) * e.weights.sum()
        assert saved == pytest.approx(gain(gains, labels), abs=1e-8)


def test_unfinished_search_says_so() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(3, size=(60, 6)))
    with pytest.warns(ge.GraphensWarning, match="Allow more sweeps"):
        ge.aggregate(e, sweeps=1, start=np.arange(60), seed=0)


@pytest.mark.parametrize("seed", range(4))
def test_leaving_out_small_clusters_misses_no_better_place(seed: int) -> None:
    """Big groups beside well over a hundred small ones: many blocks of clusters, most of which are skipped."""
    rng = np.random.default_rng(seed)
    big = np.repeat([0, 1, 2], 50)
    small = 3 + np.arange(250) // 2
    truth = np.concatenate([big, small])
    labels = np.tile(truth[:, None], (1, 7))
    moved = rng.random(labels.shape) < 0.15
    labels[moved] = rng.integers(truth.max() + 1, size=int(moved.sum()))
    if seed % 2:
        labels[rng.random(labels.shape) < 0.2] = -1
        labels[(labels < 0).all(axis=1), 0] = 0
    e = ge.Ensemble(labels, weights=rng.uniform(0.5, 2, 7), object_weights=rng.integers(1, 4, len(truth)))
    found = improve(e, best_partition(e), rng)
    assert found.max() > 96, "several blocks of clusters, or this shows nothing"
    gains = pair_gains(e)
    np.fill_diagonal(gains, 0.0)
    saved = gains @ (found[:, None] == np.arange(found.max() + 1))
    alone = np.array([(e.labels == row).all(axis=1).sum() == 1 for row in e.labels])  # equal rows move as one
    here = saved[np.arange(len(found)), found]
    assert (here[alone] >= np.maximum(saved.max(axis=1), 0.0)[alone] - 1e-6).all()


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
@pytest.mark.parametrize("k", [1, 2, 4])
def test_every_algorithm_merges_down_to_k(algorithm: str, k: int) -> None:
    rng = np.random.default_rng(4)
    e = ge.Ensemble(rng.integers(-1, 5, size=(40, 4)), weights=[1, 2, 1, 0.5])
    free = ge.aggregate(e, algorithm=algorithm, seed=0)
    assert free.k > 4
    found = ge.aggregate(e, k, algorithm=algorithm, seed=0)
    assert found.k == k
    if algorithm != "agglomerative":  # clusters are merged, none is cut
        assert len(np.unique(np.column_stack([free.labels, found.labels]), axis=0)) == free.k


def test_the_cheapest_of_many_partitions_is_the_same_by_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(12)
    labels = np.where(rng.random((30, 150)) < 0.4, rng.integers(0, 5, (30, 150)), np.arange(30)[:, None] % 3)
    e = ge.Ensemble(labels, weights=rng.random(150) + 0.1, object_weights=rng.integers(1, 4, 30))
    by_pairs = best_partition(e)
    monkeypatch.setattr("graphens.families.median_partitions._MANY", 150)
    assert by_pairs.tolist() == best_partition(e).tolist()
