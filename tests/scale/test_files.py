"""Files that people really have: an id column, other orders of columns, files that change or are damaged on the way."""

import multiprocessing
import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphens as ge
from graphens.errors import DoubtWarning, FileError, GraphensError, GraphensWarning, InputError, SizeError
from graphens.scale import run as entry


def columns(n: int, seed: int = 0) -> dict[str, np.ndarray[Any, Any]]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    return {name: np.where(rng.random(n) < 0.15, rng.integers(0, 3, n), truth) for name in "abcde"}


def two_files(folder: Path, ids: Any = None, n: int = 120) -> Path:
    folder.mkdir()
    ids = [f"customer {i}" for i in range(2 * n)] if ids is None else ids
    for part in range(2):
        mine = {"id": pa.array(ids[part * n : (part + 1) * n]), **columns(n, part)}
        ordered = list(mine) if part == 0 else list(mine)[::-1]
        pq.write_table(pa.table({name: mine[name] for name in ordered}), folder / f"{part}.parquet", row_group_size=40)
    return folder


def answer(out: Path) -> pa.Table:
    return pa.concat_tables([pq.read_table(part) for part in sorted(out.glob("part-*"))])


@pytest.mark.parametrize("distinct", [True, False])
def test_ids_come_back_beside_the_clusters(tmp_path: Path, *, distinct: bool) -> None:
    s = ge.scale.scan(two_files(tmp_path / "in"), id="id", block_rows=40)
    assert s.partition_names == tuple("abcde")
    r = ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0, distinct=distinct)
    table = answer(tmp_path / "out")
    assert table.column_names == ["id", "cluster", "confidence"]
    assert table["id"].to_pylist() == [f"customer {i}" for i in range(240)]
    assert table["cluster"].to_pylist() == r.labels.tolist()
    labels = np.vstack([np.column_stack(list(columns(120, part).values())) for part in range(2)])
    assert r.labels.tolist() == ge.lwgp(labels, 3, seed=0).labels.tolist()


def test_ids_of_any_type(tmp_path: Path) -> None:
    days = np.datetime64("2020-01-01") + np.arange(240)
    s = ge.scale.scan(two_files(tmp_path / "in", days), id="id")
    ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0)
    assert answer(tmp_path / "out")["id"].to_pylist() == days.tolist()
    np.save(tmp_path / "labels.npy", np.column_stack([np.arange(30), *[np.arange(30) % 3] * 3]))
    ge.scale.consensus(ge.scale.scan(tmp_path / "labels.npy", id="P0", block_rows=8), 3, out=tmp_path / "o", seed=0)
    assert answer(tmp_path / "o")["P0"].to_pylist() == list(range(30))


def test_columns_that_cannot_be_ids_are_refused(tmp_path: Path) -> None:
    folder = two_files(tmp_path / "in")
    with pytest.raises(InputError, match=r"no column 'idd'.*Did you mean id"):
        ge.scale.scan(folder, id="idd")
    with pytest.raises(InputError, match="named twice among id, id, a"):
        ge.scale.scan(folder, ["id", "a"], id="id")
    pq.write_table(pa.table({"cluster": [1, 2], "a": [0, 1]}), tmp_path / "c.parquet")
    with pytest.raises(InputError, match="the result has a column of that name"):
        ge.scale.scan(tmp_path / "c.parquet", id="cluster")


def test_only_the_columns_that_are_read_must_fit(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [0, 1], "b": [0, 1]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"b": [1, 0], "note": ["x", "y"], "a": [0, 0]}), tmp_path / "1.parquet")
    assert ge.scale.scan(tmp_path, ["a", "b"]).ensemble().labels.T.tolist() == [[0, 1, 0, 0], [0, 1, 1, 0]]
    with pytest.raises(FileError, match=r"1\.parquet does not fit .*: it has a further column 'note'"):
        ge.scale.scan(tmp_path)
    with pytest.raises(FileError, match=r"0\.parquet .* has no column 'note'|no column 'note'"):
        ge.scale.scan([tmp_path / "1.parquet", tmp_path / "0.parquet"], ["a", "note"])


