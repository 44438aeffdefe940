"""Write the tables of methods into README.md, and the page of sources: ``python docs/build.py``.

``python docs/build.py site`` builds the site in docs/_build/html, the gallery's scripts run for it; ``site quick``
leaves their pictures out. It needs ``pip install '.[docs]'`` and no network; any warning is an error.
``python docs/build.py pictures [page …]`` runs the code of pages that save pictures and keeps those in docs/images.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import graphens as ge
from graphens.families.references import doi
from graphens.families.registry import Method

SOURCES = Path(__file__).parent / "sources.md"
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


def site(*, quick: bool = False) -> int:
    """Build the site and return 0, or what Sphinx returns where anything is worth a warning."""
    from sphinx.cmd.build import build_main

    here = Path(__file__).resolve().parent
    left_out = ["-D", "plot_gallery=0"] if quick else []
    return build_main(
        ["-W", "--keep-going", "-q", "-b", "html", *left_out, str(here), str(here / "_build/html")]
    )


def pictures(pages: list[str]) -> None:
    """Run the Python blocks of pages in a folder of their own, and keep the pictures they leave."""
    here = Path(__file__).resolve().parent
    for page in map(Path, pages or map(str, sorted(here.rglob("*.md")))):
        text = page.read_text("utf-8")
        if "savefig(" in text:
            with TemporaryDirectory() as folder, contextlib.chdir(folder):
                exec("\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), {"__name__": "page"})
                for made in [*Path().glob("*.png"), *Path().glob("*.gif")]:
                    made.replace(here / "images" / made.name)


if __name__ == "__main__":
    if sys.argv[1:2] == ["site"]:
        sys.exit(site(quick="quick" in sys.argv[2:]))
    if sys.argv[1:2] == ["pictures"]:
        sys.exit(pictures(sys.argv[2:]))
    README.write_text(with_tables(README.read_text("utf-8")), "utf-8")
    import sources  # beside this script

    SOURCES.write_text(sources.page(), "utf-8")
    SYMMETRY.write_text(with_tables(SYMMETRY.read_text("utf-8"), symmetry_table), "utf-8")
