"""The relative eigengap: its strengths against dense algebra, what it chooses, and what it says where it cannot."""

import numpy as np
import pytest

import graphens as ge
from graphens.choose.eigengap import Candidates, eigengap
from graphens.graphs.reliability import cluster_reliability, informative


def plain_strengths(e: ge.Ensemble) -> dict[int, float]:
    """Steps 1 to 3 with the n × K matrix of the partitions that agree by more than chance."""
    e = e.take(partitions=informative(e))
    e = e.take(objects=e.present)
    h = ge.hypergraph(e).incidence.toarray() * np.repeat(e.weights, e.n_clusters)
    most = min(int(e.n_clusters.max()), 35, e.n_objects - 1)
    gaps = []
    for worth in (np.ones(h.shape[1]), cluster_reliability(e)):
        a = h * worth
        x = a.sum(axis=1)
        w = (a * e.object_weights[:, None]).T @ np.divide(a, x[:, None], out=np.zeros_like(a), where=x[:, None] > 0)
        root = 1 / np.sqrt(w.sum(axis=1))
        values = np.append(np.sort(np.linalg.eigvalsh(w * root * root[:, None]))[::-1], np.zeros(most + 1))
        leaving = 1 - np.clip(values, 0, 1) + 1 / (4 * e.n_partitions)
        gaps.append([np.log(leaving[k] / leaving[k - 1]) for k in range(2, most + 1)])
    strip = {k: 2 * np.log(k / (k - 1)) for k in range(2, most + 1)}
    return {
        k: max(a / max(strip[k], 1), b / max(strip[k], 0.75)) for k, a, b in zip(range(2, most + 1), *gaps, strict=True)
    }


@pytest.mark.parametrize("seed", range(8))
def test_strengths_are_those_of_dense_algebra(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 5, size=(30, 6))
    labels[rng.random(labels.shape) < (0.3 if seed % 2 else 0.0)] = -1
    labels[0] = 0
    e = ge.Ensemble(
        labels,
        weights=rng.random(6) + 0.5 if seed > 3 else None,
        object_weights=rng.integers(1, 4, size=30) if seed > 3 else None,
    )
    found, expected = Candidates(e).strengths, plain_strengths(e)
    assert found.keys() == expected.keys()
    assert list(found.values()) == pytest.approx(list(expected.values()), abs=1e-6)


def blobs(k: int, seed: int) -> ge.Ensemble:
    rng = np.random.default_rng(seed)
    centers = 7 * np.stack(np.divmod(np.arange(k), 3), axis=1)
    return ge.generate(np.repeat(centers, 60, axis=0) + rng.normal(size=(60 * k, 2)), 30, seed=seed)


@pytest.mark.parametrize("k", [2, 4, 7])
def test_gaussians_are_counted(k: int) -> None:
    choice = eigengap(blobs(k, k))
    assert choice.k == k
    assert choice.figures["strengths"][k] > 1.2
    assert choice.kind == "clear"
    assert choice.why.startswith(f"{k} clusters, clearly supported (strength {choice.figures['strengths'][k]:.2f}")
    assert f"Next best: {choice.optional[0]}." in choice.why


def test_a_cloud_is_one_cluster_as_features_and_later_as_labels() -> None:
    X = np.random.default_rng(0).normal(size=(300, 3))
    e = ge.generate(X, 30, seed=0)
    for choice in (eigengap(e), eigengap(ge.Ensemble(e.labels), X=X)):
        assert (choice.k, choice.kind) == (1, "none")
        assert choice.optional
        assert f"for example {choice.optional[0]}." in choice.why
        assert "one cloud" in choice.why
    assert e.take(objects=slice(0, 200))._separation is None
    with pytest.warns(ge.GraphensWarning, match="The data look like one cloud"):
        assert ge.consensus(e, seed=0).k == 1


