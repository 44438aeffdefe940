"""Partitions of features on disk: written once, the same however they are read, and worth combining."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphens as ge
from graphens.errors import InputError, TypeMismatch


def moons(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n)
    angle = rng.random(n) * np.pi
    X = np.column_stack([np.cos(angle), np.sin(angle)]) * np.where(truth, -1, 1)[:, None]
    return X + truth[:, None] * [1, 0.3] + rng.normal(scale=0.06, size=(n, 2)), truth


def test_odd_shapes_are_found(tmp_path: Path) -> None:
    X, truth = moons(1500)
    np.save(tmp_path / "X.npy", X)
    s = ge.scale.generate(tmp_path / "X.npy", 5, base="landmarks", k=(8, 12), out=tmp_path / "labels", seed=0)
    r = ge.scale.consensus(s, 2, out=tmp_path / "out", seed=0)
    assert ge.measures.nmi(r.labels, truth) > 0.95
    again = ge.scale.generate([X], 5, base="landmarks", k=(8, 12), out=tmp_path / "again", seed=0)
    assert (again.ensemble().codes == s.ensemble().codes).all()


def test_wide_features_come_in_smaller_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphens.scale.generation._BYTES", 8 * 6 * 40)
    np.save(tmp_path / "X.npy", np.random.default_rng(0).random((100, 6)).astype(np.float32))
    s = ge.scale.generate(tmp_path / "X.npy", 2, k=3, out=tmp_path / "labels", seed=0)
    assert [len(block) for block in s.blocks] == [40, 40, 20]


def test_minibatch_of_parquet(tmp_path: Path) -> None:
    X, _ = moons(500)
    table = pa.table({"a": X[:, 0], "b": X[:, 1].astype(np.float32), "name": ["x"] * 500})
    pq.write_table(table, tmp_path / "X.parquet", row_group_size=100)
    with pytest.raises(TypeMismatch, match="'name' holds text"):
        ge.scale.generate(tmp_path / "X.parquet", 3, out=tmp_path / "labels")
    s = ge.scale.generate(tmp_path / "X.parquet", 3, k=5, columns=["a", "b"], out=tmp_path / "labels", seed=1)
    assert s.n_clusters.tolist() == [5, 5, 5]
    codes = s.ensemble().codes
    assert len(np.unique(codes, axis=0)) == 3
    for row in codes:  # nearest centers: every cluster is where its mean is nearest
        means = np.stack([X[row == c].mean(axis=0) for c in range(5)])
        nearest = ((X[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
        assert (nearest == row).mean() > 0.8
    with pytest.raises(InputError, match="another call: k"):
        ge.scale.generate(tmp_path / "X.parquet", 3, k=6, columns=["a", "b"], out=tmp_path / "labels", seed=1)
    with pytest.raises(InputError, match=r"base = 'landmark' was given.*Did you mean landmarks"):
        ge.scale.generate([X], 3, base="landmark", out=tmp_path / "x")
    several = ge.scale.generate([X, X[:0]], 4, k=[3, 5, 9], out=tmp_path / "several", seed=0)
    assert set(several.n_clusters.tolist()) <= {3, 5, 9}
    for given in (X, iter([X]), []):
        with pytest.raises(TypeMismatch, match=r"expected files, or a list of at least one array"):
            ge.scale.generate(given, 3, out=tmp_path / "z")  # type: ignore[arg-type]
    with pytest.raises(TypeMismatch, match="The cells of Block 1 are not numbers"):
        ge.scale.generate([X, [["a", "b"]]], 3, out=tmp_path / "z")
    with pytest.raises(InputError, match=r"have \[1, 2\] features"):
        ge.scale.generate([X, X[:, :1]], 3, out=tmp_path / "z")
    assert not (tmp_path / "z").exists()
    X[7, 1] = np.nan
    with pytest.raises(InputError, match="Block 0 contains NaN or infinity"):
        ge.scale.generate([X], 3, out=tmp_path / "y")
