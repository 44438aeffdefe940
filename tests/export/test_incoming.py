"""Graphs come in: from networkx, from igraph, from files; what we wrote comes back."""

from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.errors import FileError, InputError, TypeMismatch
from tests.export.zoo import AWKWARD, GRAPHS, awkward_graph


def same(a: ge.Graph, b: ge.Graph, *, kind: bool = True, weights: bool = True) -> None:
    assert list(a.names) == list(b.names)
    assert a.roles.tolist() == b.roles.tolist()
    assert not weights or a.vertex_weights.tolist() == b.vertex_weights.tolist()
    assert np.array_equal(a.to_scipy().toarray(), b.to_scipy().toarray())
    assert not kind or a.kind == b.kind


def test_networkx_and_igraph_round_trips(graph: ge.Graph) -> None:
    same(ge.Graph.from_networkx(graph.to_networkx()), graph)
    same(ge.Graph.from_igraph(graph.to_igraph()), graph)


@pytest.mark.parametrize("ending", ["graphml", "gexf", "gml"])
def test_files_round_trip(graph: ge.Graph, tmp_path: Path, ending: str) -> None:
    graph.write(tmp_path / f"g.{ending}")
    same(ge.Graph.read(tmp_path / f"g.{ending}"), graph, kind=ending != "gexf")


