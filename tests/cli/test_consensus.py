"""graphens consensus, methods and partitioners."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest

import graphens as ge
from graphens.cli import main


def _read(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text())))


@pytest.mark.parametrize("method", ["mcla", "cspa", "eac", "vote", "auto"])
def test_the_worked_example(labels: Path, method: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = labels.with_name("out.csv")
    assert main(f"consensus {labels} -k 3 --method {method} --id cell --seed 0 -o {out}".split()) == 0
    rows = _read(out)
    assert [row["cell"] for row in rows] == [f"x{i}" for i in range(1, 8)]
    assert [row["cluster"] for row in rows] == list("0001122")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "7 objects in 3 clusters" in shown.err


def test_partitioner_and_options_reach_the_method(labels: Path) -> None:
    out = labels.with_name("out.tsv")
    arguments = f"consensus {labels} --columns a,b -k 2 --method mcla --partitioner spectral".split()
    assert main([*arguments, "--set", "n_init=2", "--seed", "1", "--membership", "-o", str(out)]) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text()), delimiter="\t"))
    r = ge.mcla(list(map(list, zip("1112233", "2223311", strict=True))), 2, partitioner="spectral", n_init=2, seed=1)
    assert [int(row["cluster"]) for row in rows] == r.labels.tolist()
    assert [float(row["cluster_0"]) for row in rows] == pytest.approx(r.membership[:, 0], abs=1e-6)


def test_standard_streams(labels: Path) -> None:
    words = ["-m", "graphens", "consensus", "-", "--id", "cell", "--method", "eac", "--set", "linkage=average"]
    done = subprocess.run(
        [sys.executable, *words], input=labels.read_bytes(), capture_output=True, check=True, timeout=120
    )
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    assert [row["cluster"] for row in rows] == list("0001122")


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
