"""The help of every consensus function is complete in itself."""

import inspect
import re

import pytest

import graphens as ge
from graphens.families.docstrings import complete

SMALL = ge.Ensemble.from_partitions([list("1112233"), list("2223311"), list("3322111")])
X = [[0.0], [0.1], [0.2], [5.0], [5.1], [9.0], [9.1]]


def section(doc: str, name: str) -> str:
    found = re.search(rf"^{name}\n-+\n(.*?)(?=\n\n\S|\Z)", inspect.cleandoc(doc), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


@pytest.mark.parametrize("row", ge.methods(), ids=lambda row: row.name)
def test_help_describes_every_parameter(row: ge.Method) -> None:
    said = section(row.function.__doc__ or "", "Parameters")
    names = [name.strip() for line in re.findall(r"^\S.*$", said, re.MULTILINE) for name in line.split(",")]
    assert names == list(inspect.signature(row.function).parameters)
    assert not re.search(r"\b[Aa]s (for|in|there) ?`", said), "the reader is sent to another page"


@pytest.mark.parametrize("row", ge.methods(), ids=lambda row: row.name)
@pytest.mark.filterwarnings("ignore::graphens.errors.FallbackWarning")
def test_help_names_every_key_of_details(row: ge.Method) -> None:
    known = {"X": X, "k": None if row.name == "mixture" else 3, "G": ge.coassociation(SMALL)}
    taken = inspect.signature(row.function).parameters
    found = row.function(SMALL, **{name: value for name, value in known.items() if name in taken})
    said = section(row.function.__doc__ or "", "Returns")
    assert said
    assert [key for key in found.details if f'"{key}"' not in said] == []


def test_what_a_docstring_leaves_out_comes_from_the_table_in_order() -> None:
    text = "Cut.\n\nParameters\n----------\ndepth, width\n    How much.\n\nNotes\n-----\nSlow."
    lines = complete(text, ["labels", "depth", "width", "seed", "unheard_of"]).splitlines()
    named = [line for line in lines if line and not line.startswith(" ")]
    assert named == ["Cut.", "Parameters", "----------", "labels", "depth, width", "seed", "Notes", "-----", "Slow."]


def test_only_symmetries_that_hold_are_named() -> None:
    docs = {row.name: row.function.__doc__ or "" for row in ge.methods()}
    assert "Symmetry : scaling exact\n" in docs["mcla"]
    for name, doc in docs.items():
        said = [line for line in doc.splitlines() if line.strip().startswith("Symmetry")]
        assert len(said) == 1, name
        assert "none" not in said[0], name