@pytest.mark.filterwarnings("ignore:3 of 10 names")
def test_pajek_round_trip(graph: ge.Graph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.net")
    back = ge.Graph.read(tmp_path / "g.net")
    held = [name.replace('"', "'").replace("\\", "/").replace("\t", " ") for name in graph.names]
    assert list(back.names) == held
    assert back.roles.tolist() == graph.roles.tolist()
    assert back.vertex_weights.tolist() == graph.vertex_weights.tolist()
    assert np.array_equal(back.to_scipy().toarray(), graph.to_scipy().toarray())


def test_metis_round_trip(graph: ge.Graph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.graph")
    back = ge.Graph.read(tmp_path / "g.graph")
    scale = max(graph.to_scipy().max(), 1e-300) if graph.n_edges else 1.0
    assert np.allclose(back.to_scipy().toarray(), graph.to_scipy().toarray(), atol=1e-4 * scale, rtol=0)
    assert np.allclose(back.vertex_weights, graph.vertex_weights, atol=1e-3)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
@pytest.mark.parametrize("names", [[*AWKWARD[:9], "last"], ["a\rb", "c\r\nd", " e ", "NA", "\n"]])
@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_edge_list_round_trip(tmp_path: Path, ending: str, names: list[str]) -> None:
    graph = awkward_graph(names)
    graph.write(tmp_path / f"g.{ending}")
    kept = graph.subgraph(graph.degree() > 0)
    same(ge.Graph.read(tmp_path / f"g.{ending}"), kept, kind=False, weights=False)


@pytest.mark.parametrize("ending", ["graphml", "gexf", "gml"])
def test_line_ends_in_names_survive(tmp_path: Path, ending: str) -> None:
    graph = awkward_graph(["a\rb", "c\nd", "e\tf"])
    graph.write(tmp_path / f"g.{ending}")
    assert list(ge.Graph.read(tmp_path / f"g.{ending}").names) == list(graph.names)


def test_graphs_of_others() -> None:
    made = nx.MultiGraph()
    made.add_edge("u", "v", weight=2)
    made.add_edge("u", "v", weight=0.5)
    made.add_edge("v", "w")
    g = ge.Graph.from_networkx(made)
    assert list(g.names) == ["u", "v", "w"]
    assert g.to_scipy().toarray().tolist() == [[0, 2.5, 0], [2.5, 0, 1], [0, 1, 0]]
    strong = nx.Graph([(0, 1, {"strength": 3.0})])
    assert ge.Graph.from_networkx(strong, weight="strength").cut([0, 1]) == 3
    path = igraph.Graph([(0, 1), (1, 2)])
    assert list(ge.Graph.from_igraph(path).names) == [0, 1, 2]


def test_names_roles_and_weights_only_where_all_have_them() -> None:
    made = nx.Graph([(0, 1)])
    made.nodes[0].update(name="first", bipartite=1, weight=2)
    g = ge.Graph.from_networkx(made)
    assert list(g.names) == [0, 1]
    assert g.roles.tolist() == [0, 0]
    assert g.vertex_weights.tolist() == [1, 1]


def test_what_a_graph_cannot_hold() -> None:
    with pytest.raises(InputError, match=r"directed graph was given.*symmetrize"):
        ge.Graph.from_networkx(nx.DiGraph([(0, 1)]))
    with pytest.raises(InputError, match=r"directed graph was given.*symmetrize"):
        ge.Graph.from_igraph(igraph.Graph([(0, 1)], directed=True))
    lost = "2 of 3 edges are left out: 1 from a vertex to itself and 1 of weight 0"
    with pytest.warns(ge.GraphensWarning, match=lost):
        g = ge.Graph.from_networkx(nx.Graph([(0, 0), (0, 1), (1, 2, {"weight": 0})]))
    assert (g.n_vertices, g.n_edges) == (3, 1)
    with pytest.raises(InputError, match=r"weighs -1.0"):
        ge.Graph.from_networkx(nx.Graph([(0, 1, {"weight": -1})]))
    with pytest.raises(TypeMismatch, match="not numbers"):
        ge.Graph.from_networkx(nx.Graph([(0, 1, {"weight": "heavy"})]))
    for made in (nx.Graph([(0, 1, {"weight": 10**400})]), igraph.Graph([(0, 1)], edge_attrs={"weight": [10**400]})):
        with pytest.raises(InputError, match=r"more than 1.8e308"):
            ge.Graph.of(made)


def test_weights_that_are_text_are_read_and_told() -> None:
    made = nx.Graph([(0, 1, {"weight": "3"}), (1, 2, {"weight": 2}), (0, 2)])
    with pytest.warns(ge.GraphensWarning, match="1 of 3 edge weights are text, such as '3'; they are read as numbers"):
        assert ge.Graph.from_networkx(made).adjacency[0, 1] == 3
    made = igraph.Graph([(0, 1), (1, 2)], edge_attrs={"weight": ["3", "2.5"]})
    with pytest.warns(ge.GraphensWarning, match="2 of 2 edge weights are text"):
        assert ge.Graph.from_igraph(made).degree().tolist() == [3, 5.5, 2.5]


def test_partition_takes_graphs_of_others() -> None:
    made = nx.karate_club_graph()
    own = ge.partition(ge.Graph.from_networkx(made), 2, seed=0)
    assert ge.partition(made, 2, seed=0).labels.tolist() == own.labels.tolist()
    assert ge.partition(igraph.Graph.from_networkx(made), 2, seed=0).cut == own.cut
    with pytest.raises(TypeMismatch, match="ndarray was given; expected a Graph"):
        ge.partition(np.eye(3), 2)


def test_names_as_nodes() -> None:
    made = GRAPHS["bipartite"].to_networkx()
    assert list(made) == list(GRAPHS["bipartite"].names)
    assert made.edges["o 1", "first:0"]["weight"] == 1
    assert list(GRAPHS["duplicates"].to_networkx()) == list(range(GRAPHS["duplicates"].n_vertices))


@pytest.mark.parametrize("ending", ["graphml", "gexf", "gml", "net", "graph", "csv", "parquet"])
@pytest.mark.parametrize("content", [b"", b"\x00\xff" * 50, b"graph [\n  node [", b"1 2 3\n4 5\n", b"<a>"])
def test_damaged_files_are_file_errors(tmp_path: Path, ending: str, content: bytes) -> None:
    (tmp_path / f"g.{ending}").write_bytes(content)
    with pytest.raises(FileError, match="cannot be"):
        ge.Graph.read(tmp_path / f"g.{ending}")
    with pytest.raises(FileError, match="No such file"):
        ge.Graph.read(tmp_path / f"missing.{ending}")


def test_an_unknown_ending_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"'g.xyz' was given to read a graph from; expected .*\.graphml"):
        ge.Graph.read("g.xyz")


def test_files_of_a_few_bytes_take_no_memory(tmp_path: Path) -> None:
    huge = {"net": "*Vertices 999999999999\n*Edges\n1 2\n", "graph": "999999999999 1\n2\n1\n"}
    for ending, text in huge.items():
        (tmp_path / f"g.{ending}").write_text(text)
        with pytest.raises(FileError, match="999999999999"):
            ge.Graph.read(tmp_path / f"g.{ending}")


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        ("net", '*Vertices 1_2\n1 "a"\n*Edges\n1 2 1\n'),
        ("net", "*Vertices 12\n*Edges\n1 1_0 1\n"),
        ("net", "*Vertices 2\n*Edges\n1 2 1_0\n"),
        ("graph", "2 1 1\n2 1_0\n1 1_0\n"),
        ("graph", "0_2 1\n2\n1\n"),
    ],
)
def test_1_0_is_no_number(tmp_path: Path, ending: str, text: str) -> None:
    path = tmp_path / f"g.{ending}"
    path.write_text(text)
    with pytest.raises(FileError, match="number"):
        ge.Graph.read(path)
    path.write_text(text.replace("_", ""))
    assert ge.Graph.read(path).n_edges == 1


def test_an_edge_without_a_weight_weighs_one_in_every_format(tmp_path: Path) -> None:
    made = nx.Graph()
    made.add_edge("a", "b", weight=2.5)
    made.add_edge("b", "c")
    for ending, write in (("graphml", nx.write_graphml), ("gexf", nx.write_gexf), ("gml", nx.write_gml)):
        write(made, tmp_path / f"g.{ending}")
        g = ge.Graph.read(tmp_path / f"g.{ending}")
        assert sorted(g.edges()[2].tolist()) == [1.0, 2.5], ending
    made.edges["b", "c"]["weight"] = float("nan")
    nx.write_graphml(made, tmp_path / "g.graphml")
    with pytest.raises(ge.GraphensError, match="An edge weighs nan"):
        ge.Graph.read(tmp_path / "g.graphml")


def test_an_edge_list_may_have_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    path.write_text("source;target;weight\na;b;1,5\nb;c;2\n")
    assert ge.Graph.read(path).edges()[2].tolist() == [1.5, 2.0]
