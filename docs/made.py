"""What pages take from the program itself: tables of methods, options of commands, papers.

A page has a line such as ``<!-- made: papers -->``; `fill` puts the text there while Sphinx reads the page, instead of
the short table that `build` has written below some of these lines for readers of the repository. What is between
``<!-- box: panels -->`` and ``<!-- end of box -->`` becomes a container of this class.
"""

import inspect
import os
import re
import textwrap
from collections.abc import Callable
from html import escape
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from charts import charted
from docutils import nodes

import graphens as ge
from graphens.cli import COMMANDS
from graphens.cli._command import Parser, described, parser_of
from graphens.families.references import field, references
from graphens.families.registry import Method

os.environ.setdefault("COLUMNS", "80")  # of the help of commands
HERE = Path(__file__).resolve().parent
METHODS = ge.methods()  # as long as no entry of the gallery has added its own
REGISTRY = "In the registry"  # the title of what every method has from its row
OTHERS = "Value, Display, object, tuple, BaseException, BaseEstimator, _SetOutputMixin, _MetadataRequester"  # not ours
THUMBNAIL = re.compile(r":alt:(?= *\n)(.*?thumbnail-title\">)([^<]*)", re.DOTALL)  # the title is the picture's words
ELSEWHERE = {"index", "start", "explanation", "reproduction", "benchmarks"}  # pages with places of their own
ELSEWHERE |= {"networks", "promises", "changelog", "scale", "sources"}
PARTS = ["datasets", "errors", "generators", "measures", "networks", "plot", "sc", "scale", "testing"]
#: what is drawn by methods and functions; a display has a picture of its own name
PICTURES = {
    "Benchmark.plot": "plot_RanksDisplay.png", "Choice.plot": "plot_ChoiceDisplay.png",
    "ClusterTree.plot": "plot_ClusterTreeDisplay.png", "Comparison.plot": "plot_MethodsDisplay.png",
    "Consensus.card": "card.png", "Consensus.explore": "home_explore.png", "Consensus.plot": "kind_heatmap.png",
    "Consensus.report": "readme_report.png", "CredibleBall.plot": "plot_bounds.png",
    "Dendrogram.plot": "plot_DendrogramDisplay.png", "Ensemble.plot": "plot_PartitionsDisplay.png",
    "Explanation.plot": "plot_ExplanationDisplay.png", "Graph.plot": "plot_GraphDisplay.png",
    "Hypergraph.plot": "plot_HypergraphDisplay.png", "Landscape.plot": "plot_LandscapeDisplay.png",
    "Monti.plot": "monti.png", "Stability.plot": "plot_CurveDisplay.png", "plot.animate": "rings.gif",
    "plot.colors": "plot_color.png", "plot.draw_consensus": "kind_heatmap.png",
}  # fmt: skip
#: the gallery's entries in the order a reader may want them
GROUPS = {
    "First steps": "seven_objects half_rings fifty_kmeans frame",
    "How many clusters, and how certain": "how_many cluster_tree explore unsure posterior",
    "Which clusterings and which method": "which_is_off camps compare three_cuts shapes missing soft",
    "Graphs and networks": "metagraph gephi karate miserables resolutions planted digits_network",
    "Other kinds of data, and large data": "time_series random_projections pipeline million",
    "Your own methods and graphs": "own_method own_partitioner own_similarity",
}
#: what the home page has below the pitch: pages, and the live pages that `build` writes
WAYS = """
<!-- box: ways -->
[Five minutes](start.md)
[Gallery](gallery/index.rst)
[How-to](howto/index.md)
<a href="live/wine_report.html">Report of wines</a>
<a href="live/wine_explore.html">Wines to explore</a>
<a href="live/network_report.html">Report of a network</a>
<a href="live/network_explore.html">Network to explore</a>
<!-- end of box -->"""
#: an image of the README for light and dark pages, and what the home page has in its place
SCHEMES = re.compile(r'<picture>\n.*srcset="docs/(\S+)">\n<img src="docs/(\S+)" alt="(.*?)">\n</picture>')
SCHEME = ":::{{image}} \\{}\n:alt: \\3\n:class: only-{}\n:::\n"
PIECE = re.compile(
    r"(\.\. raw:: html\n\n    <div class=\"sphx-glr-thumbcontainer\".*?"
    r":doc:`/gallery/plot_(\w+)`.*?</div>\n    </div>\n)",
    re.DOTALL,
)
OPEN = '.. raw:: html\n\n    <div class="sphx-glr-thumbnails">\n'
CLOSE = ".. raw:: html\n\n    </div>\n"
MARK = re.compile(
    r"<!-- made: (\w+) ?([^\n]*?) -->(?:\n\n(?:(?!<!-- made: ).)*?<!-- end of made -->)?", re.DOTALL
)  # and what is written below it
FAMILY = re.compile(r"^### (.+?)\n.*?(?=^### |\Z)", re.MULTILINE | re.DOTALL)
#: one figure, which stays in one line of a cell
FIGURE = re.compile(
    r"[<>≤≥≈~+−–-]?\s?\.?\d[\d.,]*( ?(%|×|±|–|/|s|ms|MB|GB|GiB|MiB))*( ?\.?\d[\d.,]*)*( ?(%|×|s))?( \([\d.,]+\))?"
)
DENSE, DENSER = 6, 8  # columns
LONG = 30  # characters of code that cannot be broken
BOX = re.compile(r"^<!-- (?:box: (.*)|end of box) -->$", re.MULTILINE)


