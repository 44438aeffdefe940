"""Evidence accumulation in its forms, against the definitions."""

import numpy as np
import pytest

import graphens as ge
from graphens._lib.features import feature_neighbors
from graphens.graphs.coassociation import neighbor_graph
from graphens.graphs.reliability import cluster_reliability
from tests import plain

SEVEN = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])


@pytest.mark.parametrize("collapse", [False, True])
def test_normalized_edges_of_seven_objects(*, collapse: bool) -> None:
    assert ge.hne(SEVEN, 3, collapse=collapse).labels.tolist() == [0, 0, 0, 1, 2, 2, 2]


@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_vkm_is_the_components_of_the_threshold_graph() -> None:
    rng = np.random.default_rng(0)
    for missing in (False, True):
        for _ in range(50):
            e = plain.ensemble_with_twins(rng, missing=missing)
            theta = float(rng.choice([0.0, 0.25, 1 / 3, 0.5, 2 / 3]))
            s = plain.coassociation(e)
            expected = np.array(plain.components(s > theta + 1e-9))
            twins = e.collapse()[1]  # equal labels, equal cluster
            assert (expected == expected[np.unique(twins, return_index=True)[1]][twins]).all()
            np.testing.assert_array_equal(ge.vkm(e, theta=theta).labels, expected)


def test_lwea_is_average_link_of_the_weighted_matrix() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        e = ge.Ensemble(rng.integers(0, 4, size=(10, 6)))
        eci = cluster_reliability(e)
        h = ge.hypergraph(e).incidence.toarray()
        expected = h @ np.diag(eci) @ h.T / e.n_partitions
        np.fill_diagonal(expected, 0)
        r = ge.lwea(e, 3)
        np.testing.assert_allclose(r.graph.to_scipy().toarray(), expected, atol=1e-12)
        if len(e.collapse()[0].object_weights) == 10:
            assert plain.is_greedy(r.dendrogram.to_scipy(), plain.link_similarity(e, "average", eci))


def test_neighbors_restrict_the_graph() -> None:
    rng = np.random.default_rng(2)
    for missing in (False, True):
        for _ in range(20):
            e = plain.ensemble_with_twins(rng, n=12, missing=missing, weighted=missing)
            lists = rng.integers(-1, 12, size=(12, 3))
            s, kept = plain.coassociation(e), np.zeros((12, 12), dtype=bool)
            for i, row in enumerate(lists):
                kept[i, row[row >= 0]] = True
            expected = np.where(kept | kept.T, s, 0)
            graph = neighbor_graph(ge.coassociation(e), lists)
            np.testing.assert_allclose(graph.to_scipy().toarray(), expected, atol=1e-12)
            tree = ge.eac(e, 2, neighbors=lists).dendrogram
            np.testing.assert_allclose(tree.heights, ge.link(ge.Graph(expected), "single").heights, atol=1e-12)


def test_neighbors_of_features() -> None:
    X = np.random.default_rng(3).normal(size=(40, 3))
    distance = np.linalg.norm(X[:, None] - X, axis=2) + np.diag(np.full(40, np.inf))
    np.testing.assert_array_equal(feature_neighbors(X, 5), np.argsort(distance, axis=1)[:, :5])
    e = ge.Ensemble(np.random.default_rng(4).integers(0, 5, size=(40, 6)))
    by_lists = ge.eac(e, 4, neighbors=feature_neighbors(X, 5))
    by_number = ge.eac(e, 4, neighbors=5, X=X)
    np.testing.assert_array_equal(by_lists.labels, by_number.labels)
    assert by_number.graph.n_edges < 40 * 5


@pytest.mark.parametrize("method", [ge.eac, ge.hne])
@pytest.mark.filterwarnings("ignore::graphens.errors.DegenerateWarning")
def test_absent_objects_leave_neighbor_lists_and_features(method) -> None:
    rng = np.random.default_rng(5)
    X, labels = rng.normal(size=(30, 2)), rng.integers(0, 3, size=(30, 8))
    lists = feature_neighbors(X, 6)
    present = np.arange(30) % 5 != 0
    holes = np.where(present[:, None], labels, -1)
    number = np.append(np.where(present, np.cumsum(present) - 1, -1), -1)
    whole = method(holes, neighbors=lists)
    part = method(labels[present], neighbors=number[lists][present])
    assert (whole.labels[~present] == -1).all()
    np.testing.assert_array_equal(whole.labels[present], part.labels)
    by_features = method(holes, neighbors=6, X=X)
    np.testing.assert_array_equal(
        by_features.labels[present], method(labels[present], neighbors=6, X=X[present]).labels
    )


@pytest.mark.parametrize(
    ("neighbors", "message"),
    [
        ([[1], [0]], "neighbors has 2 rows"),
        ([[1], [0], [3]], "objects 0 to 2"),
        ([[1], [0], [-2]], "−1 where"),
        ([[0.5], [1.0], [2.0]], "whole numbers"),
        (0, "at least 1"),
    ],
)
def test_neighbors_that_make_no_sense(neighbors: object, message: str) -> None:
    with pytest.raises(ge.GraphensError, match=message):
        ge.eac([[0, 0], [0, 1], [1, 1]], 2, neighbors=neighbors)


def test_features_that_make_no_sense() -> None:
    for X in ([[1.0]], [["a"], ["b"], ["c"]], [[1.0], [np.nan], [2.0]]):
        with pytest.raises(ge.GraphensError, match=r"eatures|X has 1 rows"):
            ge.eac([[0, 0], [0, 1], [1, 1]], 2, neighbors=1, X=X)


def test_merging_stops_where_no_edge_is_left() -> None:
    labels = [[0, 0], [0, 0], [1, 1], [1, 1], [2, 2]]
    assert ge.hne(labels).k == 3
    with pytest.warns(ge.GraphensWarning, match="3 clusters, but k = 2"):
        r = ge.hne(labels, 2)
    assert r.k == 2
    assert r.dendrogram.heights[-2:].tolist() == [1.0, 1.0]
    with pytest.warns(ge.GraphensWarning, match="distinguish only 3 groups of objects"):
        assert ge.hne(labels, 5).k == 3


def test_membership_is_mean_co_association_with_every_cluster() -> None:
    e = ge.Ensemble(np.random.default_rng(6).integers(0, 3, size=(15, 5)))
    r = ge.eac(e, 3, linkage="average")
    s = plain.coassociation(e) + np.eye(15)
    mean = np.stack([s[:, r.labels == c].mean(axis=1) for c in range(r.k)], axis=1)
    np.testing.assert_allclose(r.membership, mean / mean.sum(axis=1, keepdims=True), atol=1e-12)


def test_lwea_of_many_distinct_rows_links_a_sample() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, size=600)
    labels = np.where(rng.random((600, 12)) < 0.25, rng.integers(0, 4, size=(600, 12)), truth[:, None])
    e = ge.Ensemble(labels)
    all_, some = ge.lwea(e, 4), ge.lwea(e, 4, sample=150, seed=1)
    assert "sampled" not in all_.details
    assert some.details["sampled"] == 150
    assert some.k == 4
    assert ge.measures.ari(truth, some.labels) > 0.95
    assert some.labels.tolist() == ge.lwea(e, 4, sample=150, seed=1).labels.tolist()
    assert ge.lwea(e.take(objects=np.arange(100)), 4, sample=150).details.get("sampled") is None
