"""What can be asked of an answer on disk is what a Consensus in memory says."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import graphens as ge
from graphens.errors import InputError, SizeError
from graphens.scale import scaled_consensus
from tests.scale.test_consensus import noisy


def on_disk(
    tmp_path: Path, *, ids: bool = True, distinct: bool = False
) -> tuple[ge.Consensus, ge.scale.ScaledConsensus]:
    labels = noisy(240, 5, 3, 1, 0.1)
    names = [f"c{i}" for i in range(240)]
    table = {f"P{t}": labels[:, t] for t in range(5)} | ({"id": names} if ids else {})
    pq.write_table(pa.table(table), tmp_path / "in.parquet", row_group_size=50)
    s = ge.scale.scan(tmp_path / "in.parquet", id="id" if ids else None, block_rows=50)
    e = ge.Ensemble(labels, object_names=names if ids else None)
    return ge.mcla(e, 3, seed=0), ge.scale.consensus(
        s, 3, method="mcla", out=tmp_path / "out", seed=0, distinct=distinct
    )


def test_sizes_are_of_one_kind(tmp_path: Path) -> None:
    memory, disk = on_disk(tmp_path)
    assert disk.sizes().tolist() == memory.sizes().tolist()
    np.testing.assert_allclose(disk.cohesion, memory.cohesion, atol=1e-12)
    assert repr(disk).splitlines()[2] == repr(memory).splitlines()[3]


@pytest.mark.parametrize("distinct", [True, False])
def test_new_objects_are_assigned_as_in_memory(tmp_path: Path, *, distinct: bool) -> None:
    memory, disk = on_disk(tmp_path, distinct=distinct)
    new = noisy(40, 5, 3, 7, 0.3)
    expected, found = memory.assign(new), disk.assign(new)
    assert found.labels.tolist() == expected.labels.tolist()
    np.testing.assert_allclose(found.membership, expected.membership, atol=1e-12)
    np.testing.assert_allclose(found.confidence, expected.confidence, atol=1e-12)


@pytest.mark.parametrize("ids", [True, False])
def test_objects_are_explained_as_in_memory(tmp_path: Path, *, ids: bool) -> None:
    memory, disk = on_disk(tmp_path, ids=ids)
    for i in (0, 77, 239):
        assert repr(disk.explain(f"c{i}" if ids else i)) == repr(memory.explain(f"c{i}" if ids else i))
        assert repr(disk.explain(position=i)) == repr(memory.explain(f"c{i}" if ids else i))
    if ids:
        with pytest.raises(InputError, match="'c999' was given, but no object has that id"):
            disk.explain("c999")


def test_ids_are_the_users_own(tmp_path: Path) -> None:
    """Numbers stay numbers, so that 150 is the object with that id and not a row."""
    labels = noisy(200, 5, 3, 1)
    table = {f"P{t}": labels[:, t] for t in range(5)} | {"customer": np.arange(100, 300)}
    pq.write_table(pa.table(table), tmp_path / "in.parquet")
    s = ge.scale.scan(tmp_path / "in.parquet", id="customer", block_rows=64)
    r = ge.scale.consensus(s, 3, method="mcla", out=tmp_path / "out", seed=0)
    assert r.explain(150).name == 150
    assert repr(r.explain(150)) == repr(r.explain(position=50))
    assert list(r.sample(7).names) == r.sample(7).ensemble.object_names.tolist()
    assert all(type(name) is int for name in r.sample(7).names)
    assert r.sample(7).to_frame().index.name == "customer"


def test_votes_count_all_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, disk = on_disk(tmp_path)
    monkeypatch.setattr(scaled_consensus, "_SAMPLE", 20)
    found, expected = disk.explain("c100"), memory.explain("c100")
    assert found.votes == expected.votes
    assert (found.rival, found.deciding) == (expected.rival, expected.deciding)
    assert found.margin == pytest.approx(expected.margin)
    assert found.confidence == pytest.approx(expected.confidence)


def test_frames(tmp_path: Path) -> None:
    memory, disk = on_disk(tmp_path)
    frame = disk.to_frame()
    assert frame.index.tolist() == [f"c{i}" for i in range(240)]
    assert frame.index.name == "id"
    assert frame["cluster"].tolist() == memory.labels.tolist()
    assert disk.to_frame(60).equals(frame[:60])
    assert len(disk.to_frame(0)) == 0
    with ge.memory_budget("1 kB"), pytest.raises(SizeError, match="head="):
        disk.to_frame()


def test_a_single_file(tmp_path: Path) -> None:
    memory, disk = on_disk(tmp_path)
    one = disk.write(tmp_path / "one.parquet")
    assert pq.read_table(tmp_path / "one.parquet").column_names == ["id", "cluster", "confidence"]
    assert one.files == [tmp_path / "one.parquet"]
    assert one.labels.tolist() == disk.labels.tolist() == memory.labels.tolist()
    assert "one.parquet" in repr(one)


def test_a_sample_is_a_consensus_in_memory(tmp_path: Path) -> None:
    memory, disk = on_disk(tmp_path)
    some = disk.sample(50)
    at = np.array([int(name[1:]) for name in some.names])
    assert len(at) == 50
    assert some.labels.tolist() == memory.labels[at].tolist()
    np.testing.assert_allclose(some.confidence, memory.confidence[at], atol=1e-12)
    page = disk.report(tmp_path / "page.html", size=50).read_text()
    assert "50 of 240 objects in 3 clusters" in page
    assert disk.scan.sample(50).object_names.tolist() == [str(name) for name in some.names]
