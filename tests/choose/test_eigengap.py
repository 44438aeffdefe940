"""The relative eigengap: its strengths against dense algebra, what it chooses, and what it says where it cannot."""

from __future__ import annotations

import numpy as np
import pytest

import graphens as ge
from graphens.choose.eigengap import eigengap, gap_strengths
from graphens.views.reliability import cluster_reliability, informative


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
        w = (a * e.object_weights[:, None]).T @ np.divide(
            a, x[:, None], out=np.zeros_like(a), where=x[:, None] > 0
        )
        root = 1 / np.sqrt(w.sum(axis=1))
        values = np.append(np.sort(np.linalg.eigvalsh(w * root * root[:, None]))[::-1], np.zeros(most + 1))
        leaving = 1 - np.clip(values, 0, 1) + 1 / (4 * e.n_partitions)
        gaps.append([np.log(leaving[k] / leaving[k - 1]) for k in range(2, most + 1)])
    strip = {k: 2 * np.log(k / (k - 1)) for k in range(2, most + 1)}
    return {
        k: max(a / max(strip[k], 1), b / max(strip[k], 0.75))
        for k, a, b in zip(range(2, most + 1), *gaps, strict=True)
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
    found, expected = gap_strengths(e), plain_strengths(e)
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
    assert f"{k} clusters stand out" in choice.why


def test_noise_is_one_cluster_and_names_two_candidates() -> None:
    X = np.random.default_rng(0).random((300, 3))
    choice = eigengap(ge.generate(X, 30, seed=0))
    assert choice.k == 1
    assert len(choice.optional) == 2
    assert all(f"{k} (strength {choice.figures['strengths'][k]:.2f})" in choice.why for k in choice.optional)


@pytest.mark.parametrize("dimensions", [3, 10])
def test_a_strip_is_one_cluster(dimensions: int) -> None:
    """Along a strip the walk slows down as on a line, where the second gap is 2 ln 2 without any clusters."""
    X = np.random.default_rng((8, dimensions)).random((300, dimensions)) * np.r_[8, np.ones(dimensions - 1)]
    assert eigengap(ge.generate(X, 40, seed=0)).k == 1


def test_elongated_clusters_by_their_single_link_tree() -> None:
    X, _ = ge.datasets.load("half-rings", seed=0)
    choice = eigengap(ge.generate(X, 50, seed=0))
    assert choice.k == 2
    assert choice.figures["single_link"]["lifetime"] > 0.25
    assert "single-link" in choice.why


def test_of_several_clear_gaps_the_number_that_lives_longest() -> None:
    """Eight overlapping Gaussians: the gap after six groups is larger, eight live longer."""
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(8, 3)) * 2.5 * 2
    X = centers[rng.integers(0, 8, 500)] + rng.normal(size=(500, 3))
    choice = eigengap(ge.generate(X, 50, seed=0))
    strengths, lives = choice.figures["strengths"], choice.figures["lifetimes"]
    assert choice.k == max(lives, key=lambda k: lives[k])
    first = max(strengths, key=lambda k: strengths[k])
    assert set(lives) == {k for k, strength in strengths.items() if strength > 1 and k >= first}
    assert "8 have the longest lifetime in the average-linkage dendrogram of all objects" in choice.why


def test_a_number_that_does_not_live_longest_does_not_take_the_place_of_the_largest_gap() -> None:
    """Fifty clusterings of the wines: 3 and 4 have clear gaps, but 5 live longest."""
    X, _ = ge.datasets.load("wine")
    choice = eigengap(ge.generate((X - X.mean(axis=0)) / X.std(axis=0), 50, seed=0))
    assert set(choice.figures["lifetimes"]) == {3, 4}
    assert choice.k == 3


def noisy_groups(noise: float, seed: int = 0) -> ge.Ensemble:
    """Eight groups of 500 objects, and 50 partitions in which a share of the labels is random."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 8, 500)
    return ge.Ensemble.from_partitions(
        [np.where(rng.random(500) < noise, rng.integers(0, 8, 500), truth) for _ in range(50)]
    )


@pytest.mark.parametrize("noise", [0.4, 0.5])
def test_what_two_other_rules_see_clearly_is_believed(noise: float) -> None:
    e = noisy_groups(noise)
    assert eigengap(e).k == 1
    found = ge.choose_k(e, range(2, 12), seed=0)
    assert found.k == found.answers["lifetime"] == 8
    assert "two rules clearly support 8 clusters" in found.why
    assert ge.consensus(e, seed=0).k == 8


def test_random_labels_are_one_cluster() -> None:
    with pytest.warns(ge.GraphensWarning, match="No number of clusters stands out"):
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
    assert gap_strengths(silent) == pytest.approx(gap_strengths(e))
