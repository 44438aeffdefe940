"""The lazy co-association graph gives the answers of the explicit matrix, for every operation."""

import pickle

import numpy as np
import plain
import pytest

import graphens as ge
from graphens.errors import SizeError
from graphens.kernels import _jit


def pairs(count: int, *, seed: int = 0, **options):
    """Random ensembles as lazy graph and as the graph of the matrix worked out pair by pair."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        e = plain.random_ensemble(rng, **options)
        yield rng, ge.coassociation(e), ge.Graph(plain.coassociation(e), vertex_weights=e.object_weights)


def dense(g: ge.Graph) -> np.ndarray:
    return g.adjacency.toarray()


def test_the_matrix():
    for _, lazy, explicit in pairs(200):
        assert np.allclose(dense(lazy), dense(explicit))
        assert lazy.n_edges == explicit.n_edges
        assert np.allclose(lazy.degree(), explicit.degree())
        assert lazy.components().tolist() == explicit.components().tolist()
        assert np.array_equal(lazy.to_scipy().toarray(), dense(lazy))
        for a, b in zip(lazy.edges(), explicit.edges(), strict=True):
            assert np.allclose(a, b)


@pytest.mark.parametrize("theta", [0, 0.25, 0.3, 0.5, 0.6, 2 / 3, 1])
def test_threshold(theta):
    for _, lazy, explicit in pairs(60, seed=1):
        kept = lazy.threshold(theta)
        assert np.allclose(dense(kept), plain.threshold(dense(explicit), theta))
        assert kept.vertex_weights.tolist() == explicit.vertex_weights.tolist()


@pytest.mark.parametrize("p", [1, 2, 5, 100])
def test_neighbors(p):
    for _, lazy, _ in pairs(60, seed=2):
        assert np.array_equal(dense(lazy.neighbors(p)), plain.neighbors(dense(lazy), p))


def test_larger_than_one_stretch_of_rows():
    for rng, lazy, explicit in pairs(3, seed=6, n=150, b=5):
        assert np.allclose(dense(lazy), dense(explicit))
        assert np.array_equal(dense(lazy.neighbors(7)), plain.neighbors(dense(lazy), 7))
        labels = plain.random_labeling(rng, 150, 20)
        assert np.isclose(lazy.cut(labels), explicit.cut(labels))
        assert np.allclose(dense(lazy.contract(labels)), dense(explicit.contract(labels)))
        assert np.isclose(lazy.spanning_forest().edges()[2].sum(), explicit.spanning_forest().edges()[2].sum())


def test_names_and_weights_go_through_every_operation():
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1]], object_names=["a", "b", "c"], object_weights=[3, 2, 1])
    g = ge.coassociation(e)
    for made in (
        g,
        g.threshold(0.2),
        g.neighbors(1),
        g.spanning_forest(),
        g.subgraph([0, 1, 2]),
        g.contract([0, 1, 2]),
    ):
        assert list(made.names) == ["a", "b", "c"]
        assert made.vertex_weights.tolist() == [3, 2, 1]
        assert made.roles.tolist() == [0, 0, 0]


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_many_clusters_and_many_partitions():
    rng = np.random.default_rng(7)
    e = ge.Ensemble(np.column_stack([rng.permutation(400), *rng.integers(0, 3, size=(299, 400))]))
    assert e.codes.dtype == np.uint16
    labels = e.labels
    wanted = sum((labels[:, t, None] == labels[None, :, t]) for t in range(300)) / 300
    np.fill_diagonal(wanted, 0)
    assert np.allclose(dense(ge.coassociation(e)), wanted)


def test_tiny_weights_are_the_same_to_both():
    e = ge.Ensemble([[0, 0], [1, 0], [1, 1]], weights=[1, 1e-12])
    lazy = ge.coassociation(e)
    explicit = ge.Graph(plain.coassociation(e))
    assert lazy.threshold(0).n_edges == explicit.threshold(0).n_edges == 1


def test_one_object():
    g = ge.coassociation([[0, 1, 2]])
    assert g.n_edges == 0
    assert g.neighbors(5).n_edges == g.spanning_forest().n_edges == g.threshold(0).n_edges == 0
    assert g.degree().tolist() == [0]
    assert g.components().tolist() == [0]
    assert g.cut([0]) == 0
    assert g.contract([0]).n_vertices == 1


def test_the_matrix_is_asked_for_within_the_budget():
    e = ge.Ensemble(np.zeros((300, 2), dtype=int))
    for ask in (
        lambda g: g.adjacency,
        lambda g: g.edges(),
        lambda g: g.to_scipy(),
        lambda g: g.threshold(0.5),
        lambda g: ge.coassociation(e.append([[i % 7 - 1] for i in range(300)])).contract(np.arange(300)),
        lambda g: g.contract(np.arange(300)),
    ):
        with ge.memory_budget("200 kB"), pytest.raises(SizeError, match="200 kB"):
            ask(ge.coassociation(e))
    with ge.memory_budget("200 kB"):  # and what works on labels does not ask
        g = ge.coassociation(e)
        assert g.cut(np.arange(300)) == 300 * 299 / 2
        assert g.spanning_forest().n_edges == 299
        assert g.n_edges == 300 * 299 // 2
        assert g.neighbors(1).n_edges == 299
        assert g.contract(np.arange(300) % 3).n_vertices == 3
    assert ge.coassociation(e).adjacency.nnz == 300 * 299


def test_many_parts_with_missing_labels_stay_within_memory(monkeypatch):
    """One part × part table at a time, not one for every stretch of rows."""
    import tracemalloc

    monkeypatch.setattr(_jit, "_BUDGET", 0.0)
    monkeypatch.setattr(_jit, "_CACHED", 0.0)
    rng = np.random.default_rng(9)
    labels = rng.integers(-1, 5, size=(3000, 3))
    g = ge.coassociation(labels)
    parts = np.arange(3000) % 1000
    g.contract(parts)  # compile first
    tracemalloc.start()
    merged = g.contract(parts)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # the table of 1000 parts has 8 MB; one for each of 47 stretches would have 376
    assert np.isclose(merged.adjacency.sum() / 2, g.cut(parts))


def test_lazy_graphs_travel():
    g = ge.coassociation([[0, 0], [0, 1]])
    again = pickle.loads(pickle.dumps(g))
    assert again.ensemble == g.ensemble
    assert np.array_equal(dense(again), dense(g))
    assert "edges on demand" in repr(ge.coassociation([[0], [0]]))
