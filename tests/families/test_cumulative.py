"""Cumulative clusters against a plain version with sets of objects."""

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

import graphens as ge
from graphens.cutting.spectral import spectral
from graphens.errors import DegenerateWarning
from graphens.labels.ready import Ready
from tests.families.test_voting import GOLDEN, Tied, only_best, repeats
from tests.plain import random_ensemble


def jaccard(a: set[int], b: set[int], weight: np.ndarray) -> float:
    both, either = (sum(weight[i] for i in part) for part in (a & b, a | b))
    return both / either if either else 0.0


def plain_z(e: ge.Ensemble, mapping: str) -> tuple[np.ndarray, list[int]]:
    labels, weight = e.labels, e.object_weights
    members = [
        [set(np.flatnonzero(labels[:, t] == c).tolist()) for c in range(int(e.n_clusters[t]))]
        for t in range(e.n_partitions)
    ]
    z = np.zeros((len(members[0]), e.n_objects))
    for r, cluster in enumerate(members[0]):
        z[r, sorted(cluster)] = e.weights[0]
    joined = [0] * len(z)
    for t in range(1, e.n_partitions):
        rows = [set(np.flatnonzero(row).tolist()) for row in z]
        added = z.copy()
        pairs = []
        if mapping == "clusters":
            for cluster in members[t]:
                similar = [jaccard(cluster, row, weight) for row in rows]
                if any(similar):
                    pairs.append((only_best(similar), cluster))
        else:
            for r, row in enumerate(rows):
                similar = [jaccard(cluster, row, weight) for cluster in members[t]]
                if any(similar):
                    pairs.append((r, members[t][only_best(similar)]))
        for r, cluster in pairs:
            added[r, sorted(cluster)] += e.weights[t]
            joined[r] += 1
        z = added
    return z, joined


def plain_membership(z: np.ndarray, weight: np.ndarray, k: int, method: str) -> np.ndarray:
    rows = [set(np.flatnonzero(row).tolist()) for row in z]
    c = len(rows)
    groups = np.arange(1, c + 1)
    if k < c:
        distance = [1 - jaccard(rows[a], rows[b], weight) for a in range(c) for b in range(a + 1, c)]
        tree = linkage(distance, method)
        if np.diff(np.sort(distance)).min(initial=1) < 1e-9 or np.diff(tree[:, 2]).min(initial=1) < 1e-9:
            raise Tied
        groups = fcluster(tree, k, "maxclust")
    m = np.stack([z[groups == g].mean(axis=0) for g in range(1, int(groups.max()) + 1)])
    return (m / m.sum(axis=0)).T


