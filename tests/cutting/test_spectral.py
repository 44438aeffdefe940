import warnings

import numpy as np
import pytest
from scipy import sparse

import graphens as ge
from graphens.cutting.entry import normalized_cut_value
from graphens.cutting.spectral import (
    Normalized,
    normalized_cut,
    point_clusters,
    transfer_spectrum,
    walk_of,
    walk_on_clusters,
    walk_on_objects,
)
from graphens.errors import DegenerateWarning
from graphens.graphs.bipartite import Biadjacency, LabelBiadjacency
from tests.plain import random_ensemble, transfer_cut, transfer_embedding


def plain_rows(a: np.ndarray, weight: np.ndarray, k: int) -> np.ndarray:
    """D_X⁻¹ A D^-½ v as the paper writes it, with every object repeated `weight` times."""
    degree = a.sum(axis=1)
    w = a.T @ np.diag(weight / degree) @ a
    root = np.where(w.sum(axis=1) > 0, w.sum(axis=1), np.inf) ** -0.5
    v = np.linalg.eigh(root[:, None] * w * root)[1][:, ::-1][:, :k]
    return (a / degree[:, None]) @ (root[:, None] * v)


def has_gap(a: np.ndarray, weight: np.ndarray, k: int) -> bool:
    degree = a.sum(axis=1)
    w = a.T @ np.diag(weight / degree) @ a
    root = np.where(w.sum(axis=1) > 0, w.sum(axis=1), np.inf) ** -0.5
    values = np.linalg.eigvalsh(root[:, None] * w * root)[::-1]
    return k == len(values) or bool(values[k - 1] - values[k] > 1e-3)


def test_embedding_against_the_formula() -> None:
    rng = np.random.default_rng(0)
    compared = 0
    for _ in range(200):
        e = random_ensemble(rng, n=int(rng.integers(4, 14)), b=int(rng.integers(2, 6)))
        e = e.take(objects=e.present)
        extra = rng.random(int(e.n_clusters.sum())) + 0.1
        a = ge.hypergraph(e).incidence.toarray() * np.repeat(e.weights, e.n_clusters) * extra
        k = int(rng.integers(2, 4))
        if a.shape[1] < k or not has_gap(a, e.object_weights, k):
            continue
        compared += 1
        wanted = plain_rows(a, e.object_weights, k)
        from_labels = transfer_embedding(e, k, extra)
        from_matrix = transfer_embedding(a, k, e.object_weights)
        # eigenvectors are free to turn: compare inner products of the rows
        assert from_labels @ from_labels.T == pytest.approx(wanted @ wanted.T, abs=1e-5)
        assert from_matrix @ from_matrix.T == pytest.approx(wanted @ wanted.T, abs=1e-9)
    assert compared > 100


def test_repeated_objects_equal_weighted_objects() -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat(rng.integers(0, 4, (30, 6)), rng.integers(1, 5, 30), axis=0)
    micro, index = ge.Ensemble(labels).collapse()
    whole = transfer_cut(ge.Ensemble(labels), 3)
    assert np.array_equal(whole, transfer_cut(micro, 3)[index])
    g = normalized_cut(ge.coassociation(labels), 3, seed=0)
    explicit = normalized_cut(ge.Graph(ge.coassociation(labels).to_scipy()), 3, seed=0)
    assert ge.measures.ari(g, explicit) == 1.0


def blocks(n: int, b: int, k: int, noise: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) * k // n
    labels = np.repeat(truth[:, None], b, axis=1)
    moved = rng.random((n, b)) < noise
    labels[moved] = rng.integers(0, k, moved.sum())
    return labels, truth


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_noisy_blocks_are_found(missing: float) -> None:
    labels, truth = blocks(300, 12, 4, 0.2, 0)
    rng = np.random.default_rng(0)
    labels[rng.random(labels.shape) < missing] = -1
    e = ge.Ensemble(labels)
    for found in (
        transfer_cut(e, 4),
        normalized_cut(ge.coassociation(e), 4, seed=0),
        ge.partition(ge.bipartite(e), 4, partitioner="spectral", seed=0).labels[:300],
    ):
        assert ge.measures.ari(found, truth) > 0.97


