"""`graphens consensus --out-of-core`: files in, a folder or a file out."""

import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphens as ge
from graphens.cli import main
from graphens.errors import InputError


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
    expanded = [str(tmp_path / f"{i}.parquet") for i in range(3)]  # as the shell does without quotes: the same call
    assert main(["consensus", *expanded, "-k", "3", "--out-of-core", "-o", out, "--seed", "0"]) == 0
    assert main(["consensus", *expanded, "-k", "3", "-o", f"{out}.csv"]) == 2
    assert "Only --out-of-core reads several files" in capsys.readouterr().err


def test_ids_in_a_single_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth = np.arange(90) % 3
    table = {"id": [f"c{i}" for i in range(90)], "a": truth, "b": truth, "c": (truth + 1) % 3}
    pq.write_table(pa.table(table), tmp_path / "in.parquet")
    call = ["consensus", str(tmp_path / "in.parquet"), "-k", "3", "--out-of-core", "--id", "id", "--seed", "0"]
    assert main([*call, "-o", str(tmp_path / "out.parquet")]) == 0
    assert "out.parquet" in capsys.readouterr().err
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.column_names == ["id", "cluster", "confidence"]
    assert found["id"].to_pylist() == table["id"]
    assert found["cluster"].to_pylist() == truth.tolist()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.parquet", "out.parquet"]
    some = [*call, "--columns", "?,id", "--without", "c", "-o", str(tmp_path / "some")]
    assert main(some) == 0
    assert ge.scale.consensus(ge.scale.scan(call[1], ["a", "b"], id="id"), 3, out=tmp_path / "some", seed=0).k == 3
    shutil.rmtree(tmp_path / "some")
    assert main([*call, "-o", str(tmp_path / "in.parquet")]) == 2
    assert "that is the input" in capsys.readouterr().err
    assert main([*call, "-o", str(tmp_path / "nowhere" / "out.parquet")]) == 2
    assert main([*call[:5], "--id", "name", "-o", str(tmp_path / "out")]) == 2
    assert "has no column 'name'" in capsys.readouterr().err
    with pytest.raises(InputError, match="is the name of a file"):
        ge.scale.consensus(ge.scale.scan(tmp_path / "in.parquet", id="id"), 3, out=tmp_path / "new.parquet")