def fill(app: object, page: str, source: list[str]) -> None:
    """Exchange the marks of a page for what is made."""
    source[0] = boxed(MARK.sub(lambda mark: MAKERS.get(mark[1], lambda _: _written(mark))(mark[2]), source[0]))
    if page == "reference/methods":
        source[0] = re.sub(r"^\| `(\w+)` \|", r"| {py:func}`\1 <graphens.\1>` |", source[0], flags=re.MULTILINE)
        source[0] = FAMILY.sub(lambda part: f"{part[0].rstrip()}\n\n{family(part[1].lower())}\n\n", source[0])
    source[0] = charted(source[0], (HERE / page).parent)
    source[0] = THUMBNAIL.sub(r":alt: \2\1\2", source[0])
    if page == "gallery/index":
        source[0] = grouped(source[0])


def _written(mark: re.Match[str]) -> str:
    return mark[0].partition("\n\n")[2].removesuffix("<!-- end of made -->").strip()


def boxed(text: str) -> str:
    """Exchange the marks of boxes, which GitHub does not show, for containers: the outer ones have more colons."""
    deep = 5

    def fence(mark: re.Match[str]) -> str:
        nonlocal deep
        deep += 0 if mark[1] else 1
        made = ":" * deep + (f"{{container}} {mark[1]}" if mark[1] else "")
        deep -= 1 if mark[1] else 0
        return made

    return BOX.sub(fence, text)


