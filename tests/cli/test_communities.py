"""`graphens communities`: networks from all sorts of files, and every mistake in one line."""

import csv
import io
from pathlib import Path

import networkx as nx
import pytest

import graphens as ge
from graphens.cli import main

FEW = ["--runs", "5", "--seed", "0"]
#: two triangles and a bridge
EDGES = [("ann", "ben"), ("ben", "cid"), ("ann", "cid"), ("dee", "eve"), ("eve", "fay"), ("dee", "fay"), ("cid", "dee")]
TWO = {frozenset({"ann", "ben", "cid"}), frozenset({"dee", "eve", "fay"})}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def groups(path: str = "out.csv") -> set[frozenset[str]]:
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["vertex", "cluster", "confidence"]
    found: dict[str, set[str]] = {}
    for row in rows:
        found.setdefault(row["cluster"], set()).add(row["vertex"])
        assert 0 <= float(row["confidence"]) <= 1
    return {frozenset(group) for group in found.values()}


def lines(separator: str, *, header: str = "", weight: str = "") -> str:
    rows = [separator.join([a, b, *([weight] if weight else [])]) for a, b in EDGES]
    return "\n".join([*([header] if header else []), *rows, ""])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("plain.csv", lines(",")),
        ("weighted.csv", lines(",", weight="2.5")),
        ("named.csv", lines(",", header="source,target")),
        ("named.csv", lines(",", header="From,To")),
        ("other.csv", lines(",", header="person,friend,times", weight="3")),
        ("weight.csv", lines(",", header="u,v,weight", weight="1e3")),
        ("last.csv", lines(",", header="u,v,since,weight", weight="1999,2")),
        ("turned.csv", "weight,target,source\n" + "".join(f"2,{b},{a}\n" for a, b in EDGES)),
        ("semicolons.csv", lines(";")),
        ("tabs.tsv", lines("\t", weight="1")),
        ("blanks.txt", lines("  ")),
        ("comments.txt", "# from a crawl\n% 6 vertices\n" + lines(" ", weight="1")),
        ("mark.csv", "\ufeff" + lines(",")),
        ("windows.csv", lines(",").replace("\n", "\r\n")),
        ("blanks.csv", lines(" , ")),
        ("twice.csv", lines(",") + "".join(f"{b},{a}\n" for a, b in EDGES)),
    ],
)
def test_edge_lists_of_all_sorts(name: str, text: str) -> None:
    Path(name).write_bytes(text.encode())
    assert main(["communities", name, *FEW, "-o", "out.csv"]) == 0
    assert groups() == TWO


def test_a_header_of_words_is_no_edge(capsys: pytest.CaptureFixture[str]) -> None:
    Path("net.csv").write_text(lines(",", header="person,friend"))
    assert main(["communities", "net.csv", *FEW, "-o", "out.csv"]) == 0
    assert groups() == TWO
    assert "person,friend" in capsys.readouterr().err.replace(", friend", ",friend")


@pytest.mark.parametrize("header", ["", "a,b\n", "source,target\n"])
def test_vertices_that_are_numbers(header: str) -> None:
    Path("net.csv").write_text(header + "".join(f"{a},{b}\n" for a, b in nx.barbell_graph(5, 0).edges()))
    assert main(["communities", "net.csv", *FEW, "-o", "out.csv"]) == 0
    assert groups() == {frozenset("01234"), frozenset("56789")}


@pytest.mark.parametrize("ending", [".graphml", ".gexf", ".gml", ".net", ".parquet"])
def test_files_of_graphs(ending: str) -> None:
    ge.Graph.from_networkx(nx.Graph(EDGES)).write(f"net{ending}")
    assert main(["communities", f"net{ending}", *FEW, "-o", "out.csv"]) == 0
    assert groups() == TWO


