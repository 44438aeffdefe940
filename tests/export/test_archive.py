"""Saved ensembles come back as they were, and nothing else is taken for one."""

import pickle
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import graphens as ge
from graphens.errors import FileError
from tests.export.zoo import ENSEMBLE

LABELS = st.one_of(st.none(), st.integers(-1, 300))
TABLES = st.integers(1, 4).flatmap(lambda b: st.lists(st.lists(LABELS, min_size=b, max_size=b), min_size=1))


def fields(e: ge.Ensemble) -> list[Any]:
    return [e.codes.tolist(), e.codes.dtype, e.n_clusters.tolist(), e.weights.tolist(), e.object_weights.tolist()]


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TABLES)
def test_round_trip(tmp_path: Path, table: list[list[int | None]]) -> None:
    e = ge.Ensemble(np.array(table, dtype=object))
    e.save(tmp_path / "e.npz")
    back = ge.Ensemble.load(tmp_path / "e.npz")
    assert back == e
    assert fields(back) == fields(e)
    assert back.object_names is None


def test_names_weights_and_text_labels_come_back(tmp_path: Path) -> None:
    e = ge.Ensemble([["ü 'x'"], ["b"], [None]], weights=[0.25], object_weights=[1, 2, 3.5], object_names=["1", "", "é"])
    e.save(tmp_path / "any name")
    back = ge.Ensemble.load(tmp_path / "any name")
    assert back == e
    assert list(back.cluster_names) == list(e.cluster_names)
    assert fields(back) == fields(e)
    assert not back.codes.flags.writeable


@pytest.mark.filterwarnings("ignore:Column:graphens.errors.GraphensWarning")
def test_an_updated_result_comes_back(tmp_path: Path) -> None:
    """Its changes have names of no object."""
    r = ge.eac(ENSEMBLE, 2).update(without=[ENSEMBLE.vertex_names()[0]])
    plain = ge.eac([[0, 0], [0, 1], [1, 1], [2, 1]], 2)
    for updated in (r, plain.update(without=["x0"]), plain.update([[0], [0], [1], [1]])):
        updated.save(tmp_path / "r.npz")
        again = ge.load(tmp_path / "r.npz")
        assert again.labels.tolist() == updated.labels.tolist()
        assert str(again.changes) == str(updated.changes)


def test_wide_codes_come_back(tmp_path: Path) -> None:
    e = ge.Ensemble(np.arange(70_000)[:, None])
    e.save(tmp_path / "e.npz")
    assert fields(ge.Ensemble.load(tmp_path / "e.npz")) == fields(e)


def test_foreign_files(tmp_path: Path) -> None:
    ENSEMBLE.save(tmp_path / "good.npz")
    whole = (tmp_path / "good.npz").read_bytes()
    np.save(tmp_path / "array.npy", np.arange(3))
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as made:
        made.writestr("hello.txt", "hello")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("a,b\n1,2\n")
    (tmp_path / "pickle").write_bytes(pickle.dumps({"format": "graphens ensemble"}))
    (tmp_path / "half").write_bytes(whole[: len(whole) // 2])
    for name in ("array.npy", "other.zip", "empty", "text", "pickle", "half", "missing", "."):
        with pytest.raises(FileError, match="saved ensemble"):
            ge.Ensemble.load(tmp_path / name)


def test_files_of_other_kinds_say_what_reads_them(tmp_path: Path) -> None:
    for name, reader in {"g.graphml": r"Graph.read\(path\) reads", "l.csv": "Read a table with pandas"}.items():
        (tmp_path / name).write_text("a,b")
        with pytest.raises(FileError, match=f"{name} is not a saved value.*{reader}"):
            ge.load(tmp_path / name)


def test_a_change_of_content_that_leaves_a_whole_archive_is_seen(tmp_path: Path) -> None:
    ENSEMBLE.save(tmp_path / "good.npz")
    with np.load(tmp_path / "good.npz") as archive:
        arrays = dict(archive)
    arrays["array_0"] = arrays["array_0"][:, ::-1]
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(FileError, match="checksums do not match"):
        ge.Ensemble.load(tmp_path / "bad.npz")


def npy(header: str, data: bytes = b"") -> bytes:
    text = header.encode().ljust(118 - 1) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1000000, 1000000)}",
        "{'descr': '<U0', 'fortran_order': False, 'shape': (1000000000000,)}",
        "{'descr': '<U999999999', 'fortran_order': False, 'shape': (1000,)}",
    ],
)
def test_a_small_file_takes_no_memory(tmp_path: Path, header: str) -> None:
    for how, data in ((zipfile.ZIP_STORED, b""), (zipfile.ZIP_DEFLATED, b"\0" * 10**7)):
        with zipfile.ZipFile(tmp_path / "bomb.npz", "w", how) as made:
            made.writestr("format.npy", npy(header, data))
        tracemalloc.start()
        with pytest.raises(FileError, match="saved ensemble"):
            ge.Ensemble.load(tmp_path / "bomb.npz")
        assert tracemalloc.get_traced_memory()[1] < 2 * 10**6
        tracemalloc.stop()
