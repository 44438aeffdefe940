"""`graphens levels`, and tables of alleles in other commands."""

from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.cli import main

AT = [0, 2, 5]


@pytest.fixture
def profiles(tmp_path: Path) -> Path:
    path = tmp_path / "profiles.tsv"
    ge.datasets.allele_profiles(60, 90, 3, missing=0.03, seed=0, path=path)
    return path


@pytest.mark.parametrize("rule", ["share", "count"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_the_table_is_that_of_the_library(profiles: Path, tmp_path: Path, rule: str, ending: str) -> None:
    pd = pytest.importorskip("pandas")
    out = tmp_path / f"levels.{ending}"
    assert main(["levels", str(profiles), "--at", "0,2,5", "--rule", rule, "-o", str(out)]) == 0
    read = {"csv": pd.read_csv, "tsv": lambda path: pd.read_csv(path, sep="\t"), "parquet": pd.read_parquet}
    table = read[ending](out).set_index("FILE")
    e = ge.Ensemble.from_profiles(profiles)
    wanted = ge.link(ge.coassociation(e), "single").levels(AT, missing=rule)
    assert table.index.tolist() == wanted.index.tolist()
    assert table.columns.tolist() == [str(t) for t in AT]
    assert (table.to_numpy() == wanted.to_numpy()).all()


def test_the_summary_counts_clusters_and_singletons(profiles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["levels", str(profiles), "--at", "90", "--no-singletons"]) == 0
    shown = capsys.readouterr()
    assert "60 genomes, 90 loci" in shown.err
    assert "at 90: 1 cluster, the largest with 60 genomes; 0 genomes alone" in shown.err
    assert shown.out.splitlines()[0] == "FILE,90"
    assert main(["levels", str(profiles), "--at", "0", "--no-singletons"]) == 0
    shown = capsys.readouterr()
    alone = sum(line.endswith(",") for line in shown.out.splitlines())
    assert alone > 0
    assert f"{alone} genomes alone" in shown.err


def test_columns_ids_and_other_marks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.tsv"
    path.write_text("id\tisolate\tyear\ta\tb\n1\tM1\t1999\t1\t1\n2\tM2\t2001\t1\tX\n3\tM3\t2001\t2\t2\n")
    line = ["levels", str(path), "--at", "0", "--id", "isolate", "--missing", "X"]
    assert main([*line, "--without", "id,year"]) == 0
    assert capsys.readouterr().out.splitlines() == ["isolate,0", "M1,M1", "M2,M1", "M3,M3"]
    assert main([*line, "--without", "id", "--columns", "a,b"]) == 0
    assert capsys.readouterr().out.splitlines() == ["isolate,0", "M1,M1", "M2,M1", "M3,M3"]


def test_columns_to_keep_and_genomes_that_occur_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.tsv"
    rows = ["A\tDE\t1\t1", "B\tFR\t1\t1", "C\tDE\t2\t2", "A\tIT\t2\t2", "D\tDE\t2\t2"]
    path.write_text("\n".join(["id\tcountry\ta\tb", *rows]))
    line = ["consensus", str(path), "--profiles", "-k", "2", "--seed", "0", "--duplicates"]
    assert main([*line, "first", "--keep", "coun*"]) == 0
    shown = capsys.readouterr()
    assert [row.split(",")[0] + row[-3:] for row in shown.out.splitlines()[1:]] == ["A,DE", "B,FR", "C,DE", "D,DE"]
    assert "have the name" not in shown.err
    assert main([*line, "number", "--without", "coun*"]) == 0
    assert [row.split(",")[0] for row in capsys.readouterr().out.splitlines()[1:]] == ["A", "B", "C", "A.2", "D"]
    assert main(["levels", str(path), "--without", "country", "--at", "0", "--duplicates", "first"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["A,A", "B,A", "C,C", "D,C"]


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
def test_other_commands_read_alleles_too(profiles: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, out = tmp_path / "answer.npz", tmp_path / "out.csv"
    line = ["--profiles", "--method", "eac", "-k", "3"]
    assert main(["consensus", str(profiles), *line, "--save", str(saved), "-o", str(out)]) == 0
    found = ge.eac(ge.Ensemble.from_profiles(profiles), 3).labels
    clusters = [int(row.split(",")[1]) for row in out.read_text().splitlines()[1:]]
    assert clusters == found.tolist()
    rows = profiles.read_text().splitlines()
    new = tmp_path / "new.tsv"
    new.write_text("\n".join([rows[0], *rows[40:45]]) + "\n")
    capsys.readouterr()
    assert main(["assign", str(saved), str(new), "--profiles"]) == 0
    placed = [row.split(",") for row in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in placed[1:]] == [row.split("\t")[0] for row in rows[40:45]]
    assert [int(row[1]) for row in placed[1:]] == found[39:44].tolist()
    new.write_text("\n".join("\t".join(row.split("\t")[:31]) for row in [rows[0], *rows[40:45]]) + "\n")
    assert main(["assign", str(saved), str(new), "--profiles"]) == 0
    assert "has no column for 60 of 90 clusterings, which count as missing: " in capsys.readouterr().err
    new.write_text("id\tx\nA\t1\n")
    for command in (["assign", str(saved), str(new)], ["update", str(saved), "--add-objects", str(new)]):
        assert main([*command, "--profiles"]) == 2
        assert "none of the clusterings behind the saved result" in capsys.readouterr().err
    graph = tmp_path / "near.graphml"
    line = ["--profiles", "--graph", "coassociation", "--threshold", "0.9", "-o", str(graph)]
    assert main(["export", str(profiles), *line]) == 0
    assert ge.Graph.read(graph).n_vertices == 60
    assert main(["consensus", str(profiles), "--profiles", "--out-of-core", "-k", "3", "-o", str(tmp_path)]) == 2


def test_alleles_read_as_labels_are_questioned(profiles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["consensus", str(profiles), "--id", "FILE", "--method", "eac", "-k", "3"])
    assert capsys.readouterr().err.count("add --profiles") == 1


def test_a_saved_ensemble_will_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    ge.Ensemble(rng.integers(0, 3, (10, 8))).save(tmp_path / "e.npz")
    assert main(["levels", str(tmp_path / "e.npz"), "--at", "0,8"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "x0,x0,x0"
