"""Tables on the command line: names of the objects, ids among the labels, numbers that are none, sizes."""

from pathlib import Path

import pandas as pd
import pytest

from graphens.cli import main
from graphens.errors import InputError, OrientationWarning
from graphens.export.label_files import read_ensemble
from graphens.export.table_files import as_number, is_number, read_table


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    frame = pd.DataFrame(
        {"a": [0, 1] * 30, "b": [0, 0, 1, 1] * 15}, index=pd.Index(range(100, 160), name="customer_id")
    )
    frame.to_csv(path)
    return path


def test_the_id_column_keeps_its_name(table: Path) -> None:
    e = read_ensemble(table, id_column="customer_id")
    assert (e.index_name, e.n_partitions) == ("customer_id", 2)
    out = table.with_name("out.csv")
    assert main(["consensus", str(table), "--id", "customer_id", "-k", "2", "-o", str(out)]) == 0
    assert pd.read_csv(out).columns[0] == "customer_id"


def test_ids_among_the_labels_are_pointed_out(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.read_csv(table)
    frame[["a", "customer_id", "b"]].to_csv(table, index=False)
    out = str(table.with_name("out.csv"))
    assert main(["consensus", str(table), "-k", "2", "--method", "vote", "-o", out]) == 0
    told = capsys.readouterr().err
    assert "'customer_id' has 60 different labels for 60 objects" in told
    assert "--id" in told


def _answer(path: Path, *more: str, command: str = "consensus") -> pd.DataFrame:
    out = path.with_name("answer.csv")
    assert main([command, str(path), "-k", "2", "--seed", "0", *more, "-o", str(out)]) == 0
    return pd.read_csv(out)


def test_a_first_column_of_names_is_used_as_such(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = _answer(table)
    assert answer["customer_id"].tolist() == list(range(100, 160))
    told = capsys.readouterr().err
    assert "The first column, 'customer_id', is different in every row" in told
    assert "different labels" not in told
    assert answer.equals(_answer(table, "--id", "customer_id"))
    assert "object" in _answer(table, "--columns", "customer_id,a,b")


@pytest.mark.parametrize(
    ("first", "used"),
    [
        (["", *map(str, range(1, 60))], False),  # a name is missing
        (["7", *map(str, range(59))], False),  # one name twice
        ([f"K-{i}" for i in range(60)], True),
        ([f"2026-01-01 00:{i:02}" for i in range(60)], True),
    ],
)
def test_what_a_first_column_of_names_is(table: Path, first: list[str], used: object) -> None:
    pd.read_csv(table).assign(customer_id=first).to_csv(table, index=False)
    assert ("customer_id" in _answer(table)) == used


def test_few_different_numbers_may_be_labels(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,c\n1,0,0\n2,0,0\n3,1,1\n")
    assert "object" in _answer(path)
    path.write_text(",b,c\n1,0,0\n2,0,0\n3,1,1\n")
    assert _answer(path)["object"].tolist() == [1, 2, 3]


def test_classes_find_their_objects_without_id(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pd.read_csv(table)
    classes = frame.assign(kind=frame.pop("a"))[["customer_id", "kind"]]
    classes.iloc[::-1].to_csv(table.with_name("classes.csv"), index=False)
    call = ["compare", str(table), "-k", "2", "--methods", "vote"]
    call += ["--truth", str(table.with_name("classes.csv")), "-o", str(table.with_name("t.csv"))]
    assert main(call) == 0
    classes.iloc[:50].to_csv(table.with_name("classes.csv"), index=False)
    assert main(call) == 2
    assert "has no row for '150'; expected one row for each object" in capsys.readouterr().err


def test_explain_says_where_the_name_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("a,b,the name\n" + "".join(f"{i % 2},{i // 10},n{i}\n" for i in range(20)))
    assert main(["explain", str(path), "n3", "-k", "2"]) == 2
    assert "If the column 'the name' names the objects, add --id 'the name'." in capsys.readouterr().err
    assert main(["explain", str(path), "n03", "--id", "the name", "-k", "2"]) == 2
    assert "Did you mean n3?" in capsys.readouterr().err
    assert main(["explain", str(path), "20", "-k", "2", "--columns", "a,b"]) == 2
    assert "row number (from 0, 0 to 19)" in capsys.readouterr().err


def test_names_of_rows_as_features(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, x = tmp_path / "x.csv", [0.0, 0.1, 0.2, 5.0, 5.1, 5.2] * 2
    options = ("-B", "3", "--base-k", "2")
    pd.DataFrame({"x": x}, index=pd.Index([f"c{i}" for i in range(12)], name="cell")).to_csv(path)
    assert _answer(path, *options, command="cluster")["cell"].tolist() == [f"c{i}" for i in range(12)]
    pd.DataFrame({"x": x}).to_csv(path)
    assert _answer(path, *options, command="cluster")["object"].tolist() == list(range(12))
    assert "used as a feature" not in capsys.readouterr().err
    pd.DataFrame({"id": range(12), "x": x}).to_csv(path, index=False)
    _answer(path, *options, command="cluster")
    assert "Column 'id' counts the rows and is used as a feature" in capsys.readouterr().err


def test_1_0_is_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("a,b\n1_0,1\n10,1\n1_0,2\n")
    e = read_ensemble(path)
    assert e.categories[0].tolist() == ["10", "1_0"]
    assert main(["consensus", str(path), "-k", "1_0"]) == 2
    assert main(["consensus", str(path), "--weights", "1_0,1"]) == 2
    assert main(["cluster", str(path), "-k", "2", "--base-k", "1_0"]) == 2
    assert main(["cluster", str(path), "-k", "2"]) == 2
    assert "1_0" in capsys.readouterr().err
    assert not is_number("1_0")
    assert as_number("1e3", float) == 1000


def test_far_too_many_columns_end_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(",".join(["1", "0"] * 100_000) for _ in range(3)))
    with pytest.raises(InputError, match="3 × 200000 labels was given: it looks transposed"):
        read_ensemble(path)
    path.write_text("\n".join(",".join(["1", "0"] * 50) for _ in range(3)))
    with pytest.warns(OrientationWarning, match="transposed"):
        read_ensemble(path)


def test_messages_stay_readable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("a," + "x" * 100_000 + "\n1,2\n2,2\n")
    assert main(["consensus", str(path), "--columns", "b"]) == 2
    assert main(["consensus", str(path), "--columns", "y" * 100_000]) == 2
    told = capsys.readouterr().err
    assert len(told) < 6000
    assert "has no column 'b'" in told


@pytest.mark.parametrize("value", ["1_0", "[1_0]", "-1_0.0"])
def test_1_0_is_no_number_as_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,1\n2,1\n2,2\n")
    command = ["consensus", str(path), "-k", "2", "--method", "cspa", "--set"]
    assert main([*command, f"n_init={value}"]) == 2
    assert value in capsys.readouterr().err
    assert main([*command, "n_init= 10"]) == 0


def _workbook(path: Path, **sheets: list[list[object]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


ROWS: list[list[object]] = [["customer", "a", "b"], *([f"K{i}", i % 2, i // 6] for i in range(12))]


def test_a_title_above_the_header_of_a_workbook_or_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _workbook(tmp_path / "t.xlsx", Data=[["Segments 2026"], [], *([None, *row] for row in ROWS)])
    expected = [f"K{i}" for i in range(12)]
    assert _answer(path)["customer"].tolist() == expected
    assert "above the header" in capsys.readouterr().err
    text = tmp_path / "t.csv"
    text.write_text("Segments 2026;;\n" + "\n".join(";".join(map(str, row)) for row in ROWS))
    out = tmp_path / "answer.csv"
    assert main(["consensus", str(text), "-k", "2", "-o", str(out)]) == 0
    assert pd.read_csv(out, sep=";")["customer"].tolist() == expected


def test_notes_below_a_table_are_not_objects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = [f"K{i}" for i in range(12)]
    path = _workbook(tmp_path / "t.xlsx", Data=[*ROWS, [], ["Source: us"], [None, "2026, provisional"]])
    assert _answer(path)["customer"].tolist() == expected
    assert "2 lines below the table" in capsys.readouterr().err
    text = tmp_path / "t.csv"
    text.write_text("\n".join(",".join(map(str, row)) for row in ROWS) + "\n,,\nSource: us,,\n")
    assert _answer(text)["customer"].tolist() == expected
    gap = _workbook(tmp_path / "gap.xlsx", Data=[*ROWS[:4], [], *ROWS[4:]])
    assert len(_answer(gap, "--id", "customer")) == 13


def test_a_title_in_several_cells_is_no_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _workbook(tmp_path / "t.xlsx", Data=[["Segments", None, "June 2026"], *ROWS])
    assert main(["consensus", str(path), "-k", "2"]) == 2
    assert "has no name above column 2; expected one name above each column." in capsys.readouterr().err


def test_sheets_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _workbook(tmp_path / "two.xlsx", Cover=[["Report", "by"], ["x", "y"]], Data=ROWS)
    assert main(["consensus", str(path), "-k", "3"]) == 2
    told = capsys.readouterr().err
    assert "two.xlsx (sheet Cover) was read; other sheets are Data (--sheet)." in told
    assert "-k 3 was given, but two.xlsx (sheet Cover) has 1 row; expected at most 1." in told.replace(
        f"{tmp_path}/", ""
    )
    assert _answer(path, "--sheet", "Data")["customer"].tolist() == [f"K{i}" for i in range(12)]
    _workbook(tmp_path / "empty.xlsx", Cover=[], Data=ROWS)
    assert main(["consensus", str(tmp_path / "empty.xlsx")]) == 2
    assert "(sheet Cover) is empty; expected a table. Other sheets: Data." in capsys.readouterr().err
    assert main(["consensus", str(path), "--sheet", "Dat"]) == 2
    assert "has no sheet 'Dat'; it has Cover, Data. Did you mean Data?" in capsys.readouterr().err


@pytest.mark.parametrize("separator", ["|", " ", "   "])
def test_separators_are_recognized(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(separator.join(map(str, row)) for row in ROWS))
    out = path.with_name("answer.csv")
    assert main(["consensus", str(path), "-k", "2", "--id", "customer", "-o", str(out)]) == 0
    assert "customer" in out.read_text().splitlines()[0]
    assert read_ensemble(path, id_column="customer").n_clusters.tolist() == [2, 2]


def test_a_lone_column_of_different_texts_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a~b\n" + "".join(f"{i}~{i % 2}\n" for i in range(9)))
    assert main(["consensus", str(path)]) == 2
    assert "such as '0~0'; expected labels of clusters" in capsys.readouterr().err


def test_whole_numbers_stay_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    cells = [2**53, 2**53 + 1, 10**17 + 1, 10**17 + 2, 10**19, 10**19 + 1]
    path.write_text("a,b\n" + "".join(f"{cells[i % 4]},{cells[i % 6]}\n" for i in range(12)))
    assert read_ensemble(path).n_clusters.tolist() == [4, 6]
    path.write_text("id,b\n" + "".join(f"{10**17 + i},{i % 2}\n" for i in range(12)))
    assert _answer(path)["id"].tolist() == [10**17 + i for i in range(12)]


@pytest.mark.parametrize("title", ["Customers in March\n\n", "Customers\nas of March\n", "# made by a program\n"])
def test_a_title_above_text_is_left_out(table: Path, title: str, capsys: pytest.CaptureFixture[str]) -> None:
    plain = _answer(table)
    table.write_text(title + table.read_text().replace(",", ";"))
    assert pd.read_csv(table.with_name("answer.csv")).equals(plain)
    assert _answer_with_semicolons(table).equals(plain)
    assert f"{title.count(chr(10))} line" in capsys.readouterr().err
    table.write_text(table.read_text() + "1;2\n")
    assert main(["consensus", str(table)]) == 2
    assert f"line {62 + title.count(chr(10))} has 2 cells; expected 3 cells" in capsys.readouterr().err


def _answer_with_semicolons(path: Path) -> pd.DataFrame:
    out = path.with_name("answer.csv")
    assert main(["consensus", str(path), "-k", "2", "--seed", "0", "-o", str(out)]) == 0
    return pd.read_csv(out, sep=";", decimal=",")


def test_a_header_of_one_name_is_no_title(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    for text in ("cluster\na,1\nb,2\n", ",cluster\na,1\nb,2\n", '"","cluster"\n"a","x"\n"b","y"\n'):  # as R and pandas
        path.write_text(text)
        table = read_table(path)
        assert list(table) == ["", "cluster"]
        assert table[""] == ["a", "b"]
    path.write_text('"a\nb",c,d\nx,y,z\n')
    assert list(read_table(path)) == ["a\nb", "c", "d"]


def test_names_that_are_nearly_different_are_asked_about(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(table.read_text() + "100,0,0\n")
    columns = ("--columns", "a,b")
    assert _answer(table, *columns).columns[0] == "object"
    assert "add --id customer_id, and --duplicates first or --duplicates number" in capsys.readouterr().err
    assert _answer(table, *columns, "--duplicates", "first")["customer_id"].tolist() == list(range(100, 160))
    assert _answer(table, "--duplicates", "number")["customer_id"].tolist()[-1] == 100.2
