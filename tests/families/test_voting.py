"""Votes against plain versions: every one-to-one renaming tried, every object counted in a loop."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest

import graphens as ge
from graphens._lib.arrays import canonical
from graphens.errors import DegenerateWarning, InputError
from graphens.families.voting import medoids
from tests.plain import random_ensemble

GOLDEN = ge.Ensemble.from_partitions([[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]])


class Tied(Exception):
    """The definition leaves a choice, so there is no one right answer."""


def only_best(values: list[float]) -> int:
    best = max(values)
    if sum(v > best - 1e-9 for v in values) > 1:
        raise Tied
    return int(np.argmax(values))


def renaming(overlap: np.ndarray) -> list[int | None]:
    """For every cluster the label it gets: the best one-to-one renaming, all of them tried."""
    a, k = overlap.shape
    if a <= k:
        maps = [dict(enumerate(columns)) for columns in itertools.permutations(range(k), a)]
    else:
        maps = [dict(zip(rows, range(k), strict=True)) for rows in itertools.permutations(range(a), k)]
    chosen = maps[only_best([sum(overlap[r, c] for r, c in m.items()) for m in maps])]
    return [
        None if not overlap[r].any() else chosen[r] if r in chosen else only_best(list(overlap[r])) for r in range(a)
    ]


def plain_votes(e: ge.Ensemble, reference: np.ndarray) -> np.ndarray:
    labels, k = e.labels, int(reference.max()) + 1
    scores = np.zeros((e.n_objects, k))
    for t in range(e.n_partitions):
        overlap = np.zeros((int(e.n_clusters[t]), k))
        for i in range(e.n_objects):
            if labels[i, t] >= 0 and reference[i] >= 0:
                overlap[labels[i, t], reference[i]] += e.object_weights[i]
        if not len(overlap):
            continue
        names = renaming(overlap)
        for i in range(e.n_objects):
            if labels[i, t] >= 0 and names[labels[i, t]] is not None:
                scores[i, names[labels[i, t]]] += e.weights[t]
    return scores


def plain_mlmap(e: ge.Ensemble, k: int) -> np.ndarray:
    labels = e.labels
    votes = np.zeros((e.n_objects, k))
    started = False
    for t in range(e.n_partitions):
        a = int(e.n_clusters[t])
        if not a:
            continue
        if not started:
            names: list[int | None] = list(range(a))
            started = True
        else:
            likelihood = np.zeros((a, k))
            for i in range(e.n_objects):
                if labels[i, t] >= 0 and votes[i].any():
                    likelihood[labels[i, t]] += e.object_weights[i] * votes[i] / votes[i].sum()
            if not votes.any(axis=0).all() or not likelihood.any(axis=1).all():
                raise Tied  # labels nobody has yet are all alike
            names = renaming(likelihood)
        for i in range(e.n_objects):
            if labels[i, t] >= 0:
                votes[i, names[labels[i, t]]] += e.weights[t]
    return votes


def agrees(r: ge.Consensus, scores: np.ndarray) -> bool:
    """The result has these shares of votes and winners, wherever votes decide."""
    seen = scores.any(axis=1)
    try:
        winner = np.array([only_best(list(row)) for row in scores[seen]])
    except Tied:
        return False
    labels = np.flatnonzero(seen)
    assert ge.measures.vi(winner, r.labels[labels]) < 1e-12
    if seen.all():  # columns without a winner are dropped, the others stay
        columns = [winner[np.flatnonzero(r.labels == j)[0]] for j in range(r.k)]
        shares = scores / scores.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(r.membership, shares[:, columns], atol=1e-12)
    return True


def repeats(e: ge.Ensemble) -> bool:
    """Whether two partitions are equal up to names."""
    return len({tuple(canonical(column).tolist()) for column in e.labels.T}) < e.n_partitions


def test_vote_is_the_plain_vote() -> None:
    rng, compared = np.random.default_rng(0), 0
    for _ in range(300):
        e = random_ensemble(rng, n=int(rng.integers(6, 16)), k=3)
        t = int(rng.integers(e.n_partitions))
        if not e.present.all() or not e.n_clusters[t]:
            continue
        try:
            scores = plain_votes(e, e.labels[:, t])
        except Tied:
            continue
        compared += agrees(ge.vote(e, reference=t), scores)
    assert compared > 30


def test_a_reference_of_its_own_names_but_does_not_vote() -> None:
    rng, compared = np.random.default_rng(1), 0
    for _ in range(300):
        e = random_ensemble(rng, n=int(rng.integers(6, 16)), k=3)
        reference = rng.integers(0, 3, size=e.n_objects)
        reference = np.unique(reference, return_inverse=True)[1]
        if not e.present.all():
            continue
        try:
            scores = plain_votes(e, reference)
        except Tied:
            continue
        compared += agrees(ge.bagclust1(e, reference=reference), scores)
    assert compared > 30


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_mlmap_is_the_plain_mapping() -> None:
    rng, compared = np.random.default_rng(2), 0
    for _ in range(700):
        e = random_ensemble(rng, n=int(rng.integers(6, 16)), k=3)
        k = int(e.n_clusters.max())
        if not e.present.all() or repeats(e):
            continue
        try:
            scores = plain_mlmap(e, k)
        except Tied:
            continue
        compared += agrees(ge.mlmap(e, k), scores)
    assert compared > 50


def test_surplus_clusters_go_to_their_largest_overlap() -> None:
    fine = [0, 0, 0, 1, 2, 2, 3, 3, 3, 3]
    coarse = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]
    r = ge.vote(ge.Ensemble.from_partitions([coarse, fine]), reference=0)
    assert r.labels.tolist() == coarse
    np.testing.assert_array_equal(r.confidence, 1.0)


def test_the_medoid_is_the_partition_most_like_the_others() -> None:
    e = ge.Ensemble.from_partitions([[0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1]])
    assert ge.vote(e).labels.tolist() == [0, 0, 0, 1, 1, 1]
    heavy = e.reweight([9, 1, 1, 1])
    assert ge.vote(heavy).labels.tolist() == [0, 1, 0, 1, 0, 1]


def test_most_clusters_and_k() -> None:
    parts = [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1]]
    e = ge.Ensemble.from_partitions(parts)
    assert ge.vote(e, reference="most").k == 3
    assert ge.vote(e, 3).labels.tolist() == [0, 0, 1, 1, 2, 2]
    assert ge.vote(e, 2).labels.tolist() == [0, 0, 0, 0, 1, 1]
    merged = ge.vote(e.take(partitions=[1, 2]), 2)  # nobody has two clusters: three are merged
    assert merged.k == 2
    with pytest.warns(DegenerateWarning, match="3 clusters"):
        assert ge.vote(e, 5).k == 3


@pytest.mark.parametrize("method", ["vote", "bagclust1", "mlmap"])
def test_fewer_clusters_than_asked_for_are_said(method: str) -> None:
    labels = [[1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 2, 0, 1, 1, 1, 1], [2, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0]]
    with pytest.warns(DegenerateWarning, match="k = 3 was requested, but only 2 clusters"):
        assert getattr(ge, method)(labels, 3).k == 2


def test_objects_without_votes_follow_their_company() -> None:
    e = ge.Ensemble.from_partitions([[0, 0, 1, 1, -1, -1], [0, 0, 1, 1, 2, 2], [-1, -1, -1, 1, 1, -1]])
    assert ge.vote(e, reference=0).labels.tolist() == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("wrong", ["best", 7, 1.5, [0, 1]])
def test_references_that_are_none(wrong: object) -> None:
    with pytest.raises(ge.GraphensError):
        ge.vote(GOLDEN, reference=wrong)


def test_a_reference_of_weight_zero_is_refused() -> None:
    with pytest.raises(InputError, match="weight 0"):
        ge.vote(GOLDEN.reweight([0, 1, 1]), reference=0)


def test_shuffled_orders_depend_on_the_seed_alone() -> None:
    e = random_ensemble(np.random.default_rng(4), n=12, b=5, missing=0)
    assert (
        ge.mlmap(e, order="shuffled", seed=5).labels.tolist() == ge.mlmap(e, order="shuffled", seed=5).labels.tolist()
    )
    with pytest.raises(InputError, match="order"):
        ge.mlmap(e, order="reversed")


def plain_medoid_cost(distances: np.ndarray, weights: np.ndarray, centers: tuple[int, ...]) -> float:
    return float(sum(w * min(row[c] for c in centers) for row, w in zip(distances, weights, strict=True)))


def test_medoids_reach_the_best_medoids() -> None:
    rng, reached = np.random.default_rng(5), 0
    for _ in range(100):
        n, k = int(rng.integers(3, 9)), int(rng.integers(1, 4))
        points = rng.normal(size=(n, 2))
        distances = np.linalg.norm(points[:, None] - points[None], axis=2)
        weights = rng.integers(1, 4, size=n).astype(float)
        labels = medoids(distances.copy(), weights, k)
        cost = sum(
            min(float(weights[labels == j] @ distances[labels == j][:, c]) for c in np.flatnonzero(labels == j))
            for j in np.unique(labels)
        )
        best = min(plain_medoid_cost(distances, weights, c) for c in itertools.combinations(range(n), min(k, n)))
        assert cost >= best - 1e-9
        reached += cost <= best + 1e-9
    assert reached >= 90


def test_bagclust2_takes_links_medoids_and_functions() -> None:
    rng = np.random.default_rng(6)
    truth = np.repeat([0, 1, 2], 10)
    labels = np.stack([np.where(rng.random(30) < 0.1, rng.integers(0, 3, 30), truth) for _ in range(20)], axis=1)
    labels[rng.random(labels.shape) < 0.37] = -1
    seen = {}

    def mine(distances: np.ndarray, k: int) -> list[int]:
        seen["shape"], seen["diagonal"] = distances.shape, np.abs(np.diagonal(distances)).max()
        return (np.arange(30) // 10 % k).tolist()

    for clustering in ("average", "complete", "pam", mine):
        assert ge.measures.error_rate(truth, ge.bagclust2(labels, 3, clustering=clustering).labels) == 0
    assert seen == {"shape": (30, 30), "diagonal": 0}
    with pytest.raises(InputError, match="ward"):
        ge.bagclust2(labels, 3, clustering="ward")
    with pytest.raises(InputError):
        ge.bagclust2(labels, 3, clustering=lambda d, k: np.zeros(7, dtype=int))


def test_memberships_are_shares_of_all_associations() -> None:
    """What went to a cluster without objects is missing from the row; the rest is not scaled up."""
    e = ge.Ensemble.from_partitions([[1, 1, 1, 2, 0, 1], [1, 1, 1, 1, 0, 1], [0, 1, 1, 1, 2, 1]])
    for method in (ge.vote, ge.bagclust1, ge.combine):
        r = method(e, reference=0)
        assert r.membership[:, 0] == pytest.approx([2 / 3, 1, 1, 2 / 3, 0, 1])
        assert r.membership[:, 1] == pytest.approx([0, 0, 0, 0, 1, 0])
        assert r.top(1)["membership_1"].iloc[3] == pytest.approx(2 / 3)

    def grouped(graph: ge.Graph, k: int, *, seed: int) -> list[int]:
        return [0, 1, 2, 0, 3, 2, 3, 1, 2, 2]  # group 3 has half of two groups of objects, and wins neither

    with pytest.warns(DegenerateWarning):
        r = ge.mcla([[0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 3]], 4, partitioner=grouped, seed=0)
    assert r.k == 3
    assert r.membership.max(axis=1) == pytest.approx([2 / 3, 2 / 3, 1, 1])


@pytest.mark.parametrize("method", [ge.vote, ge.bagclust1, ge.mlmap, ge.combine])
def test_the_edges_that_were_chosen_are_the_votes(method: Callable[..., ge.Consensus]) -> None:
    e = GOLDEN.reweight([1.0, 2.0, 3.0])
    r = method(e, 3)
    source, target, _ = r.graph.edges()
    votes = np.zeros((int(e.offsets[-1]), r.k))
    matched = r.details["matched"]
    votes[source[matched], r.vertex_labels[target[matched]]] = 1
    counted = ge.hypergraph(e).incidence @ (votes * np.repeat(e.weights, 3)[:, None])
    np.testing.assert_allclose(counted / e.weights.sum(), r.membership)


def test_the_matching_graph_has_the_overlaps_with_the_reference() -> None:
    reference = GOLDEN.labels[:, 0]
    edges = zip(*(part.tolist() for part in ge.vote(GOLDEN, reference=0).graph.edges()), strict=True)
    clusters = [(t, c) for t in range(3) for c in range(3)]
    shared = [[float(((GOLDEN.labels[:, t] == c) & (reference == j)).sum()) for j in range(3)] for t, c in clusters]
    assert sorted(w for *_, w in edges) == sorted(w for row in shared for w in row if w)


def test_soft_partitions_are_matched_by_their_columns() -> None:
    a, b = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]), np.array([[0.3, 0.7], [0.9, 0.1], [1.0, 0.0]])
    r = ge.combine([a, b], reference=0)
    assert list(r.graph.names) == ["P0:0", "P0:1", "P1:0", "P1:1", "reference:0", "reference:1"]
    np.testing.assert_allclose(r.graph.adjacency[:4, 4:].toarray(), np.concatenate([a.T @ a, b.T @ a]))
    assert r.details["matched"].tolist() == [True, False, False, True, False, True, True, False]
