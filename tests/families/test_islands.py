"""Islands: the k large pieces of the single-link tree, against a plain version that tries every level."""

from dataclasses import replace

import numpy as np
import pytest

import graphens as ge
from graphens.choose.auto import comparison, least_agreement
from graphens.families.evidence import large_pieces
from graphens.families.trials import Trial, run_panel
from graphens.labels.ready import Ready


def levels(S: np.ndarray) -> list[tuple[float, float, np.ndarray]]:
    """The components at every level: where it begins, where it ends, and the pieces."""
    from scipy.sparse.csgraph import connected_components

    found: list[tuple[float, float, np.ndarray]] = []
    for height in np.unique(np.append((1 - S).round(9), 0.0)):
        own = connected_components(S + height >= 1 - 1e-6, directed=False)[1]
        if found and np.array_equal(found[-1][2], own):
            continue
        found.append((height, 1.0, own))
    starts = [start for start, _, _ in found] + [1.0]
    return [(a, b, own) for (a, _, own), b in zip(found, starts[1:], strict=True)]


@pytest.mark.parametrize("seed", range(40))
def test_equal_to_trying_every_level(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k, share = 14, int(rng.integers(1, 5)), float(rng.choice([0.2, 0.5, 1.0]))
    labels = rng.integers(0, rng.integers(2, 6), size=(n, 6))
    if seed % 2:
        labels = np.where(rng.random(labels.shape) < 0.2, -1, labels)
    e = ge.Ensemble(labels, weights=rng.integers(1, 3, 6), object_weights=rng.integers(1, 4, n))
    e = e.take(objects=e.present)
    graph = ge.coassociation(e)
    found, length = large_pieces(ge.link(graph, "single"), k, share)
    S = graph.to_scipy().toarray()
    np.fill_diagonal(S, 1.0)
    limit, best = share * e.object_weights.sum() / k - 1e-9, (0.0, 0.0)
    for start, end, own in levels(S):
        weight = np.bincount(own, e.object_weights)
        if np.count_nonzero(weight >= limit) == k and end - start > 1e-6:
            best = max(best, (float(weight[weight >= limit].sum()), round(end - start, 6)))
    assert length == pytest.approx(best[1], abs=1e-6)
    if best[0]:
        assert float(e.object_weights[found >= 0].sum()) == pytest.approx(best[0])
        assert set(found[found >= 0]) == set(range(k))
    else:
        assert np.array_equal(found, ge.link(graph, "single").cut(k))


def test_outliers_do_not_use_up_the_clusters() -> None:
    """Two groups that one partition of ten joins, and two objects that are mostly alone."""
    groups = np.repeat([0, 1], 20)
    apart = np.concatenate([groups, [2, 3]])
    joined = np.concatenate([np.zeros(41), [1]])
    e = ge.Ensemble.from_partitions([apart] * 9 + [joined])
    r = ge.islands(e, 2)
    assert r.labels[:40].tolist() == groups.tolist()
    assert r.details["lifetime"] == pytest.approx(0.9)
    assert r.details["set_aside"] == 2
    assert len(set(ge.eac(e, 2).labels[:40].tolist())) == 1


def strands(bridged: int) -> ge.Ensemble:
    """Two strands of 200 objects side by side, cut into windows at random places; some partitions join them."""
    rng, place = np.random.default_rng(0), np.tile(np.arange(200), 2)
    strand = np.repeat([0, 1], 200)
    windows = [(place + rng.integers(20)) // 20 for _ in range(50)]
    return ge.Ensemble.from_partitions([w if t < bridged else w + 100 * strand for t, w in enumerate(windows)])


def test_auto_believes_islands_that_hold_together() -> None:
    r = ge.consensus(strands(bridged=25), 2, seed=0)
    assert r.method == "islands"
    assert "so islands is preferred: " in r.why
    assert r.labels.tolist() == [0] * 200 + [1] * 200


@pytest.mark.parametrize(
    ("name", "n_partitions", "seed", "tried"),
    [("wine", 10, 1, False), ("wine", 20, 1, True), ("wine", 50, 0, False), ("iris", 50, 0, False)],
)
def test_auto_does_not_where_they_fall_apart(name: str, n_partitions: int, seed: int, *, tried: bool) -> None:
    """Islands are tried where the panel's answers differ; there they fit about as well, and compete."""
    X, truth = ge.datasets.load(name)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    r = ge.consensus(ge.generate(X, n_partitions, seed=seed), 3, seed=0)
    assert ("islands" in [t.method for t in r.trials]) == tried
    assert ge.measures.nmi(truth, r.labels) > 0.75


def test_auto_does_not_where_the_panel_agrees() -> None:
    """Iris: islands are better connected, but a cut and a tree, which work differently, give the same clusters."""
    X, _ = ge.datasets.load("iris")
    e = ge.generate((X - X.mean(axis=0)) / X.std(axis=0), 50, seed=0)
    best, tried = run_panel(("lwgp", "lwea"), e, 3, 0, "fit")
    assert least_agreement(tried, Ready.of(e)) > 0.95
    assert ge.measures.path_silhouette(ge.islands(e, 3).labels, e) > ge.measures.path_silhouette(best.labels, e) + 0.05
    assert [t.method for t in ge.consensus(e, 3, seed=0).trials] == ["lwgp", "lwea", "hbgf"]
    failed = replace(tried[0], result=None)
    assert least_agreement([failed, tried[1]], Ready.of(e)) == 0


def test_many_objects_have_a_tree_of_some() -> None:
    X, truth = ge.datasets.load("half-rings", 0)
    rng = np.random.default_rng(0)
    many = np.repeat(X, 4, axis=0) + rng.normal(scale=0.01, size=(1600, 2))
    e = ge.generate(many, 30, k=(20, 40), seed=0)
    r = ge.islands(e, 2, sample=300, seed=0)
    assert r.details["sampled"] == 300
    assert np.count_nonzero(r.dendrogram.index >= 0) == 300
    assert ge.measures.nmi(np.repeat(truth, 4), r.labels) > 0.97


def test_single_link_finds_small_groups_that_auto_takes_for_outliers() -> None:
    """A ring, a blob in it, and three groups of four objects: from labels alone they look like outliers."""
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 160)
    ring = 2.5 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(scale=0.1, size=(160, 2))
    groups = [rng.normal(corner, 0.05, size=(4, 2)) for corner in ((4, 4), (-4, 4), (4, -4))]
    X = np.concatenate([rng.normal(scale=0.3, size=(100, 2)), ring, *groups])
    truth = np.repeat(np.arange(5), [100, 160, 4, 4, 4])
    e = ge.generate(X, 40, seed=0)
    assert ge.measures.ari(truth, ge.islands(e, 5, share=0).labels) == 1
    r = ge.consensus(e, 5, seed=0)
    assert "as in single linkage" in r.trials[-1].note
    assert ge.measures.nmi(truth, r.labels) > 0.6


def test_why_names_answers_that_fit_better_and_stand_behind() -> None:
    e = strands(bridged=25)
    best, odd, fewer = (ge.consensus(e, k, "lwea", seed=0) for k in (3, 2, 1))
    trials = [
        Trial("lwgp", 3, value=0.4, criterion="fit", result=best),
        Trial("lwea", 4, value=0.5, criterion="fit", result=odd),
        Trial("hbgf", 1, value=0.6, criterion="fit", result=fewer),
    ]
    said = comparison(trials[0], trials)
    assert said == (
        "Of three methods, lwgp fits the clusterings best; lwea fits better but has 4 clusters; "
        "hbgf fits better but has 1 cluster."
    )


def test_why_says_that_results_tie() -> None:
    e = strands(bridged=25)
    one, other = (ge.consensus(e, k, "lwea", seed=0) for k in (3, 2))
    trials = [
        Trial("lwgp", 3, value=1.1671, criterion="fit", result=one),
        Trial("lwea", 2, value=1.1669, criterion="fit", result=other),
        Trial("hbgf", 2, value=1.1, criterion="fit", result=other),
    ]
    said = comparison(trials[0], trials)
    assert said == "Of three methods, lwgp fits the clusterings best; lwea is as good."
