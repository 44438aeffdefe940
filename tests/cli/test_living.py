"""graphens consensus --save, and what can be done with the file: the answer goes on next month."""

from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.cli import main

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], [30, 25, 20])
FRAME = pd.DataFrame(
    {f"team {t}": np.where(RNG.random(75) < 0.1, RNG.integers(0, 3, 75), TRUTH) for t in range(5)},
    index=pd.Index(range(100, 175), name="customer"),
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    FRAME.to_csv(tmp_path / "labels.csv")
    return tmp_path / "labels.csv"


@pytest.fixture
def saved(table: Path) -> Path:
    path = table.with_name("answer.npz")
    call = ["consensus", table, "--id", "customer", "-k", "3", "--seed", "0", "--save", path]
    assert main([str(word) for word in [*call, "-o", table.with_name("clusters.csv")]]) == 0
    return path


def test_save_keeps_the_whole_answer(saved: Path) -> None:
    r = ge.load(saved)
    written = pd.read_csv(saved.with_name("clusters.csv"), index_col="customer")
    assert written["cluster"].tolist() == r.labels.tolist()
    assert r.assign(FRAME).labels.tolist() == r.labels.tolist()


def test_every_command_that_makes_a_consensus_keeps_it(tmp_path: Path) -> None:
    nx.write_gml(nx.karate_club_graph(), tmp_path / "karate.gml")
    np.savetxt(tmp_path / "x.csv", np.c_[TRUTH * 5.0, RNG.normal(size=75)], delimiter=",")
    FRAME.T.to_csv(tmp_path / "draws.csv", index=False)
    for command in ("communities karate.gml -B 4", "cluster x.csv -B 4 --base-k 3 -k 3", "median draws.csv --starts 2"):
        name, source, *rest = command.split()
        words = [name, tmp_path / source, *rest, "--seed", "0", "--save", tmp_path / "r.npz", "-o", tmp_path / "o.csv"]
        assert main(list(map(str, words))) == 0
        assert len(ge.load(tmp_path / "r.npz").labels) == len(pd.read_csv(tmp_path / "o.csv"))


def test_the_input_is_never_written_over(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = saved.read_bytes()
    assert main(["consensus", str(saved), "-k", "2", "--save", str(saved)]) == 2
    assert f"--save {saved} was given, but that is the input" in capsys.readouterr().err
    assert saved.read_bytes() == before


def test_commands_that_take_labels_take_what_was_saved(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ge.Ensemble(FRAME).save(saved.with_name("e.npz"))
    for path in (saved, saved.with_name("e.npz")):
        assert main(["explain", str(path), "103", "-k", "3", "--seed", "0"]) == 0
        assert "103 is in cluster 0" in capsys.readouterr().out
        assert main(["choose", str(path)]) == 0
        assert main(["compare", str(path), "-k", "3", "--methods", "vote,eac"]) == 0
        assert main(["report", str(path), "-k", "3", "-o", str(path.with_suffix(".html"))]) == 0
        assert main(["export", str(path), str(path.with_suffix(".gml"))]) in (0, 2)
        capsys.readouterr()


def test_a_saved_answer_is_explained_and_drawn_as_it_was_saved(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ge.load(saved).named({0: "loyal", 1: "new", 2: "lost"}).save(saved)
    for command in ("explain {} 100", "plot {} -o {}.png", "report {} -o {}.html", "explore {} -o {}.html"):
        assert main(command.format(saved, saved).split()) == 0
        shown = "".join(capsys.readouterr())
        assert "loyal" in shown
        assert main([*command.format(saved, saved).split(), "-k", "2"]) == 0
        assert "loyal" not in "".join(capsys.readouterr())


def test_new_objects_are_placed_by_a_saved_answer(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = FRAME.iloc[[0, 30, 60, 0], [3, 1]].assign(age=[30.5, 40, 50, 60], team=["a", "b", "c", "d"])
    new.index = pd.Index([901, 902, 903, 904], name="customer")
    new.loc[904, ["team 1", "team 3"]] = [None, 17]
    new.to_csv(saved.with_name("march.csv"), sep=";", encoding="utf-8-sig")
    out = saved.with_name("new.csv")
    assert main(["assign", str(saved), str(saved.with_name("march.csv")), "--id", "customer", "-o", str(out)]) == 0
    told = capsys.readouterr().err
    assert "Ignored columns that are not clusterings of the saved result: age, team" in told
    assert "march.csv has no column for 3 of 5 clusterings, which count as missing: team 0, team 2, team 4." in told
    assert "1 label never seen before" in told
    written = pd.read_csv(out, index_col="customer", sep=";", encoding="utf-8-sig")
    chosen = ["--columns", "team *", "--keep", "a*,team", "-o", str(out)]
    assert main(["assign", str(saved), str(saved.with_name("march.csv")), *chosen]) == 0
    assert "Ignored" not in capsys.readouterr().err
    assert pd.read_csv(out, sep=";")[["age", "team"]].to_numpy().tolist() == new[["age", "team"]].to_numpy().tolist()
    r = ge.load(saved)
    expected = r.assign(new[["team 1", "team 3"]])
    assert written.index.tolist() == [901, 902, 903, 904]
    assert written["cluster"].iloc[:3].tolist() == expected.labels[:3].tolist()
    assert written["cluster"].isna().tolist() == [False, False, False, True]
    assert written["unseen"].tolist() == [0, 0, 0, 1]
    assert written["confidence"].tolist() == pytest.approx(expected.confidence, abs=1e-6)
    assert written["rival"].fillna(-1).tolist() == expected.rival.tolist()


def test_mistakes(saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(saved.parent)
    Path("other.csv").write_text("a,b\n1,2\n")
    ge.Ensemble(FRAME).save("e.npz")
    for line, message in (
        ("assign answer.npz other.csv", "has none of the clusterings behind the saved result"),
        ("assign answer.npz labels.csv --id cust", "labels.csv has no column 'cust'"),
        ("assign answer.npz nowhere.csv", "nowhere.csv cannot be read"),
        (["assign", "answer.npz", "labels.csv", "--without", "taem 1"], "Did you mean team 1?"),
        ("assign labels.csv labels.csv", "labels.csv was given; expected a result saved with --save"),
        ("assign e.npz labels.csv", "e.npz holds a saved Ensemble; expected a result saved with --save"),
        ("assign answer.npz labels.csv -o labels.csv", "that is the input"),
        ("assign answer.npz", "the following arguments are required"),
        ("update answer.npz", "No table was given; expected a table of more clusterings"),
        ("update answer.npz --drop nobody", "no partition called 'nobody'"),
        ("update answer.npz --drop-objects nobody", "no object called 'nobody'"),
        ("update answer.npz labels.csv --changes x.html", "expected a file ending in"),
        ("update e.npz labels.csv", "holds a saved Ensemble"),
    ):
        assert main(line.split() if isinstance(line, str) else line) == 2, line
        assert message in capsys.readouterr().err


def test_an_answer_is_updated(saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(saved.parent)
    ge.load(saved).named({0: "young", 1: "family"}).save(saved)
    more = pd.DataFrame({"team 5": np.where(TRUTH == 0, "a", "b")}, index=FRAME.index).iloc[::-1]
    more.iloc[:70].to_csv("march.csv")
    call = [
        "update",
        "answer.npz",
        "march.csv",
        "--id",
        "customer",
        "--save",
        "answer.npz",
        "-o",
        "new.csv",
        "--changes",
        "moved.csv",
    ]
    assert main(call) == 0
    told = capsys.readouterr().err
    assert "Changes: 1 partition added" in told
    found = ge.load(saved)
    assert found.ensemble.partition_names[-1] == "team 5"
    assert found.ensemble.labels[:5, -1].tolist() == [-1] * 5
    assert found.cluster_names[:2] == ("young", "family")
    written = pd.read_csv("new.csv", index_col="customer")
    assert written["cluster"].tolist() == found.labels.tolist()
    assert written["name"].tolist() == [found.cluster_names[c] for c in found.labels]
    moved = pd.read_csv("moved.csv")
    assert moved["customer"].tolist() == found.changes.moved.column()
    german = ["--delimiter", ";", "--decimal", ","]  # no table says so
    call = ["update", "answer.npz", "--drop", "team 5", "--drop-objects", "100,101", "-o", "new.csv", *german]
    assert main(call) == 0
    assert pd.read_csv("new.csv", sep=";", decimal=",")["confidence"].between(0.3, 1).sum() == 73


def test_duplicates_are_named_with_their_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = [f"K{i}" for i in range(12)] + ["K7", "K9"]
    rows = [f"{name},{i % 2},{i % 2}\n" for i, name in enumerate(names)]
    Path("jan.csv").write_text("id,a,b\n" + "".join(rows))
    Path("feb.csv").write_text("id,c\n" + "".join(f"{name},{i % 2}\n" for i, name in enumerate(names[:12])))
    call = ["consensus", "jan.csv", "--id", "id", "-k", "2", "--seed", "0", "-o", "clusters.csv", "--save"]
    assert main([*call, "twice.npz"]) == 0
    capsys.readouterr()
    assert main(["explain", "jan.csv", "K7", "--id", "id", "-k", "2"]) == 2
    assert "2 objects are called K7: rows 7 and 12. Say explain 7 or explain 12." in capsys.readouterr().err
    matching = "'K7' in rows 7 and 12, and 1 more name occurs several times"
    for line in (
        "update twice.npz feb.csv --id id",
        "match clusters.csv clusters.csv",
        "report jan.csv --id id -k 2 --features jan.csv -o r.html",
    ):
        assert main(line.split()) == 2
        told = capsys.readouterr().err
        assert matching in told
        assert "--duplicates first" in told
    for way, last in (("first", "K11"), ("number", "K9.2")):
        assert main([*call, "once.npz", "--duplicates", way]) == 0
        assert pd.read_csv("clusters.csv")["id"].tolist()[-1] == last
        assert main(["update", "once.npz", "feb.csv", "--id", "id", "-o", "new.csv"]) == 0
    capsys.readouterr()


def test_update_says_that_the_method_changed(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    r = ge.consensus(FRAME, 3, seed=0)
    r._replace(method="vote").save("old.npz")
    assert main(["update", "old.npz", "--drop", "team 4", "-o", "new.csv"]) == 0
    assert "method      vote before, " in capsys.readouterr().err


def test_new_objects_join_with_the_numbers_and_names_of_the_clusters(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    r = ge.consensus(FRAME, 3, seed=0).named(["a", "b", "c"])
    r.save("old.npz")
    april = FRAME.iloc[::20, 1:].assign(city="x")  # one team has not looked at them yet
    april.index = pd.Index([f"new {i}" for i in range(len(april))], name=FRAME.index.name)
    april.to_csv("april.csv", sep=";")
    assert main(["update", "old.npz", "--add-objects", "april.csv", "-o", "new.csv", "--save", "old.npz"]) == 0
    shown = capsys.readouterr().err
    assert f"Changes: {len(april)} objects added; " in shown
    assert "Ignored columns that are not clusterings of the saved result: city." in shown
    after = pd.read_csv("new.csv", sep=";", decimal=",", index_col=0)
    assert after["confidence"].between(0, 1).all()
    assert after["cluster"].tolist()[: len(FRAME)] == r.labels.tolist()
    assert after["name"].tolist()[len(FRAME) :] == [r.cluster_names[c] for c in r.labels[::20]]
    assert main(["update", "old.npz", "--add-objects", "april.csv", "--keep", "ci*", "-o", "new.csv"]) == 0
    shown = capsys.readouterr().err
    assert "Changes: nothing added; no object moved" in shown
    assert "Ignored" not in shown
    assert pd.read_csv("new.csv", sep=";")["city"].fillna("").tolist() == [""] * len(FRAME) + ["x"] * len(april)