def plain_answer(z: np.ndarray, weight: np.ndarray, k: int, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Memberships and winners of the fewest groups of which k win; of k groups where there is no such number."""
    answers = []
    for m in range(k, len(z) + 1):
        p = plain_membership(z, weight, m, method)
        answers.append((p, np.array([only_best(list(row)) for row in p])))
        if len(set(answers[-1][1].tolist())) == k:
            return answers[-1]
    return answers[0]


@pytest.mark.parametrize("mapping", ["clusters", "rows"])
@pytest.mark.parametrize("method", ["average", "single", "complete"])
def test_cumulative_is_the_plain_accumulation(mapping: str, method: str) -> None:
    rng, compared = np.random.default_rng(0), 0
    for _ in range(120):
        e = random_ensemble(rng, n=int(rng.integers(8, 20)), b=int(rng.integers(2, 5)), k=5, missing=0.1)
        e = Ready.of(e).whole  # Z counts in the unit that methods work with
        k = int(rng.integers(1, int(e.n_clusters[0]) + 1))
        if not e.present.all() or repeats(e):
            continue
        try:
            z, joined = plain_z(e, mapping)
            if not z.any(axis=0).all():
                continue
            p, winner = plain_answer(z, e.object_weights, k, method)
        except Tied:
            continue
        compared += 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DegenerateWarning)
            r = ge.cumulative(e, k, mapping=mapping, clustering=method, retries=0, seed=0)
        assert sorted(map(tuple, r.graph.incidence.toarray().T.tolist())) == sorted(map(tuple, z.tolist()))
        assert len(r.details["alone"]) == joined.count(0)
        assert ge.measures.vi(winner, r.labels) < 1e-12
        kept = p[:, [winner[np.flatnonzero(r.labels == j)[0]] for j in range(r.k)]]
        np.testing.assert_allclose(r.membership, kept / p.sum(axis=1, keepdims=True), atol=1e-12)
    assert compared > 8


def test_result_shows_its_evidence() -> None:
    r = ge.cumulative(GOLDEN, 2, seed=0)
    assert isinstance(r.graph, ge.Hypergraph)
    assert r.graph.incidence.sum() == 21
    assert r.details["metagraph"].n_vertices == 3
    assert r.dendrogram is not None
    assert r.dendrogram.n_leaves == 3
    assert r.details["orders_tried"] == 1
    np.testing.assert_allclose(ge.metagraph(r.graph).adjacency.toarray(), r.details["metagraph"].adjacency.toarray())


# the third cluster of the first partition is nobody's favorite afterwards
LONELY = [[0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 1]]


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_a_row_left_alone_is_found_and_other_orders_are_tried() -> None:
    e = ge.Ensemble.from_partitions(LONELY)
    with pytest.warns(DegenerateWarning, match="not joined by any later cluster in any of the 1 orders"):
        r = ge.cumulative(e, 2, retries=0, seed=0)
    assert len(r.details["alone"]) == 1
    r = ge.cumulative(e, 3, mapping="rows", seed=0)
    assert r.details["alone"] == []
    for k in (2, 3):
        with pytest.warns(DegenerateWarning, match="in any of the 5 orders"):
            r = ge.cumulative(e, k, retries=4, seed=0)
        assert r.details["order"][0] == "P0"  # only the first partition has three clusters


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
@pytest.mark.parametrize("k", [None, 2, 3])
def test_another_order_never_starts_with_fewer_clusters_than_the_first_partition(k: int | None) -> None:
    mended = 0
    for seed in range(10, 30):
        rng = np.random.default_rng(seed)
        e = ge.Ensemble.from_partitions([rng.integers(0, c, 10) for c in (4, 3, 4, 3, 2)])
        r = ge.cumulative(e, k, seed=0)
        assert r.graph is not None
        assert r.graph.n_hyperedges >= e.n_clusters[0]
        assert r.k <= (e.n_clusters[0] if k is None else k)
        mended += r.details["order"][0] != "P0" and r.details["alone"] == []
    assert mended > 0  # orders that start with the other partition of four


def test_k_above_the_first_partition_is_reached() -> None:
    e = ge.Ensemble.from_partitions([[0, 0, 1, 1], [0, 1, 2, 2]])
    for order in ("given", "most"):
        assert ge.cumulative(e, 3, order=order, mapping="rows").k == 3


def plain_information(joint: np.ndarray) -> float:
    joint = joint / joint.sum()
    outer = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0)
    seen = joint > 0
    return float((joint[seen] * np.log(joint[seen] / outer[seen])).sum())


def test_bottleneck_merges_where_least_information_is_lost() -> None:
    from graphens.trees.bottleneck import bottleneck

    rng = np.random.default_rng(3)
    for _ in range(50):
        z = rng.integers(0, 4, size=(12, 5)) + np.eye(12, 5, dtype=int)
        weights = rng.integers(1, 4, size=12)
        tree = bottleneck(ge.Hypergraph(z, vertex_weights=weights))
        groups = [z[:, [r]] * weights[:, None] for r in range(5)]
        start, heights = plain_information(np.hstack(groups).T), []
        while len(groups) > 1:
            trials = []
            for a in range(len(groups)):
                for b in range(a):
                    rest = [g for i, g in enumerate(groups) if i not in (a, b)]
                    trials.append([*rest, groups[a] + groups[b]])
            groups = max(trials, key=lambda trial: plain_information(np.hstack(trial).T))
            heights.append(1 - plain_information(np.hstack(groups).T) / start)
        np.testing.assert_allclose(tree.heights, heights, atol=1e-9)


def test_average_link_counts_rows_not_members() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [0, 1], [1, 1], [2, 1], [2, 2], [2, 2], [3, 2]])
    r = ge.cumulative(e, 2, mapping="rows", seed=0)
    d = 1 - r.details["metagraph"].adjacency.toarray()
    np.fill_diagonal(d, 0)
    np.testing.assert_allclose(r.dendrogram.heights, np.sort(linkage(squareform(d), "average")[:, 2]))


@pytest.mark.parametrize("partitioner", ["metis", spectral])
def test_partitioners_combine_the_meta_graph(partitioner: Any) -> None:
    rng = np.random.default_rng(8)
    truth = np.repeat([0, 1], 60)
    fine = np.stack([truth * 3 + rng.integers(0, 3, 120) for _ in range(10)], axis=1)
    r = ge.cumulative(fine, 2, partitioner=partitioner, seed=0)
    assert ge.measures.error_rate(truth, r.labels) == 0
    assert r.dendrogram is None


def test_among_equally_lonely_orders_the_heavier_start_wins() -> None:
    heavy, light = np.repeat([0, 1], 6), np.tile([0, 1], 6)
    e = ge.Ensemble.from_partitions([light, heavy], weights=[1, 50])
    with pytest.warns(DegenerateWarning):
        r = ge.cumulative(e, 2, seed=0)
    assert r.labels.tolist() == heavy.tolist()


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_a_small_first_partition_is_no_reason_to_refuse() -> None:
    fine, coarse = [0, 0, 1, 1, 2, 2, 3], [0, 0, 0, 0, 1, 1, 1]
    given = ge.cumulative(ge.Ensemble.from_partitions([coarse, fine, fine]), 3)
    most = ge.cumulative(ge.Ensemble.from_partitions([coarse, fine, fine]), 3, order="most")
    assert given.labels.tolist() == most.labels.tolist()
    assert given.details["order"] == most.details["order"] == ["P1", "P0"]
    with pytest.raises(ge.GraphensError, match="no partition has more than 4"):
        ge.cumulative(ge.Ensemble.from_partitions([[0, 0, 0, 1, 1, 1, 1], fine]), 5)


def test_meta_clusters_that_win_nobody_do_not_count() -> None:
    """Rows are merged into more than k where one of k would stay empty."""
    short = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = rng.integers(0, 6, 40)
        moved = [np.where(rng.random(40) < 0.35, rng.integers(0, k, 40), truth % k) for k in (3, 8, 7, 9, 6, 8)]
        r = ge.cumulative(ge.Ensemble.from_partitions(moved), 6, seed=0)
        assert r.details["meta_clusters"] >= 6
        short.append(r.k < 6)
    assert sum(short) <= 2


def test_rows_can_be_compared_by_the_cosine_of_their_counts() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        e = ge.Ensemble(rng.integers(0, 4, size=(25, 6)))
        r = ge.cumulative(e, 2, similarity="cosine", seed=0)
        z = r.graph.incidence.toarray()
        length = np.linalg.norm(z, axis=0)
        wanted = (z.T @ z) / np.outer(length, length)
        np.fill_diagonal(wanted, 0)
        np.testing.assert_allclose(r.details["metagraph"].to_scipy().toarray(), wanted, atol=1e-12)
    with pytest.raises(ge.GraphensError, match="similarity"):
        ge.cumulative(e, 2, similarity="nearness")


def test_counts_do_not_saturate_where_objects_do() -> None:
    """With many noisy partitions every object was once in every row: the paper's form warns, counts go on."""
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(6), 34)
    for n_partitions in (20, 800):
        noisy = rng.random((204, n_partitions)) < 0.15
        labels = np.where(noisy, rng.integers(0, 6, (204, n_partitions)), truth[:, None])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            r = ge.cumulative(labels, 6, similarity="counts")
            assert not caught
            paper = ge.cumulative(labels, 6, retries=0)
        assert ge.measures.ari(truth, r.labels) == 1
        assert any("contains 9" in str(w.message) for w in caught) == (n_partitions == 800)
    assert ge.measures.ari(truth, paper.labels) < 1
    z = r.graph.incidence.toarray()
    share = z / z.sum(axis=1, keepdims=True)
    similar = np.minimum(share[:, 0], share[:, 1]).sum() / np.maximum(share[:, 0], share[:, 1]).sum()
    assert r.details["metagraph"].to_scipy().toarray()[0, 1] == pytest.approx(similar)
