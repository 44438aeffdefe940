"""What 1.0 promises: public names and their parameters stay, and the page about it says what the code does.

``python -m tests.contracts.test_public`` writes public.json, when a version is released.
"""

import inspect
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_origin

import pytest

import graphens as ge

ROOT = Path(__file__).resolve().parents[2]
STORED = Path(__file__).with_name("public.json")


sys.path.insert(0, str(ROOT / "docs"))  # the scripts there import each other
MADE = import_module("made")


def parameters(thing: Any) -> str | None:
    """The parameters of a function as text, * before those that are given by name; None of what is no function."""
    if not callable(thing) or get_origin(thing) is not None:  # a type such as Labels can be called in some Pythons
        return None
    try:
        given = list(inspect.signature(thing).parameters.values())
    except ValueError:  # of a class that leaves it to Python
        return None
    by_name = [one.name for one in given if one.kind is one.KEYWORD_ONLY]
    places = [one.name for one in given if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    return ", ".join([*places, *(["*", *by_name] if by_name else [])])


def surface() -> dict[str, str | None]:
    """Every public name, the members of public classes included, and its parameters."""
    found = {}
    for name, thing in MADE.public_names().items():
        found[name] = parameters(thing)
        if inspect.isclass(thing) and thing.__module__.startswith("graphens"):
            members = {key for base in thing.__mro__ if base.__module__.startswith("graphens") for key in vars(base)}
            members |= {key for base in thing.__mro__ for key in inspect.get_annotations(base)}
            for member in sorted(key for key in members if key[0] != "_"):
                found[f"{name}.{member}"] = parameters(getattr(thing, member, None))
    return found


NOW = surface()
PROMISED: dict[str, str | None] = json.loads(STORED.read_text("utf-8"))


def broken(name: str, before: str | None, now: str | None) -> str:
    """What was promised and is no more."""
    if before is None or now is None:
        return "" if before is None else f"{name} cannot be called any more"
    (places, old), (first, new) = map(split, (before, now))
    lost = old - new
    if lost:
        return f"{name} has lost {', '.join(sorted(lost))}"
    return "" if first[: len(places)] == places else f"{name}({before}) is now {name}({now})"


def split(text: str) -> tuple[list[str], set[str]]:
    """Parameters that can be given by position, in order, and all of them."""
    names = text.split(", ") if text else []
    return names[: names.index("*") if "*" in names else None], set(names) - {"*"}


def test_every_promised_name_is_there() -> None:
    assert sorted(PROMISED.keys() - NOW.keys()) == [], "public names stay through 1.x; see docs/promises.md"


def test_every_promised_parameter_is_there() -> None:
    told = [broken(name, before, NOW[name]) for name, before in PROMISED.items() if name in NOW]
    assert [one for one in told if one] == [], "parameters stay through 1.x; see docs/promises.md"


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("a, b, *, c", "a, b, d, *, c, e", ""),
        ("a, b, *, c", "a, b, *, e", "f has lost c"),
        ("a, b", "b, a", "f(a, b) is now f(b, a)"),
        ("a, b", "a, *, b", "f(a, b) is now f(a, *, b)"),
        ("a", None, "f cannot be called any more"),
        (None, "a", ""),
    ],
)
def test_a_broken_promise_is_said(before: str | None, now: str | None, said: str) -> None:
    assert broken("f", before, now) == said


def test_the_page_lists_every_public_name() -> None:
    page = [(ROOT / "docs" / "promises.md").read_text("utf-8")]
    MADE.fill(None, "promises", page)
    listed = page[0].partition("## What is public")[2].partition("## Deprecated")[0]
    assert [name for name in NOW if name.count(".") == 0 and f"`{name}`" not in listed] == []
    assert [name for name in dir(ge) if name[0] != "_" and f"`{name}`" not in listed] == []
    assert "made:" not in page[0]


if __name__ == "__main__":
    STORED.write_text(json.dumps(NOW, indent=0, ensure_ascii=False) + "\n", "utf-8")
