"""Panels, greedy moves, evolution, fusion and the semidefinite relaxation."""

from functools import partial

import numpy as np
import pytest

import graphens as ge
from graphens.families.median_partitions import climb, valued
from graphens.families.move_counts import information
from graphens.families.registry import find_method
from graphens.families.trials import call_method


def random_ensemble(seed: int, n: int = 30, b: int = 6, k: int = 4) -> ge.Ensemble:
    """Weighted labels, a fifth of them missing for every other seed."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(k, size=(n, b))
    if seed % 2:
        labels[rng.random(labels.shape) < 0.2] = -1
        labels[(labels < 0).all(axis=1), 0] = 0
    return ge.Ensemble(labels, weights=rng.uniform(0.2, 2, b), object_weights=rng.integers(1, 3, n))


def test_supra_keeps_the_largest_score() -> None:
    for seed in range(5):
        e = random_ensemble(seed)
        r = ge.supra(e, 4, seed=seed)
        rows = r.details["tried"]
        assert [row["method"] for row in rows] == ["mcla", "lwgp", "vote"]
        assert r.score == pytest.approx(max(row["score"] for row in rows))
        alone = call_method(find_method(r.details["winner"]), e, 4, seed)
        assert alone.labels.tolist() == r.labels.tolist()
        np.testing.assert_allclose(alone.membership, r.membership)


def test_supra_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ge.GraphensError, match="method = 'magic'"):
        ge.supra([[0], [1]], 2, methods=["magic"])
    with pytest.raises(ge.GraphensError, match="empty panel"):
        ge.supra([[0], [1]], 2, methods=[])
    with pytest.raises(ge.GraphensError, match="methods = 'vote' was given; expected names of methods"):
        ge.supra([[0], [1]], 2, methods="vote")  # type: ignore[arg-type]


def test_supra_ranks_only_answers_with_at_most_k_clusters() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(5, size=(10, 6)))
    with pytest.raises(ge.GraphensError, match="at most 1 clusters"):
        ge.supra(e, 1, methods=["exact_median"])  # has its own number of clusters
    r = ge.supra(e, 2, methods=["exact_median", "vote"], seed=0)
    assert r.details["winner"] == "vote"


def test_panels_take_functions_and_partials() -> None:
    def first(ensemble: ge.Ensemble, k: int) -> object:
        return ensemble.labels[:, 0] % k

    e = random_ensemble(0)
    own, average = [first], [partial(ge.eac, linkage="average")]
    assert ge.supra(e, 3, methods=own, seed=0).details["winner"] == "first"
    for method in (ge.supra, ge.greedy, partial(ge.genetic, generations=2)):
        assert method(e, 3, methods=average, seed=0).score >= ge.eac(e, 3, linkage="average").score - 1e-12


def test_greedy_never_scores_below_its_start_and_ends_where_no_move_helps() -> None:
    for seed in range(8):
        e = random_ensemble(seed, n=16)
        start = np.random.default_rng(seed).integers(3, size=16)
        r = ge.greedy(e, 3, start=start, seed=seed)
        assert r.details["start"] == pytest.approx(ge.measures.anmi(start, e))
        assert r.score >= r.details["start"]
        assert r.details["moves"][-1] == 0
        for v in range(16):
            if ((e.labels == e.labels[v]).all(axis=1)).sum() == 1:
                for c in range(3):
                    moved = r.labels.copy()
                    moved[v] = c
                    assert ge.measures.anmi(moved, e) <= r.score + 1e-9


def test_greedy_starts_from_the_best_of_the_panel() -> None:
    e = random_ensemble(3)
    r, panel = ge.greedy(e, 4, seed=1), ge.supra(e, 4, seed=1)
    assert r.details["start"] == pytest.approx(panel.score)
    assert r.score >= panel.score


def plain_greedy(e: ge.Ensemble, start: np.ndarray, k: int, order: np.ndarray, average: str) -> np.ndarray:
    """One sweep that works out ANMI anew for every trial."""
    labels = start.copy()
    for v in order:
        scores = []
        for c in range(k):
            tried = labels.copy()
            tried[v] = c
            scores.append(ge.measures.anmi(tried, e, average))
        best = int(np.argmax(scores))
        if scores[best] > scores[labels[v]] + 1e-12:
            labels[v] = best
    return labels


@pytest.mark.parametrize("average", ["geometric", "arithmetic", "min", "max", "joint"])
def test_one_sweep_equals_the_plain_version(average: str) -> None:
    from graphens.families.move_counts import Counts, base_clusters
    from graphens.kernels.moves import NORMS, greedy_sweep

    for seed in range(8):
        e = random_ensemble(seed, n=12, b=4, k=3)
        rng = np.random.default_rng(seed)
        start, order = rng.integers(3, size=12).astype(np.int32), rng.permutation(12)
        found = start.copy()
        greedy_sweep(
            base_clusters(e), *information(e), e.object_weights, order, NORMS[average], found, *Counts.of(e, start, 3)
        )
        expected = plain_greedy(e, start, 3, order, average)
        wanted = ge.measures.anmi(expected, e, average)
        assert ge.measures.anmi(found, e, average) == pytest.approx(wanted, abs=1e-9)


def test_the_panel_is_judged_by_the_objective_that_is_asked_for() -> None:
    for seed in range(2):
        e = random_ensemble(seed)
        for average in ("arithmetic", "max", "joint", "log"):
            r = ge.supra(e, 4, average=average, seed=0)
            wanted = ge.measures.anmi(r.labels, e, average)
            for trial in r.details["tried"]:
                other = ge.consensus(e, 4, method=trial["method"], seed=0)
                assert other.k != r.k or wanted >= ge.measures.anmi(other.labels, e, average) - 1e-12
    with pytest.raises(ge.GraphensError, match="average = 'harmonic'"):
        ge.supra(e, 4, average="harmonic")


@pytest.mark.parametrize("average", ["arithmetic", "joint"])
def test_moves_and_evolution_raise_the_objective_that_is_asked_for(average: str) -> None:
    e = random_ensemble(1)
    for method in (ge.greedy, ge.genetic):
        r = method(e, 4, average=average, seed=0)
        plain = method(e, 4, seed=0)
        assert ge.measures.anmi(r.labels, e, average) >= ge.measures.anmi(plain.labels, e, average) - 0.02
    with pytest.raises(ge.GraphensError, match="average = 'harmonic'"):
        ge.greedy(e, 4, average="harmonic")


def test_climbing_reports_its_moves() -> None:
    e = random_ensemble(0)
    found, moves = climb(e, np.zeros(30, dtype=np.int32), 4, np.random.default_rng(0))
    assert moves[-1] == 0
    assert sum(moves) > 0
    assert found.max() > 0


def test_fitness_is_the_score() -> None:
    from graphens.kernels.moves import NORMS

    for seed in range(10):
        e = random_ensemble(seed)
        labels = np.random.default_rng(seed).integers(4, size=30).astype(np.int32)
        for average, norm in NORMS.items():
            wanted = ge.measures.anmi(labels, e, average)
            assert valued(e, 4, norm)(labels) == pytest.approx(wanted, abs=1e-9)


def test_unnormalized_fitness_is_the_mutual_information() -> None:
    e = ge.Ensemble(np.random.default_rng(0).integers(3, size=(40, 1)))
    labels = np.random.default_rng(1).integers(3, size=40).astype(np.int32)
    joint = np.zeros((3, 3))
    np.add.at(joint, (labels, e.labels[:, 0]), 1 / 40)
    outer = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    there = joint > 0
    expected = (joint[there] * np.log(joint[there] / outer[there])).sum()
    assert valued(e, 3, -1)(labels) == pytest.approx(expected)


def test_evolution_never_falls_and_never_ends_below_the_panel() -> None:
    for seed in range(3):
        e = random_ensemble(seed)
        r = ge.genetic(e, 4, generations=20, seed=seed)
        assert (np.diff(r.details["fitness"]) >= -1e-12).all()
        assert r.score >= ge.supra(e, 4, seed=seed).score - 1e-9
        assert r.score == pytest.approx(r.details["fitness"][-1], abs=1e-9)


def test_fusion_listens_to_partitions_that_agree() -> None:
    truth = np.repeat([0, 1, 2], 8)
    noise = np.random.default_rng(0).integers(3, size=(24, 4))
    e = ge.Ensemble(np.column_stack([truth, truth, truth, noise]))
    r = ge.fusion(e, 3)
    assert r.details["kappa"][:3].min() > 2 * r.details["kappa"][3:].max()
    assert ge.measures.ari(r.labels, truth) == 1.0
    assert r.details["kappa"] == pytest.approx(np.maximum(ge.measures.pairwise(e, "ari").mean(axis=1), 0.0))


def test_fusion_does_not_follow_the_order_of_the_objects() -> None:
    """Beyond groups that agree on all their pairs, joins tie; the groups that are most alike on average go first."""
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 60)
    X = np.array([[0, 0], [6, 0], [0, 6]])[truth] + rng.normal(size=(180, 2))
    e = ge.generate(X, 20, k=(10, 20), seed=0)
    whole = ge.fusion(e, 3)
    assert ge.measures.ari(truth, whole.labels) > 0.95
    for _ in range(3):
        rows = rng.permutation(180)
        assert ge.measures.ari(whole.labels[rows], ge.fusion(e.take(objects=rows), 3).labels) == 1
    plain = ge.link(ge.coassociation(e), "complete")
    np.testing.assert_allclose(ge.fusion(e.reweight(np.ones(20)), 3).dendrogram.heights[-1], plain.heights[-1])


def test_fusion_cores_are_the_groups_of_full_agreement() -> None:
    labels = [[0, 0], [0, 0], [0, 1], [1, 1], [1, 1], [1, 1]]
    r = ge.fusion(labels)
    assert r.details["cores"] == 3


def test_semidefinite_relaxation_bounds_what_it_rounds_to() -> None:
    for seed in range(3):
        e = ge.Ensemble(np.random.default_rng(seed).integers(3, size=(14, 6)))
        r = ge.semidefinite(e, 3, seed=seed)
        assert r.details["violation"] < 1e-2
        s = ge.coassociation(e).to_scipy().toarray() + np.eye(14)
        within = sum(s[np.ix_(own, own)].sum() / own.sum() for own in (r.labels == c for c in range(3)))
        assert r.details["value"] == pytest.approx(within)
        assert r.details["relaxed"] >= 0.9 * within


@pytest.mark.parametrize("times", [5, 10])
def test_semidefinite_sees_shares_not_counts(times: int) -> None:
    e = noisy(seed=0)
    once, often = (ge.semidefinite(e, 3, seed=1), ge.semidefinite(np.repeat(e.labels, times, axis=0), 3, seed=1))
    assert once.k == 3
    assert often.labels[::times].tolist() == once.labels.tolist()
    for name in ("relaxed", "value"):
        assert often.details[name] == pytest.approx(times * once.details[name], rel=1e-3)


@pytest.mark.parametrize("unit", [1e-4, 1e12])
def test_the_exact_median_knows_no_unit_of_weights(unit: float) -> None:
    e = noisy(seed=0)
    plain_one = ge.exact_median(e)
    other = ge.exact_median(ge.Ensemble(e.labels, object_weights=np.full(e.n_objects, unit)), time_limit=20)
    assert other.labels.tolist() == plain_one.labels.tolist()
    assert other.details["optimal"]


def noisy(seed: int) -> ge.Ensemble:
    """Three groups of four, six partitions that mistake some objects."""
    rng, truth = np.random.default_rng(seed), np.repeat([0, 1, 2], 4)
    columns = [np.where(rng.random(12) < 0.15, rng.integers(0, 3, 12), rng.permutation(3)[truth]) for _ in range(6)]
    return ge.Ensemble.from_partitions(columns)
