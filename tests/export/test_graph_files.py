"""Graph files, read back by networkx and igraph."""

from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import pytest

import graphens as ge
from tests.export.zoo import GRAPHS, awkward_graph


def same(made: nx.Graph, graph: ge.Graph, names: list[str] | None = None) -> None:
    """The graph that networkx read, its vertices numbered in order, is the graph that was written."""
    found = nx.convert_node_labels_to_integers(made)
    data = found.nodes(data=True)
    assert [d["name"] for _, d in data] == (list(graph.names) if names is None else names)
    assert [float(d["weight"]) for _, d in data] == graph.vertex_weights.tolist()
    assert [int(d["bipartite"]) for _, d in data] == graph.roles.tolist()
    assert [d["role"] for _, d in data] == [("object", "cluster")[role] for role in graph.roles]
    if graph.n_vertices:
        assert np.array_equal(nx.to_numpy_array(found), graph.to_scipy().toarray())


def test_graphml(graph: ge.Graph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.graphml")
    made = nx.read_graphml(tmp_path / "g.graphml", node_type=int)
    same(made, graph)
    assert not made.is_directed()
    assert made.graph["kind"] == graph.kind
    assert [label for _, label in made.nodes(data="label")] == list(graph.names)


def test_ids_are_names_in_graphml_of_others(tmp_path: Path) -> None:
    nx.write_graphml(nx.path_graph(["Jean", "Cosette", "Marius"]), tmp_path / "named.graphml")
    assert list(ge.Graph.read(tmp_path / "named.graphml").names) == ["Jean", "Cosette", "Marius"]
    igraph.Graph([(0, 1)]).write_graphml(str(tmp_path / "numbered.graphml"))
    assert list(ge.Graph.read(tmp_path / "numbered.graphml").names) == [0, 1]


def test_graphml_in_igraph(graph: ge.Graph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.graphml")
    made = igraph.Graph.Read_GraphML(str(tmp_path / "g.graphml"))
    assert made.vcount() == graph.n_vertices
    if graph.n_vertices:
        assert made.vs["name"] == list(graph.names)
        assert made.vs["weight"] == graph.vertex_weights.tolist()
    if graph.n_edges:
        assert made.es["weight"] == graph.edges()[2].tolist()


def test_gexf(graph: ge.Graph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.gexf")
    made = nx.read_gexf(tmp_path / "g.gexf", node_type=int)
    same(made, graph)
    assert [label for _, label in made.nodes(data="label")] == list(graph.names)


def test_gml(graph: ge.Graph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.gml")
    same(nx.read_gml(tmp_path / "g.gml"), graph)
    same(nx.read_gml(tmp_path / "g.gml", label="id"), graph)


def test_gml_labels_are_names_where_they_differ(tmp_path: Path) -> None:
    GRAPHS["awkward"].write(tmp_path / "g.gml")
    assert list(nx.read_gml(tmp_path / "g.gml")) == list(GRAPHS["awkward"].names)
    GRAPHS["duplicates"].write(tmp_path / "g.gml")
    assert list(nx.read_gml(tmp_path / "g.gml")) == ["0", "1", "2", "3", "4"]


@pytest.mark.filterwarnings("ignore:3 of 10 names")
def test_pajek_in_networkx(graph: ge.Graph, tmp_path: Path) -> None:
    if len(set(graph.names)) < graph.n_vertices:
        pytest.skip("networkx tells the vertices of a Pajek file apart by label")
    graph.write(tmp_path / "g.net")
    made = nx.Graph(nx.read_pajek(tmp_path / "g.net"))
    nx.set_node_attributes(made, {label: label for label in made}, "name")
    same(made, graph, [name.replace('"', "'").replace("\\", "/").replace("\t", " ") for name in graph.names])


@pytest.mark.filterwarnings("ignore:3 of 10 names")
def test_pajek_in_igraph(graph: ge.Graph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.net")
    made = igraph.Graph.Read_Pajek(str(tmp_path / "g.net"))
    assert made.vcount() == graph.n_vertices
    if graph.n_vertices:
        held = [name.replace('"', "'").replace("\\", "/").replace("\t", " ") for name in graph.names]
        assert made.vs["name"] == held
        assert made.vs["role"] == [("object", "cluster")[role] for role in graph.roles]
        assert made.vs["shape"] == [("ellipse", "box")[role] for role in graph.roles]
        assert [float(weight) for weight in made.vs["weight"]] == graph.vertex_weights.tolist()
    source, target, weight = graph.edges()
    assert made.get_edgelist() == list(zip(source.tolist(), target.tolist(), strict=True))
    if graph.n_edges:
        assert np.allclose(made.es["weight"], weight, rtol=1e-15)


@pytest.mark.parametrize(("ending", "instead"), [("graphml", "a\ufffdb"), ("gexf", "a\ufffdb"), ("net", "a b")])
def test_characters_that_a_format_cannot_hold_are_replaced_with_a_warning(
    tmp_path: Path, ending: str, instead: str
) -> None:
    g = awkward_graph(["a\x01b", "fine", "also fine"])
    with pytest.warns(ge.GraphensWarning, match="1 of 3 names"):
        g.write(tmp_path / f"g.{ending}")
    read = {"graphml": nx.read_graphml, "gexf": nx.read_gexf, "net": nx.read_pajek}[ending]
    made = read(tmp_path / f"g.{ending}")
    first = next(iter(made.nodes(data=True)))
    assert instead in {first[0], first[1].get("name")}


@pytest.mark.parametrize("ending", ["graphml", "gexf", "gml"])
def test_a_kind_with_control_characters_leaves_files_readable(tmp_path: Path, ending: str) -> None:
    ge.Graph([[0, 1], [1, 0]], kind="a\x0fb & <c>\ud800").write(tmp_path / f"g.{ending}")
    assert ge.Graph.read(tmp_path / f"g.{ending}").n_edges == 1


@pytest.mark.parametrize("ending", ["graphml", "gml"])
def test_no_digit_is_lost(tmp_path: Path, ending: str) -> None:
    weights = np.random.default_rng(0).random(50) * 10.0 ** np.arange(-25, 25)
    g = ge.Graph(np.diag(weights, 1) + np.diag(weights, -1), vertex_weights=np.append(weights, 1e-300))
    g.write(tmp_path / f"g.{ending}")
    for read in (ge.Graph.read, lambda path: ge.Graph.from_networkx(getattr(nx, f"read_{ending}")(path))):
        back = read(tmp_path / f"g.{ending}")
        assert back.edges()[2].tolist() == weights.tolist()
        assert back.vertex_weights.tolist() == g.vertex_weights.tolist()


@pytest.mark.parametrize("n", [40, 3000])
def test_files_for_gephi_and_cytoscape_hold_a_finished_picture(tmp_path: Path, n: int) -> None:
    from graphens.plot import color

    labels = np.arange(n) % 5
    e = ge.Ensemble(np.column_stack([labels, labels, labels // 2]))
    r = ge.lwgp(e, 5, seed=0)
    graph = ge.bipartite(e)
    graph.write(tmp_path / "g.gexf", consensus=r)
    graph.write(tmp_path / "g.graphml", consensus=r)
    ours = r.labels.tolist()
    for node, data in nx.read_gexf(tmp_path / "g.gexf").nodes(data=True):
        red, green, blue = (data["viz"]["color"][part] for part in "rgb")
        assert f"#{red:02x}{green:02x}{blue:02x}" == color(data["cluster"])
        assert data["viz"]["size"] > 0
        assert {"x", "y"} <= set(data["viz"]["position"])
        assert int(node) >= n or data["cluster"] == ours[int(node)]
    drawn = dict(nx.read_graphml(tmp_path / "g.graphml").nodes(data=True))
    assert all(data["color"] == color(data["cluster"]) for data in drawn.values())
    places = np.array([(data["x"], data["y"]) for data in drawn.values()])
    assert np.isfinite(places).all()
    assert len(np.unique(places, axis=0)) == len(places)
    own = np.array([data["cluster"] for data in drawn.values()])
    middle = np.stack([places[own == c].mean(axis=0) for c in range(5)])
    spread = np.mean([np.linalg.norm(places[own == c] - middle[c], axis=1).mean() for c in range(5)])
    apart = np.linalg.norm(middle[:, None] - middle[None], axis=2)[~np.eye(5, dtype=bool)].mean()
    assert apart > 1.5 * spread  # clusters lie apart
    assert ge.Graph.read(tmp_path / "g.graphml").n_edges == graph.n_edges
