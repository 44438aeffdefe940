"""Tables in every format, delimiter and encoding; pairs of objects; and what used to be in Python only."""

import csv
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.cli import main
from graphens.export.text_tables import escaped, latex_cell, tabular

NAMES = ["ash", "oak", "älm", "fir", "yew", "bay", "box"]
FRAME = pd.DataFrame(
    {
        "ann": [1, 1, 1, 2, 2, 3, 3],
        "bob": list("bbbccaa"),
        "cal": [3, 3, 2, 2, 1, 1, 1],
        "kind": ["hard", "hard", "hard", "soft", "soft", "soft", None],
    },
    index=pd.Index(NAMES, name="tree"),
)
ASKED = ["--columns", "ann,bob,cal", "--id", "tree", "-k", "3", "--seed", "0"]


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    FRAME.to_csv(path)
    return path


def run(*words: object) -> int:
    return main([str(word) for word in words])


def complaint(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_an_answer_is_written_as_its_labels_were(tmp_path: Path, delimiter: str, encoding: str) -> None:
    source, out = tmp_path / "labels.csv", tmp_path / "out.csv"
    FRAME.to_csv(source, sep=delimiter, encoding=encoding)
    given = (["--encoding", encoding] if encoding in {"latin-1", "cp1252"} else []) + (
        ["--delimiter", "|"] if delimiter == "|" else []
    )
    assert run("consensus", source, *ASKED, *given, "-o", out) == 0
    answer = pd.read_csv(out, sep=delimiter, encoding=encoding)
    assert answer.columns.tolist() == ["tree", "cluster", "confidence"]
    assert answer["tree"].tolist() == NAMES
    marked = out.read_bytes()[:3] == b"\xef\xbb\xbf"
    assert marked == (encoding == "utf-8-sig")
    assert run("export", source, "--id", "tree", "--columns", "ann", *given, "--clusters", out, "--graph", "bipartite",
               "-o", tmp_path / "g.graphml") == 0  # fmt: skip


def test_standard_output_has_no_mark(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    FRAME.to_csv(tmp_path / "labels.csv", sep=";", encoding="utf-8-sig")
    assert run("consensus", tmp_path / "labels.csv", *ASKED) == 0
    assert capfdbinary.readouterr().out.startswith(b"tree;cluster;confidence\nash;0;")


def test_text_in_another_encoding_is_refused_with_advice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.to_csv(tmp_path / "labels.csv", encoding="latin-1")
    assert run("consensus", tmp_path / "labels.csv", *ASKED) == 2
    assert "line 4: not UTF-8 text; save the table as UTF-8, or name its encoding" in complaint(capsys)
    for wrong in ("latin-99", "base64"):
        assert run("consensus", tmp_path / "labels.csv", *ASKED, "--encoding", wrong) == 2
        assert f"{wrong} was given; expected a text encoding" in complaint(capsys)


def test_a_name_that_an_encoding_lacks_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "labels.csv"
    FRAME.rename(index={"älm": "elm"}).to_csv(source)
    extra = tmp_path / "more.xlsx"
    assert run("generate", source, "--columns", "ann,cal", "--id", "tree", "-B", "2", "-k", "2", "--seed", "0",
               "--encoding", "ascii", "-o", tmp_path / "e.csv") == 0  # fmt: skip
    FRAME.to_csv(source, encoding="utf-8")
    assert run("consensus", source, *ASKED, "--encoding", "ascii", "-o", tmp_path / "o.csv") == 2
    assert "not ascii text" in complaint(capsys)
    assert not (tmp_path / "o.csv").exists()
    assert not extra.exists()


def test_answers_go_to_excel_and_come_back(labels: Path, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    out = tmp_path / "out.xlsx"
    assert run("consensus", labels, *ASKED, "-o", out) == 0
    answer = pd.read_excel(out)
    expected = ge.consensus(FRAME[["ann", "bob", "cal"]], 3, seed=0)
    assert answer["tree"].tolist() == NAMES
    assert answer["cluster"].tolist() == expected.labels.tolist()
    assert np.allclose(answer["confidence"], expected.confidence, atol=1e-6)
    FRAME.to_excel(tmp_path / "labels.xlsx")
    assert run("consensus", tmp_path / "labels.xlsx", *ASKED, "-o", tmp_path / "same.csv") == 0
    assert pd.read_csv(tmp_path / "same.csv")["cluster"].tolist() == answer["cluster"].tolist()
    assert run("match", out, tmp_path / "same.csv", "-o", tmp_path / "pairs.csv") == 0
    assert pd.read_csv(tmp_path / "pairs.csv")["share_of_first"].tolist() == [1.0] * 3


def test_names_that_look_like_formulas_stay_names(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    frame = FRAME.set_index(pd.Index(["=1+1", "@x", "-1", "a\x01b", "007", "bay", "box"], name="tree"))
    frame.to_csv(tmp_path / "labels.csv")
    assert run("consensus", tmp_path / "labels.csv", *ASKED, "-o", tmp_path / "o.xlsx") == 0
    sheet = openpyxl.load_workbook(tmp_path / "o.xlsx").active
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert [cell.value for cell in cells][:5] == ["=1+1", "@x", "-1", "a\ufffdb", "007"]
    assert {cell.data_type for cell in cells} == {"s"}


def test_without_openpyxl_excel_is_refused_before_the_work(
    labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert run("consensus", labels, *ASKED, "-o", tmp_path / "o.xlsx") == 2
    assert complaint(capsys) == "graphens: Excel files need openpyxl: pip install 'graphens[excel]'\n"
    (tmp_path / "x.xlsx").write_bytes(b"")
    assert run("consensus", tmp_path / "x.xlsx", *ASKED) == 2
    assert "graphens[excel]" in complaint(capsys)


def test_a_file_that_is_no_workbook_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openpyxl")
    (tmp_path / "x.xlsx").write_bytes(b"no workbook")
    for name in ("x.xlsx", "absent.xlsx"):
        assert run("consensus", tmp_path / name, *ASKED) == 2
        assert f"{name} cannot be read" in complaint(capsys)


def test_a_table_for_a_paper(labels: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.tex"
    assert run("compare", labels, "--id", "tree", "-k", "3", "--truth", "kind", "--methods", "vote,eac", "--seed", "0",
               "-o", out) == 0  # fmt: skip
    lines = out.read_text("utf-8").splitlines()
    assert lines[0] == r"\begin{tabular}{lrrrrrrlrrr}"
    assert lines[2].startswith("method & k & score")
    assert r"error\_rate" in lines[2]
    assert [line.split(" & ")[0] for line in lines[4:6]] == ["vote", "eac"]
    assert re.fullmatch(r"vote & 3 & 0\.\d{3} & .* \\\\", lines[4])
    assert lines[-1] == r"\end{tabular}"


def test_true_classes_come_from_a_file_of_their_own(labels: Path, tmp_path: Path) -> None:
    FRAME[["kind"]].iloc[::-1].to_csv(tmp_path / "truth.csv")
    FRAME.drop(columns="kind").to_csv(labels)
    asked = ["--id", "tree", "-k", "3", "--methods", "vote", "--seed", "0"]
    assert run("compare", labels, *asked, "--truth", tmp_path / "truth.csv", "-o", tmp_path / "t.csv") == 0
    r = ge.vote(FRAME[["ann", "bob", "cal"]], 3)
    expected = ge.measures.ari(FRAME["kind"].tolist()[:6], r.labels[:6])
    assert pd.read_csv(tmp_path / "t.csv")["ari"].tolist() == pytest.approx([expected])


def test_latex_says_what_the_text_says() -> None:
    assert escaped(r"a\b{c}_d^e~f&g%h$i#j<k>l|m") == (
        r"a\textbackslash{}b\{c\}\_d\textasciicircum{}e\textasciitilde{}f\&g\%h\$i\#j\textless{}k\textgreater{}l\textbar{}m"
    )
    assert escaped("0.5 ± 0.1 × θ\nx") == r"0.5 $\pm$ 0.1 $\times$ $\theta$ x"
    numbers = (0.12349, 12.3456, 1234.56, 123456.7, 2, 0.0, -0.5, float("nan"), float("-inf"))
    assert [latex_cell(number) for number in numbers] == [
        "0.123", "12.346", "1234.6", "123457", "2", "0.000", "$-$0.500", "--", r"$-\infty$",
    ]  # fmt: skip
    assert tabular({"a": ["x", "y"], "nothing": [None, ""]}).count("&") == 0


@pytest.mark.parametrize("header", ["", "one;two\n"])
def test_pairs_from_a_file_hold(labels: Path, tmp_path: Path, header: str) -> None:
    (tmp_path / "together.csv").write_text(f"{header}älm;fir\n", "utf-8")
    (tmp_path / "apart.csv").write_text(f"{header.replace(';', ',')}bay,box\n", "utf-8")
    pairs = ["--must-link", tmp_path / "together.csv", "--cannot-link", tmp_path / "apart.csv"]
    out = tmp_path / "out.csv"
    assert run("consensus", labels, *ASKED, *pairs, "-o", out, "--save", tmp_path / "r.npz") == 0
    place = pd.read_csv(out, index_col="tree")["cluster"]
    assert place["älm"] == place["fir"]
    assert place["bay"] != place["box"]
    assert ge.load(tmp_path / "r.npz").options["must_link"] == (("älm", "fir"),)
    assert run("report", labels, *ASKED, *pairs, "-o", tmp_path / "r.html") == 0
    assert "cannot-link cannot_link.csv" in (tmp_path / "r.html").read_text("utf-8")


def test_pairs_may_have_another_delimiter_than_the_labels(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "labels.csv", sep="|")
    (tmp_path / "pairs.csv").write_text("ash,box\n")
    asked = [*ASKED, "--delimiter", "|", "--must-link", tmp_path / "pairs.csv"]
    assert run("consensus", tmp_path / "labels.csv", *asked, "-o", tmp_path / "o.csv") == 0


def test_pairs_of_rows_without_names(tmp_path: Path) -> None:
    FRAME[["ann", "cal"]].to_csv(tmp_path / "labels.csv", index=False)
    (tmp_path / "pairs.csv").write_text("2,3\n")
    out = tmp_path / "o.csv"
    assert run("consensus", tmp_path / "labels.csv", "-k", "3", "--seed", "0", "--must-link", tmp_path / "pairs.csv",
               "-o", out) == 0  # fmt: skip
    place = pd.read_csv(out)["cluster"]
    assert place[2] == place[3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ash,oak,elm\n", "has 3 columns; expected two"),
        ("ash,zoe\n", "--must-link has 'zoe', but no object has that name"),
        ("one,two\nash,zoe\n", "--must-link has 'zoe', but no object has that name"),
        ("", "is empty"),
    ],
)
def test_pairs_that_are_none_are_refused(
    labels: Path, tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pairs.csv").write_text(text)
    assert run("consensus", labels, *ASKED, "--must-link", tmp_path / "pairs.csv", "-o", tmp_path / "o.csv") == 2
    assert message in complaint(capsys)
    assert not (tmp_path / "o.csv").exists()


def test_the_largest_memberships_are_columns(labels: Path, tmp_path: Path) -> None:
    assert run("consensus", labels, *ASKED, "--top", "2", "-o", tmp_path / "o.csv") == 0
    written = pd.read_csv(tmp_path / "o.csv", index_col="tree")
    expected = ge.consensus(FRAME[["ann", "bob", "cal"]], 3, seed=0).top(2)
    for name in expected.columns.drop("cluster"):
        found = written[name].fillna(-1)
        assert np.allclose(found, expected[name], atol=1e-6)


def test_members_and_modes(labels: Path, tmp_path: Path) -> None:
    asked = ["--columns", "ann,bob,cal", "--id", "tree", "-k", "3", "--seed", "0"]
    assert run("members", labels, *asked, "-o", tmp_path / "m.csv") == 0
    expected = ge.members(FRAME[["ann", "bob", "cal"]], 3, seed=0)
    assert np.allclose(pd.read_csv(tmp_path / "m.csv")["agreement"], expected["agreement"])
    assert run("modes", labels, *asked, "-o", tmp_path / "g.csv", "--answers", tmp_path / "a.csv") == 0
    groups = ge.modes(FRAME[["ann", "bob", "cal"]], 3, seed=0)
    assert pd.read_csv(tmp_path / "g.csv")["clusterings"].tolist() == [len(g.members) for g in groups]
    answers = pd.read_csv(tmp_path / "a.csv", index_col="tree")
    assert answers["group_0"].tolist() == groups[0].consensus.labels.tolist()


def test_clusters_are_matched_by_the_names_of_objects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = pd.DataFrame({"id": list("abcdef"), "cluster": ["x", "x", "y", "y", "z", "z"]})
    second = pd.DataFrame({"id": list("fedcbag"), "cluster": [2, 2, 0, 0, 1, 1, 5]})
    first.to_csv(tmp_path / "a.csv", index=False)
    second.to_csv(tmp_path / "b.csv", index=False, sep=";")
    assert run("match", tmp_path / "a.csv", tmp_path / "b.csv", "--relabel", tmp_path / "c.csv") == 0
    shown = capsys.readouterr().out
    assert "100.0% of the objects are in matched clusters." in shown
    assert re.search(r"^ *0 +y +2 +1.000 +1.000$", shown, re.MULTILINE)
    with (tmp_path / "c.csv").open() as file:
        rows = dict(csv.reader(file, delimiter=";"))
    assert rows["f"] == "z"
    assert rows["c"] == "y"
    assert rows["g"] not in {"x", "y", "z"}
    assert run("match", tmp_path / "a.csv", tmp_path / "b.csv", "--column", "clutser") == 2
    assert "has no column 'clutser'" in complaint(capsys)


def test_more_clusters_than_objects_are_refused(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("compare", "members", "consensus", "plot", "report", "modes"):
        assert run(command, labels, "--id", "tree", "-k", "99") == 2, command
        assert "labels.csv has 7 rows; expected at most 7." in complaint(capsys)


def test_pictures_and_pages_with_classes_and_features(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    X = pd.DataFrame({"tree": NAMES[::-1], "x": range(7), "y": [1, 4, 1, 5, 9, 2, 6]})
    X.to_csv(tmp_path / "features.csv", index=False)
    asked = ["--id", "tree", "--classes", "kind", "-k", "3", "--seed", "0"]
    assert run("plot", labels, *asked, "-o", tmp_path / "p.png") == 0
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    plain = [word for word in asked if word not in {"--classes", "kind"}]
    scatter = ["--kind", "scatter", "--features", tmp_path / "features.csv", "--columns", "ann,bob,cal"]
    for name in ("p.svg", "q.svg"):
        assert run("plot", labels, *plain, *scatter, "-o", tmp_path / name) == 0
    assert run("report", labels, *asked, "--features", tmp_path / "features.csv", "-o", tmp_path / "r.html") == 0
    X.assign(z="red").to_csv(tmp_path / "words.csv", index=False)
    assert run("report", labels, *asked, "--features", tmp_path / "words.csv", "-o", tmp_path / "w.html") == 2
    assert "z is 'red', not a number; delete the column" in complaint(capsys)
    expected = ge.consensus(FRAME[["ann", "bob", "cal"]], 3, seed=0)
    classes = FRAME["kind"].astype(object).where(FRAME["kind"].notna(), -1).to_numpy()
    features = X.set_index("tree").loc[NAMES].to_numpy(float)
    expected.report(tmp_path / "e.html", classes=classes, X=features)
    assert (tmp_path / "r.html").read_text("utf-8") == (tmp_path / "e.html").read_text("utf-8")


def test_objects_are_explained_and_drawn_with_the_options_of_a_method(labels: Path, tmp_path: Path) -> None:
    asked = [*ASKED, "--method", "eac", "--set", "linkage=average"]
    assert run("explain", labels, "fir", *asked, "-o", tmp_path / "x.csv") == 0
    assert run("plot", labels, *asked, "--kind", "tree", "-o", tmp_path / "t.pdf") == 0


SEGMENTS = (
    "Kunde;seg_a;seg_b;Umsatz\n"
    + "".join(f"K{i};{'xy'[i % 2]};{'uv'[i % 2]};1.49{i},80\n" for i in range(8))
    + "K8;k.A.;u;2,5\n"
)


def test_missing_codes_decimal_marks_patterns_and_columns_that_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "l.csv", tmp_path / "o.csv"
    source.write_text(SEGMENTS)
    call = ["consensus", source, "--columns", "seg_*", "--seed", "0", "-k", "2", "-o", out]
    assert run(*call) == 0
    assert "add --missing='k.A.'" in complaint(capsys)
    assert run(*call, "--missing", "k.A.", "--keep", "Umsatz", "--names", "0=loyal") == 0
    assert "k.A." not in complaint(capsys)
    lines = out.read_text().splitlines()
    assert lines[0] == "Kunde;cluster;name;confidence;Umsatz"
    assert lines[1].startswith("K0;0;loyal;1,0;1.490,80")
    assert run("consensus", source, "--id", "Kunde", "--without", "Um*,seg_b", "-k", "2", "-o", out) == 0
    features = ["generate", source, "--without", "seg_*", "-B", "2", "-k", "2", "--seed", "0", "-o", out]
    assert run(*features) == 0
    assert run(*features, "--decimal", ".") == 2
    assert "Umsatz is '1.490,80'. If this is 1490.80, use --decimal ','." in complaint(capsys)
    assert run("consensus", source, "--id", "Kunde", "--columns", "seg_*", "-k", "2", "--top", "0") == 2
    assert "--top 0 was given" in complaint(capsys)
    source.write_text("Kunde;a;b\n" + "".join(f"K{i};{i % 2},0;{i % 2}\n" for i in range(8)) + "K8;-99,0;-99\n")
    assert run("consensus", source, "--missing", "-99,x", "-o", out) == 0
    assert out.read_text().splitlines()[-1] == "K8;;0,0"
    assert run("consensus", source, "--missing", "-99", "--weights", "1,2,3") == 2
    assert "3 weights were given for 2 partitions" in complaint(capsys)
    assert run("consensus", source, "--missing", "-99", "-k", "2", "--membership", "--top", "1") == 2
    assert "Both --membership and --top were given" in complaint(capsys)
    source.write_text(SEGMENTS.replace("Umsatz", "cluster"))
    assert run(*call, "--keep", "cluster") == 2
    assert "--keep cluster was given, but the result has a column of that name" in complaint(capsys)


def test_a_partitioner_of_ones_own(
    labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my_cut.py").write_text("def cut(graph, k, *, seed):\n    return [v % k for v in range(len(graph.names))]")
    call = ["consensus", labels, *ASKED, "--method", "cspa", "-o", "o.csv", "--partitioner"]
    assert run(*call, "my_cut:cut") == 0
    assert run(*call, "my_cut:thirds") == 2
    assert "my_cut:thirds was given, which cannot be imported" in complaint(capsys)
    Path("mine.py").write_text("def first(e, k, *, seed):\n    return e.labels[:, 0] % k")
    assert run("consensus", labels, *ASKED, "--method", "mine:first", "-o", "o.csv") == 0
    assert run("compare", labels, *ASKED, "--methods", "mine:first,auto,vote") == 0
    assert "mine:first" in capsys.readouterr().out