def test_columns_without_information_are_doubted_as_in_memory(tmp_path: Path) -> None:
    n = 300
    table = columns(n) | {"same": np.zeros(n, int), "customer": np.arange(n)}
    pq.write_table(pa.table(table), tmp_path / "in.parquet", row_group_size=100)
    s = ge.scale.scan(tmp_path / "in.parquet", block_rows=100)
    with pytest.warns(DoubtWarning) as memory:
        ge.lwgp(np.column_stack(list(table.values())), 3, seed=0)
    said = {str(w.message).replace("'P5'", "'same'").replace("'P6'", "'customer'") for w in memory}
    for distinct in (True, False):
        with pytest.warns(GraphensWarning) as disk:
            r = ge.scale.consensus(s, 3, out=tmp_path / f"out{distinct}", seed=0, distinct=distinct)
        heard = [str(w.message) for w in disk]
        assert len(heard) == len(set(heard))
        assert said <= set(heard)
        assert any("'customer' is left out" in sentence for sentence in heard) == (not distinct)
    assert "customer" not in {name.split(":")[0] for name in r.graph.names}
    del table["customer"], table["same"]
    with pytest.warns(DoubtWarning):
        without = ge.lwgp(np.column_stack([*table.values(), np.zeros(n, int)]), 3, seed=0)
    with pytest.warns(GraphensWarning):
        again = ge.scale.consensus(s, 3, out=tmp_path / "outFalse", seed=0, distinct=False)
    assert r.labels.tolist() == without.labels.tolist()
    assert again.graph.n_vertices == r.graph.n_vertices


def test_an_identifier_does_not_make_rows_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "DISTINCT", 250)
    pq.write_table(pa.table(columns(300) | {"customer": np.arange(300)}), tmp_path / "in.parquet")
    with pytest.warns(GraphensWarning, match="'customer' is left out"):
        r = ge.scale.consensus(tmp_path / "in.parquet", 3, method="eac", out=tmp_path / "out", seed=0)
    expected = ge.eac(np.column_stack(list(columns(300).values())), 3)
    assert r.labels.tolist() == expected.labels.tolist()


def test_the_budget_names_the_column(tmp_path: Path) -> None:
    n = 3000
    rng = np.random.default_rng(0)
    table = {name: rng.integers(0, 1000, n) for name in "ab"} | {"id": np.arange(n)}
    pq.write_table(pa.table(table), tmp_path / "in.parquet")
    with ge.memory_budget("100 kB"), pytest.raises(SizeError, match=r"labels of 'id'.*id='id'.*--id"):
        ge.scale.scan(tmp_path / "in.parquet")
    s = ge.scale.scan(tmp_path / "in.parquet", id="id")
    with ge.memory_budget("100 kB"), pytest.raises(SizeError, match="clusters of 'a'"):
        ge.scale.consensus(s, 3, out=tmp_path / "out", distinct=False)


def changed(path: Path, table: dict[str, Any]) -> None:
    stamp = path.stat().st_mtime_ns
    pq.write_table(pa.table(table), path)
    os.utime(path, ns=(stamp, stamp + 1))


@pytest.mark.parametrize("change", ["shorter", "narrower", "other", "text", "longer", "gone"])
@pytest.mark.parametrize("distinct", [True, False])
def test_a_file_that_changed_is_named(tmp_path: Path, change: str, *, distinct: bool) -> None:
    folder = two_files(tmp_path / "in")
    s = ge.scale.scan(folder, id="id", block_rows=40)
    path = folder / "1.parquet"
    now = {"id": [f"customer {i}" for i in range(120)], **columns(120)}
    if change == "gone":
        path.unlink()
    elif change == "shorter":
        changed(path, {name: column[:50] for name, column in now.items()})
    elif change == "narrower":
        changed(path, {name: now[name] for name in ("id", "a", "b")})
    elif change == "other":
        changed(path, now | {"a": np.full(120, 10**6)})
    elif change == "text":
        changed(path, now | {"a": ["x"] * 120})
    else:
        changed(path, {name: list(column) * 2 for name, column in now.items()})
    with pytest.raises(FileError, match=r"1\.parquet (has changed since it was scanned|cannot be read)"):
        ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0, distinct=distinct)
    assert not list((tmp_path / "out").glob("part-*"))


