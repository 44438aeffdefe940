"""`write` chooses by ending, and files are written whole or not at all."""

import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphens as ge
from graphens._lib.files import atomic
from graphens.errors import FileError, InputError, TypeMismatch
from graphens.export import FORMATS, write
from graphens.export.table_files import write_table
from graphens.labels.names import Names
from tests.export.zoo import GRAPHS, HYPERGRAPHS

VALUES: dict[type, Any] = {
    ge.Graph: GRAPHS["meta"],
    ge.Hypergraph: HYPERGRAPHS["ensemble"],
    ge.Dendrogram: ge.Dendrogram([[0, 1, 0.5, 2]]),
}
CASES = [(VALUES[kind], ending) for kind, forms in FORMATS.items() for ending, form in forms.items() if form.write]


@pytest.mark.parametrize(("value", "ending"), CASES)
def test_every_ending_writes_one_file(tmp_path: Path, value: Any, ending: str) -> None:
    target = tmp_path / f"some.name{ending.upper()}"
    write(value, str(target))
    assert target.stat().st_size > 0
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(("value", "ending"), CASES)
def test_the_same_value_gives_the_same_text(tmp_path: Path, value: Any, ending: str) -> None:
    if ending == ".gexf":
        pytest.skip("it holds the time of writing")
    for name in ("a", "b"):
        write(value, tmp_path / f"{name}{ending}")
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()


def test_an_unknown_ending_names_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"hypergraph; expected a file ending in \.hgr, \.hif\.json"):
        HYPERGRAPHS["one"].write(tmp_path / "h.json")
    with pytest.raises(InputError, match=r"'graph' was given for a graph; .*\.graphml, \.gexf"):
        GRAPHS["coassociation"].write("graph")
    assert list(tmp_path.iterdir()) == []


def test_only_known_values_are_written(tmp_path: Path) -> None:
    with pytest.raises(TypeMismatch, match="ndarray was given; expected one of Graph, Hypergraph"):
        write(np.eye(2), tmp_path / "g.graphml")  # type: ignore[arg-type]


def test_a_graph_over_the_memory_budget_leaves_no_file(tmp_path: Path) -> None:
    g = ge.coassociation(np.zeros((100, 2), dtype=int))
    with ge.memory_budget("1 kB"), pytest.raises(ge.GraphensError, match="memory budget"):
        g.write(tmp_path / "g.graphml")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failing_write_changes_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "g.csv"
    target.write_text("before")
    with pytest.raises(error), atomic(target) as file:  # noqa: PT012
        file.write(b"half of it")
        raise error
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_writer_that_stumbles_changes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "t.csv"
    target.write_text("before")
    with pytest.raises(ValueError, match="shorter"):
        write_table({"a": [1, 2], "b": [1]}, target)
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_a_file_error(tmp_path: Path) -> None:
    target = tmp_path / "g.csv"
    target.write_text("before")
    with pytest.raises(FileError, match=r"g.csv cannot be written: No space left"), atomic(target):
        raise OSError(28, "No space left on device")
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_name_that_is_no_text_is_a_file_error(tmp_path: Path) -> None:
    g = ge.Graph([[0, 1], [1, 0]], names=Names(np.array(["\udcff", "fine"])))  # made without the check
    for ending in ("csv", "net", "parquet"):
        with pytest.raises(FileError, match="not valid text"):
            g.write(tmp_path / f"g.{ending}")
    assert list(tmp_path.iterdir()) == []


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder.gml").mkdir()
    (tmp_path / "file").write_text("")
    for name, message in [
        ("missing/g.gml", "no directory"),
        ("file/g.gml", "no directory"),
        ("folder.gml", "not a file"),
        ("x" * 300 + ".gml", "cannot be written"),
        ("nul\0.gml", "without null characters"),
    ]:
        with pytest.raises(FileError, match=message):
            GRAPHS["one"].write(f"{tmp_path}/{name}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.gml"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_directory(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match="Permission denied"):
        GRAPHS["one"].write(tmp_path / "g.gml")


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
def test_new_files_get_the_usual_permissions(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        GRAPHS["one"].write(tmp_path / "g.gml")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "g.gml").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions")
@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_overwriting_keeps_the_permissions(tmp_path: Path, mode: int) -> None:
    GRAPHS["meta"].write(tmp_path / "g.csv")
    (tmp_path / "g.csv").chmod(mode)
    GRAPHS["meta"].write(tmp_path / "g.csv")
    assert stat.S_IMODE((tmp_path / "g.csv").stat().st_mode) == mode


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_keeps_pointing(tmp_path: Path) -> None:
    (tmp_path / "real.gml").write_text("before")
    (tmp_path / "link.gml").symlink_to("real.gml")
    GRAPHS["one"].write(tmp_path / "link.gml")
    assert (tmp_path / "link.gml").is_symlink()
    assert (tmp_path / "real.gml").read_text().startswith("graph [")
