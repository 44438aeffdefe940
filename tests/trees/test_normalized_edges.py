"""Merging by normalized edges against a version that looks at all pairs every time."""

import warnings

import numpy as np
import pytest

import graphens as ge
from tests import plain


def merges_of(tree: ge.Dendrogram, n_merges: int) -> list[tuple[int, int]]:
    """Merges as pairs of smallest leaves."""
    first = list(range(tree.n_leaves))
    found = []
    for a, b in tree.merges[:, :2].astype(int):
        pair = sorted((first[a], first[b]))
        found.append((pair[0], pair[1]))
        first.append(pair[0])
    return found[:n_merges]


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_equals_the_plain_version(*, missing: bool, weighted: bool) -> None:
    rng = np.random.default_rng([missing, weighted])
    for _ in range(60):
        e = plain.ensemble_with_twins(rng, n=int(rng.integers(2, 22)), missing=missing, weighted=weighted)
        theta = float(rng.choice([0.0, 0.1, 0.3, 1 / 3, 0.5]))
        for chosen in (e, e.collapse()[0]):
            graph = ge.coassociation(chosen).threshold(theta)
            tree = ge.link(graph, "normalized-edges")
            values = tree._normalized_edges
            s = ge.coassociation(chosen).to_scipy().toarray()
            merges, expected = plain.normalized_edges(s, chosen.object_weights, theta)
            assert merges_of(tree, len(values)) == merges
            np.testing.assert_allclose(values, expected, rtol=1e-12)
            assert (tree.heights[len(values) :] == 1).all()


def test_a_larger_graph() -> None:
    rng = np.random.default_rng(9)
    labels = np.repeat(rng.integers(0, 6, size=(12, 10)), 10, axis=0)
    labels = np.where(rng.random(labels.shape) < 0.4, rng.integers(0, 6, size=labels.shape), labels)
    graph = ge.coassociation(labels).threshold(0.2)
    tree = ge.link(graph, "normalized-edges")
    values = tree._normalized_edges
    merges, expected = plain.normalized_edges(ge.coassociation(labels).to_scipy().toarray(), np.ones(120), 0.2)
    assert merges_of(tree, len(values)) == merges
    np.testing.assert_allclose(values, expected, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_link_merges_any_graph_as_the_paper_does(*, weighted: bool) -> None:
    """Similarities of one's own, with ties and vertex weights; given as a matrix, by networkx, as a threshold graph."""
    rng = np.random.default_rng(17 + weighted)
    for _ in range(150):
        n, theta = int(rng.integers(2, 14)), float(rng.choice([0.1, 0.3, 0.5]))
        s = np.triu(rng.integers(0, 11, size=(n, n)) / 10, 1)
        s = s + s.T
        weights = rng.integers(1, 4, size=n).astype(float) if weighted else np.ones(n)
        graph = ge.Graph(s, vertex_weights=weights)
        merges, _ = plain.normalized_edges(s, weights, theta)
        ways = [
            ge.link(graph, "normalized-edges", theta=theta),
            ge.link(graph.threshold(theta), "normalized-edges"),
            ge.link(graph.threshold(theta), "normalized-edges", theta=theta),
        ]
        if not weighted:
            ways.append(ge.link(ge.Graph.from_networkx(graph.to_networkx()), "normalized-edges", theta=theta))
        for tree in ways:
            assert merges_of(tree, len(merges)) == merges
            assert (tree.heights[len(merges) :] == 1).all()


def test_hne_is_normalized_edges_on_the_co_association() -> None:
    rng = np.random.default_rng(3)
    for missing in (False, True):
        for _ in range(30):
            e = plain.ensemble_with_twins(rng, n=int(rng.integers(4, 20)), missing=missing, weighted=False)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ge.GraphensWarning)  # constant columns, one cluster
                r = ge.hne(e, theta=0.2)
            known = r.labels >= 0
            lazy = ge.coassociation(e)
            tree = ge.link(lazy, "normalized-edges", theta=0.2)  # equal objects start together, as those of hne do
            np.testing.assert_array_equal(tree.cut(r.k)[known], r.labels[known])
            apart = ge.link(lazy.threshold(0.2), "normalized-edges")
            for found in (tree, apart):  # without k, hne stops where no edge is left
                assert ge.measures.ari(found.cut_at(1 - 0.5 / e.n_objects)[known], r.labels[known]) == 1


def test_only_single_link_and_normalized_edges_have_a_threshold() -> None:
    g = ge.coassociation([[0, 0], [0, 1], [1, 1]])
    with pytest.raises(ge.GraphensError, match=r"theta = 0.3 was given with linkage = 'average'"):
        ge.link(g, "average", theta=0.3)
    with pytest.raises(ge.GraphensError, match="theta = 2"):
        ge.link(g, "normalized-edges", theta=2)
    assert g.theta is None
    assert g.threshold(0.25).theta == 0.25


def test_an_edge_needs_more_than_the_threshold() -> None:
    three_of_ten = np.array([[0] * 10, [0] * 3 + [1] * 7])
    assert ge.coassociation(three_of_ten).threshold(0.3).n_edges == 0
    assert ge.coassociation(three_of_ten).threshold(0.29).n_edges == 1


def test_too_many_edges_say_how_many_and_what_helps() -> None:
    e = np.random.default_rng(0).integers(0, 2, size=(200, 9))
    with ge.memory_budget("1 kB"), pytest.raises(ge.GraphensError, match=r"\d+ edges.*larger theta or neighbors"):
        ge.hne(e, 2)


@pytest.mark.parametrize("theta", [-0.1, 1.0, float("nan")])
def test_a_threshold_that_makes_no_sense(theta: float) -> None:
    with pytest.raises(ge.GraphensError, match="theta"):
        ge.hne([[0, 0], [0, 1]], theta=theta)
