"""The benchmarks: every script can be run by the command, figures carry where they come from."""

from __future__ import annotations

import ast
import importlib
import json
from pathlib import Path

import numpy as np
import pytest

import graphens as ge
from benchmarks import calibration, harness
from benchmarks.__main__ import benchmarks
from benchmarks.data import in_random_order

PAPERS = Path(harness.__file__).parent / "papers"
PUBLIC = ("graphens", "graphens.errors", "graphens.measures", "graphens.plot", "graphens.datasets")


@pytest.mark.parametrize("name", benchmarks())
def test_every_benchmark_can_be_run(name):
    assert callable(importlib.import_module(f"benchmarks.{name}").run)


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(harness, "RESULTS", tmp_path)
    monkeypatch.setattr(harness, "PAGE", tmp_path / "docs" / "benchmarks.md")
    return tmp_path


def test_a_table_carries_commit_machine_and_load(results, capsys):
    harness.report("new", "New", ["method", "CPU seconds"], [["vote", 0.5]])
    old = {"title": "Old", "columns": ["method", "s"], "rows": [["vote", "3.2"]], "note": ""}
    (results / "old.json").write_text(json.dumps(old))
    harness.write_page()
    new, kept = harness.PAGE.read_text("utf-8").split("## ")[1:]
    assert {"commit", "date", "machine", "load"} <= set(
        json.loads((results / "new.json").read_text())["measured"]
    )
    assert "cores" in new
    assert "by the clock" not in new
    assert "by the clock" in kept
    assert "vote" in capsys.readouterr().out


def test_times_by_the_clock_are_not_shown_beside_those_of_the_processor(results):
    harness.report("both", "Both", ["method", "CPU seconds", "seconds"], [["vote", 0.5, 21.3]])
    assert harness.table("both") == "| method | CPU seconds |\n|---|---|\n| vote | 0.5 |"


def test_what_the_processor_did_is_measured(results):
    assert harness.measure(sum, range(2_000_000)).seconds > 0
    import time

    assert harness.measure(time.sleep, 0.5).seconds < 0.4  # waiting is not work


@pytest.mark.parametrize("path", sorted(PAPERS.glob("*.py")), ids=lambda path: path.stem)
def test_the_study_of_the_papers_uses_public_names_only(path):
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("graphens"):
            assert node.module in PUBLIC
            public = importlib.import_module(node.module).__all__
            assert {alias.name for alias in node.names} <= set(public)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ge":
            assert not node.attr.startswith("_")
            assert hasattr(ge, node.attr)


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
    shares = list(calibration.bins(confidence, right))
    assert sum(n for *_, n in shares) == 500
    mean, share, n = shares[-1]
    high = confidence >= 0.9
    assert (mean, share, n) == (
        pytest.approx(confidence[high].mean()),
        pytest.approx(right[high].mean()),
        high.sum(),
    )
