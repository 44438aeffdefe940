"""Every name and every place that the page of sources has exists."""

from __future__ import annotations

import inspect
import re
from functools import reduce
from pathlib import Path

import graphens as ge

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "sources.md"
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    for line in PAGE.read_text("utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| in the paper")
]


def problem(names: str, shown: str) -> str:
    """What is wrong with a row, or nothing."""
    if not names.startswith("`ge."):
        return "" if re.match(r"not (built|reproduced|in the library): .{15}", names) else "no reason"
    for name in re.findall(r"`([^`]+)`", names):
        path, _, options = name.partition("(")
        thing = reduce(lambda value, part: getattr(value, part, None), path.split(".")[1:], ge)
        if thing is None or (
            options and options.partition("=")[0] not in inspect.signature(thing).parameters
        ):
            return f"no {name}"
    link = re.search(r"\]\((?P<page>[^)#]+)(?P<anchor>#[^)]*)?\)|`(?P<test>tests/[^`]+)`", shown)
    file = link and (ROOT / link["test"] if link["test"] else PAGE.parent / link["page"])
    return "" if file and file.exists() else f"no {shown}"


def test_what_the_page_of_sources_names_is_there() -> None:
    assert len(ROWS) > 100
    wrong = [(place, problem(names, shown)) for place, _, names, shown in ROWS]
    assert [each for each in wrong if each[1]] == []
