"""The benchmarks: every script can be run by the command, figures carry where they come from."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from benchmarks import calibration, measuring, page, parts, quality_page
from benchmarks.__main__ import THREADS, main
from benchmarks.data import in_random_order

PARTS = parts.parts()


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_every_part_has_cases_of_both_sizes_and_charts_of_its_own_columns(part):
    names = inspect.signature(part.ask).parameters.values()
    open_ended = any(name.kind is name.VAR_KEYWORD for name in names)
    for case in (*part.cases, *part.quick, *part.large):
        assert open_ended or set(case) == {name.name for name in names}
        assert json.loads(json.dumps(case)) == case
    assert part.cases
    assert part.quick
    drawn = part.chart.partition("|")[0].split(";") if part.chart else []
    assert {name.strip() for name in drawn} <= set(part.columns)


@pytest.mark.parametrize("part", PARTS.values(), ids=lambda part: part.name)
def test_kept_rows_have_raw_numbers_and_say_where_they_come_from(part):
    for line in parts.kept(part):
        assert {"commit", "date", "machine", "load", "cpu"} <= set(line["measured"])
        assert "dirty" not in line["measured"]["commit"]
        assert line["answers"]


def test_the_page_is_made_from_the_kept_rows():
    assert page.PAGE.read_text("utf-8") == page.page()
    for name, picture in page.drawn().items():
        assert (page.CHARTS / f"{name}.svg").read_text("utf-8") == picture


def test_the_tables_of_the_pages_are_made_from_the_kept_rows(tmp_path):
    text, tables = quality_page.page()
    assert quality_page.PAGE.read_text("utf-8") == text
    for folder, made in ((page.TABLES, page.files()), (quality_page.PAGE.with_suffix(""), tables)):
        assert {path.stem for path in folder.iterdir()} == set(made)
        for name, lines in made.items():
            parts.write_csv(tmp_path / "table.csv", lines)
            assert (folder / f"{name}.csv").read_text("utf-8") == (tmp_path / "table.csv").read_text("utf-8")


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(parts, "RESULTS", tmp_path)
    return tmp_path


def squared(x):
    if x == 3:
        raise RuntimeError("three")
    if x == 4:
        raise parts.LeftOut("four is absent")
    return {"square": x * x}


def part_of(*numbers):
    cases = [{"x": x} for x in numbers]
    return parts.Part("squares", "Squares", squared, cases, cases[:1], {"x": "x", "square": "square"})


def test_a_case_that_fails_is_said_and_the_rest_goes_on(results, capsys):
    part = part_of(1, 3, 4, 5)
    assert not parts.run(part, part.cases)
    said = capsys.readouterr()
    assert "x=3: FAILED" in said.out
    assert "RuntimeError: three" in said.err
    assert "x=4: left out, four is absent" in said.out
    assert [row["square"] for row in parts.rows(part)] == [1, 25]
    assert parts.run(part_of(1, 5), [{"x": 1}, {"x": 4}])  # what is left out is no failure


def test_kept_rows_are_not_measured_again_unless_asked(results, capsys):
    part = part_of(1, 2)
    parts.run(part, part.cases[:1])
    old = parts.records("squares")
    parts.run(part, part.cases)
    assert "x=1: kept" in capsys.readouterr().out
    assert parts.records("squares")[:1] == old
    parts.run(part, part.cases[:1], again=True)
    assert len(parts.records("squares")) == 2
    parts.run(part, [{"x": 6}], keep=False)
    assert len(parts.records("squares")) == 2


def test_a_table_is_made_from_raw_numbers(results):
    part = part_of(1, 2)
    parts.run(part, part.cases)
    assert parts.table(part) == "| x | square |\n|---|---|\n| 1 | 1 |\n| 2 | 4 |"
    assert "commit" in parts.origin(part)


def test_every_repeat_is_a_first_call():
    seen: list[int] = []

    def call():
        seen.append(1)
        return len(seen)

    assert measuring.measure(call, repeats=3).value == 1


def test_the_command_lists_parts_refuses_unknown_ones_and_says_by_its_exit_code_whether_all_ended(capsys):
    assert main(["--list"]) == 0
    assert "peers-calls" in capsys.readouterr().out
    assert main(["nothing"]) == 2
    assert "there is no part called nothing" in capsys.readouterr().err


def test_every_part_is_on_a_page_with_the_rows_of_all_its_cases():
    marks = "".join(path.read_text("utf-8") for path in page.pages())
    for part in PARTS.values():
        known = [line["case"] for line in parts.kept(part)]
        missing = [case for case in part.cases if case not in known]
        assert not missing, f"run python -m benchmarks {part.name}"
        inside = part.module in ("quality", "papers") or any(part.name in one.names for one in page.SECTIONS)
        assert inside or f"<!-- figures: {part.name} -->" in marks, part.name


SMALLEST = """
import sys, traceback
from benchmarks import parts
for name, part in parts.parts().items():
    try:
        line = parts.ask(part, part.quick[0])
        lines = parts.table(part, [line["case"] | line["answers"]]).count("|\\n")
        assert lines >= 2, f"a table of {lines} lines"
    except parts.LeftOut as reason:
        print(f"{name} left out: {reason}")
    except Exception:
        sys.exit(f"{name}: {traceback.format_exc()}")
"""


@pytest.mark.slow
@pytest.mark.timeout(1000)
def test_every_part_runs_at_its_smallest_size(tmp_path):
    np.savez(tmp_path / "draws_iris.npz", draws=np.random.default_rng(0).integers(0, 3, size=(40, 20)))
    # In a process of its own with one thread, as the command runs a part: they fork, which OpenMP does not survive.
    run = subprocess.run(
        [sys.executable, "-c", SMALLEST],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(parts.__file__).parents[1],
        env=os.environ | dict.fromkeys(THREADS, "1") | {"GRAPHENS_DATA": str(tmp_path)},
        timeout=1000,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("left out") < 6


@pytest.mark.slow
def test_a_part_runs_in_a_process_of_its_own():
    assert main(["core-import", "--quick"]) == 0


def test_objects_in_random_order_keep_their_labels_and_classes():
    e, truth = ge.Ensemble([[0, 1], [1, 0], [2, -1], [2, 1]]), np.arange(4)
    moved, classes = in_random_order(1, e, truth)
    assert not np.array_equal(classes, truth)
    np.testing.assert_array_equal(moved.labels >= 0, e.labels[classes] >= 0)
    assert ge.measures.ari(moved.labels[:, 0], e.labels[classes, 0]) == 1


def test_bins_of_confidence():
    rng = np.random.default_rng(0)
    confidence, right = rng.random(500).round(2), rng.random(500) < 0.7
    pairs = [(c > d) + (c == d) / 2 for c in confidence[right] for d in confidence[~right]]
    assert calibration.auc(confidence, right) == pytest.approx(np.mean(pairs))
    counts = calibration.bins(confidence, right)
    high = confidence >= 0.9
    assert sum(n for n, _ in counts) == 500
    assert counts[-1] == [high.sum(), (high & right).sum()]
