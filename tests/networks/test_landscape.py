"""Resolutions: plateaus of a network with communities inside communities, and their picture."""

import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.errors import GraphensError


@pytest.fixture(scope="module")
def nested() -> tuple[nx.Graph, np.ndarray]:
    """Nine groups of eight, three by three closer to each other."""
    group = np.repeat(np.arange(9), 8)
    close = group // 3
    chance = np.where(group[:, None] == group, 0.95, np.where(close[:, None] == close, 0.15, 0.01))
    upper = np.triu(np.random.default_rng(0).random(chance.shape) < chance, 1)
    return nx.from_edgelist(np.argwhere(upper).tolist()), group


@pytest.fixture(scope="module")
def found(nested: tuple[nx.Graph, np.ndarray]) -> ge.networks.Landscape:
    return ge.networks.landscape(nested[0], [4, 0.25, 0.5, 2, 2, 1.2], n_partitions=5, seed=0)


def test_both_levels_are_plateaus(nested: tuple[nx.Graph, np.ndarray], found: ge.networks.Landscape) -> None:
    G, group = nested
    assert found.resolutions == (0.25, 0.5, 1.2, 2.0, 4.0)
    assert {k for *_, k in found.plateaus} == {3, 9}
    by_vertex = group[np.array(list(G))]
    assert ge.measures.ari(found.consensus[0].labels, by_vertex // 3) == pytest.approx(1.0)
    assert ge.measures.ari(found.consensus[-1].labels, by_vertex) == pytest.approx(1.0)
    assert found.table["k"].tolist() == [r.k for r in found.consensus]
    assert found.ensemble.n_partitions == 5
    assert "9 communities from 2 to 4" in repr(found)


def test_plateaus_are_stretches_of_equal_consensus_longest_first(found: ge.networks.Landscape) -> None:
    lengths = [high / low for low, high, _ in found.plateaus]
    assert lengths == sorted(lengths, reverse=True)
    for low, high, k in found.plateaus:
        inside = [r for at, r in zip(found.resolutions, found.consensus, strict=True) if low <= at <= high]
        assert {r.k for r in inside} == {k}
        assert all(ge.measures.ari(inside[0].labels, r.labels) > 0.99 for r in inside)


def test_the_picture_shows_the_figures(found: ge.networks.Landscape) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    shown = found.plot()
    assert len(shown.figure_.axes) == 3  # tree, curve, agreement
    assert shown.k.tolist() == [r.k for r in found.consensus]
    assert shown.ax_.lines[0].get_ydata().tolist() == shown.k.tolist()
    assert len(shown.ax_.patches) == len(found.plateaus)
    _, ax = plt.subplots()
    assert found.plot(ax).ax_ is ax
    assert found.plot(ax).tree_ax_ is None
    plt.close("all")


def test_one_resolution_has_a_picture_too(nested: tuple[nx.Graph, np.ndarray]) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    only = ge.networks.landscape(nested[0], [1.0], n_partitions=2, seed=0)
    assert only.plateaus == ()
    assert only.plot().tree is None
    plt.close("all")


@pytest.mark.parametrize(
    "resolutions", [[], [[1.0]], [0.0, 1.0], [-1.0], [np.nan], [np.inf], "a", ["a"], [None], 1.0, {}]
)
def test_resolutions_that_make_no_sense(resolutions: object) -> None:
    with pytest.raises(GraphensError, match="resolution"):
        ge.networks.landscape(nx.path_graph(4), resolutions, n_partitions=2, seed=0)
