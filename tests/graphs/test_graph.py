"""The one graph: every operation against its definition, and what each of them keeps."""

import copy
import pickle

import numpy as np
import plain
import pytest
from scipy import sparse
from scipy.sparse import csgraph

import graphens as ge
from graphens.errors import InputError, TypeMismatch

SQUARE = np.array([[0, 0.9, 0.2, 0], [0.9, 0, 0, 0], [0.2, 0, 0, 0.5], [0, 0, 0.5, 0]])


def graphs(count: int, *, distinct: bool = True):
    rng = np.random.default_rng(3)
    for _ in range(count):
        n = int(rng.integers(1, 9))
        a = plain.random_similarities(rng, n, distinct=distinct)
        made = ge.Graph(
            a,
            vertex_weights=rng.random(n) + 0.1,
            roles=rng.integers(0, 2, size=n),
            names=[f"v{i}" for i in rng.permutation(n)],
            kind="test",
        )
        yield rng, a, made


def keeps_promises(g: ge.Graph) -> bool:
    """Symmetric, zero diagonal, sorted, no stored zeros, read-only."""
    a = g.adjacency
    sorted_rows = all((np.diff(a.indices[a.indptr[i] : a.indptr[i + 1]]) > 0).all() for i in range(g.n_vertices))
    return bool(
        sorted_rows
        and (a.data > 0).all()
        and not a.diagonal().any()
        and abs(a - a.T).sum() < 1e-12
        and not any(x.flags.writeable for x in (a.data, a.indices, a.indptr, g.vertex_weights, g.roles))
    )


def same_vertices(g: ge.Graph, h: ge.Graph) -> bool:
    return (
        list(g.names) == list(h.names)
        and g.roles.tolist() == h.roles.tolist()
        and g.vertex_weights.tolist() == h.vertex_weights.tolist()
    )


@pytest.mark.parametrize(
    "given",
    [
        SQUARE,
        SQUARE.tolist(),
        np.matrix(SQUARE),
        sparse.csr_matrix(SQUARE),
        sparse.csc_array(SQUARE),
        sparse.coo_array(SQUARE),
        sparse.lil_array(SQUARE),
        SQUARE.astype(np.float32).astype(np.float64),
    ],
)
def test_every_form_of_a_matrix(given):
    g = ge.Graph(given)
    assert np.allclose(g.adjacency.toarray(), SQUARE, atol=1e-7)
    assert keeps_promises(g)


def test_diagonal_duplicates_and_zeros_are_tidied():
    entries = ([5.0, 1, 2, 3, 0, 0], ([0, 0, 0, 1, 1, 2], [0, 1, 1, 0, 2, 1]))
    g = ge.Graph(sparse.coo_array(entries, shape=(3, 3)))
    assert g.adjacency.toarray().tolist() == [[0, 3, 0], [3, 0, 0], [0, 0, 0]]
    assert keeps_promises(g)


def test_rounding_is_no_asymmetry():
    a = SQUARE.copy()
    a[0, 1] += 1e-14
    assert keeps_promises(ge.Graph(a))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([[0, 1], [0.5, 0]], "symmetric"),
        ([[0, -1], [-1, 0]], "-1"),
        ([[0, np.nan], [np.nan, 0]], "nan"),
        ([[0, np.inf], [np.inf, 0]], "finite"),
        ([[0, 1, 0], [1, 0, 0]], "square"),
        ([0, 1], "square"),
        ([["a", "b"], ["b", "a"]], "numbers"),
        (None, "matrix"),
        (np.array([[0, 1 + 5j], [1 + 5j, 0]]), "numbers"),
        (np.array([[0, np.nan], [np.nan, 0]], dtype=np.float16), "nan"),
        ([[0, 1e-13], [0, 0]], "symmetric"),
        (np.ma.masked_array([[0, 1], [1, 0]], [[False, True], [True, False]]), "masked"),
    ],
)
def test_a_matrix_that_is_no_graph(given, says):
    with pytest.raises(ge.GraphensError, match=says):
        ge.Graph(given)