def test_from_a_pipe_to_a_pipe(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    class Pipe:
        buffer = io.BytesIO(lines(",").encode())

    monkeypatch.setattr("sys.stdin", Pipe)
    assert main(["communities", "-", *FEW]) == 0
    shown = capsysbinary.readouterr()
    Path("out.csv").write_bytes(shown.out)
    assert groups() == TWO
    assert b"modularity" in shown.err


@pytest.mark.parametrize("ending", [".graphml", ".gexf"])
def test_the_network_is_written_with_its_communities(ending: str) -> None:
    Path("net.csv").write_text(lines(",", weight="2") + "gil\x01,gil\x01,1\ngil\x01,ann,0.1\n")
    assert main(["communities", "net.csv", *FEW, "-o", "out.csv", "--graph", f"out{ending}"]) == 0
    made = getattr(nx, f"read_{ending[1:]}")(f"out{ending}")
    assert sorted(data["label"] for _, data in made.nodes(data=True))[-1] == "gil\ufffd"
    by_name = {data["name"]: data for _, data in made.nodes(data=True)} if ending == ".graphml" else {}
    with open("out.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["vertex"] in by_name:
                assert by_name[row["vertex"]]["cluster"] == int(row["cluster"])
    assert {data["share"] for *_, data in made.edges(data=True)} <= {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}
    assert made.number_of_edges() == 8


def test_weights_of_another_name(capsys: pytest.CaptureFixture[str]) -> None:
    G = nx.complete_graph(6)
    nx.set_edge_attributes(G, {(a, b): 9.0 if (a < 3) == (b < 3) else 0.5 for a, b in G.edges()}, "value")
    nx.write_graphml(G, "net.graphml")
    assert main(["communities", "net.graphml", "--weight", "value", *FEW]) == 0
    assert "6 objects in 2 clusters" in capsys.readouterr().err
    assert main(["communities", "net.graphml", *FEW]) == 0
    assert "--weight value" in capsys.readouterr().err


def test_options_reach_the_runs_and_the_method(capfd: pytest.CaptureFixture[str]) -> None:
    Path("net.csv").write_text("".join(f"{a},{b}\n" for a, b in nx.karate_club_graph().edges()))
    more = ["--base", "louvain,label-propagation", "--resolution", "0.5:2", "--method", "ecg", "--set", "w_min=0.1"]
    assert main(["communities", "net.csv", *FEW, *more, "-o", "one.csv"]) == 0
    assert main(["communities", "net.csv", *FEW, *more, "-o", "two.csv", "-j", "1"]) == 0
    assert Path("one.csv").read_bytes() == Path("two.csv").read_bytes()
    assert main(["communities", "net.csv", *FEW, "--method", "lwgp", "-k", "2", "--membership", "-o", "k.csv"]) == 0
    assert Path("k.csv").read_text().startswith("vertex,cluster,confidence,cluster_0,cluster_1\n")
    assert "Consensus by lwgp" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("", [], "is empty"),
        ("# nothing\n", [], "is empty"),
        ("source,target\n", [], "no row below it"),
        ("a\nb\n", [], "it has one column"),
        ("a,b,c\na,c,d\n", [], "edge 0 weighs 'c', which is not a number"),
        ("a,b,1\na,c,-2\n", [], "weighs -2"),
        ("a,b,1\na,c,nan\n", [], "weighs nan"),
        ("a,b,1\na,c,inf\n", [], "weighs inf"),
        ("a,b,1\na,,2\n", [], "edge 1 has no name"),
        ("a,b\na,c,2\n", [], "line 2 has 3 cells; expected 2 cells"),
        ("a,b\n", ["--resolution", "1:2:3"], "expected a number such as 1"),
        ("a,b\n", ["--resolution", "2:1"], "low before high"),
        ("a,b\n", ["--resolution", "-1"], "positive"),
        ("a,b\n", ["--base", "kmeans"], "--base 'kmeans' was given"),
        ("a,b\n", ["--runs", "0"], "--runs 0 was given"),
        ("a,b\n", ["--graph", "out.png"], "expected a file ending in .graphml, .gexf"),
        ("a,b\n", ["--graph", "no/out.graphml"], "no directory"),
        ("a,b\n", ["-o", "net.csv"], "that is the input"),
        ("a,b\n", ["--method", "reclusters"], "recluster"),
    ],
)
def test_mistakes(text: str, options: list[str], said: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("net.csv").write_text(text)
    assert main(["communities", "net.csv", *options]) == 2
    shown = capfd.readouterr()
    assert said in shown.err
    assert len(shown.err.splitlines()) == 1
    assert shown.out == ""
    assert Path("net.csv").read_text() == text


def test_a_directed_file_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    nx.write_graphml(nx.DiGraph(EDGES), "net.graphml")
    assert main(["communities", "net.graphml", *FEW]) == 2
    assert "symmetrize" in capfd.readouterr().err


@pytest.mark.parametrize("name", ["net.graphml", "net.gml", "net.net", "net.gexf"])
def test_a_directed_file_without_its_directions_is_the_undirected_one(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write = {"net.graphml": nx.write_graphml, "net.gml": nx.write_gml, "net.gexf": nx.write_gexf}
    found = []
    for kind in (nx.DiGraph, nx.Graph):
        write.get(name, nx.write_pajek)(kind(EDGES), name)
        assert main(["communities", name, "--symmetrize", *FEW]) == 0
        found.append(capfd.readouterr().out)
    assert found[0] == found[1]
    assert len(found[0].splitlines()) > 2


def test_bytes_that_are_no_file(capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("net.csv", "net.graphml", "net.gml", "net.net", "net.gexf", "net.parquet"):
        Path(name).write_bytes(b"\x00\xff\xfe PK\x03 not a graph \x80")
        assert main(["communities", name, *FEW]) == 2
        assert len(capfd.readouterr().err.splitlines()) == 1
