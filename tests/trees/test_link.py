"""Linkage against the textbook: merge the two most similar groups, again and again."""

import numpy as np
import plain
import pytest
from scipy.cluster import hierarchy

import graphens as ge
from graphens.errors import InputError, SizeError

METHODS = ["single", "average", "complete"]


def heights_of(merges) -> np.ndarray:
    return np.sort([height for _, _, height in merges])


@pytest.mark.parametrize("method", METHODS)
def test_explicit_graphs_with_weighted_vertices(method):
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = int(rng.integers(1, 10))
        a = plain.random_similarities(rng, n)
        weights = rng.random(n) + 0.1
        d = ge.link(ge.Graph(a, vertex_weights=weights), method)
        similarity_of = plain.group_similarity(a, weights, method)
        assert np.allclose(d.heights, heights_of(plain.merge_all(n, similarity_of)))
        assert plain.is_greedy(d.merges, similarity_of)
        if n > 1:
            assert hierarchy.is_valid_linkage(d.to_scipy())


@pytest.mark.parametrize("method", METHODS)
def test_explicit_graphs_as_scipy_links_them(method):
    rng = np.random.default_rng(1)
    for _ in range(20):
        n = int(rng.integers(2, 40))
        a = rng.random((n, n))
        a = np.triu(a, 1) + np.triu(a, 1).T
        wanted = hierarchy.linkage(1 - a[np.triu_indices(n, 1)], method)
        d = ge.link(ge.Graph(a), method)
        assert np.allclose(d.to_scipy()[:, 2], wanted[:, 2])
        for k in {1, 2, n // 2 or 1, n}:
            wide = hierarchy.fcluster(wanted, k, "maxclust")
            assert len(set(zip(d.cut(k), wide, strict=True))) == k


def test_parts_without_an_edge_join_at_one():
    g = ge.Graph([[0, 0.9, 0, 0], [0.9, 0, 0, 0], [0, 0, 0, 0.5], [0, 0, 0.5, 0]])
    for method in METHODS:
        assert np.allclose(ge.link(g, method).heights, [0.1, 0.5, 1])
    for method in METHODS:
        assert ge.link(ge.Graph(np.zeros((4, 4))), method).heights.tolist() == [1, 1, 1]


@pytest.mark.parametrize("method", METHODS)
def test_objects_absent_everywhere_stay_out(method):
    e = ge.Ensemble([[-1, -1], [0, 0], [-1, -1], [0, 1], [0, 0]])
    d = ge.link(ge.coassociation(e), method)
    assert d.index.tolist() == [-1, 0, -1, 1, 0]
    assert d.cut(2).tolist() == [-1, 0, -1, 1, 0]
    full = d.to_scipy()
    assert hierarchy.is_valid_linkage(full)
    assert full[:, 2].tolist() == [0, 0.5, 1, 1]
    explicit = ge.link(ge.Graph(plain.coassociation(e)), method)
    assert np.allclose(explicit.to_scipy()[:, 2], full[:, 2])


@pytest.mark.parametrize("method", METHODS)
def test_nobody_present(method):
    d = ge.link(ge.coassociation([[-1], [-1]]), method)
    assert d.cut(1).tolist() == [-1, -1]


@pytest.mark.parametrize("method", METHODS)
def test_partitions_without_weight_do_not_matter(method):
    labels = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 2], [1, 1, 3]])
    with_zero = ge.link(ge.coassociation(ge.Ensemble(labels, weights=[1, 1, 0])), method)
    assert np.array_equal(with_zero.to_scipy(), ge.link(ge.coassociation(labels[:, :2]), method).to_scipy())


@pytest.mark.parametrize("method", METHODS)
def test_a_partition_twice_weighs_two(method):
    rng = np.random.default_rng(4)
    for _ in range(30):
        e = plain.random_ensemble(rng, b=3).reweight([1, 1, 1])  # similarities are exact, so ties stay ties
        twice = e.take(partitions=[0, 1, 2, 2])
        heavier = e.reweight(e.weights * [1, 1, 2])
        a, b = (ge.link(ge.coassociation(x), method).to_scipy()[:, 2] for x in (twice, heavier))
        assert np.allclose(a, b)


def test_vertices_that_weigh_nothing():
    """In the bipartite graph clusters weigh nothing; where only they meet, each counts the same."""
    d = ge.link(ge.bipartite([[0, 0], [0, 0], [1, 1]]), "average")
    assert hierarchy.is_valid_linkage(d.to_scipy())
    g = ge.Graph([[0, 0.9, 0.6], [0.9, 0, 0.2], [0.6, 0.2, 0]], vertex_weights=[0, 0, 1])
    assert np.allclose(ge.link(g, "average").heights, [0.1, 0.6])


def test_names_and_weights_are_kept():
    e = ge.Ensemble([[0], [0], [1]], object_names=["a", "b", "c"], object_weights=[2, 1, 5])
    d = ge.link(ge.coassociation(e))
    assert list(d.names) == ["a", "b", "c"]
    assert d.leaf_weights.tolist() == [3, 5]
    assert list(ge.link(ge.metagraph(e)).names) == ["P0:0", "P0:1"]


@pytest.mark.parametrize("method", ["ward", "", None, 3])
def test_unknown_methods(method):
    with pytest.raises(InputError, match="single, average, complete"):
        ge.link(ge.coassociation([[0], [1]]), method)