@pytest.mark.parametrize(
    "options",
    [
        {"vertex_weights": [1, 2]},
        {"vertex_weights": [1, 1, 1, -1]},
        {"roles": [0, 1, 2, 0]},
        {"roles": [0]},
        {"names": ["a"]},
        {"names": "abcd"},
    ],
)
def test_what_goes_with_the_matrix_is_checked(options):
    with pytest.raises(InputError):
        ge.Graph(SQUARE, **options)


def test_a_graph_cannot_change():
    given = SQUARE.copy()
    g = ge.Graph(given)
    given[:] = 0
    assert g.n_edges == 3
    with pytest.raises(AttributeError):
        g.kind = "other"
    with pytest.raises(ValueError, match="read-only"):
        g.adjacency.data[0] = 5
    g.to_scipy().data[:] = 0  # a copy of their own
    assert g.n_edges == 3


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies(how):
    g = ge.bipartite([[0, 0], [0, 1]])
    again = how(g)
    assert same_vertices(again, g)
    assert abs(again.adjacency - g.adjacency).sum() == 0
    assert keeps_promises(again)


def test_edges_and_degree():
    for _, a, g in graphs(50):
        source, target, weight = g.edges()
        assert (source < target).all()
        assert len(weight) == g.n_edges == np.count_nonzero(a) // 2
        assert a[source, target].tolist() == weight.tolist()
        assert np.allclose(g.degree(), a.sum(axis=1))


@pytest.mark.parametrize("theta", [0, 0.2, 0.4, 0.6, 1, 5])
def test_threshold(theta):
    for _, a, g in graphs(40, distinct=False):
        kept = g.threshold(theta)
        assert np.array_equal(kept.adjacency.toarray(), plain.threshold(a, theta))
        assert same_vertices(kept, g)
        assert keeps_promises(kept)


def test_rounding_is_no_evidence():
    third = 0.1 + 0.2  # above 0.3 by rounding
    assert ge.Graph([[0, third], [third, 0]]).threshold(0.3).n_edges == 0


@pytest.mark.parametrize("theta", [-0.1, np.nan, np.inf])
def test_threshold_refuses(theta):
    for g in (ge.Graph(SQUARE), ge.coassociation([[0], [0]])):
        with pytest.raises(InputError, match="theta"):
            g.threshold(theta)
        with pytest.raises(TypeMismatch, match="theta"):
            g.threshold("0.3")


@pytest.mark.parametrize("p", [1, 2, 3, 50])
def test_neighbors_with_ties(p):
    for _, a, g in graphs(60, distinct=False):
        kept = g.neighbors(p)
        assert np.array_equal(kept.adjacency.toarray(), plain.neighbors(a, p))
        assert same_vertices(kept, g)
        assert keeps_promises(kept)


@pytest.mark.parametrize("p", [0, -1, 1.5, "2", None, True])
def test_neighbors_refuses(p):
    with pytest.raises(ge.GraphensError):
        ge.Graph(SQUARE).neighbors(p)


@pytest.mark.parametrize("distinct", [True, False])
def test_spanning_forest(distinct):
    for _, a, g in graphs(80, distinct=distinct):
        forest = g.spanning_forest()
        assert np.allclose(np.sort(forest.edges()[2]), plain.forest_weights(a))
        assert forest.components().tolist() == plain.components(a)
        kept = forest.adjacency.toarray()
        assert np.array_equal(kept[kept > 0], a[kept > 0])
        assert same_vertices(forest, g)
        assert keeps_promises(forest)
        if (a + np.eye(len(a))).all():  # SciPy's answer where no edge is missing, on distances 1 − weight
            assert np.isclose(forest.edges()[2].sum(), (1 - csgraph.minimum_spanning_tree(1 - a).data).sum())


def test_spanning_forest_of_tiny_and_huge_weights():
    a = np.array([[0, 1e-300, 1e300], [1e-300, 0, 2e-300], [1e300, 2e-300, 0]])
    assert np.sort(ge.Graph(a).spanning_forest().edges()[2]).tolist() == [2e-300, 1e300]


def test_contract_and_cut():
    for rng, a, g in graphs(80):
        labels = plain.random_labeling(rng, len(a))
        merged = g.contract(labels)
        assert np.allclose(merged.adjacency.toarray(), plain.contract(a, labels))
        assert np.isclose(g.cut(labels), plain.cut(a, labels))
        assert keeps_promises(merged)
        for part in range(merged.n_vertices):
            members = np.flatnonzero(labels == part)
            assert np.isclose(merged.vertex_weights[part], g.vertex_weights[members].sum())
            assert merged.roles[part] == (0 if (g.roles[members] == 0).any() else 1)
            assert merged.names[part] == (g.names[members[0]] if len(members) == 1 else f"part {part}")


