"""Community algorithms prepared for many runs: right labels, whatever the order of the vertices."""

import igraph
import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.cutting.community import FINDERS, Runs, find_finder, igraph_seeded, refined_order
from graphens.errors import InputError


def planted(seed: int = 0) -> ge.Graph:
    """Four groups of 25 vertices, with weights that all differ."""
    made = nx.planted_partition_graph(4, 25, 0.5, 0.03, seed=seed)
    rng = np.random.default_rng(seed)
    a = nx.to_scipy_sparse_array(made, dtype=float).toarray()
    weights = np.triu(rng.uniform(0.5, 1.0, a.shape))
    return ge.Graph(a * (weights + weights.T - np.diag(np.diag(weights))))


def modularity(graph: ge.Graph, labels: np.ndarray) -> float:
    g = graph.to_igraph()
    return g.modularity(labels.tolist(), weights="weight")


@pytest.mark.parametrize("name", FINDERS)
def test_labels_belong_to_their_vertices(name: str) -> None:
    """Labels given to the wrong vertices, or weights to the wrong edges, would have no modularity."""
    graph = planted()
    found = Runs(graph).find(name, 3)
    least = 0.35 if name != "louvain-1" else 0.2
    assert modularity(graph, found) > least
    truth = np.repeat(np.arange(4), 25)
    assert modularity(graph, found) >= 0.9 * modularity(graph, truth) or name == "louvain-1"


@pytest.mark.parametrize("name", FINDERS)
def test_the_order_of_the_vertices_does_not_matter(name: str) -> None:
    graph = planted(2)
    shuffle = np.random.default_rng(5).permutation(graph.n_vertices)
    moved = graph.subgraph(shuffle)
    one, other = Runs(graph).find(name, 7), Runs(moved).find(name, 7)
    assert ge.measures.ari(one[shuffle], other) == pytest.approx(1.0)


def test_runs_of_louvain_differ_and_repeat() -> None:
    graph = ge.Graph(nx.to_numpy_array(nx.gnm_random_graph(60, 200, seed=4)))
    runs = Runs(graph)
    answers = [runs.find("louvain", seed) for seed in range(8)]
    assert len({tuple(answer) for answer in answers}) > 1
    assert all((runs.find("louvain", seed) == answers[seed]).all() for seed in range(8))


def test_colors_follow_from_the_graph() -> None:
    graph = planted(3)
    shuffle = np.random.default_rng(1).permutation(graph.n_vertices)
    assert (shuffle[refined_order(graph.subgraph(shuffle))] == refined_order(graph)).all()


@pytest.mark.parametrize("name", FINDERS)
def test_without_edges_everyone_is_alone(name: str) -> None:
    assert Runs(ge.Graph(np.zeros((3, 3)))).find(name, 0).tolist() == [0, 1, 2]


def test_an_isolated_vertex_is_a_community_of_its_own() -> None:
    graph = ge.Graph([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    for name in FINDERS:
        assert Runs(graph).find(name, 0).tolist() == [0, 0, 1], name


@pytest.mark.parametrize("name", ["louvain", "louvain-1", "label-propagation", "infomap"])
def test_loops_stand_for_what_is_inside_a_vertex(name: str) -> None:
    """Two cliques, each one vertex with a loop, joined by a weak edge: only the loops say that they are two."""
    graph = ge.Graph([[0.0, 1.0], [1.0, 0.0]])
    assert Runs(graph).find(name, 0).tolist() == [0, 0]
    assert Runs(graph, np.array([45.0, 45.0])).find(name, 0).tolist() == [0, 1]


def test_leiden_is_about_as_good_as_igraphs_own_loop() -> None:
    g = igraph.Graph(1000, np.random.default_rng(0).integers(1000, size=(4000, 2)).tolist())
    with igraph_seeded(0):
        to_the_end = g.community_leiden("modularity", n_iterations=-1)
        ours = FINDERS["leiden"].find(g, None, 1.0)
    assert g.modularity(ours) > to_the_end.modularity - 0.01


def test_an_unknown_algorithm_is_refused() -> None:
    with pytest.raises(InputError, match="expected one of leiden"):
        find_finder("lieden")


def test_colors_are_sums_over_neighbors_that_wrap() -> None:
    from graphens.cutting.community import _ROUNDS, _mix, refined_order

    for seed in range(10):
        rng = np.random.default_rng(seed)
        a = np.triu(rng.random((15, 15)) * (rng.random((15, 15)) < 0.2), 1)
        matrix = ge.Graph(a + a.T).adjacency
        color = _mix(np.diff(matrix.indptr).astype(np.uint64))
        for _ in range(_ROUNDS):
            seen = np.zeros(15, dtype=np.uint64)
            for i in range(15):
                for at in range(matrix.indptr[i], matrix.indptr[i + 1]):
                    edge = _mix(matrix.data[at : at + 1].view(np.uint64))
                    seen[i : i + 1] += _mix(color[matrix.indices[at] : matrix.indices[at] + 1] ^ edge)
            color = _mix(color + np.uint64(3) * seen)
        assert refined_order(ge.Graph(a + a.T)).tolist() == np.argsort(color, kind="stable").tolist()
