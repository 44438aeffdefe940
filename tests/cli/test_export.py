"""`graphens export`: every graph to its files, and every mistake in one line."""

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.cli import main
from graphens.cli.show import GRAPHS
from graphens.export import FORMATS

TABLE = "who,a,b,c\nann,1,x,1\nben,1,x,2\ncid,2,y,2\ndee,2,NA,2\n"


@pytest.fixture
def labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "labels.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "labels.csv"


def ensemble() -> ge.Ensemble:
    names = ["ann", "ben", "cid", "dee"]
    given = {"a": [1, 1, 2, 2], "b": ["x", "x", "y", None], "c": [1, 2, 2, 2]}
    return ge.Ensemble.from_partitions(given, object_names=names)


@pytest.mark.parametrize("graph", GRAPHS)
def test_every_graph_to_every_ending(labels: Path, graph: str, capsys: pytest.CaptureFixture[str]) -> None:
    formats = FORMATS[ge.Hypergraph if graph == "hypergraph" else ge.Graph]
    for ending in (ending for ending, form in formats.items() if form.write):
        assert main(["export", "labels.csv", "--id", "who", "--graph", graph, "-o", f"g{ending}"]) == 0
        assert Path(f"g{ending}").stat().st_size > 0
        shown = capsys.readouterr()
        assert shown.out.startswith(f"g{ending}: ")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--graph", "coassociation"], ge.coassociation(ensemble())),
        (["--graph", "coassociation", "--threshold", "0.5"], ge.coassociation(ensemble()).threshold(0.5)),
        (["--graph", "coassociation", "--neighbors", "1"], ge.coassociation(ensemble()).neighbors(1)),
        (["--graph", "bipartite"], ge.bipartite(ensemble())),
        (["--graph", "metagraph"], ge.metagraph(ensemble())),
        (["--graph", "metagraph", "--similarity", "dice"], ge.metagraph(ensemble(), "dice")),
        (["--graph", "metagraph", "--columns", "a, c"], ge.metagraph(ensemble().take(partitions=[0, 2]))),
        (
            ["--graph", "metagraph", "--threshold", "0.4", "--neighbors", "1"],
            ge.metagraph(ensemble()).threshold(0.4).neighbors(1),
        ),
    ],
)
def test_the_graph_is_the_one_asked_for(labels: Path, options: list[str], expected: ge.Graph) -> None:
    assert main(["export", str(labels), "--id", "who", *options, "-o", "g.graphml"]) == 0
    made = nx.read_graphml("g.graphml", node_type=int)
    assert [name for _, name in made.nodes(data="name")] == list(expected.names)
    assert np.allclose(nx.to_numpy_array(made), expected.to_scipy().toarray())


CLUSTERS = "who,cluster,confidence\ndee,1,0.5\ncid,1,0.75\nben,,\nann,0,1\n"


@pytest.mark.parametrize("graph", ["coassociation", "bipartite", "metagraph"])
def test_vertices_know_their_cluster(labels: Path, graph: str) -> None:
    Path("clusters.csv").write_text(CLUSTERS)
    command = f"export labels.csv --id who --graph {graph} --clusters clusters.csv -o g.graphml"
    assert main(command.split()) == 0
    made = {node["name"]: node for _, node in nx.read_graphml("g.graphml").nodes(data=True)}
    wanted = {"ann": (0, 1.0), "ben": (-1, 0.0), "cid": (1, 0.75), "dee": (1, 0.5)}
    if graph == "metagraph":
        wanted = {"a:1": (0, 1.0), "a:2": (1, 1.0), "b:y": (1, 1.0), "c:2": (1, 1.0)}
    found = {name: (made[name].get("cluster", -1), made[name]["confidence"]) for name in wanted}
    assert found == wanted


@pytest.mark.parametrize(
    ("text", "ending", "said"),
    [
        ("who,group\nann,1\n", "gml", "no column 'cluster'"),
        (CLUSTERS.replace("0.75", "sure"), "gml", "not a number"),
        (CLUSTERS.replace("ann", "amy"), "gml", "no row for 'ann'"),
        (CLUSTERS, "graph", "cannot store the consensus"),
    ],
)
def test_clusters_that_do_not_fit(
    labels: Path, text: str, ending: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("clusters.csv").write_text(text)
    command = f"export labels.csv --id who --graph coassociation --clusters clusters.csv -o g.{ending}"
    assert main(command.split()) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert not Path(f"g.{ending}").exists()


def test_clusters_with_names_of_their_own(labels: Path) -> None:
    Path("clusters.tsv").write_text("cluster\nred\nblue\nred\nNA\n")
    command = "export labels.csv --id who --graph bipartite --clusters clusters.tsv -o g.graphml"
    assert main(command.split()) == 0
    made = {node["name"]: node for _, node in nx.read_graphml("g.graphml").nodes(data=True)}
    assert [made[name].get("cluster", -1) for name in ("ann", "ben", "cid", "dee")] == [1, 0, 1, -1]


def test_a_warning_is_one_line_and_no_error(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["export", "labels.csv", "--id", "who", "--graph", "coassociation", "--threshold", "0.99", "-o", "g.csv"]
    assert main(command) == 0
    assert capsys.readouterr().err == (
        "graphens: warning: 2 of 4 vertices have no edge and are left out: an edge list cannot hold them.\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"a,b\n1,2\n1\n", "line 3"),
        (b"a,b\n1,\xff\n", "line 2"),
        (b"a\n1.5\n", "whole numbers"),
        (b"a\n-3\n", "-3"),
    ],
)
def test_mistakes_in_tables(labels: Path, content: bytes, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    labels.write_bytes(content)
    assert main(["export", "labels.csv", "--graph", "metagraph", "-o", "g.gml"]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert [path.name for path in labels.parent.iterdir()] == ["labels.csv"]


@pytest.mark.parametrize(
    ("arguments", "graph"),
    [
        (["-o", "g.graphml"], "bipartite"),
        (["-o", "g.hgr"], "hypergraph"),
        (["-o", "-", "--format", "hif.json"], "hypergraph"),
        (["-o", "g.gexf", "--threshold", "0.5"], "coassociation"),
        (["-o", "g.gexf", "--similarity", "jaccard"], "metagraph"),
    ],
)
def test_the_graph_follows_from_the_other_arguments(
    labels: Path, arguments: list[str], graph: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = "".join(arguments[1:2])
    results = []
    for more in ([], ["--graph", graph]):
        assert main(["export", "labels.csv", "--id", "who", *arguments, *more]) == 0
        results.append(capsys.readouterr().out if out == "-" else (labels.parent / out).read_bytes())
    assert results[0] == results[1]
