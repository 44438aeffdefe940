"""Write the tables of methods into README.md from the registry: ``python docs/build.py``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import graphens as ge
from graphens.families.references import doi
from graphens.families.registry import Method

SYMMETRY = Path(__file__).parent / "symmetry.md"
README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- methods: made by docs/build.py -->", "<!-- end of methods -->"
TITLES = ("method", "what it does", "k", "paper")


def methods_tables() -> str:
    """Return the registry as Markdown, one table per family."""
    rows = sorted(ge.methods(), key=attrgetter("family"))
    return "\n".join(_family(name, list(kin)) for name, kin in groupby(rows, key=attrgetter("family")))


def _family(name: str, kin: list[Method]) -> str:
    lines = [_line(TITLES), "|---" * len(TITLES) + "|", *(_line(_cells(row)) for row in kin)]
    return "\n".join([f"\n**{name[0].upper()}{name[1:]}**", "", *lines])


def _cells(row: Method) -> tuple[str, ...]:
    k = ("given" if row.needs_k else "found or given") + (", balanced" if row.balanced else "")
    papers = "; ".join(map(_linked, row.reference.split("; ")))
    return f"`{row.name}`", (row.function.__doc__ or "").partition("\n")[0], k, papers


def _linked(paper: str) -> str:
    return "".join(f"[{paper}](https://doi.org/{one})" for one in doi(paper)) or paper


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def symmetry_table() -> str:
    """Return what every method promises when the same evidence is written differently."""
    kinds = [field.name for field in fields(ge.methods()[0].symmetry)]
    lines = ["| method | " + " | ".join(kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    rows = sorted(ge.methods(), key=attrgetter("name"))
    lines += [_line((f"`{row.name}`", *(getattr(row.symmetry, kind) for kind in kinds))) for row in rows]
    return "\n".join(lines)


def with_tables(text: str, made: Callable[[], str] = methods_tables) -> str:
    """Return the text with the tables between its two marks exchanged."""
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}\n{made()}\n\n{END}{rest.split(END)[1]}"


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text("utf-8")), "utf-8")
    SYMMETRY.write_text(with_tables(SYMMETRY.read_text("utf-8"), symmetry_table), "utf-8")
