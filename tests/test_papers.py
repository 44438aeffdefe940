"""A slice of the published tables, and the page made of kept values."""

from __future__ import annotations

import ast
import csv
import json
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import graphens as ge
from benchmarks.papers import cells, claims_examples, page, pictures, runner
from benchmarks.papers.__main__ import main
from benchmarks.papers.claim import claim
from benchmarks.papers.columns import COLUMNS
from benchmarks.papers.data import SOURCES, load
from benchmarks.papers.fitted import fitted
from benchmarks.papers.hyperedges import hyperedge_parts
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
    this = runner.Case(X, truth, SOURCES[data].k, TABLES[table].rows[row].clusters, TABLES[table].partitions, 0)
    assert 100 * runner.measured(column, this) <= most


def test_the_worked_example_of_the_chapter():
    assert [one["what"] for one in claims_examples.worked_example() if not one["holds"]] == []


def test_every_column_of_every_table_can_be_run():
    for table in TABLES.values():
        assert set(table.measured()) <= set(COLUMNS)
        assert set(table.rows) <= set(SOURCES)


def test_the_study_uses_public_names_only():
    for path in sorted(Path(runner.__file__).parent.glob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "graphens":
                assert node.module in {"graphens.errors", "graphens.measures", "graphens.plot"}, path.name
                assert {name.name for name in node.names} <= set(dir(import_module(node.module))), path.name
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ge":
                found = getattr(ge, node.attr)  # a package with a public face, or a name of graphens itself
                assert not node.attr.startswith("_"), path.name
                assert not isinstance(found, ModuleType) or hasattr(found, "__all__"), (path.name, node.attr)


def test_a_run_goes_on_where_it_stopped(folder, capsys):
    told = {"iris": {column: [0.5, 0.5] for column in TABLES["fred-jain-3"].measured()}}
    told["iris"]["MCLA"] = [0.5]
    (folder / "fred-jain-3.json").write_text(json.dumps(told))
    for data in TABLES["fred-jain-3"].rows:
        told.setdefault(data, told["iris"] | {"MCLA": [0.5, 0.5]})
    (folder / "fred-jain-3.json").write_text(json.dumps(told))
    runner.run_table("fred-jain-3", 2)
    row = runner.kept("fred-jain-3")["iris"]
    assert row["MCLA"][0] == 0.5
    assert 0 < row["MCLA"][1] < 0.5
    assert row["CSPA"] == [0.5, 0.5]
    said = capsys.readouterr().out
    assert "iris, run 2, " in said
    assert "cigar, all 2 runs are kept; nothing to do" in said
    origin = json.loads((folder / "provenance.jsonl").read_text("utf-8"))
    assert origin["columns"] == ["MCLA"]
    assert {"commit", "machine", "load"} <= set(origin["measured"])


def test_what_is_asked_for_is_run_afresh_and_shown_beside_what_is_kept(folder, capsys):
    asked = ["--table", "fred-jain-3", "--data", "iris", "--runs", "1"]
    main(asked)
    first, said = runner.kept("fred-jain-3"), capsys.readouterr().out
    assert "fred-jain-3: iris, Fred and Jain 2005, Table 3, afresh" in said
    assert re.search(r"EAC-AL +11\.1 ", said)
    assert "6 values were kept." in said
    main(asked)
    said = capsys.readouterr().out
    assert "1 of 1 as kept" in said
    assert "Everything came out as it is kept." in said

    wrong = json.loads(json.dumps(first))
    wrong["iris"]["CSPA"] = [0.9]
    runner.keep("fred-jain-3", wrong)
    main(asked)
    said = capsys.readouterr().out
    assert "90.0 (1)" in said
    assert "1 differ from kept ones, which stay" in said
    assert runner.kept("fred-jain-3") == wrong
    main([*asked, "--again"])
    assert "1 values were kept, 1 differ from kept ones." in capsys.readouterr().out
    assert runner.kept("fred-jain-3") == first


def test_a_figure_is_checked_afresh_where_it_is_asked_for(folder, capsys):
    main(["--table", "worked-example"])
    assert "worked-example: checked afresh" in capsys.readouterr().out
    main(["--table", "worked-example"])
    assert "holds; as kept" in capsys.readouterr().out


def test_the_curve_of_a_figure_is_worked_out_afresh_too(folder, capsys):
    main(["--table", "biased-agreement"])
    kept = runner.kept("curves")
    wrong = {"x": [2.0, 3.0], "y": [0.9, 0.1]}
    runner.keep("curves", {"agreement": dict.fromkeys(kept["agreement"], wrong)})
    main(["--table", "biased-agreement"])
    assert runner.kept("curves") == kept
    assert "k = 10: nearest reference partition: published 10, now 10, holds; as kept" in capsys.readouterr().out


def test_a_row_that_a_table_lacks_is_refused(folder, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--table", "fred-jain-2", "--data", "wine"])
    assert ended.value.code == 2
    assert "fred-jain-2 has no row 'wine'; its rows: half-rings" in capsys.readouterr().err


def test_what_needs_an_absent_file_is_left_out_and_the_page_is_written(folder, capsys, monkeypatch):
    monkeypatch.setenv("GRAPHENS_DATA", str(folder))
    load.cache_clear()
    monkeypatch.setattr(pictures, "PICTURES", {"one": ("", (lambda ax: load("half-rings"),))})
    monkeypatch.setattr(pictures, "FOLDER", folder)
    with pytest.raises(SystemExit):
        main(["--table", "fred-jain-3", "--data", "half-rings", "--runs", "1"])
    main(["--table", "gaussian-components", "--table", "worked-example", "--pictures"])
    said = capsys.readouterr()
    assert [f"{name} left out" in said.err for name in ("fred-jain-3: half-rings", "gaussian-components", "one")] == [
        True,
        True,
        True,
    ]
    assert list(runner.kept("claims")) == ["worked-example"]
    assert (folder / "page.md").read_text("utf-8").startswith("# The published tables")


def test_every_random_step_has_a_seed(monkeypatch):
    X, truth = runner.load("crescents")
    this = runner.Case(X, truth, 2, 2, 4, 3)
    seeds = []
    monkeypatch.setattr(ge, "cumulative", lambda e, k, **options: seeds.append(options.get("seed")) or ge.vote(e, k))
    COLUMNS["cumulative c=k+0"](this)
    assert seeds == [3]


def test_verdicts_follow_the_standard_error_of_both_means(folder):
    """Published 16.7 ± 2.0 and 14.7 ± 1.7, means of 20: a standard error of .45 and .38 without a spread of ours."""
    for column, published, ours, verdict in (
        ("CSPA", (16.7, 2.0), 16.7 + 0.9, "agrees"),
        ("CSPA", (16.7, 2.0), 16.7 + 1.2, "near"),
        ("CSPA", (16.7, 2.0), 16.7 + 1.5, "higher"),  # less than one deviation of single runs
        ("HGPA", (14.7, 1.7), 14.7 - 1.5, "lower"),
        ("SC", (0.0, 0.0), 0.04, "agrees"),
        ("SC", (0.0, 0.0), 0.3, "higher"),
        ("SL", 34.9, 34.5, "agrees"),
        ("SL", 34.9, 30.0, "near"),
        ("SL", 34.9, 29.8, "lower"),
        ("SL", None, 29.8, "-"),
        ("SL", 4.0, 4.9, "near"),  # a quarter of the figure
        ("SL", 4.0, 5.1, "higher"),
        ("SL", 0.0, 0.6, "higher"),
    ):
        cell = cells.Cell("li-2", "breast cancer", column, column, (ours / 100,) * 20, published)
        assert (cell.verdict, cell.differs) == (verdict, verdict in {"lower", "higher"}), (published, ours)


def test_a_spread_of_ours_widens_the_error_but_never_beyond_two_published_deviations():
    narrow = cells.Cell("li-2", "breast cancer", "CSPA", "CSPA", (0.18,) * 20, (16.7, 2.0))
    spread = cells.Cell("li-2", "breast cancer", "CSPA", "CSPA", (0.15, 0.21) * 10, (16.7, 2.0))
    wide = cells.Cell("li-2", "breast cancer", "CSPA", "CSPA", (0.05, 0.37) * 10, (16.7, 2.0))
    assert narrow.verdict == "near"
    assert spread.verdict == "agrees"
    assert wide.verdict == "higher"


def test_a_cell_takes_the_best_of_a_scan_and_says_that_it_was_selected(folder):
    values = {
        "breast cancer": {"CSPA": [0.20, 0.22], "HGPA": [0.147], "CA-HNE k=10": [0.03], "CA-HNE k=20": [0.5]},
        "2-spirals": {"CA-HNE k=60": [0.0]},
    }
    (folder / "li-2.json").write_text(json.dumps(values))
    found = {(cell.data, cell.column): cell for cell in cells.cells("li-2")}
    cspa, edges, spirals = (
        found[at] for at in (("breast cancer", "CSPA"), ("breast cancer", "CA-HNE"), ("2-spirals", "CA-HNE"))
    )
    assert (f"{cspa.mean:.1f} ± {cspa.std:.1f}", cspa.verdict, bool(cspa.fitted)) == ("21.0 ± 1.0", "higher", True)
    assert (edges.ours, edges.values, bool(edges.fitted)) == ("CA-HNE k=10", (0.03,), True)
    assert (spirals.ours, spirals.fitted) == ("CA-HNE k=60", "")  # the paper prints this k


def test_cells_that_were_fitted_or_selected():
    assert "match this figure" in fitted("fred-jain-3", "cigar", "KM")
    assert "interval" in fitted("li-2", "3-paths", "MCLA")
    assert "best of" in fitted("li-2", "std yeast", "CA-HNE")
    assert "this error 0" in fitted("fred-jain-2", "cigar", "EAC-SL")
    for table, data, column in (
        ("fred-jain-2", "iris", "KM best"),
        ("fred-jain-2", "cigar", "EAC-AL"),
        ("fred-jain-3", "3-rings", "EAC-SL"),
        ("li-2", "complex image", "SC"),
    ):
        assert fitted(table, data, column) == ""


def test_statements_without_a_verdict_or_with_a_chosen_setting_are_counted_apart():
    told = [
        claim("a", "yes", "yes", True),
        claim("b", "yes", "no", False),
        claim("c", "yes", "yes", True, "one of 16"),
        claim("d", "finds it", "19 of 40", None),
        claim("e", "-", "3", True),
    ]
    assert page._held(told, "statements") == (
        "1 of 2 statements hold, 1 of 1 with a fitted or selected setting; 1 have no verdict."
    )


def test_the_page_is_made_of_kept_values(folder):
    (folder / "fred-jain-3.json").write_text(json.dumps({"iris": {"KM mean": [0.18], "CSPA": [0.3]}}))
    (folder / "claims.json").write_text(
        json.dumps({"worked-example": [{"what": "MCLA", "published": "x1 | x2", "ours": "x1 | x2", "holds": True}]})
    )
    page.write_page()
    text = (folder / "page.md").read_text("utf-8")
    assert "**Of 2 published figures 1 agree, 0 are near and 1 differ.**" in text
    assert "- Seven objects, three partitions (chapter, Tables 4.2 to 4.4): 1 of 1 hold" in text
    tables = {name: _table(folder / "page" / f"{name}.csv") for name in ("figures", "statements")}
    means, cspa = tables["figures"]
    assert [means[name] for name in ("method", "setting", "published", "ours", "verdict")] == [
        "KM",
        "mean",
        "18.1",
        "18.0",
        "agrees",
    ]
    assert (cspa["ours"], cspa["verdict"]) == ("30.0", "higher")
    (said,) = tables["statements"]
    assert (said["statement"], said["ours"], said["verdict"]) == ("MCLA", "x1 | x2", "holds")


def _table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_page_and_its_tables_in_the_docs_are_those_of_the_kept_values(tmp_path, monkeypatch):
    shown = page.PAGE
    monkeypatch.setattr(page, "PAGE", tmp_path / "reproduction.md")
    page.write_page()
    for made in tmp_path.rglob("*.*"):
        assert made.read_text("utf-8") == (shown.parent / made.relative_to(tmp_path)).read_text("utf-8"), made.name


def test_counting_cut_hyperedges_needs_small_hyperedges():
    """Groups of two hyperedges each: found; one hyperedge of forty objects: moves of single objects see nothing."""
    small = np.kron(np.eye(2, dtype=bool), np.kron(np.eye(20, dtype=bool), np.ones((2, 1), dtype=bool)))
    chained = small | np.roll(small, 1, axis=0) & np.repeat(np.eye(2, dtype=bool), 40, axis=0).repeat(20, axis=1)
    large = np.repeat(np.eye(2, dtype=bool), 40, axis=0)
    truth = np.repeat([0, 1], 40)

    def wrong(H):
        labels = hyperedge_parts(H, 2, np.random.default_rng(0), 80)
        assert abs(int((labels == 0).sum()) - 40) <= 4
        return min((labels != truth).sum(), (labels == truth).sum())

    assert wrong(chained) <= 4
    assert wrong(large) > 20


@pytest.mark.parametrize("seed", range(3))
def test_ties_of_joined_objects_are_drawn_and_do_not_depend_on_the_order_of_sums(seed):
    """Processors sum in different orders, and with them the figures of HGPA differed from those that are kept."""
    rng = np.random.default_rng(seed)
    clusters = rng.integers(5, size=150)
    noisy = [np.where(rng.random(150) < 0.15, rng.integers(5, size=150), clusters) for _ in range(50)]
    H = np.concatenate([np.eye(5, dtype=bool)[labels] for labels in noisy], axis=1)
    orders = (H, H[:, ::-1], H[:, rng.permutation(H.shape[1])])
    parts = [hyperedge_parts(columns, 3, np.random.default_rng(seed), 30).tolist() for columns in orders]
    assert parts[0] == parts[1] == parts[2]
