"""Ensembles and consensus clusterings from the command line."""

from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from graphens.cli import main
from graphens.export.label_files import read_ensemble

X, TRUTH = ge.datasets.load("blobs", seed=0)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    rows = [f"o{i},{a!r},{b!r},{c}" for i, ((a, b), c) in enumerate(zip(X.tolist(), TRUTH, strict=True))]
    path.write_text("\n".join(["name,x,y,class", *rows]) + "\n")
    return path


def call(table: Path, *more: str, command: str = "generate") -> int:
    return main([command, str(table), "--id", "name", "--without", "class", "--seed", "0", *more])


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".npz"])
def test_labels_are_those_of_the_library(table, tmp_path, ending, capsys):
    out = tmp_path / f"labels{ending}"
    assert call(table, "-B", "6", "-k", "4:9", "--sampling", "bootstrap", "-o", str(out)) == 0
    wanted = ge.generate(X, 6, k=(4, 9), sampling="bootstrap", seed=0)
    found = read_ensemble(out, id_column=None if ending == ".npz" else "name")
    assert np.array_equal(found.labels, wanted.labels)
    assert found.object_names[:2].tolist() == ["o0", "o1"]
    assert capsys.readouterr().out.startswith(f"{out}: Ensemble(400 objects × 6 partitions")


def test_ways_to_say_k_and_base(table, tmp_path):
    out = tmp_path / "labels.csv"
    assert call(table, "-B", "8", "-k", "3,6", "--base", "kmeans,ward", "-o", str(out)) == 0
    found = read_ensemble(out, id_column="name")
    assert set(found.n_clusters.tolist()) == {3, 6}
    assert found.partition_names[:2] == ("kmeans P0", "ward P1")
    assert call(table, "-B", "2", "-k", "5", "-o", str(out)) == 0
    assert read_ensemble(out, id_column="name").n_clusters.tolist() == [5, 5]


def test_an_array_and_standard_output(tmp_path, capsys):
    np.save(tmp_path / "x.npy", X)
    assert main(["generate", str(tmp_path / "x.npy"), "-B", "2", "-k", "3", "--seed", "0", "-o", "-"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "P0,P1"
    assert len(lines) == 401


def test_a_checkpoint_is_used(table, tmp_path):
    out, kept = tmp_path / "labels.csv", tmp_path / "kept"
    more = ["-B", "4", "-k", "4", "--checkpoint", str(kept), "-o", str(out)]
    assert call(table, *more) == 0
    assert kept.exists()
    assert call(table, *more) == 0
    assert call(table, *more, "--sampling", "features") == 2


def test_cluster_finds_the_blobs(table, tmp_path, capsys):
    out = tmp_path / "clusters.csv"
    assert call(table, "-B", "20", "--clusters", "4", "--method", "eac", "-o", str(out), command="cluster") == 0
    rows = [line.split(",") for line in out.read_text().splitlines()]
    assert rows[0] == ["name", "cluster", "confidence"]
    assert ge.measures.error_rate(TRUTH, [int(row[1]) for row in rows[1:]]) == 0
    assert "Consensus by eac: 400 objects in 4 clusters" in capsys.readouterr().err


def test_cluster_by_default(table, tmp_path):
    out = tmp_path / "clusters.csv"
    assert call(table, "-B", "10", "--clusters", "4", "-o", str(out), command="cluster") == 0
    found = [int(line.split(",")[1]) for line in out.read_text().splitlines()[1:]]
    assert ge.measures.error_rate(TRUTH, found) == 0