def test_a_multiple_eigenvalue_is_not_missed() -> None:
    """Five components of 400 vertices, two of them with two halves: Lanczos from one start loses some of the five."""
    rng = np.random.default_rng(0)
    size, truth = 400, np.repeat(np.arange(7), [200, 200, 200, 200, 400, 400, 400])
    part = np.repeat(np.arange(5), [size] * 5)
    a = sparse.random_array((2000, 2000), density=0.05, rng=rng, format="coo")
    same = part[a.coords[0]] == part[a.coords[1]]
    close = np.where(truth[a.coords[0]] == truth[a.coords[1]], 1.0, 0.02)
    half = sparse.csr_array((close[same], (a.coords[0][same], a.coords[1][same])), shape=a.shape)
    graph = ge.Graph(half + half.T)
    assert len(np.unique(graph.components())) == 5
    assert ge.measures.ari(normalized_cut(graph, 7, seed=0), truth) == 1.0


def test_leading_vectors_beside_known_ones_match_lapack() -> None:
    rng = np.random.default_rng(0)
    a = sparse.random_array((300, 300), density=0.05, rng=rng)
    graph = ge.Graph(a + a.T)
    root = graph.degree() ** -0.5
    m = (graph.adjacency * root) * root[:, None]
    found = Normalized.of(graph.adjacency).leading(4, dense=0)
    values = np.linalg.eigvalsh(m.toarray())[::-1][:4]
    np.testing.assert_allclose(found[0], values, atol=1e-8)
    assert np.einsum("ij,ij->j", found[1], m @ found[1]) == pytest.approx(values, abs=1e-8)


def test_components_are_packed_when_there_are_enough() -> None:
    labels = np.repeat(np.arange(5), [1, 2, 3, 4, 10])[:, None]
    found = transfer_cut(ge.Ensemble(labels), 2)
    assert np.bincount(found).tolist() == [10, 10]
    found = normalized_cut(ge.coassociation(labels), 5, seed=0)
    assert np.array_equal(found, labels[:, 0])


def test_what_cannot_be_told_apart_is_split_with_a_warning() -> None:
    e = ge.Ensemble([[0, 0], [0, 0], [1, 0], [1, 0]])
    with pytest.warns(DegenerateWarning, match="distinguished"):
        assert ge.partition(ge.bipartite(e), 3, partitioner="spectral", seed=0).k == 3


def test_vertex_weights_of_a_bipartite_graph_are_how_often_objects_count() -> None:
    labels = np.array([[0, 0], [0, 1], [1, 1], [1, 0], [2, 2], [2, 1]])
    weights = np.array([3, 1, 2, 1, 2, 1])
    e = ge.Ensemble(labels, object_weights=weights)
    full = ge.Ensemble(np.repeat(labels, weights, axis=0))
    from graphens.graphs.bipartite import BipartiteGraph

    lazy = BipartiteGraph(e, repeated=True)
    explicit = ge.Graph(lazy.adjacency, vertex_weights=lazy.vertex_weights, roles=lazy.roles)
    wanted = transfer_cut(full, 3)
    for graph in (lazy, explicit):
        found = ge.partition(graph, 3, partitioner="spectral", seed=0).labels[:6]
        assert ge.measures.ari(np.repeat(found, weights), wanted) == 1.0


def test_many_rows_start_from_a_sample() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 140_000)
    rows = np.eye(3)[truth] + 0.05 * rng.random((140_000, 3))
    found = point_clusters(rows.astype(np.float32), 3, 0, None)
    assert ge.measures.ari(found, truth) == 1.0
    assert np.array_equal(found, point_clusters(rows.astype(np.float32), 3, 0, None))


def test_normalized_cut_value() -> None:
    g = ge.Graph([[0, 1, 1, 0], [1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]])
    # a path 1-0-2-3 cut in the middle: each half has volume 3 and one edge leaving
    assert normalized_cut_value(g, np.array([0, 0, 1, 1], dtype=np.int32)) == pytest.approx(2 / 3)


def test_a_complete_graph_has_one_eigenvalue_for_nearly_all_vectors() -> None:
    """LAPACK's driver for some eigenvectors gives up on 26 equal eigenvalues."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateWarning)
        assert ge.partition(ge.Graph(np.ones((27, 27))), 16, partitioner="spectral", seed=0).k == 16


def same_space(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether rows lie the same way but for a turn: their products are equal."""
    return bool(np.allclose(a @ a.T, b @ b.T, atol=1e-6))


