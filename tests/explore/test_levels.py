"""Edges and components at every threshold, against the library's own graphs."""

import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.explore.thresholds import Levels, levels_of, start

CASES = {
    "plain": {},
    "missing": {"missing": 0.25},
    "whole weights": {"missing": 0.2, "weights": [1, 2, 3, 1, 1, 2]},
    "other weights": {"missing": 0.2, "weights": [0.31, 1.7, 0.2, 0.9, 1.1, 0.77]},
    "a partition without weight": {"weights": [1, 0, 1, 1, 1, 1]},
    "few distinct rows": {"k": 2, "n": 300},
}


def labels_of(n: int = 70, k: int = 4, missing: float = 0.0, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=n)
    labels = np.where(rng.random((n, 6)) < 0.3, rng.integers(k, size=(n, 6)), truth[:, None])
    labels[rng.random(labels.shape) < missing] = -1
    if missing:
        labels[:2] = -1  # nothing is known of these two, not even that they are alike
    return labels


def check(g: ge.Graph, found: Levels) -> None:
    for theta in [*np.linspace(0, 1.05, 22), *found.weights[::3], *(found.weights[::5] - 1e-6)]:
        kept = g.threshold(max(theta, 0.0))
        assert found.at(max(theta, 0.0)) == (kept.n_edges, len(np.unique(kept.components()))), theta


@pytest.mark.parametrize("case", CASES)
def test_counts_of_labels_are_those_of_the_explicit_graph(case: str) -> None:
    given = dict(CASES[case])
    weights = given.pop("weights", None)
    g = ge.coassociation(ge.Ensemble(labels_of(**given), weights=weights))
    check(g, levels_of(g))


def test_counts_with_cluster_weights() -> None:
    e = ge.Ensemble(labels_of())
    rng = np.random.default_rng(1)
    g = ge.coassociation(e, cluster_weights=rng.random(int(e.n_clusters.sum())))
    check(g, levels_of(g))


@pytest.mark.parametrize("seed", range(3))
def test_counts_of_any_graph(seed: int) -> None:
    rng = np.random.default_rng(seed)
    network = nx.gnm_random_graph(40, 90, seed=seed)
    for _, _, data in network.edges(data=True):
        data["weight"] = [rng.random(), rng.integers(1, 4) / 4, 1.0][seed]
    g = ge.Graph.from_networkx(network)
    check(g, levels_of(g))


def test_a_page_begins_where_the_islands_are_most_like_the_clusters() -> None:
    labels = [[0, 0, 0], [0, 0, 0], [1, 1, 0], [1, 1, 1], [2, 2, 2]]
    g = ge.coassociation(labels)
    for clusters in ([0, 0, 0, 0, 1], [0, 0, 1, 1, 2]):
        islands = g.threshold(start(g.edges(), np.array(clusters))).components()
        assert ge.measures.ari(islands, clusters) == 1
    none = np.empty(0, dtype=int)
    assert start((none, none, none.astype(float)), np.zeros(3, dtype=int)) == 0.0
    assert start(g.edges(), np.full(5, -1)) == 0.0


def test_a_pair_apart_from_all_others_does_not_count_as_a_cluster() -> None:
    """From .1 to .65 there are three islands, too, but two of them are single objects."""
    rows, columns, weights = zip(
        (0, 1, 0.9), (1, 2, 0.9), (3, 4, 0.9), (4, 5, 0.9), (2, 3, 0.7), (5, 6, 0.65), (6, 7, 0.1), (7, 8, 0.1),
        strict=True,
    )  # fmt: skip
    edges = np.array(rows), np.array(columns), np.array(weights)
    assert 0.7 < start(edges, np.array([0, 0, 0, 1, 1, 1, 1, 2, 2])) < 0.9


def test_very_many_weights_are_rounded_down_and_it_is_said() -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=(500, 30))
    g = ge.coassociation(ge.Ensemble(labels, weights=rng.random(30)))
    found = levels_of(g)
    assert found.step > 0
    for theta in (0.1, 0.33, 0.5):
        kept = g.threshold(theta)
        near = g.threshold(theta + found.step).n_edges, g.threshold(theta - found.step).n_edges
        assert near[0] <= found.at(theta)[0] <= near[1]
        assert found.at(theta)[1] == len(np.unique(kept.components()))
