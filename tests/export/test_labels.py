"""Ensembles from label tables."""

from pathlib import Path

import pytest

import graphens as ge
from graphens.errors import FileError, InputError
from graphens.export.label_files import read_ensemble

TABLE = """who,a,b,c
ann,1,x,2.0
ben,1,NA,3
cid,-1,y,
dee,07,x,nan
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "labels.csv").write_text(TABLE)
    return tmp_path / "labels.csv"


def test_labels_and_names(table: Path) -> None:
    e = read_ensemble(table, id_column="who")
    assert e.labels.tolist() == [[0, 0, 0], [0, -1, 1], [-1, 1, -1], [1, 0, -1]]
    assert list(e.vertex_names()) == ["ann", "ben", "cid", "dee"]
    assert list(e.cluster_names) == ["a:1", "a:7", "b:x", "b:y", "c:2", "c:3"]


def test_chosen_columns_come_in_the_order_asked_for(table: Path) -> None:
    e = read_ensemble(table, columns=["c", "a"])
    assert e.partition_names == ("c", "a")
    assert e.object_names is None


def test_a_column_of_numbers_and_text_is_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\nx\n-1\n1.0\n")
    assert list(read_ensemble(tmp_path / "t.csv").cluster_names) == ["a:1", "a:1.0", "a:x"]


@pytest.mark.parametrize("cell", ["", "NA", "NaN", "nan", "None", "null", "-1", "-1.0", " NA "])
def test_missing_cells(tmp_path: Path, cell: str) -> None:
    (tmp_path / "t.csv").write_text(f"a,b\n1,x\n{cell},{cell}\n")
    assert read_ensemble(tmp_path / "t.csv").labels.tolist() == [[0, 0], [-1, -1]]


def test_a_table_without_header_loses_no_row(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("1\t2\n1\t\n")
    e = read_ensemble(tmp_path / "t.tsv")
    assert (e.n_objects, e.partition_names) == (2, ("P0", "P1"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ["a", "zzz"]}, "no column 'zzz'; expected one of who, a, b, c"),
        ({"id_column": "nobody"}, "no column 'nobody'"),
    ],
)
def test_unknown_columns(table: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_ensemble(table, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", ["1.5", "-7", "inf", "1e300"])
def test_numbers_that_are_no_labels(tmp_path: Path, cell: str) -> None:
    (tmp_path / "t.csv").write_text(f"a\n1\n{cell}\n")
    with pytest.raises(InputError, match="expected"):
        read_ensemble(tmp_path / "t.csv")


def test_parquet_gives_the_same_ensemble(table: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pandas.read_csv(table).to_parquet(tmp_path / "labels.parquet")
    assert read_ensemble(tmp_path / "labels.parquet", id_column="who") == read_ensemble(table, id_column="who")


def test_parquet_with_lists_is_refused(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"a": [[1], [2]]}), tmp_path / "t.parquet")
    with pytest.raises(ge.GraphensError, match="lists"):
        read_ensemble(tmp_path / "t.parquet")


def test_a_saved_ensemble_can_be_named_instead(table: Path, tmp_path: Path) -> None:
    e = read_ensemble(table, id_column="who")
    e.save(tmp_path / "e.npz")
    assert read_ensemble(tmp_path / "e.npz") == e
    assert read_ensemble(tmp_path / "e.npz", columns=["b"]).partition_names == ("b",)
    with pytest.raises(InputError, match="no column 'z'"):
        read_ensemble(tmp_path / "e.npz", columns=["z"])
    with pytest.raises(InputError, match="already has names"):
        read_ensemble(tmp_path / "e.npz", id_column="who")


def test_a_number_with_an_underscore_is_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1_0\n10\n1_0\n")
    assert read_ensemble(tmp_path / "t.csv").categories[0].tolist() == ["10", "1_0"]


def test_messages_stay_short_whatever_the_table_holds(tmp_path: Path) -> None:
    long = "x" * 100_000
    (tmp_path / "t.csv").write_text(f"{long},{long}\n1,2\n")
    with pytest.raises(FileError) as caught:
        read_ensemble(tmp_path / "t.csv")
    assert len(str(caught.value)) < 600
    (tmp_path / "t.csv").write_text(f"{long},b\n1,2\n")
    with pytest.raises(InputError) as unknown:
        read_ensemble(tmp_path / "t.csv", columns=["y" * 100_000])
    assert len(str(unknown.value)) < 900
