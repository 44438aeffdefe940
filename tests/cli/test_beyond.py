"""`graphens consensus --out-of-core`: files in, a folder out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphens as ge
from graphens.cli import main


def test_files_in_and_a_folder_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = np.repeat([[0, 1, 0], [1, 0, 0], [1, 1, 1]], 20, axis=0)
    labels[3, 1] = 0
    for i, part in enumerate(np.array_split(labels, 3)):
        pq.write_table(pa.table({f"P{t}": part[:, t] for t in range(3)}), tmp_path / f"{i}.parquet")
    files, out = str(tmp_path / "*.parquet"), str(tmp_path / "out")
    assert main(["consensus", files, "-k", "3", "--out-of-core", "-o", out, "--seed", "0"]) == 0
    assert "Consensus by lwgp: 60 objects in 3 clusters" in capsys.readouterr().err
    found = pa.concat_tables([pq.read_table(path) for path in sorted((tmp_path / "out").glob("part-*"))])
    assert found["cluster"].to_pylist() == ge.lwgp(labels, 3, seed=0).labels.tolist()
    expanded = [
        str(tmp_path / f"{i}.parquet") for i in range(3)
    ]  # as the shell does without quotes: the same call
    assert main(["consensus", *expanded, "-k", "3", "--out-of-core", "-o", out, "--seed", "0"]) == 0
    assert main(["consensus", *expanded, "-k", "3", "-o", out]) == 2
    assert "Several files go with --out-of-core" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "out"], "needs the number of clusters"),
        (["-k", "2"], "expected -o FOLDER"),
        (["-k", "2", "-o", "out", "--membership"], "--membership does not go with --out-of-core"),
        (["-k", "2", "-o", "out"], "names no file"),
    ],
)
def test_mistakes_are_named(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["consensus", "nothing/*.parquet", "--out-of-core", *arguments]) != 0
    assert said in capsys.readouterr().err
