"""Weights, labels and options at the edge of what numbers hold: a right answer or a clear refusal, never a crash."""

import numpy as np
import pytest

import graphens as ge
from graphens.errors import InputError, TypeMismatch

A = np.array([[0, 0.5, 0.2, 0.1], [0.5, 0, 0.1, 0.2], [0.2, 0.1, 0, 0.9], [0.1, 0.2, 0.9, 0]])
NAMES = [row.name for row in ge.partitioners() if row.available]


@pytest.mark.parametrize("scale", [1e200, 1e307, 1e-200, 1e-300])
@pytest.mark.parametrize("method", ["single", "average", "complete"])
def test_link_by_ratios_of_vertex_weights(method: str, scale: float) -> None:
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    wanted = ge.link(ge.Graph(A, vertex_weights=weights), method)
    assert np.allclose(ge.link(ge.Graph(A, vertex_weights=scale * weights), method).merges, wanted.merges)
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1], [1, 0]], object_weights=scale * weights)
    plain = ge.Ensemble([[0, 0], [0, 1], [1, 1], [1, 0]], object_weights=weights)
    trees = [ge.link(ge.coassociation(x), method) for x in (e, plain)]
    assert np.allclose(trees[0].heights, trees[1].heights)


@pytest.mark.parametrize("scale", [1e200, 1e-200])
@pytest.mark.parametrize("name", NAMES)
def test_every_partitioner_by_ratios_of_weights(name: str, scale: float) -> None:
    weights = np.array([1.0, 2.0, 2.0, 1.0])
    found = [
        ge.partition(ge.Graph(c * A, vertex_weights=c * weights), 2, partitioner=name, seed=0) for c in (1.0, scale)
    ]
    assert found[0].labels.tolist() == found[1].labels.tolist()
    assert found[0].balance == pytest.approx(found[1].balance)


@pytest.mark.parametrize("scale", [1e-310, 1e300])
def test_normalized_cuts_of_edges_near_the_ends_of_numbers(scale: float) -> None:
    blocks = np.kron(np.eye(2), np.ones((3, 3))) + 0.1
    found = ge.partition(ge.Graph(scale * blocks), 2, partitioner="spectral", seed=0)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1]


def test_chains_survive_what_is_no_number() -> None:
    from graphens.kernels.linking import MERGED, ROOTS, chain, chains, grow_chains

    left, right, heights = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64), np.zeros(3)
    chain(np.full((4, 4), np.nan), np.ones((4, 1)), False, left, right, heights)
    assert sorted({*left.tolist(), *right.tolist()}) == [0, 1, 2, 3]
    state = chains(np.array([1.0, np.nan, np.inf, 1.0]), 4, False)
    for group in range(4):
        state.place[group] = group
        state.rows[group] = np.nan
    grow_chains(ge.coassociation([[0, 1]] * 4)._evidence, state, False, 1.0, 10)
    assert state.at[MERGED] + state.at[ROOTS] == 4


def test_sums_that_no_number_holds_are_refused() -> None:
    with pytest.raises(InputError, match="add up"):
        ge.Graph(np.full((4, 4), 1.7e308))
    with pytest.raises(InputError, match="add up"):
        ge.Graph(A, vertex_weights=[1.7e308] * 4)


def test_a_label_of_a_billion_is_one_part() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = ge.partition(ge.Graph(A), 3, partitioner=lambda graph, k, *, seed: np.array([7, 10**9, 5, 5]), seed=0)
    assert found.labels.tolist() == [0, 1, 2, 2]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 500_000


@pytest.mark.parametrize("n_init", [0, 10**30, 2.5, "many"])
def test_restarts_are_bounded(n_init: object) -> None:
    with pytest.raises(ge.GraphensError, match="n_init"):
        ge.partition(ge.Graph(A), 2, n_init=n_init)


def test_networks_are_cut_or_named() -> None:
    import networkx as nx

    karate = nx.karate_club_graph()
    assert ge.partition(karate, 2, seed=0).k == 2
    with pytest.raises(TypeMismatch, match="from_networkx"):
        ge.Graph(karate)
