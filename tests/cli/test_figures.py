"""graphens choose, compare, explain and monti."""

import csv
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from graphens.cli import main


def test_choose_shows_the_verdict_and_every_rule(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["choose", str(labels), "--id", "cell", "--ks", "2:5", "--seed", "0"]) == 0
    out = capsys.readouterr().out
    assert "k = 3 by eigengap" in out
    *_, head, gap, _, _, life = out.splitlines()
    assert head.split() == ["2", "3", "4", "5"]
    assert gap.startswith("gap after k groups")
    at = head.index("3")
    assert {line[at - 1] + line[at + 2] for line in (gap, life)} == {"[]"}
    assert main(["choose", str(labels), "--id", "cell", "--ks", "2:5", "--seed", "0", "-o", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "k,eigengap,stability,pac,lifetime"


def test_compare_is_a_table_or_a_file(labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["compare", str(labels), "--id", "cell", "-k", "3", "--methods", "lwgp,vote", "--seed", "0"]
    assert main(call) == 0
    assert "silhouette" in capsys.readouterr().out.splitlines()[0]
    out = tmp_path / "out.csv"
    assert main([*call, "-o", str(out)]) == 0
    rows = list(csv.DictReader(out.open()))
    assert [(row["method"], row["k"]) for row in rows] == [("lwgp", "3"), ("vote", "3")]


def test_explain_by_name_and_by_number(labels: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["explain", str(labels), "--id", "cell", "-k", "3", "--seed", "0"]
    assert main([*call, "x4"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("x4 is in cluster 1")
    assert "partition" in out
    assert main([*call, "3"]) == 0
    assert capsys.readouterr().out == out
    assert main([*call, "nobody"]) == 2
    assert "no object has that name" in capsys.readouterr().err


def test_monti_writes_its_panel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data.csv"
    X = np.random.default_rng(0).normal(size=(45, 2)) + np.repeat([[0], [9], [18]], 15, axis=0)
    np.savetxt(data, X, delimiter=",", header="u,v", comments="")
    out = tmp_path / "monti.csv"
    assert main(["monti", str(data), "--ks", "2:4", "-B", "8", "--seed", "0", "-o", str(out)]) == 0
    rows = list(csv.DictReader(out.open()))
    assert [row["k"] for row in rows] == ["2", "3", "4"]
    assert float(rows[1]["pac"]) < float(rows[2]["pac"])


WITHOUT_FRAMES = """
import sys

class Nothing:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in {"pandas", "polars", "pyarrow", "modin"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Nothing())
from graphens.cli import main

table = sys.argv[1]
for call in (
    ["members", table, "-k", "2", "--seed", "0"],
    ["consensus", table, "-k", "2", "--top", "2", "--seed", "0"],
    ["compare", table, "-k", "2", "--methods", "vote,eac", "--seed", "0"],
    ["choose", table, "--ks", "2:3", "--seed", "0"],
    ["modes", table, "-k", "2", "--seed", "0"],
    ["match", table, table, "--column", "a"],
):
    assert main(call) == 0, call
"""


def test_tables_need_no_package_of_frames(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("a,b,c,d\n" + "".join(f"{i % 2},{i % 2},{i // 6},{i % 3}\n" for i in range(12)))
    found = subprocess.run([sys.executable, "-c", WITHOUT_FRAMES, str(path)], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr


def test_groups_of_clusterings_do_not_warn_of_columns_that_nobody_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("a,b,c,d,near\n" + "".join(f"{i % 2},{i % 2},{i % 2},{i % 3},{i % 97}\n" for i in range(150)))
    assert main(["modes", str(path), "-k", "2", "--seed", "0"]) == 0
    assert "'P4'" not in capsys.readouterr().err
