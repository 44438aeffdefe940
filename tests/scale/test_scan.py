"""Labels on disk are read as an Ensemble reads them in memory."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphens as ge
from graphens.errors import FileError, InputError, TypeMismatch


def frame(n: int, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    text = rng.choice(["a", "bb", "c", None], n)
    return pd.DataFrame(
        {
            "small": rng.integers(-1, 4, n),
            "bytes": rng.integers(0, 3, n).astype(np.uint8),
            "large": rng.choice([5, 10**12, 77], n),
            "nulls": pd.array(rng.integers(0, 3, n), dtype="Int64").copy(),
            "text": text,
            "category": pd.Categorical(text, categories=["c", "unused", "bb", "a"]),
            "float": rng.choice([1.0, 2.0, np.nan], n),
            "yes": rng.random(n) < 0.5,
        }
    ).assign(nulls=lambda f: f["nulls"].mask(f["small"] == 2))


def same(s: ge.scale.Scan, e: ge.Ensemble) -> None:
    found = s.ensemble()
    assert found.labels.tolist() == e.labels.tolist()
    assert [c.tolist() for c in s.categories] == [c.tolist() for c in e.categories]
    assert s.n_objects == e.n_objects
    assert s.partition_names == e.partition_names


@pytest.mark.parametrize("group", [3, 10, 1000])
@pytest.mark.parametrize("rows", [4, 25, 1 << 20])
def test_parquet_is_read_as_frames_are(tmp_path: Path, group: int, rows: int) -> None:
    whole = frame(60)
    for i, part in enumerate([whole[:20], whole[20:21], whole[21:]]):
        part.to_parquet(tmp_path / f"part-{i}.parquet", row_group_size=group)
    s = ge.scale.scan(str(tmp_path / "*.parquet"), block_rows=rows)
    same(s, ge.Ensemble(whole))
    assert max(map(len, s.blocks)) <= rows
    assert sum(map(len, s.blocks)) == 60


def test_folders_lists_and_columns(tmp_path: Path) -> None:
    whole = frame(30)
    whole[:10].to_parquet(tmp_path / "b.parquet")
    whole[10:].to_parquet(tmp_path / "a.parquet")
    (tmp_path / "_meta.parquet").write_bytes(b"nothing")
    backwards = pd.concat([whole[10:], whole[:10]]).reset_index(drop=True)
    same(ge.scale.scan(tmp_path), ge.Ensemble(backwards))
    same(ge.scale.scan([tmp_path / "b.parquet", tmp_path / "a.parquet"]), ge.Ensemble(whole))
    some = ["text", "small"]
    same(ge.scale.scan(tmp_path, columns=some), ge.Ensemble(backwards[some]))


def test_a_dask_frame_is_read_in_its_order(tmp_path: Path) -> None:
    dd = pytest.importorskip("dask.dataframe")
    table = pd.DataFrame({"a": np.repeat(np.arange(12), 4), "b": list("xy") * 24})
    s = ge.scale.scan(dd.from_pandas(table, npartitions=12))
    assert len(s.blocks) == 12
    assert s.ensemble().labels.tolist() == ge.Ensemble(table).labels.tolist()
    by_number = ge.scale.scan(dd.from_pandas(table.set_axis([0, 1], axis=1), npartitions=2))
    assert by_number.ensemble().labels.tolist() == ge.Ensemble(table).labels.tolist()
    named = table.assign(who=[f"w{i}" for i in range(48)]).set_index("who")
    by_index = ge.scale.scan(dd.from_pandas(named, npartitions=3, sort=False), id="who")
    assert (by_index.partition_names, by_index.n_objects) == (("a", "b"), 48)
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 2)), columns=["x", "y"])
    by_frame, by_array = (
        ge.scale.generate(data, 2, k=3, out=tmp_path / name, seed=0)
        for name, data in {"frame": dd.from_pandas(X, npartitions=1), "array": [X.to_numpy()]}.items()
    )
    assert by_frame.ensemble() == by_array.ensemble()


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, np.float64, "U3"])
def test_arrays_are_read_as_in_memory(tmp_path: Path, kind: Any) -> None:
    labels = np.random.default_rng(1).integers(0, 5, (50, 4)).astype(kind)
    np.save(tmp_path / "labels.npy", labels)
    same(ge.scale.scan(tmp_path / "labels.npy", block_rows=7), ge.Ensemble(labels))


def test_labels_of_a_later_file_do_not_disturb(tmp_path: Path) -> None:
    """A category that only the last block has shifts no code of the first."""
    pq.write_table(pa.table({"p": ["b", "d", None]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"p": ["a", "c", "d"]}), tmp_path / "1.parquet")
    s = ge.scale.scan(tmp_path)
    assert s.ensemble().labels[:, 0].tolist() == [1, 3, -1, 0, 2, 3]
    assert s.read(0).n_clusters.tolist() == [4]


def test_a_column_of_nulls_fits_numbers_and_text(tmp_path: Path) -> None:
    """As pandas writes a partition that knows no object of a file."""
    nothing = pa.nulls(2)
    pq.write_table(pa.table({"p": nothing, "q": nothing}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"p": ["b", "a"], "q": [7, 3]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"p": nothing, "q": nothing}), tmp_path / "2.parquet")
    labels = ge.scale.scan(tmp_path).ensemble().labels
    assert labels.T.tolist() == [[-1, -1, 1, 0, -1, -1]] * 2
    pq.write_table(pa.table({"p": [1, 2], "q": [7, 3]}), tmp_path / "3.parquet")
    with pytest.raises(
        FileError, match=r"3\.parquet does not fit .*1\.parquet: its column 'p' holds numbers, that of the other text"
    ):
        ge.scale.scan(tmp_path)


def test_what_does_not_fit_is_named(tmp_path: Path) -> None:
    pq.write_table(pa.table({"p": [1, 2], "q": [1, 1]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"p": ["x", "y"], "q": [1, 1]}), tmp_path / "1.parquet")
    with pytest.raises(
        FileError, match=r"1\.parquet does not fit .*0\.parquet: its column 'p' holds text, that of the other numbers"
    ):
        ge.scale.scan(tmp_path)
    with pytest.raises(InputError, match="no column 'r'"):
        ge.scale.scan(tmp_path / "0.parquet", columns=["p", "r"])
    with pytest.raises(TypeMismatch, match=r"expected a list of names, \['p'\]"):
        ge.scale.scan(tmp_path / "0.parquet", columns="p")
    with pytest.raises(FileError, match="does not match any file"):
        ge.scale.scan(str(tmp_path / "*.npz"))
    with pytest.raises(TypeMismatch, match="expected a file, a folder"):
        ge.scale.scan(3)  # type: ignore[arg-type]
    pq.write_table(pa.table({"p": [[1], [2]]}), tmp_path / "lists.parquet")
    with pytest.raises(TypeMismatch, match="holds no labels"):
        ge.scale.scan(tmp_path / "lists.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(FileError, match="cannot be read as Parquet"):
        ge.scale.scan(tmp_path / "broken.parquet")
    pq.write_table(pa.table({"p": [1.5, 2.0]}), tmp_path / "halves.parquet")
    with pytest.raises(InputError, match=r"Partition p has the label 1\.5"):
        ge.scale.scan(tmp_path / "halves.parquet")
