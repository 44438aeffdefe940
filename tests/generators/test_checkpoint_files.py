"""Checkpoints are believed only as far as they prove themselves."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens._lib.stored import dumped, loaded
from graphens.errors import FileError, GraphensError

X = np.random.default_rng(0).normal(size=(40, 2))
CALL: dict[str, Any] = {"X": X, "n_partitions": 4, "k": 3, "seed": 0}
TRUE = ge.generate(**CALL)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    ge.generate(**CALL, checkpoint=tmp_path / "ck")
    return tmp_path / "ck"


def change(path: Path, statement: str, *values: Any) -> None:
    connection = sqlite3.connect(path)
    with connection:
        assert connection.execute(statement, values).rowcount
    connection.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("codes", dumped(np.full(40, 77, np.uint8))),
        ("codes", dumped(np.zeros(39, np.uint8))),
        ("codes", b"\x00"),
        ("codes", None),
        ("categories", dumped(np.array([1, 2]))),
        ("weight", -5.0),
        ("weight", "heavy"),
        ("t", 9),
        ("checksum", "0"),
    ],
)
def test_a_changed_partition_is_refused(path: Path, column: str, value: Any) -> None:
    change(path, f"UPDATE partitions SET {column} = ? WHERE t = 0", value)
    with pytest.raises(FileError, match=r"is damaged: .*start over"):
        ge.generate(**CALL, checkpoint=path)


def test_values_are_checked_beyond_the_checksum(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from graphens.generators.checkpoint import Checkpoint

    monkeypatch.setattr(Checkpoint, "_check", lambda *_: None)
    for column, value, message in [
        ("codes", dumped(np.full(40, 77, np.uint8)), "codes beyond its 3 labels"),
        ("codes", dumped(np.zeros(40)), "codes of type float64"),
        ("codes", dumped(np.zeros(39, np.uint8)), "does not belong here"),
        ("categories", dumped(np.zeros(3, int)), "labels of type"),
        ("weight", -5.0, "weighs -5.0"),
        ("t", 9, "partition 9"),
    ]:
        shutil.copy(path, path.with_name("other"))
        change(path.with_name("other"), f"UPDATE partitions SET {column} = ? WHERE t = 0", value)
        with pytest.raises(FileError, match=message):
            ge.generate(**CALL, checkpoint=path.with_name("other"))


def test_another_entropy_is_refused(path: Path) -> None:
    change(path, "UPDATE arguments SET value = ? WHERE name = 'entropy'", '"7"')
    with pytest.raises(FileError, match="'entropy' does not match"):
        ge.generate(**CALL, checkpoint=path)


def test_partitions_of_another_checkpoint_are_refused(path: Path) -> None:
    ge.generate(**(CALL | {"seed": 1}), checkpoint=path.with_name("other"))
    connection = sqlite3.connect(path)
    connection.execute("ATTACH ? AS o", (str(path.with_name("other")),))
    with connection:
        connection.execute("INSERT OR REPLACE INTO partitions SELECT * FROM o.partitions WHERE t = 2")
    connection.close()
    with pytest.raises(FileError, match="checksum of 2"):
        ge.generate(**CALL, checkpoint=path)


def test_foreign_databases_are_refused_and_left_alone(tmp_path: Path, path: Path) -> None:
    foreign = tmp_path / "foreign"
    for statement in ("CREATE TABLE partitions (a)", "CREATE TABLE mine (a)"):
        foreign.unlink(missing_ok=True)
        connection = sqlite3.connect(foreign)
        connection.execute(statement)
        connection.close()
        before = foreign.read_bytes()
        with pytest.raises(FileError, match="is not a checkpoint"):
            ge.generate(**CALL, checkpoint=foreign)
        assert foreign.read_bytes() == before
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE more (a)")
    connection.close()
    with pytest.raises(FileError, match="is not a checkpoint"):
        ge.generate(**CALL, checkpoint=path)


def test_a_changed_state_is_refused(tmp_path: Path) -> None:
    call = CALL | {"sampling": "consistency", "checkpoint": tmp_path / "ck"}
    e = ge.generate(**call)
    change(tmp_path / "ck", "DELETE FROM partitions WHERE t = 3")
    assert ge.generate(**call).n_partitions == e.n_partitions
    change(tmp_path / "ck", "DELETE FROM partitions WHERE t = 3")
    change(tmp_path / "ck", "UPDATE state SET value = ?", dumped(np.ones(40)))
    with pytest.raises(FileError, match="does not match"):
        ge.generate(**call)


def test_no_flipped_bit_changes_a_label(path: Path) -> None:
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    other = path.with_name("other")
    refused = 0
    for place in rng.choice(len(whole), 40, replace=False).tolist():
        other.write_bytes(whole[:place] + bytes([whole[place] ^ (1 << int(rng.integers(8)))]) + whole[place + 1 :])
        try:
            assert ge.generate(**CALL, checkpoint=other) == TRUE
        except GraphensError:
            refused += 1
    assert refused


@pytest.mark.parametrize(
    "array",
    [np.arange(6).reshape(2, 3), np.asfortranarray(np.eye(3)), np.array(["ü", ""]), np.empty((0, 4)), np.array(3)],
)
def test_stored_arrays_come_back(array: np.ndarray) -> None:
    back = loaded(dumped(array))
    assert back.dtype == array.dtype
    assert np.array_equal(back, array)
    assert back.shape == array.shape
    for cut in (1, 7, 20, 127):
        with pytest.raises((ValueError, EOFError)):
            loaded(dumped(array)[:cut])


@pytest.mark.parametrize("where", [5, "a\0b", b"bytes", ["ck"]])
def test_what_is_no_path(where: Any) -> None:
    with pytest.raises(GraphensError, match="expected the name of a file"):
        ge.generate(**CALL, checkpoint=where)
