"""The README's table of methods is the registry, and its links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.test_readme import blocks, differences, run

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def _build() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_of_methods_are_the_registry() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert text == _build().with_tables(text), "run python docs/build.py"


def test_the_table_of_promises_is_the_registry() -> None:
    build = _build()
    text = build.SYMMETRY.read_text("utf-8")
    assert text == build.with_tables(text, build.symmetry_table), "run python docs/build.py"


def test_every_row_has_as_many_cells_as_its_table() -> None:
    lines = [line for line in _build().methods_tables().splitlines() if line.startswith("|")]
    assert len(lines) > 35
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {5}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8"))
    broken = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert not broken


# The blocks of the pages run in order, as a reader's session does; what a page takes as given stands here.

GIVEN = """
import numpy as np
import graphens as ge
rng = np.random.default_rng(0)
X = np.repeat([[0.0, 0.0], [9.0, 9.0]], 20, axis=0) + rng.normal(size=(40, 2))
X_new = X[:3]
series = rng.normal(size=(24, 32)).cumsum(axis=1)
labels = np.array([rng.permutation(6)[np.arange(40) // 8] for _ in range(8)]).T
e = ge.Ensemble(labels)
first, second, third = (rng.dirichlet([1, 1, 1], size=40) for _ in range(3))
"""
SHORTER = [  # the page says what pays, the test only needs it to run
    ("n_jobs=-1", "n_jobs=1"),
    ("320, k=(4, 20)", "8, k=(4, 6)"),
    ("generate(X, 1000)", "generate(X, 10)"),
    ("snn_prototypes(X, 200", "snn_prototypes(X, 20"),
    ("generate(points, 50", "generate(points, 5"),
    ("range(50)", "range(5)"),
    ("len(X), 50)", "len(X), 5)"),
]
PRINTS = ROOT / "docs" / "choosing.md"  # says what it prints, and is held to it
WITH_CODE = [page for page in PAGES[1:] if page != PRINTS and "```python" in page.read_text("utf-8")]


def test_shorter_code_is_still_in_the_pages() -> None:
    text = "".join(page.read_text("utf-8") for page in WITH_CODE)
    assert [long for long, _ in SHORTER if long not in text] == []


@pytest.mark.filterwarnings("ignore::graphens.GraphensWarning")
@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: page.name)
def test_code_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    session: dict[str, object] = {"__name__": "docs"}
    exec(GIVEN, session)
    for block in blocks(page.read_text("utf-8")):
        if block.language == "python":
            text = block.text
            for long, short in SHORTER:
                text = text.replace(long, short)
            exec(compile("\n" * (block.line - 1) + text, str(page), "exec"), session)


def test_choosing_runs_and_prints_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = blocks(PRINTS.read_text("utf-8"))
    monkeypatch.chdir(tmp_path)
    assert not (wrong := differences(found, run(found))), "\n\n".join(wrong)