def tidy(app: object, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    """Bring a docstring to what numpydoc and reStructuredText know: |A| stays text, the registry's rows are notes."""
    if name.endswith("_request"):  # of scikit-learn, with links into its own pages
        lines[:] = lines[:1]
    lines[:] = _pictured(name, _noted(lines))
    inside = False  # an example, which stands as it is
    for i, line in enumerate(lines):
        inside = bool(line.strip()) and (inside or line.lstrip().startswith(">>>"))
        if not inside:
            parts = re.split(r"(``.*?``|`.*?`)", line)
            lines[i] = "".join(re.sub(r"\|", r"\\|", part) if part[:1] != "`" else part for part in parts)


def grouped(text: str) -> str:
    """Return the page of the gallery with its thumbnails in groups, each below a heading."""
    pieces = {name: piece for piece, name in PIECE.findall(text)}
    first, last = (text.index('.. raw:: html\n\n    <div class="sphx-glr-thumbnails">'), text.index(".. toctree::"))
    parts = []
    for title, names in GROUPS.items():
        shown = "\n".join(pieces[name] for name in names.split())
        parts.append(f"{title}\n{'-' * len(title)}\n\n{OPEN}\n{shown}\n{CLOSE}")
    return text[:first] + "\n".join(parts) + text[last:]


class ByGroup:
    """The order of the gallery's entries, which the list beside a page and the links to the next page follow too."""

    def __init__(self, folder: str) -> None:
        self.names = " ".join(GROUPS.values()).split()

    def __call__(self, file: str) -> int:
        """Return the place of a script."""
        return self.names.index(Path(file).stem.removeprefix("plot_"))


def describe(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Give a page a description for search engines, its first paragraph, and the home page a title of its own."""
    if page == "index":
        context["title"] = "Consensus clustering in Python"
    found = doctree.findall(nodes.paragraph) if doctree else ()
    first = next((one for one in found if not isinstance(one.parent, nodes.Admonition)), None)
    if first is not None:
        words = textwrap.shorten(first.astext(), 160, placeholder=" …")
        context["metatags"] += f'<meta name="description" content="{escape(words)}" />\n'


def dress(app: Any, doctree: nodes.document) -> None:
    """Give tables and cells the classes that site.css knows: many columns, long code, one figure in a cell."""
    for table in doctree.findall(nodes.table):
        columns = max((int(group["cols"]) for group in table.findall(nodes.tgroup)), default=0)
        pieces = (word for code in table.findall(nodes.literal) for word in code.astext().split())
        kinds = {
            "dense": columns >= DENSE,
            "denser": columns >= DENSER,
            "codes": max(map(len, pieces), default=0) > LONG,
        }
        table["classes"] += [kind for kind, true in kinds.items() if true]
        for cell in table.findall(nodes.entry):
            if FIGURE.fullmatch(cell.astext().strip()):
                cell["classes"].append("amount")


def _pictured(name: str, lines: list[str]) -> list[str]:
    """Put the picture that a display or a method draws below the first paragraph of its docstring."""
    file = PICTURES.get(name.removeprefix("graphens."), f"plot_{name.rpartition('.')[2]}.png")
    if not (Path(__file__).parent / "images" / file).exists():
        return lines
    end = lines.index("") if "" in lines else len(lines)
    picture = ["", f".. image:: /images/{file}", f"   :alt: {' '.join(lines[:end])}", ""]
    return [*lines[:end], *picture, *lines[end:]]


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


def family(name: str) -> str:
    """Return the functions of one family."""
    return _rst([f".. autofunction:: graphens.{row.name}" for row in families()[name]])


def names(kind: str, argument: str) -> dict[str, Any]:
    """Return what a mark asks for: everything that a module says is public, or the listed names of the package."""
    if kind == "listed":
        return {name: attrgetter(name)(ge) for name in argument.split()}
    module = import_module(argument)
    part = argument.removeprefix("graphens.")
    return {f"{part}.{name}": getattr(module, name) for name in sorted(module.__all__)}


def everything(module: str) -> str:
    """Return all that a module says is public: functions, and classes with their members."""
    return _rst([_directive(f"graphens.{name}", thing) for name, thing in names("everything", module).items()])


def listed(argument: str) -> str:
    """Return the named functions and classes of the package."""
    return _rst([_directive(f"graphens.{name}", thing) for name, thing in names("listed", argument).items()])


def _directive(name: str, thing: Any) -> str:
    if inspect.isclass(thing):
        base = "" if thing is ge.GraphensError else ", GraphensError"  # whose members are said once
        return f".. autoclass:: {name}\n   :members:\n   :inherited-members: {OTHERS}{base}"
    return f".. {'autofunction' if callable(thing) else 'autodata'}:: {name}"


def _rst(parts: list[str]) -> str:
    return "\n".join(["```{eval-rst}", "\n\n".join(parts), "```"])


def commands(_: str) -> str:
    """Return what every command does, its examples and its options."""
    return "\n\n".join(_command(name, parser) for name, parser in parser_of(COMMANDS).commands.items())


def _command(name: str, parser: Parser) -> str:
    first, rest, _ = described(parser.function)
    said, _, examples = rest.rpartition(":\n  ")
    prose = f"{first}\n\n{said}".rpartition("\n\n")[0]
    parser.description = parser.epilog = None
    examples = textwrap.dedent(f"  {examples}").strip()
    return f"## {name}\n\n{prose}\n\n```sh\n{examples}\n```\n\n```text\n{parser.format_help()}```"


def papers(_: str) -> str:
    """Return every paper with its DOI, the methods it stands behind, and its BibTeX."""
    return "\n\n".join(_paper(key, entry) for key, entry in references().items())


def _paper(key: str, entry: str) -> str:
    doi, methods = field(entry, "doi"), [row.name for row in METHODS if key in row.reference.split("; ")]
    link = f" [doi:{doi}](https://doi.org/{doi})" if doi else ""
    behind = f" Methods: {', '.join(f'`{name}`' for name in methods)}." if methods else ""
    venue = field(entry, "(?:journal|booktitle|publisher)")
    text = f"{field(entry, 'title')}. *{venue}*, {field(entry, 'year')}.{link}{behind}"
    return f"## {key}\n\n{text}\n\n```bibtex\n{entry}\n```"


def home(_: str) -> str:
    """Return the README as the home page: links lead to pages, and buttons to the live pages stand below the pitch."""
    text = (HERE.parent / "README.md").read_text("utf-8").partition("## Installing and testing")[0]
    text = MARK.sub(_written, text)
    both = "".join(SCHEME.format(*one) for one in ((2, "light"), (1, "dark")))
    text = SCHEMES.sub(f"<!-- box: scheme -->\n{both}<!-- end of box -->", text)
    text = re.sub(r'<img src="docs/(\S+)" width="\d+" alt="(.*?)">', r"![\2](\1)", text)
    text = text.replace(")\n[![", ")\n\n[![").replace("](docs/", "](").replace("(examples/)", "(gallery/index.rst)")
    ends = "\n<!-- end of box -->" * 2  # of the pitch and of the hero
    return text.replace(ends, f"{WAYS}{ends}", 1)


def public_names() -> dict[str, Any]:
    """Return everything that is public, by the name it is reached by."""
    top = {name for name, thing in vars(ge).items() if name[0] != "_" and not inspect.ismodule(thing)}
    names = {name: getattr(ge, name) for name in {*top, *ge.__all__, *ge._ON_USE, *PARTS}}
    for part in PARTS:
        module = import_module(f"graphens.{part}")
        names |= {f"{part}.{name}": getattr(module, name) for name in module.__all__}
    return dict(sorted(names.items(), key=lambda pair: (pair[0].casefold(), pair[0])))


def public(_: str) -> str:
    """Return a list of the public names, one item for each module that they are reached from."""
    names, own = public_names(), {row.name for row in METHODS}
    homes = {"`graphens`": [name for name in names if "." not in name and name not in own]}
    homes["Methods, in `graphens` and in `graphens.methods`"] = sorted(own)
    for part in PARTS:
        homes[f"`graphens.{part}`"] = [name.split(".")[1] for name in names if name.startswith(f"{part}.")]
    return "\n".join(f"- {home}: {', '.join(f'`{name}`' for name in found)}" for home, found in homes.items())


MAKERS: dict[str, Callable[[str], str]] = {
    made.__name__: made for made in (everything, home, listed, commands, papers, others, public)
}
