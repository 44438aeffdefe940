"""A slice of the published tables, and the page made of kept values."""

from __future__ import annotations

import json

import pytest

from benchmarks.papers import cells, claims, experiments, page, reasons, runner
from benchmarks.papers.columns import COLUMNS
from benchmarks.papers.data import SOURCES
from benchmarks.papers.published import TABLES

SLICE = [  # table, data, column, error in percent at most
    ("fred-jain-2", "3-rings", "EAC-SL", 0),
    ("fred-jain-2", "3-rings", "EAC-AL", 0),
    ("fred-jain-2", "cigar", "EAC-SL", 0),
    ("fred-jain-2", "iris", "EAC-AL", 12),
    ("fred-jain-2", "iris", "CSPA", 5),
    ("fred-jain-2", "iris", "MCLA", 5),
    ("fred-jain-3", "iris", "EAC-AL", 12),
    ("li-2", "2-spirals, look-alike", "EAC-SL", 0),
    ("li-2", "2-spirals, look-alike", "CA-HNE k=40", 0),
    ("li-2", "3-paths", "CA-HNE k=30", 2.3),
    ("li-2", "complex image", "CA-HNE k=40", 3.6),
    ("ayad-kamel", "iris", "cumulative c=k+4", 20.1),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "RESULTS", tmp_path)
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    return tmp_path


@pytest.mark.parametrize(("table", "data", "column", "most"), SLICE)
def test_a_slice_of_the_tables(table, data, column, most):
    row = "2-spirals" if data.startswith("2-spirals") else data
    X, truth = runner.load(data)
    this = runner.Case(
        X, truth, SOURCES[data].k, TABLES[table].rows[row].clusters, TABLES[table].partitions, 0
    )
    assert 100 * runner.measured(column, this) <= most


def test_the_worked_example_of_the_chapter():
    assert [one["what"] for one in claims.worked_example() if not one["holds"]] == []


def test_every_column_of_every_table_can_be_run():
    for table in TABLES.values():
        assert set(table.measured()) <= set(COLUMNS)
        assert set(table.rows) <= set(SOURCES)


def test_a_run_goes_on_where_it_stopped(folder, capsys):
    told = {"iris": {column: [0.5, 0.5] for column in TABLES["fred-jain-3"].measured()}}
    told["iris"]["MCLA"] = [0.5]
    (folder / "fred-jain-3.json").write_text(json.dumps(told))
    runner.run_table("fred-jain-3", 2, only="iris")
    row = runner.kept("fred-jain-3")["iris"]
    assert row["MCLA"][0] == 0.5
    assert 0 < row["MCLA"][1] < 0.5
    assert row["CSPA"] == [0.5, 0.5]
    assert "iris, run 2 of 2" in capsys.readouterr().err


def test_verdicts_follow_the_published_deviation(folder):
    values = {
        "breast cancer": {"CSPA": [0.20, 0.22], "HGPA": [0.15], "CA-HNE k=10": [0.03], "CA-HNE k=20": [0.5]}
    }
    (folder / "li-2.json").write_text(json.dumps(values))
    found = {cell.column: cell for cell in cells.cells("li-2")}
    assert found["CSPA"].verdict == "higher"
    assert found["CSPA"].shown() == "16.7 ± 2.0 → **21.0 ± 1.0**"
    assert found["HGPA"].verdict == "agrees"
    assert found["CA-HNE"].shown() == "3.0 ± 0.4 → 3.0 (k=10)"


def test_the_page_is_made_of_kept_values(folder):
    (folder / "fred-jain-3.json").write_text(json.dumps({"iris": {"KM mean": [0.18], "CSPA": [0.3]}}))
    (folder / "reasons.json").write_text(
        json.dumps({"fred-jain-3: iris, CSPA": {"apart": {"equal objects free to part": 13.0}}})
    )
    page.write_page()
    text = (folder / "page.md").read_text("utf-8")
    assert "| iris | 3 | 1 | 18.1 → 18.0 (mean) |" in text
    assert (
        "- iris, CSPA (higher): 13.0 with equal objects free to part. What decides is whether METIS" in text
    )


def test_what_bears_on_a_cell():
    def named(table, data, column):
        return reasons.bearing(cells.Cell(table, data, column, column, (0.5,), 10.0))

    assert named("fred-jain-2", "iris", "SC") == ["sigmas"]
    assert named("fred-jain-2", "cigar", "AL") == ["draws"]
    assert named("fred-jain-2", "iris", "CSPA") == ["apart", "equal_parts", "intervals"]
    assert named("fred-jain-3", "cigar", "CSPA") == ["apart", "equal_parts", "dealt", "draws"]
    assert named("fred-jain-3", "iris", "MCLA") == []
    assert named("fred-jain-2", "3-rings", "EAC-SL") == ["neighbors", "intervals", "draws"]


def test_a_cell_is_explained_where_a_trial_reaches_the_published_figure(folder):
    cell = cells.Cell("fred-jain-3", "iris", "CSPA", "CSPA", (0.3,), 13.3)
    for error, how in ((12.0, "explained"), (25.0, "open"), (5.0, "bracketed")):
        told = {reasons.key(cell): {"apart": {"equal objects free to part": error}}}
        (folder / "reasons.json").write_text(json.dumps(told))
        assert reasons.deciding(cell)[0] == how
        assert ("not explained" in reasons.sentence(cell, {})) is (how == "open")


def test_the_least_error_of_equal_parts():
    cell = cells.Cell("fred-jain-2", "3-rings", "CSPA", "CSPA", (0.3,), 22.2)
    assert experiments.equal_parts(cell) == {"the best that equal parts can be": 22.2}
