"""Edge lists and tables, read back by pandas, polars and the csv module."""

import csv
import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import graphens as ge
from graphens.errors import FileError, GraphensWarning, InputError
from graphens.export.table_files import read_table, write_table
from tests.export.zoo import GRAPHS


def expected_rows(g: ge.Graph) -> list[tuple[object, ...]]:
    names, roles = list(g.names), [("object", "cluster")[role] for role in g.roles]
    source, target, weight = (column.tolist() for column in g.edges())
    return [(names[i], names[j], w, roles[i], roles[j]) for i, j, w in zip(source, target, weight, strict=True)]


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_edge_list_as_text(tmp_path: Path, ending: str) -> None:
    g, path = GRAPHS["awkward"], tmp_path / f"g.{ending}"
    with pytest.warns(ge.GraphensWarning, match="1 of 10 vertices have no edge"):
        g.write(path)
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file, delimiter={"csv": ",", "tsv": "\t"}[ending])
    assert header == ["source", "target", "weight", "source_role", "target_role"]
    assert [(i, j, float(w), a, b) for i, j, w, a, b in rows] == expected_rows(g)


@pytest.mark.filterwarnings("ignore:1 of 10 vertices")
def test_edge_list_in_frames(tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    g = GRAPHS["awkward"]
    g.write(tmp_path / "g.parquet")
    g.write(tmp_path / "g.csv")
    rows = expected_rows(g)
    assert list(pandas.read_parquet(tmp_path / "g.parquet").itertuples(index=False, name=None)) == rows
    assert polars.read_parquet(tmp_path / "g.parquet").rows() == rows
    text = pandas.read_csv(tmp_path / "g.csv", keep_default_na=False, float_precision="round_trip")
    assert list(text.itertuples(index=False, name=None)) == rows


def test_edge_list_of_vertices_that_share_names(tmp_path: Path) -> None:
    with pytest.warns(ge.GraphensWarning) as caught:
        GRAPHS["duplicates"].write(tmp_path / "g.csv")
    assert "share a name" in str(caught[-1].message)
    source = [row.split(",")[0] for row in (tmp_path / "g.csv").read_text().splitlines()[1:]]
    assert source == ["0", "1", "2"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_edge_list_without_edges(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"g.{ending}"
    with pytest.warns(ge.GraphensWarning, match="3 of 3 vertices"):
        GRAPHS["edgeless"].write(path)
    if ending == "csv":
        assert path.read_text() == "source,target,weight,source_role,target_role\n"
    else:
        assert pytest.importorskip("pandas").read_parquet(path).shape == (0, 5)


COLUMNS = {"name": ["a b", 'q"', "ü"], "number": np.array([1.5, np.nan, 0.1]), "some": [1, None, -1]}


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_text_tables_come_back(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t.{ending}"
    write_table(COLUMNS, path)
    assert read_table(path) == {"name": ["a b", 'q"', "ü"], "number": ["1.5", "", "0.1"], "some": ["1", "", "-1"]}


def test_parquet_tables_come_back(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    write_table({"name": ["a b", "ü"], "some": [1, None]}, path)
    assert read_table(path) == {"name": ["a b", "ü"], "some": [1, None]}


def test_standard_output_is_csv_in_utf8(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    write_table({"é": ["ü"], "n": [1]}, "-")
    assert raw.getvalue() == "é,n\nü,1\n".encode()


def test_standard_input_is_csv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("a,b\n1,ü\n".encode())))
    assert read_table("-") == {"a": ["1"], "b": ["ü"]}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,2\n3,4\n", {"P0": ["1", "3"], "P1": ["2", "4"]}),
        ("1,NA\n3,\n", {"P0": ["1", "3"], "P1": ["NA", ""]}),
        ("a,2\n3,4\n", {"a": ["3"], "2": ["4"]}),
        ("a;b\n1;2,5\n", {"a": ["1"], "b": ["2,5"]}),
        ("a\tb\n1\t2\n", {"a": ["1"], "b": ["2"]}),
        ("\ufeffa,b\r\n1 , 2\r\n\r\n\n", {"a": ["1"], "b": ["2"]}),
        ("a,b\r1,2\r", {"a": ["1"], "b": ["2"]}),
        ('a,b\n"x, ""y""\nz",2\n', {"a": ['x, "y"\nz'], "b": ["2"]}),
        ("a\nx\n\ny\n", None),
        ("1_0,2\n3,4\n", {"1_0": ["3"], "2": ["4"]}),
    ],
)
def test_text_is_read_by_simple_rules(tmp_path: Path, text: str, expected: dict[str, list[str]] | None) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    if expected is None:
        with pytest.raises(FileError, match=r"t.csv, line 3 is empty; delete it"):
            read_table(path)
    else:
        assert read_table(path) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"a,b\n", "a header and no row"),
        (b"a,b\n1,2\n1,2,3\n", "line 3 has 3 cells; expected 2 cells"),
        (b"a,b\n1,2\n3\n", "line 3 has 1 cell; expected 2 cells"),
        (b"\na,b\n", "line 1 is empty"),
        (b"a,b\n1,\xff\n", "line 2: not UTF-8"),
        (b"\x89PNG\r\n\x1a\n", "line 1: not UTF-8"),
        (b'a,b\n"1"x,2\n', "line 2: "),
        (b'a,b\n"1,2\n', "line 2: "),
        (b"a,a\n1,2\n", "2 columns called 'a'"),
    ],
)
def test_bad_text_is_a_file_error_with_its_line(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(FileError, match=message):
        read_table(tmp_path / "t.csv")


@pytest.mark.parametrize("name", ["missing.csv", "missing.parquet", "folder.csv", "not.parquet", "nul\0.csv"])
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "not.parquet").write_text("hello")
    with pytest.raises(FileError, match=r"cannot be read|without null characters"):
        read_table(f"{tmp_path}/{name}")


