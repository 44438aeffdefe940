"""Every name and every place that the table of sources has exists."""

import csv
import inspect
import re
from functools import reduce
from pathlib import Path

import graphens as ge

ROOT = Path(__file__).resolve().parents[1]


def problem(names: str, shown: str) -> str:
    """What is wrong with a row, or nothing."""
    if not names.startswith("ge."):
        return "" if re.match(r"not (built|reproduced|in the library): .{15}", names) else "no reason"
    for name in names.split(", "):
        path, _, options = name.partition("(")
        thing = reduce(lambda value, part: getattr(value, part, None), path.split(".")[1:], ge)
        if thing is None or (options and options.partition("=")[0] not in inspect.signature(thing).parameters):
            return f"no {name}"
    file, _, group = shown.partition(": ")
    if not (ROOT / file).is_file():
        return f"no {file}"
    return "" if group in (ROOT / file).read_text("utf-8") else f"no {group} in {file}"


def test_what_the_table_of_sources_names_is_there() -> None:
    with (ROOT / "docs" / "sources.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 100
    wrong = [(row["place"], problem(row["in graphens"], row["shown in"])) for row in rows]
    assert [each for each in wrong if each[1]] == []
