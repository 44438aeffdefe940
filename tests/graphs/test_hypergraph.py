"""The hypergraph: incidence, counts, cut and connectivity."""

import numpy as np
import plain
import pytest
from scipy import sparse

import graphens as ge
from graphens.errors import InputError

GOLDEN = ge.Ensemble.from_partitions([[1, 1, 1, 2, 2, 3, 3], [2, 2, 2, 3, 3, 1, 1], [3, 3, 2, 2, 1, 1, 1]])


def test_incidence_of_random_ensembles():
    rng = np.random.default_rng(0)
    for _ in range(150):
        e = plain.random_ensemble(rng)
        h = ge.hypergraph(e)
        found = plain.clusters(e)
        wanted = np.array([[float(i in members) for _, members in found] for i in range(e.n_objects)])
        assert np.array_equal(h.incidence.toarray(), wanted.reshape(e.n_objects, len(found)))
        assert h.partition.tolist() == [t for t, _ in found]
        assert h.hyperedge_weights.tolist() == [e.weights[t] for t, _ in found]
        assert h.vertex_weights.tolist() == e.object_weights.tolist()
        assert np.allclose(h.sizes(), e.cluster_sizes())
        assert list(h.hyperedge_names) == list(e.cluster_names)
        assert h.incidence.has_sorted_indices


def test_cut_and_connectivity_of_random_labelings():
    rng = np.random.default_rng(1)
    for _ in range(150):
        e = plain.random_ensemble(rng)
        h = ge.hypergraph(e)
        labels = plain.random_labeling(rng, e.n_objects)
        touched = plain.connectivity(h.incidence.toarray(), labels)
        assert h.connectivity(labels).tolist() == touched
        weights = h.hyperedge_weights
        assert np.isclose(h.cut(labels), sum(w for w, c in zip(weights, touched, strict=True) if c > 1))
        assert np.isclose(h.km1(labels), sum(w * max(c - 1, 0) for w, c in zip(weights, touched, strict=True)))


def test_the_worked_example_cuts_two_hyperedges():
    h = ge.hypergraph(GOLDEN)
    assert (h.n_vertices, h.n_hyperedges) == (7, 9)
    assert h.cut([0, 0, 0, 1, 1, 2, 2]) == 2
    assert h.km1([0, 0, 0, 1, 1, 2, 2]) == 2
    assert h.cut([0] * 7) == h.km1([0] * 7) == 0
    assert h.km1(np.arange(7)) == 7 * 3 - 9
    assert h.cut([-1] * 7) == 0


def test_counts_are_incidences():
    counts = [[3, 0], [1, 2], [0, 1]]
    h = ge.Hypergraph(counts, vertex_weights=[1, 2, 1], hyperedge_names=["left", "right"])
    assert h.incidence.toarray().tolist() == counts
    assert h.sizes().tolist() == [5, 5]
    assert h.connectivity([0, 1, 1]).tolist() == [2, 1]
    assert h.partition.tolist() == [-1, -1]
    star = ge.bipartite(h)
    assert star.adjacency.toarray()[:3, 3:].tolist() == counts
    assert list(star.names) == ["x0", "x1", "x2", "left", "right"]
    assert ge.metagraph(h, "count").adjacency.toarray().tolist() == [[0, 2], [2, 0]]
    with pytest.raises(InputError, match="clusters of partitions"):
        ge.coassociation(h)


def test_duplicate_and_zero_incidences():
    doubled = sparse.coo_array(([1.0, 1.0, 0.0], ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    assert ge.Hypergraph(doubled).incidence.toarray().tolist() == [[2, 0], [0, 0]]
    assert ge.Hypergraph(doubled).incidence.nnz == 1


@pytest.mark.parametrize("given", [[[-1]], [[np.nan]], [[np.inf]], [0, 1], [["a"]]])
def test_what_is_no_incidence(given):
    with pytest.raises(ge.GraphensError, match="incidence"):
        ge.Hypergraph(given)


@pytest.mark.parametrize(
    "options",
    [
        {"vertex_weights": [1]},
        {"hyperedge_weights": [1, -1]},
        {"partition": [0]},
        {"vertex_names": ["a"]},
        {"partition": [-2, 0]},
    ],
)
def test_what_goes_with_it_is_checked(options):
    with pytest.raises(ge.GraphensError):
        ge.Hypergraph(np.ones((3, 2)), **options)


@pytest.mark.parametrize("labels", [[0, 1], [0] * 6 + [-2], [0] * 6 + [10**9], [0.5] * 7])
def test_labelings_are_checked(labels):
    with pytest.raises(ge.GraphensError):
        ge.hypergraph(GOLDEN).cut(labels)


def test_there_and_back():
    rng = np.random.default_rng(2)
    for _ in range(50):
        e = plain.random_ensemble(rng)
        if (e.n_clusters == 0).any():
            continue
        again = ge.coassociation(ge.hypergraph(e))
        assert np.allclose(again.to_scipy().toarray(), ge.coassociation(e).to_scipy().toarray())
        assert again.ensemble.labels.tolist() == e.labels.tolist()


@pytest.mark.parametrize(
    "h",
    [
        ge.Hypergraph([[1, 1]], partition=[0, 0]),
        ge.Hypergraph([[1, 0], [0, 1]], partition=[0, -1]),
        ge.Hypergraph([[1, 0], [0, 1]], partition=[0, 0], hyperedge_weights=[1, 2]),
        ge.Hypergraph([[2, 0], [0, 1]], partition=[0, 0]),
    ],
)
def test_hyperedges_that_are_no_partitions(h):
    with pytest.raises(InputError):
        ge.coassociation(h)