def test_an_unknown_ending_names_the_known_ones(tmp_path: Path) -> None:
    for use in (read_table, lambda path: write_table({"a": [1]}, path)):
        with pytest.raises(InputError, match=r"\.csv, \.tsv, \.txt, \.parquet"):
            use(tmp_path / "t.ods")


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_carriage_returns_are_quoted(tmp_path: Path, ending: str) -> None:
    write_table({"a": ["x\ry", "p\r\nq", "plain"], "b\r": [1, 2, 3]}, tmp_path / f"t.{ending}")
    assert (tmp_path / f"t.{ending}").read_bytes().endswith(b"plain" + (b"," if ending == "csv" else b"\t") + b"3\n")
    back = read_table(tmp_path / f"t.{ending}", strip=False)
    assert back == {"a": ["x\ry", "p\r\nq", "plain"], "b\r": ["1", "2", "3"]}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (",0,1,2\n0,5,5,5\n1,5,5,6\n2,6,6,6\n", ["", "0", "1", "2"]),  # a frame without names, with its index
        ("0,1,2\n5,5,5\n5,5,6\n", ["0", "1", "2"]),  # without
        ("cell,2,3,4\na,0,0,0\nb,0,1,1\n", ["cell", "2", "3", "4"]),
        (",0,1\n0,0,1\n0,1,1\n", ["P0", "P1", "P2"]),  # a first object that misses a label
        ("0,1\n0,0\n", ["P0", "P1"]),
        ("1,2,3\n0,0,1\n", ["P0", "P1", "P2"]),
        (",".join(map(str, range(100, 110))) + "\n" + "1," * 9 + "1\n", list(map(str, range(100, 110)))),
        ("K-1,3,2,2\nK-2,3,2,2\n", ["P0", "P1", "P2", "P3"]),  # no header, but names of rows
        ("K-1,3,2,1\nK-2,3,2,2\n", ["P0", "P1", "P2", "P3"]),
        ("a,b\nx,1,2\ny,1,2\n", ["", "a", "b"]),  # as R's write.table does
    ],
)
@pytest.mark.filterwarnings("ignore:The first line of")
def test_which_lines_are_headers(tmp_path: Path, text: str, names: list[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert list(read_table(path)) == names


def test_numbers_that_were_read_as_names_are_said(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("0,1,2\n5,5,5\n5,5,6\n")
    with pytest.warns(GraphensWarning, match="0, 1, 2, …, was read as the names of the columns"):
        read_table(tmp_path / "t.csv")


def test_a_delimiter_at_the_end_of_rows_is_no_further_column(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2,\n3,4,\n")
    with pytest.raises(FileError, match="line 2 has 3 cells; expected 2 cells, as in the first line"):
        read_table(tmp_path / "t.csv")


def test_the_index_of_a_frame_in_parquet_comes_first(tmp_path: Path) -> None:
    path, frame = tmp_path / "t.parquet", pd.DataFrame({"a": [1, 1], "b": [2, 3]}, index=["x", "y"])
    frame.to_parquet(path)
    assert list(read_table(path)) == ["", "a", "b"]
    frame.rename_axis("cell").to_parquet(path)
    assert list(read_table(path)) == ["cell", "a", "b"]
    frame.reset_index(drop=True).to_parquet(path)
    assert list(read_table(path)) == ["a", "b"]
