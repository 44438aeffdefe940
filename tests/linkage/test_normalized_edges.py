"""Merging by normalized edges against a version that looks at all pairs every time."""

from __future__ import annotations

import numpy as np
import pytest

import graphens as ge
from graphens.linkage.normalized_edges import merge_edges
from tests import plain_evidence as plain


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
        e = plain.random_ensemble(rng, n=int(rng.integers(2, 22)), missing=missing, weighted=weighted)
        theta = float(rng.choice([0.0, 0.1, 0.3, 1 / 3, 0.5]))
        for chosen in (e, e.collapse()[0]):
            graph = ge.coassociation(chosen).threshold(theta)
            tree, values = merge_edges(graph, theta)
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
    tree, values = merge_edges(graph, 0.2)
    merges, expected = plain.normalized_edges(
        ge.coassociation(labels).to_scipy().toarray(), np.ones(120), 0.2
    )
    assert merges_of(tree, len(values)) == merges
    np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_an_edge_needs_more_than_the_threshold() -> None:
    three_of_ten = np.array([[0] * 10, [0] * 3 + [1] * 7])
    assert ge.coassociation(three_of_ten).threshold(0.3).n_edges == 0
    assert ge.coassociation(three_of_ten).threshold(0.29).n_edges == 1


def test_too_many_edges_say_how_many_and_what_helps() -> None:
    e = np.random.default_rng(0).integers(0, 2, size=(200, 9))
    with (
        ge.memory_budget("1 kB"),
        pytest.raises(ge.GraphensError, match=r"\d+ edges.*larger theta, neighbors"),
    ):
        ge.hne(e, 2)


@pytest.mark.parametrize("theta", [-0.1, 1.0, float("nan")])
def test_a_threshold_that_makes_no_sense(theta: float) -> None:
    with pytest.raises(ge.GraphensError, match="theta"):
        ge.hne([[0, 0], [0, 1]], theta=theta)
