"""Every name and every place that the page of sources has exists, and the page is the one its data make."""

from __future__ import annotations

import inspect
import re
from functools import reduce
from pathlib import Path

import pytest

import graphens as ge
from docs.sources import SOURCES, page

ROOT = Path(__file__).resolve().parents[1]
ROWS = [(paper, *row) for paper, rows in SOURCES.items() for row in rows]


@pytest.mark.parametrize(
    ("paper", "place", "what", "names", "shown"), ROWS, ids=lambda value: str(value)[:30]
)
def test_what_the_page_of_sources_names_is_there(
    paper: str, place: str, what: str, names: str, shown: str
) -> None:
    if not names.startswith("ge."):
        assert re.match(r"not (built|reproduced|in the library): .{15}", names)  # a reason
        return
    for name in names.split(", "):
        path, _, options = name.partition("(")
        found = reduce(getattr, path.split(".")[1:], ge)
        assert found is not None
        if options:
            assert options.partition("=")[0] in inspect.signature(found).parameters, name
    file, _, section = shown.partition("#")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not section or re.search(rf"^#+ {re.escape(section)}", text, re.MULTILINE), section


def test_no_row_of_the_page_of_sources_is_there_twice() -> None:
    assert len({row[:3] for row in ROWS}) == len(ROWS)


def test_the_page_of_sources_is_made_from_its_data() -> None:
    assert (ROOT / "docs/sources.md").read_text(encoding="utf-8") == page()
