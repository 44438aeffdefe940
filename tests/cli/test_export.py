"""`graphens export`: every graph to its files, and every mistake in one line."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import graphens as ge
from graphens.cli import main
from graphens.cli.export import GRAPHS
from graphens.export import WRITERS

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
    for ending in WRITERS[ge.Hypergraph if graph == "hypergraph" else ge.Graph]:
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
        (["--graph", "meta"], ge.metagraph(ensemble())),
        (["--graph", "meta", "--similarity", "dice"], ge.metagraph(ensemble(), "dice")),
        (["--graph", "meta", "--columns", "a, c"], ge.metagraph(ensemble().take(partitions=[0, 2]))),
        (
            ["--graph", "meta", "--threshold", "0.4", "--neighbors", "1"],
            ge.metagraph(ensemble()).threshold(0.4).neighbors(1),
        ),
    ],
)
def test_the_graph_is_the_one_asked_for(labels: Path, options: list[str], expected: ge.Graph) -> None:
    assert main(["export", str(labels), "--id", "who", *options, "-o", "g.graphml"]) == 0
    made = nx.read_graphml("g.graphml", node_type=int)
    assert [name for _, name in made.nodes(data="name")] == list(expected.names)
    assert np.allclose(nx.to_numpy_array(made), expected.to_scipy().toarray())


def test_a_warning_is_one_line_and_no_error(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "export",
        "labels.csv",
        "--id",
        "who",
        "--graph",
        "coassociation",
        "--threshold",
        "0.99",
        "-o",
        "g.csv",
    ]
    assert main(command) == 0
    assert capsys.readouterr().err == (
        "graphens: warning: 2 of 4 vertices have no edge and are left out: an edge list cannot hold them.\n"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--graph", "meta", "-o", "g.xyz"], r"expected a file ending in .graphml"),
        (["--graph", "hypergraph", "-o", "g.graphml"], r"hypergraph; expected a file ending in .hgr"),
        (["--graph", "meta", "-o", "no/such/place/g.gml"], "no directory"),
        (["--graph", "meta", "-o", "g.gml", "--columns", "a,nope"], "no column 'nope'"),
        (["--graph", "meta", "-o", "g.gml", "--columns", ""], "no column ''"),
        (["--graph", "meta", "-o", "g.gml", "--id", "nope"], "no column 'nope'"),
        (["--graph", "bipartite", "-o", "g.gml", "--similarity", "dice"], "--similarity"),
        (["--graph", "hypergraph", "-o", "g.hgr", "--threshold", "0.5"], "--threshold"),
        (["--graph", "meta", "-o", "g.gml", "--similarity", "dise"], "Did you mean dice?"),
        (["--graph", "coassociation", "-o", "g.gml", "--threshold", "nan"], "finite"),
        (["--graph", "coassociation", "-o", "g.gml", "--threshold", "x"], "invalid float"),
        (["--graph", "coassociation", "-o", "g.gml", "--neighbors", "0"], "at least 1"),
        (["--graph", "metta", "-o", "g.gml"], "Did you mean meta?"),
        (["--graph", "meta"], "required: -o"),
    ],
)
def test_mistakes_in_options(
    labels: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "labels.csv", *options]) == 2
    shown = capsys.readouterr()
    said = [line for line in shown.err.splitlines() if not line.startswith("graphens: warning: ")]
    assert (shown.out, len(said)) == ("", 1)
    assert said[0].startswith("graphens: ")
    assert message in said[0]
    assert [path.name for path in labels.parent.iterdir()] == ["labels.csv"]


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
def test_mistakes_in_tables(
    labels: Path, content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    labels.write_bytes(content)
    assert main(["export", "labels.csv", "--graph", "meta", "-o", "g.gml"]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert [path.name for path in labels.parent.iterdir()] == ["labels.csv"]
