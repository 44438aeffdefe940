"""The README's table of methods is the registry, and its links lead somewhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

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
