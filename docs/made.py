"""What pages take from the program itself: tables of methods, options of commands, papers.

A page has a line such as ``<!-- made: papers -->``; `fill` puts the text there while Sphinx reads the page.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import textwrap
from collections.abc import Callable
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

import graphens as ge
from graphens.cli import COMMANDS
from graphens.cli._parser import Parser, parser_of
from graphens.families.references import REFERENCES, Reference
from graphens.families.registry import Method

os.environ.setdefault("COLUMNS", "80")  # of the help of commands
METHODS = ge.methods()  # as long as no entry of the gallery has added its own
REGISTRY = "In the registry"  # the title of what every method has from its row
OTHERS = "Value, object, tuple, BaseException, BaseEstimator, _SetOutputMixin, _MetadataRequester"  # not ours
THUMBNAIL = re.compile(
    r":alt:(?= *\n)(.*?thumbnail-title\">)([^<]*)", re.DOTALL
)  # the title is the picture's words
ELSEWHERE = {
    "index",
    "start",
    "explanation",
    "reproduction",
    "benchmarks",
    "networks",
    "scale",
}  # have places of their own
MARK = re.compile(r"<!-- made: (\w+) ?(.*?) -->")


def fill(app: object, page: str, source: list[str]) -> None:
    """Exchange the marks of a page for what is made."""
    source[0] = MARK.sub(lambda mark: MAKERS[mark[1]](mark[2]), source[0])
    source[0] = THUMBNAIL.sub(r":alt: \2\1\2", source[0])


def tidy(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Bring a docstring to what numpydoc and reStructuredText know: |A| stays text, the registry's rows are notes."""
    lines[:] = _noted(lines)
    inside = False  # an example, which stands as it is
    for i, line in enumerate(lines):
        inside = bool(line.strip()) and (inside or line.lstrip().startswith(">>>"))
        if not inside:
            parts = re.split(r"(``.*?``|`.*?`)", line)
            lines[i] = "".join(re.sub(r"\|", r"\\|", part) if part[:1] != "`" else part for part in parts)


def _noted(lines: list[str]) -> list[str]:
    if REGISTRY not in lines:
        return lines
    at = lines.index(REGISTRY)
    rows = [f"- {row.replace(' : ', ': ', 1)}" for row in lines[at + 2 :] if row.strip()]
    head = lines[:at] if "Notes" in lines else [*lines[:at], "Notes", "-----"]
    begin = head.index("Notes") + 2
    return [*head[:begin], *rows, "", *head[begin:]]


def others(_: str) -> str:
    """Return pages of the explanation that its own list does not name yet."""
    here = Path(__file__).parent
    listed = (here / "explanation.md").read_text("utf-8")
    pages = sorted(page.stem for page in here.glob("*.md"))
    new = [page for page in pages if page not in ELSEWHERE and f"({page}.md)" not in listed]
    return "\n".join(["```{toctree}", *new, "```"]) if new else ""


def families() -> dict[str, list[Method]]:
    """Return the methods by family, both in the order of the alphabet."""
    rows = sorted(METHODS, key=attrgetter("family", "name"))
    return {family: list(kin) for family, kin in groupby(rows, key=attrgetter("family"))}


def overview(_: str) -> str:
    """Return a table of all methods."""
    lines = ["| method | family | graph | k | cost |", "|---|---|---|---|---|"]
    for family, kin in families().items():
        page = family.replace(" ", "_")
        lines += [
            f"| {{py:func}}`{row.name} <graphens.{row.name}>` | [{family}](methods/{page}.md) | {row.graph} "
            f"| {'given' if row.needs_k else 'found or given'} | {row.cost} |"
            for row in kin
        ]
    return "\n".join(lines)


def family(name: str) -> str:
    """Return the functions of one family."""
    return _rst([f".. autofunction:: graphens.{row.name}" for row in families()[name]])


def everything(name: str) -> str:
    """Return all that a module says is public: functions, and classes with their members."""
    module: ModuleType = __import__(name, fromlist=["__all__"])
    return _rst([_directive(f"{name}.{one}", getattr(module, one)) for one in sorted(module.__all__)])


def listed(names: str) -> str:
    """Return the named functions and classes of the package."""
    return _rst([_directive(f"graphens.{name}", attrgetter(name)(ge)) for name in names.split()])


def _directive(name: str, thing: Any) -> str:
    if inspect.isclass(thing):
        return f".. autoclass:: {name}\n   :members:\n   :inherited-members: {OTHERS}"
    return f".. {'autofunction' if callable(thing) else 'autodata'}:: {name}"


def _rst(parts: list[str]) -> str:
    return "\n".join(["```{eval-rst}", "\n\n".join(parts), "```"])


def commands(_: str) -> str:
    """Return what every command does, its examples and its options."""
    return "\n\n".join(_command(name, parser) for name, parser in parser_of(COMMANDS).commands.items())


def _command(name: str, parser: Parser) -> str:
    said, _, examples = str(sys.modules[f"graphens.cli.{name}"].__doc__).rpartition(":\n  ")
    prose = said.strip().rpartition("\n\n")[0]
    parser.description = parser.epilog = None
    examples = textwrap.dedent(f"  {examples}").strip()
    return f"## {name}\n\n{prose}\n\n```sh\n{examples}\n```\n\n```text\n{parser.format_help()}```"


def papers(_: str) -> str:
    """Return every paper with its DOI, the methods it stands behind, and its BibTeX."""
    used = {key: [row.name for row in METHODS if key in row.reference.split("; ")] for key in REFERENCES}
    return "\n\n".join(_paper(key, paper, used[key]) for key, paper in REFERENCES.items())


def _paper(key: str, paper: Reference, methods: list[str]) -> str:
    link = f" [doi:{paper.doi}](https://doi.org/{paper.doi})" if paper.doi else ""
    behind = f" Behind {', '.join(f'`{name}`' for name in methods)}." if methods else ""
    text = f"{paper.title}. *{paper.venue}*, {paper.year}.{link}{behind}"
    return f"## {key}\n\n{text}\n\n```bibtex\n{paper.bibtex()}\n```"


MAKERS: dict[str, Callable[[str], str]] = {
    made.__name__: made for made in (overview, family, everything, listed, commands, papers, others)
}
