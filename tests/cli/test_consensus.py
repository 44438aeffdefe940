"""graphens consensus, methods and partitioners."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest

import graphens as ge
from graphens.cli import main

LABELS = "cell,a,b,c\n" + "".join(
    f"x{i + 1},{a},{b},{c}\n" for i, (a, b, c) in enumerate(zip("1112233", "2223311", "3322111", strict=True))
)


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text(LABELS)
    return path


def _read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


@pytest.mark.parametrize("method", ["mcla", "cspa", "eac", "vote", "auto"])
def test_the_worked_example(labels: Path, method: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = labels.with_name("out.csv")
    assert (
        main(["consensus", str(labels), "-k", "3", "--method", method, "--id", "cell", "--seed", "0", "-o", str(out)])
        == 0
    )
    rows = _read(out)
    assert [row["cell"] for row in rows] == [f"x{i}" for i in range(1, 8)]
    assert [row["cluster"] for row in rows] == list("0001122")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "7 objects in 3 clusters" in shown.err


def test_partitioner_and_options_reach_the_method(labels: Path) -> None:
    out = labels.with_name("out.tsv")
    arguments = [
        "consensus",
        str(labels),
        "--columns",
        "a,b",
        "-k",
        "2",
        "--method",
        "mcla",
        "--partitioner",
        "spectral",
    ]
    assert main([*arguments, "--set", "n_init=2", "--seed", "1", "--membership", "-o", str(out)]) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text()), delimiter="\t"))
    r = ge.mcla(
        [[int(a), int(b)] for a, b in zip("1112233", "2223311", strict=True)],
        2,
        partitioner="spectral",
        n_init=2,
        seed=1,
    )
    assert [int(row["cluster"]) for row in rows] == r.labels.tolist()
    assert [float(row["cluster_0"]) for row in rows] == pytest.approx(r.membership[:, 0], abs=1e-6)


def test_standard_streams(labels: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "graphens",
        "consensus",
        "-",
        "--id",
        "cell",
        "--method",
        "eac",
        "--set",
        "linkage=average",
    ]
    done = subprocess.run(command, input=LABELS.encode(), capture_output=True, check=True, timeout=120)
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [row["cluster"] for row in rows] == list("0001122")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--method", "no-such-method"],
        ["-k", "0"],
        ["-k", "9"],
        ["--seed", "-1"],
        ["--columns", "a,z"],
        ["--id", "z"],
        ["--weights", "1,x"],
        ["--weights", "1,1"],
        ["--set", "linkage"],
        ["--method", "eac", "--set", "no_such_option=1"],
        ["--method", "mcla", "--partitioner", "no-such-partitioner", "-k", "3"],
        ["-o", "out.doc"],
        ["-o", "no/such/folder/out.csv"],
    ],
)
def test_bad_input_is_one_line_and_nothing_written(
    labels: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    given = arguments if "--id" in arguments else [*arguments, "--id", "cell"]
    out = [] if "-o" in arguments else ["-o", str(labels.with_name("out.csv"))]
    assert main(["consensus", str(labels), *given, *out]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("graphens: ")
    assert shown.err.count("\n") == 1
    assert sorted(path.name for path in labels.parent.iterdir()) == ["labels.csv"]


def test_methods_and_partitioners_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["methods"]) == 0
    assert main(["partitioners"]) == 0
    shown = capsys.readouterr().out.split()
    assert {row.name for row in ge.methods()} <= set(shown)
    assert {row.name for row in ge.partitioners()} <= set(shown)
    assert main(["methods", "mcla"]) == 0
    assert "Strehl" in capsys.readouterr().out


def test_the_rule_that_chooses_k(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = labels.with_name("out.csv")
    assert main(["consensus", str(labels), "--rule", "lifetime", "--seed", "0", "-o", str(out)]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "longest lifetime" in said
    e = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
    expected = ge.consensus(e, seed=0, rule="lifetime").labels.tolist()
    assert [int(row["cluster"]) for row in _read(out)] == expected


def test_a_rule_that_does_not_exist(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consensus", str(labels), "--rule", "lifetimes"]) == 2
    assert "lifetime" in capsys.readouterr().err