def sides() -> list[LabelBiadjacency | Biadjacency]:
    """Labels and matrices with few objects, missing labels, weights, several components, clusters without weight."""
    rng = np.random.default_rng(0)
    found: list[LabelBiadjacency | Biadjacency] = []
    for n, b, missing in ((60, 40, 0.0), (50, 30, 0.1), (40, 25, 0.3)):
        labels = blocks(n, b, 4, 0.4, n)[0]
        labels[rng.random(labels.shape) < missing] = -1
        weights = rng.random(b) * (np.arange(b) % 6 > 0) if missing else None
        e = ge.Ensemble(labels, weights=weights, object_weights=rng.integers(1, 4, n))
        found.append(LabelBiadjacency(e, np.repeat(e.weights, e.n_clusters) * rng.random(int(e.offsets[-1]))))
        parted = np.concatenate([labels, labels + 10])
        e = ge.Ensemble(parted)
        found.append(LabelBiadjacency(e, np.ones(int(e.offsets[-1]))))
        found.append(Biadjacency(sparse.random_array((n, 4 * n), density=0.06, rng=rng).tocsr(), np.ones(n)))
    return found


@pytest.mark.parametrize("place", range(9))
def test_a_walk_is_the_same_from_both_sides(place: int) -> None:
    side = sides()[place]
    clusters, objects = walk_on_clusters(side.transfer_matrix()), walk_on_objects(side)
    assert not side.by_clusters
    together = set(zip(clusters.components, objects.components, strict=True))
    assert len(together) == len(set(clusters.components)) == len(set(objects.components))
    np.testing.assert_allclose(clusters.values(12), objects.values(12), atol=1e-10)
    parts = int(side.row_components(clusters.components).max()) + 1
    values = clusters.values(30)
    for k in range(parts + 1, 12):
        if values[k - 1] - values[k] > 1e-4:  # a tie has no unique vectors
            assert same_space(side.mean_rows(clusters.table(k)), side.mean_rows(objects.table(k)))


@pytest.mark.parametrize("n", [1500, 1501])
def test_lanczos_on_labels_finds_what_lapack_finds(n: int) -> None:
    """Dense up to 1,500 objects, products with the labels beyond."""
    labels, truth = blocks(n, 9, 200, 0.5, 0)
    labels[:, 0] = truth // 40
    e = ge.Ensemble(labels)
    side = LabelBiadjacency(e, np.ones(int(e.offsets[-1])))
    assert side.shape[0] == n
    assert not side.by_clusters
    objects, clusters = walk_on_objects(side), walk_on_clusters(side.transfer_matrix())
    np.testing.assert_allclose(objects.values(8), clusters.values(8), atol=1e-8)
    assert same_space(side.mean_rows(objects.table(5)), side.mean_rows(clusters.table(5)))


def test_the_side_with_fewer_vertices_is_taken_and_does_not_matter() -> None:
    """One partition more, and there are more clusters than objects."""
    labels, truth = blocks(60, 16, 4, 0.1, 3)
    labels[0] += 10 * (np.arange(16) == 15)
    for few in (15, 16):
        e = ge.Ensemble(labels[:, :few])
        size = int(e.offsets[-1])
        assert (size <= 60) == (few == 15)
        side = LabelBiadjacency(e, np.ones(size), merge=False)
        assert len(walk_of(side).matrix.degree) == min(size, 60)
        assert ge.measures.ari(transfer_cut(e, 4), truth) > 0.97
        a, b = walk_on_clusters(side.transfer_matrix()), walk_on_objects(side)
        np.testing.assert_allclose(a.values(10), b.values(10), atol=1e-12)
        np.testing.assert_allclose(transfer_spectrum(e, 10), a.values(10), atol=1e-12)


def test_a_row_is_in_the_component_of_any_cluster_it_has() -> None:
    """The last object has its first label where all others had theirs before; it is no component of its own."""
    e = ge.Ensemble([[0, 0, 0, 0]] * 4 + [[0, 0, 0, 1]] + [[1, 1, 1, 1]] * 4 + [[-1, -1, 1, 1]])
    side = LabelBiadjacency(e, np.ones(int(e.offsets[-1])))
    assert side.row_components(side.components()).max() == 0
    for cut in (transfer_cut(e, 2), ge.hbgf(e, 2, partitioner="spectral", seed=0).labels):
        assert cut.tolist() == [0] * 5 + [1] * 5


def test_more_eigenvalues_than_objects_are_zero() -> None:
    found = transfer_spectrum(ge.Ensemble([[0, 0, 1, 0], [0, 1, 1, 1], [1, 1, 0, 2]]), 7)
    assert found.shape == (7,)
    assert (found[3:] == 0).all()
    assert found[0] == pytest.approx(1.0)


def test_few_distinct_eigenvalues_give_the_same_cut_in_every_run() -> None:
    graph = ge.Graph(np.kron(1 - np.eye(26), np.ones((60, 60))))  # 1,560 vertices, beyond LAPACK
    first, second = (ge.partition(graph, 30, partitioner="spectral", seed=0).labels for _ in range(2))
    np.testing.assert_array_equal(first, second)