def test_groups_without_a_clear_number_are_an_answer_with_a_warning() -> None:
    """Digits: no gap stands out, but the clusterings agree."""
    X, truth = ge.datasets.load("digits")
    e = ge.generate(X[:600], 30, k=(2, 24), seed=0)
    with pytest.warns(ge.GraphensWarning, match="stands out. .* fits your clusterings best; .* possible too"):
        r = ge.consensus(ge.Ensemble(e.labels), seed=0)
    assert r.choice.kind == "ambiguous"
    assert r.k == r.choice.k > 4
    assert r.choice.k not in r.choice.optional
    assert ge.measures.nmi(truth[:600], r.labels) > 0.6
    seen = eigengap(e, X=X[:600])
    assert seen.kind == "ambiguous"
    assert "separates the data best" in seen.why


def test_handfuls_of_outliers_are_no_clusters() -> None:
    """Four groups, and two objects far away that every partition separates."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(4), 50)
    labels = np.column_stack([np.where(rng.random(200) < 0.25, rng.integers(0, 4, 200), truth) for _ in range(12)])
    labels[:2] = 4
    assert Candidates(ge.Ensemble(labels)).strengths[2] > 1
    assert eigengap(ge.Ensemble(labels)).k >= 4


def test_nested_levels_are_listed() -> None:
    """Twelve kinds in six in three."""
    rng = np.random.default_rng(0)
    fine = np.repeat(np.arange(12), 40)
    columns = []
    for t in range(30):
        own = fine // (1, 2, 4)[t % 3]
        columns.append(np.where(rng.random(480) < 0.05, rng.integers(0, own.max() + 1, 480), own))
    choice = ge.consensus(np.column_stack(columns), seed=0).choice
    assert choice.levels == (3, 6, 12)
    assert choice.k in choice.levels
    assert choice.kind == "clear"


@pytest.mark.parametrize("dimensions", [3, 10])
def test_a_strip_is_one_cluster(dimensions: int) -> None:
    """Along a strip the walk slows down as on a line, where the second gap is 2 ln 2 without any clusters."""
    X = np.random.default_rng((8, dimensions)).random((300, dimensions)) * np.r_[8, np.ones(dimensions - 1)]
    assert eigengap(ge.generate(X, 40, seed=0)).k == 1


def test_elongated_clusters_by_their_single_link_tree() -> None:
    X, _ = ge.datasets.load("half-rings", seed=0)
    choice = eigengap(ge.generate(X, 50, seed=0))
    assert choice.k == 2
    assert choice.figures["lifetime"] > 0.25
    assert "single-link" in choice.why
    assert choice.kind == "clear"


def noisy_groups(noise: float, seed: int = 0) -> ge.Ensemble:
    """Eight groups of 500 objects, and 50 partitions in which a share of the labels is random."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 8, 500)
    return ge.Ensemble.from_partitions(
        [np.where(rng.random(500) < noise, rng.integers(0, 8, 500), truth) for _ in range(50)]
    )


@pytest.mark.parametrize("noise", [0.4, 0.5])
def test_noisy_groups_are_recognized(noise: float) -> None:
    assert eigengap(noisy_groups(noise)).k == 8


def test_random_labels_are_one_cluster() -> None:
    with pytest.warns(ge.GraphensWarning, match="do not agree on any groups"):
        assert ge.consensus(noisy_groups(1.0), seed=0).k == 1


def test_few_partitions_and_few_clusters() -> None:
    assert eigengap(ge.Ensemble([[0], [0], [1], [1], [2], [2]])).k == 3
    assert eigengap(ge.Ensemble(np.zeros((6, 4), dtype=int))).k == 1
    assert eigengap(ge.Ensemble([[0, 1]])).k == 1
    assert eigengap(ge.Ensemble([[0, 0], [1, 1]])).k in {1, 2}


def test_only_numbers_that_were_asked_for() -> None:
    e = blobs(4, 1)
    choice = eigengap(e, 0, ks=[2, 3])
    assert choice.k in {1, 2, 3}
    assert set(choice.figures["strengths"]) == {2, 3}


def test_partitions_without_weight_do_not_count() -> None:
    e = blobs(3, 0)
    noise = np.random.default_rng(0).integers(0, 9, size=(e.n_objects, 5))
    both = e.append(ge.Ensemble(noise))
    silent = both.reweight(np.append(np.ones(e.n_partitions), np.zeros(5)))
    assert Candidates(silent).strengths == pytest.approx(Candidates(e).strengths)
