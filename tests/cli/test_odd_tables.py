"""Tables on the command line: names of the objects, ids among the labels, numbers that are none, sizes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from graphens.cli import main
from graphens.errors import InputError, OrientationWarning
from graphens.export.label_files import read_ensemble
from graphens.export.table_files import as_number, is_number


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
    out = str(table.with_name("out.csv"))
    assert main(["consensus", str(table), "-k", "2", "--method", "vote", "-o", out]) == 0
    told = capsys.readouterr().err
    assert "'customer_id' has 60 different labels for 60 objects" in told
    assert "--id" in told


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
def test_1_0_is_no_number_as_an_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,1\n2,1\n2,2\n")
    command = ["consensus", str(path), "-k", "2", "--method", "cspa", "--set"]
    assert main([*command, f"n_init={value}"]) == 2
    assert value in capsys.readouterr().err
    assert main([*command, "n_init= 10"]) == 0
