"""Networks with hardly anything in them, with names that repeat, and with weights of any size."""

import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.errors import GraphensWarning, InputError

METHODS = ["recluster", "ecg", "leiden"]


def bell(weight: float = 1.0, bridge: float = 1.0) -> nx.Graph:
    G = nx.barbell_graph(4, 0)
    nx.set_edge_attributes(G, weight, "weight")
    G.edges[3, 4]["weight"] = bridge
    return G


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("G", "expected"),
    [
        (nx.empty_graph(1), [0]),
        (nx.empty_graph(3), [0, 1, 2]),
        (nx.disjoint_union_all([nx.complete_graph(3), nx.empty_graph(2)]), [0, 0, 0, 1, 2]),
        (nx.MultiGraph([(0, 1), (0, 1), (1, 0)]), [0, 0]),
        (bell(1e300, 1e299), [0] * 4 + [1] * 4),
        (bell(1e-300, 1e-301), [0] * 4 + [1] * 4),
    ],
)  # fmt: skip
def test_every_method_answers(G: nx.Graph, expected: list[int], method: str) -> None:
    r = ge.communities(G, 4, method=method, seed=0)
    assert r.labels.tolist() == expected
    assert np.isfinite(r.details["modularity"])
    assert 0 <= r.details["structure"] <= 1
    assert [c for _, c in r.to_networkx().nodes(data="cluster")] == expected
    assert r.to_igraph().vs["cluster"] == expected


@pytest.mark.parametrize("method", METHODS)
def test_edges_that_weigh_nothing_are_left_out_and_told(method: str) -> None:
    G = nx.path_graph(3)
    nx.set_edge_attributes(G, 0.0, "weight")
    with pytest.warns(GraphensWarning, match="2 of 2 edges are left out: 2 of weight 0"):
        assert ge.communities(G, 3, method=method, seed=0).k == 3


@pytest.mark.parametrize("method", METHODS)
def test_names_that_repeat_do_not_merge_vertices(method: str) -> None:
    G = bell()
    nx.set_node_attributes(G, "same", "name")
    for given in (G, ge.Graph.of(G), ge.Graph.of(G).to_igraph()):
        r = ge.communities(given, 4, method=method, seed=0)
        assert r.labels.tolist() == [0] * 4 + [1] * 4
        assert r.to_networkx().number_of_nodes() == 8
        assert r.to_igraph().vs["cluster"] == r.labels.tolist()


def test_sums_beyond_all_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="divide them by the largest"):
        ge.communities(bell(1.7e308, 1.0), 2, seed=0)


def test_no_warning_without_a_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ge.communities(nx.karate_club_graph(), 5, seed=0)


def test_a_function_that_takes_no_seed_is_refused_before_it_runs() -> None:
    with pytest.raises(TypeError, match="expected a function \\(graph, k, \\*, seed\\)"):
        ge.generate(nx.path_graph(4), 2, base=lambda graph: [0, 0, 1, 1])


def test_lost_edges_are_said_once(tmp_path: Path) -> None:
    G = nx.les_miserables_graph()
    G.add_edge("Valjean", "Valjean")
    with pytest.warns(ge.GraphensWarning, match="1 from a vertex to itself"):
        r = ge.communities(G, 3, seed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ge.GraphensWarning)
        r.plot("graph")
        r.report(tmp_path / "r.html")
        r.explore(tmp_path / "e.html")
        r.graph.write(tmp_path / "g.gexf", consensus=r)