def test_a_file_that_changes_on_the_way_is_named(tmp_path: Path) -> None:
    folder = two_files(tmp_path / "in")
    s = ge.scale.scan(folder, id="id", block_rows=40)

    def grow(what: str, share: float) -> None:
        if what.startswith("writing clusters"):
            changed(folder / "1.parquet", {"id": ["x"] * 500, **columns(500)})

    with ge.progress(grow), pytest.raises(FileError, match=r"1\.parquet has changed"):
        ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0)


def test_duplicate_columns_are_named(tmp_path: Path) -> None:
    array = pa.array([0, 1])
    pq.write_table(pa.Table.from_arrays([array, array, array], ["a", "b", "a"]), tmp_path / "in.parquet")
    with pytest.raises(FileError, match=r"in\.parquet has 2 columns called 'a'"):
        ge.scale.scan(tmp_path / "in.parquet")
    with pytest.raises(FileError, match=r"in\.parquet has 2 columns called 'a'"):
        ge.scale.generate(tmp_path / "in.parquet", 2, out=tmp_path / "out")


@pytest.mark.parametrize("seed", range(12))
def test_damaged_files_are_named(tmp_path: Path, seed: int) -> None:
    """Bytes anywhere in the pages or the footer are others."""
    path = two_files(tmp_path / "in") / "0.parquet"
    stamp, data = path.stat(), bytearray(path.read_bytes())
    scans = [ge.scale.scan(path, id="id")]
    rng = np.random.default_rng(seed)
    for place in rng.integers(4, len(data), 40):
        data[place] = rng.integers(256)
    path.write_bytes(data)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # a disk that forgets keeps the time
    said = []
    try:
        scans.append(ge.scale.scan(path, id="id"))
    except GraphensError as error:
        said.append(str(error))
    for i, s in enumerate(scans):
        try:
            ge.scale.consensus(s, 3, out=tmp_path / f"out{i}", seed=0)
        except GraphensError as error:
            said.append(str(error))
    assert all("0.parquet" in sentence or "Partition" in sentence for sentence in said)


def test_a_folder_belongs_to_one_process(tmp_path: Path) -> None:
    """A second call is told who works there; after a kill the folder is free, and the work goes on."""
    folder, out = two_files(tmp_path / "in"), tmp_path / "out"
    s = ge.scale.scan(folder, id="id")
    context = multiprocessing.get_context("spawn")
    ready = context.Event()

    process = context.Process(target=hold_folder, args=(out, ready))
    process.start()
    try:
        assert ready.wait(60)
        with pytest.raises(FileError, match=rf"Another process \({process.pid}\) is working in .*out"):
            ge.scale.consensus(s, 3, out=out, seed=0)
        with pytest.raises(FileError, match="Another process"):
            ge.scale.generate([np.zeros((5, 2))], 2, k=2, out=out, seed=0)
    finally:
        process.kill()
        process.join()
    assert ge.scale.consensus(s, 3, out=out, seed=0).k == 3


def hold_folder(out: Path, ready: Any) -> None:
    from graphens.scale.folder import Folder

    with Folder(out).locked():
        ready.set()
        signal.pause()


def test_what_an_earlier_call_kept_may_be_damaged(tmp_path: Path) -> None:
    s = ge.scale.scan(two_files(tmp_path / "in"), id="id")
    ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0)
    for name in ("graph.npz", "summary.json", "state.json"):
        kept = tmp_path / "out" / "_work" / name
        data = kept.read_bytes()
        kept.write_bytes(data[: len(data) // 2])
        with pytest.raises(FileError, match=r"cannot be read .*Delete .*out and call again"):
            ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0)
        kept.write_bytes(data)
    (tmp_path / "out" / "_work" / "summary.json").unlink()
    with pytest.raises(FileError, match=r"summary\.json: it is gone.*Delete .*out and call again"):
        ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0)


def test_labels_that_are_gone_between_the_passes(tmp_path: Path) -> None:
    s = ge.scale.scan(two_files(tmp_path / "in"), id="id")

    def clean(what: str, share: float) -> None:
        for path in (tmp_path / "out" / "_work").glob("labels-*.npz"):  # not those that are being written
            path.unlink(missing_ok=True)

    with ge.progress(clean), pytest.raises(FileError, match="it is gone"):
        ge.scale.consensus(s, 3, out=tmp_path / "out", seed=0, distinct=False)
