"""networkx and igraph graphs hold everything that ours do."""

import igraph as ig
import networkx as nx
import numpy as np
from scipy import sparse

import graphens as ge


def test_networkx_holds_the_graph(graph: ge.Graph) -> None:
    made = graph.to_networkx()
    names = list(graph.names)
    assert list(made) == (names if len(set(names)) == len(names) else list(range(graph.n_vertices)))
    assert [made.nodes[i]["name"] for i in made] == list(graph.names)
    assert [made.nodes[i]["weight"] for i in made] == graph.vertex_weights.tolist()
    assert [made.nodes[i]["bipartite"] for i in made] == graph.roles.tolist()
    assert [made.nodes[i]["role"] for i in made] == [("object", "cluster")[role] for role in graph.roles]
    assert made.graph["kind"] == graph.kind
    assert made.number_of_edges() == graph.n_edges
    if graph.n_vertices:
        assert np.array_equal(nx.to_numpy_array(made), graph.to_scipy().toarray())


def test_networkx_gets_plain_python_values(graph: ge.Graph) -> None:
    made = graph.to_networkx()
    values = [value for _, data in made.nodes(data=True) for value in data.values()]
    values += [value for *_, data in made.edges(data=True) for value in data.values()]
    assert {type(value) for value in values} <= {str, int, float}


def test_networkx_sees_the_two_sides() -> None:
    made = ge.bipartite([[0, 0], [0, 1], [1, -1]]).to_networkx()
    objects = [v for v, side in made.nodes(data="bipartite") if side == 0]
    assert nx.bipartite.is_bipartite_node_set(made, objects)


def test_igraph_holds_the_graph(graph: ge.Graph) -> None:
    made = graph.to_igraph()
    assert made.vs["name"] == list(graph.names)
    assert made.vs["weight"] == graph.vertex_weights.tolist()
    assert made.vs["bipartite"] == graph.roles.tolist()
    assert made.vs["role"] == [("object", "cluster")[role] for role in graph.roles]
    assert made["kind"] == graph.kind
    source, target, weight = graph.edges()
    assert made.get_edgelist() == list(zip(source.tolist(), target.tolist(), strict=True))
    assert made.es["weight"] == weight.tolist()


def test_igraph_projects_the_bipartite_graph() -> None:
    e = ge.Ensemble([[0, 0], [0, 1], [1, 1]])
    objects, clusters = ge.bipartite(e).to_igraph().bipartite_projection()
    assert objects.get_edgelist() == [(0, 1), (1, 2)]
    assert clusters.vs["name"] == list(e.cluster_names)


def test_igraph_takes_more_edges_than_one_piece() -> None:
    n = 5000  # a path: more edges than go in at a time
    g = ge.Graph(sparse.diags_array([np.ones(n - 1)] * 2, offsets=[-1, 1])).to_igraph()
    assert g.get_edgelist() == [(i, i + 1) for i in range(n - 1)]


def test_a_label_that_is_a_class_is_no_name() -> None:
    made = nx.path_graph(["a", "b", "c", "d"])
    nx.set_node_attributes(made, dict(zip(made, ["x", "x", "y", "y"], strict=True)), "label")
    assert list(ge.Graph.from_networkx(made).names) == ["a", "b", "c", "d"]
    nx.set_node_attributes(made, dict(zip(made, "stuv", strict=True)), "label")
    assert list(ge.Graph.from_networkx(made).names) == ["s", "t", "u", "v"]
    nx.set_node_attributes(made, dict(zip(made, "mnop", strict=True)), "name")
    assert list(ge.Graph.from_networkx(made).names) == ["m", "n", "o", "p"]
    again = ig.Graph([(0, 1)])
    again.vs["label"] = ["x", "x"]
    assert list(ge.Graph.from_igraph(again).names) == list(ge.Graph.from_igraph(ig.Graph([(0, 1)])).names)