def test_contract_into_one_into_all_and_into_none():
    g = ge.Graph(SQUARE)
    assert g.contract([0, 0, 0, 0]).n_edges == 0
    same = g.contract(np.arange(4))
    assert same_vertices(same, g)
    assert np.array_equal(same.adjacency.toarray(), SQUARE)
    assert g.contract([-1] * 4).n_vertices == 0
    assert g.cut([-1] * 4) == 0


@pytest.mark.parametrize(
    ("labels", "error"),
    [
        ([0, 0], InputError),
        ([0, 0, 0, -2], InputError),
        ([0, 0, 0, 10**9], InputError),
        ([0, 0, 0, 2**40], InputError),
        ([0.0, 1, 1, 1], TypeMismatch),
        (list("abcd"), TypeMismatch),
    ],
)
def test_labelings_are_checked(labels, error):
    for g in (ge.Graph(SQUARE), ge.coassociation([[0], [0], [1], [1]])):
        for operation in (g.contract, g.cut, g.balance):
            with pytest.raises(error):
                operation(labels)


def test_balance():
    g = ge.Graph(SQUARE, vertex_weights=[3, 1, 1, 1])
    assert g.balance([0, 1, 1, 1]) == 1
    assert g.balance([0, 0, 1, 1]) == 4 / 3
    assert g.balance([0, 0, 0, -1]) == 1
    assert g.balance([0, 0, 2, 2]) == 2  # an empty part counts


def test_subgraph():
    for rng, a, g in graphs(50):
        index = rng.permutation(len(a))[: int(rng.integers(0, len(a) + 1))]
        part = g.subgraph(index)
        assert np.array_equal(part.adjacency.toarray(), a[np.ix_(index, index)])
        assert list(part.names) == [g.names[i] for i in index]
        assert part.roles.tolist() == g.roles[index].tolist()
        assert part.vertex_weights.tolist() == g.vertex_weights[index].tolist()
        assert keeps_promises(part)
        mask = np.isin(np.arange(len(a)), index)
        assert list(g.subgraph(mask).names) == [g.names[i] for i in np.sort(index)]


@pytest.mark.parametrize("bad", [[0, 0], [4], [-1], [0.7, 1.2], [True, False], ["a"], [[0, 1]], 2])
def test_subgraph_refuses(bad):
    for g in (ge.Graph(SQUARE), ge.coassociation([[0], [0], [1], [1]])):
        with pytest.raises(InputError):
            g.subgraph(bad)


def test_components():
    for _, a, g in graphs(60):
        sparse_graph = g.threshold(0.6)
        assert sparse_graph.components().tolist() == plain.components(plain.threshold(a, 0.6))


def test_one_vertex_and_none():
    one, none = ge.Graph([[0]]), ge.Graph(np.zeros((0, 0)))
    for g in (one, none):
        n = g.n_vertices
        assert g.n_edges == 0
        assert len(g.components()) == n
        assert g.spanning_forest().n_vertices == n
        assert g.threshold(0.5).n_vertices == n
        assert g.neighbors(3).n_vertices == n
        assert g.contract(np.zeros(n, dtype=int)).n_vertices == n
        assert g.balance(np.zeros(n, dtype=int)) == 1
    assert ge.link(one).cut(1).tolist() == [0]
    with pytest.raises(InputError, match="vertices"):
        ge.link(none)


def test_names_of_several_stretches():
    names = ge.bipartite([[0, 3], [1, 3]]).names
    shown = ["x0", "x1", "P0:0", "P0:1", "P1:3"]
    assert list(names) == shown
    assert [names[i] for i in range(-5, 5)] == shown + shown
    assert list(names[1:4]) == shown[1:4]
    assert names.index("P0:1") == 3
    assert "P1:3" in names
    assert names.take(np.array([4, 0])) == names.take(np.array([4, 0]))
    assert names != names.take(np.array([4, 0]))
    for bad in (5, -6):
        with pytest.raises(IndexError):
            names[bad]
