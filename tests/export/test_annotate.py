"""Exports know the answer: every vertex has its cluster and how sure that is."""

import csv
import json
from pathlib import Path

import igraph
import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.errors import InputError, TypeMismatch
from graphens.export.annotate import Answer, on_graph, on_hypergraph

LABELS = np.array([[0, 0, 0], [0, 0, 0], [0, 1, 0], [1, 1, 1], [1, 1, 1], [1, 0, 1], [-1, -1, -1]])
NAMES = ["a", "b", "c", "d", "e", "f", "gone"]
E = ge.Ensemble(LABELS, object_names=NAMES)
R = ge.lwgp(E, 2, seed=0)


def slow_share(member_labels: list[int]) -> tuple[int, float]:
    kept = [j for j in member_labels if j >= 0]
    best = max(sorted(set(kept)), key=kept.count)
    return best, kept.count(best) / len(kept)


def expected_clusters() -> list[tuple[int, float]]:
    columns = [(t, c) for t in range(3) for c in (0, 1)]
    return [slow_share([int(R.labels[i]) for i in range(7) if LABELS[i, t] == c]) for t, c in columns]


@pytest.mark.parametrize("graph", [ge.coassociation(E), ge.coassociation(E).threshold(0.5)])
def test_objects_have_their_own(graph: ge.Graph) -> None:
    placed = on_graph(graph, R)
    assert placed.cluster.tolist() == R.labels.tolist()
    assert placed.confidence.tolist() == R.confidence.tolist()


@pytest.mark.parametrize("graph", [ge.bipartite(E), ge.bipartite(ge.hypergraph(E))])
def test_clusters_go_where_most_of_their_objects_go(graph: ge.Graph) -> None:
    placed = on_graph(graph, ge.eac(E, 2))
    assert list(zip(placed.cluster[7:].tolist(), placed.confidence[7:].tolist(), strict=True)) == [
        (best, pytest.approx(share)) for best, share in expected_clusters()
    ]


def test_graphs_of_clusters_alone() -> None:
    placed = on_graph(ge.metagraph(E), ge.eac(E, 2))
    assert placed.cluster.tolist() == [best for best, _ in expected_clusters()]
    assert placed.confidence == pytest.approx([share for _, share in expected_clusters()])
    with pytest.raises(InputError, match="does not have their objects"):
        on_graph(ge.metagraph(E), R.labels)


def test_hyperedges_too() -> None:
    vertices, hyperedges = on_hypergraph(ge.hypergraph(E), R)
    assert vertices.cluster.tolist() == R.labels.tolist()
    assert hyperedges.cluster.tolist() == [best for best, _ in expected_clusters()]
    assert hyperedges.confidence == pytest.approx([share for _, share in expected_clusters()])


@pytest.mark.parametrize("names", [NAMES[:6], None])
def test_graphs_of_distinct_rows(names: list[str] | None) -> None:
    e = ge.Ensemble(LABELS[:6], object_names=names)
    r = ge.eac(e, 2)
    micro, index = e.collapse()
    placed = on_graph(ge.coassociation(micro), r)
    assert placed.cluster[index].tolist() == r.labels.tolist()
    assert placed.confidence[index] == pytest.approx(r.confidence)


def test_vertices_find_their_object_by_name() -> None:
    graph = ge.coassociation(E).subgraph([5, 3, 0])
    assert on_graph(graph, R).cluster.tolist() == R.labels[[5, 3, 0]].tolist()
    answer = Answer(R.labels[::-1], R.confidence[::-1], NAMES[::-1])
    assert on_graph(ge.coassociation(E), answer).cluster.tolist() == R.labels.tolist()


def test_plain_labels_are_an_answer() -> None:
    given = [0, 0, 0, 1, 1, 1, -1]
    assert on_graph(ge.coassociation(LABELS), given).columns(given) == {
        "cluster": [0, 0, 0, 1, 1, 1, -1],
        "confidence": [1.0] * 7,
    }


@pytest.mark.filterwarnings("ignore:.* have no edge:graphens.errors.GraphensWarning")
def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'z' is not an object of the consensus"):
        on_graph(ge.Graph(np.zeros((2, 2)), names=["a", "z"]), R)
    with pytest.raises(InputError, match="7 objects was given for a graph of 3"):
        on_graph(ge.Graph(np.zeros((3, 3))), ge.eac(LABELS, 2))
    with pytest.raises(TypeMismatch, match="str was given as consensus"):
        ge.coassociation(E).write(tmp_path / "g.csv", consensus="mcla")
    for ending, value in ((".graph", ge.coassociation(E)), (".hgr", ge.hypergraph(E))):
        with pytest.raises(InputError, match=f"{ending} files cannot store the consensus"):
            value.write(tmp_path / f"g{ending}", consensus=R)
    assert list(tmp_path.iterdir()) == []


def read_cluster(path: Path) -> list[int]:
    """The clusters of the vertices of a file, as the programs that read it see them."""
    ending = path.suffix
    if ending == ".net":
        return [int(c) for c in igraph.Graph.Read_Pajek(str(path)).vs["cluster"]]
    read = {".graphml": nx.read_graphml, ".gexf": nx.read_gexf, ".gml": nx.read_gml}[ending]
    return [c for _, c in read(path).nodes(data="cluster")]


@pytest.mark.parametrize("ending", [".graphml", ".gexf", ".gml", ".net"])
@pytest.mark.parametrize("make", [ge.coassociation, ge.bipartite, ge.metagraph])
def test_files_hold_it(tmp_path: Path, ending: str, make) -> None:
    r = ge.eac(E, 2)
    graph = make(E)
    graph.write(tmp_path / f"g{ending}", consensus=r)
    assert read_cluster(tmp_path / f"g{ending}") == on_graph(graph, r).cluster.tolist()


def test_edge_lists_hold_it(tmp_path: Path) -> None:
    with pytest.warns(ge.GraphensWarning, match="no edge"):
        ge.coassociation(E).write(tmp_path / "g.csv", consensus=R)
    with open(tmp_path / "g.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    own = dict(zip(NAMES, R.labels.tolist(), strict=True))
    sure = dict(zip(NAMES, R.confidence.tolist(), strict=True))
    assert rows
    for row in rows:
        for end in ("source", "target"):
            assert int(row[f"{end}_cluster"]) == own[row[end]]
            assert float(row[f"{end}_confidence"]) == sure[row[end]]


def test_hif_holds_it(tmp_path: Path) -> None:
    ge.hypergraph(E).write(tmp_path / "h.hif.json", consensus=R)
    found = json.loads((tmp_path / "h.hif.json").read_text())
    assert [node["attrs"]["cluster"] for node in found["nodes"]] == R.labels.tolist()
    assert [edge["attrs"]["cluster"] for edge in found["edges"]] == [best for best, _ in expected_clusters()]


def test_in_memory_too() -> None:
    assert [c for _, c in ge.bipartite(E).to_networkx(consensus=R).nodes(data="cluster")][:7] == R.labels.tolist()
    assert ge.bipartite(E).to_igraph(consensus=R).vs["confidence"][:7] == R.confidence.tolist()