@pytest.mark.parametrize("graph", [None, [[0, 1], [1, 0]], np.eye(3)])
def test_what_is_no_graph(graph):
    with pytest.raises(ge.GraphensError, match=r"expected a Graph|link\(Graph\(matrix\)\)"):
        ge.link(graph)


def test_graphs_of_networkx_and_igraph_are_linked() -> None:
    g = ge.Graph(np.array([[0, 0.9, 0.1], [0.9, 0, 0.2], [0.1, 0.2, 0]]), names=["a", "b", "c"])
    for other in (g.to_networkx(), g.to_igraph()):
        tree = ge.link(other, "single")
        assert (tree.cut(2).tolist(), list(tree.names)) == ([0, 0, 1], ["a", "b", "c"])


def test_weights_above_one_are_no_similarities():
    with pytest.raises(InputError, match="Scale them"):
        ge.link(ge.metagraph([[0, 0], [0, 0]], "count"))
    almost = 1 + 5e-10
    for method in METHODS:
        assert ge.link(ge.Graph([[0, almost], [almost, 0]]), method).heights.tolist() == [0]


@pytest.mark.parametrize("method", ["average", "complete"])
def test_memory_is_asked_for_first(method):
    g = ge.Graph(np.ones((200, 200)))
    with ge.memory_budget("100 kB"), pytest.raises(SizeError, match="200 vertices"):
        ge.link(g, method)


def plain_genie(edges: list[tuple[int, int]], weights: list[float], gini: float) -> list[int]:
    """The numbers of the edges, given shortest first, in the order in which Genie linkage uses them; O(n³)."""
    groups, left, order = [{i} for i in range(len(weights))], list(range(len(edges))), []
    while left:
        sizes = {id(g): sum(weights[i] for i in g) for g in groups}
        index = sum(abs(a - b) for a in sizes.values() for b in sizes.values()) / 2
        fits = left
        if index > gini * (len(groups) - 1) * sum(weights):
            ends = {e: [sizes[id(g)] for g in groups if g & set(edges[e])] for e in left}
            least = min(min(both) for both in ends.values())
            fits = [e for e in left if least in ends[e]]
        order.append(min(fits))
        left.remove(order[-1])
        both = [g for g in groups if g & set(edges[order[-1]])]
        groups = [g for g in groups if g not in both] + [both[0] | both[1]]
    return order


def test_genie_is_the_plain_one_on_the_spanning_forest():
    rng = np.random.default_rng(4)
    for _ in range(300):
        e = plain.random_ensemble(rng, n=int(rng.integers(2, 20)), b=int(rng.integers(2, 7)))
        e = e.take(objects=e.present) if e.present.any() else ge.Ensemble([[0], [1]])
        g, gini = ge.coassociation(e), float(rng.choice([0.1, 0.3, 0.5, 1.0]))
        d = ge.link(g, "genie", gini=gini)
        leaves, _ = g._leaves()
        a, b, w = leaves.spanning_forest().edges()
        rank = np.lexsort((b, a, -w))
        edges = list(zip(a[rank].tolist(), b[rank].tolist(), strict=True))
        order = plain_genie(edges, leaves.vertex_weights.tolist(), gini)
        assert np.allclose(d.heights[: len(order)], np.maximum.accumulate(1 - w[rank][order]))
        joined = ge.Graph(np.zeros((leaves.n_vertices,) * 2)).adjacency.tolil()
        for made, edge in enumerate(order):
            joined[edges[edge]] = joined[edges[edge][::-1]] = 1
            if made in (len(order) // 2, len(order) - 2):
                parts = ge.Graph(joined.tocsr()).components()
                assert ge.measures.ari(d._labels(made + 1), parts[d.index]) == 1
        if gini == 1:
            assert np.allclose(d.heights, ge.link(g, "single").heights)


def test_genie_on_points_and_distances():
    rng = np.random.default_rng(5)
    for _ in range(30):
        n = int(rng.integers(2, 60))
        X = rng.integers(0, 9, size=(n, 2)).astype(float) if rng.random() < 0.5 else rng.normal(size=(n, 3))
        far = np.linalg.norm(X[:, None] - X[None], axis=2)
        single = ge.link(X, "single")
        wanted = hierarchy.linkage(far[np.triu_indices(n, 1)], "single")[:, 2]
        assert np.allclose(single.to_scipy()[:, 2], wanted)
        assert np.allclose(ge.link(X, "genie", gini=1).heights, single.heights)
        sizes = np.bincount(ge.link(X, "genie", gini=0).cut(min(2, n)))
        assert sizes.sum() == n
        if len(np.unique(X, axis=0)) == n:
            graph = ge.Graph(far, kind="distances")
            for k in {1, 2, n}:
                np.testing.assert_array_equal(ge.link(graph, "genie").cut(k), ge.link(X, "genie").cut(k))
    with pytest.raises(InputError, match="linkage = 'average' was given with distances"):
        ge.link(X, "average")
    with pytest.raises(InputError, match="gini = 2"):
        ge.link(X, "genie", gini=2)
    with pytest.raises(InputError, match="only 'genie'"):
        ge.link(X, "single", gini=0.3)
