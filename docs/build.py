"""Write what README.md and pages take from the program and from kept figures: ``python docs/build.py``.

``python docs/build.py site`` builds the site in docs/_build/html, the gallery's scripts run for it; ``site quick``
leaves their pictures out. It needs ``pip install '.[docs]'`` and no network; any warning is an error.
``python docs/build.py pictures [page …]`` runs the code of pages that save pictures and keeps those in docs/images;
``python docs/build.py figures [name …]`` draws those of docs/figures.py.
"""

import contextlib
import inspect
import re
import sys
import tomllib
from collections.abc import Callable, Iterable
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parent))

from charts import cell, rounded, section
from made import MARK, names

import graphens as ge
from graphens.cli import COMMANDS
from graphens.cli._command import described, parser_of
from graphens.families.references import doi
from graphens.families.registry import Method

HERE = Path(__file__).resolve().parent
README = HERE.parent / "README.md"
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text("utf-8"))["project"]
TITLES = ("method", "what it does", "graph", "k", "paper")
FAMILIES = {
    "communities": "find communities in the graph of objects and clusters",
    "cumulative": "accumulate the clusters of all partitions in those of the first, then merge them",
    "evidence accumulation": "link objects by how often they are together, and cut the dendrogram",
    "label space": "treat the labels of an object as its features",
    "median partition": "search for the partition closest to all others",
    "networks": "weight the edges of a network by how often both ends share a community, and cluster again",
    "normalized edges": "merge the clusters with the most edges between them, relative to their sizes",
    "partitioning": "cut a graph or hypergraph of objects and clusters into k parts",
    "voting": "match the clusters of all partitions to a reference, then count votes",
    "walks and links": "compare clusters by random walks and shared neighbors",
}
LINK = "Single link, 20,000 objects"
FEATURES, SHORT = ("which.md", "Clusters from features"), ("benchmarks.md", "In short")
#: what is done, what it is compared with, the page and section that measured it, and its figures: row, column, words
COMPARED = [
    ("Public real data sets, true k given: mean NMI / ARI with the known classes", "scikit-learn, genieclust", FEATURES,
     [("real", "graphens", "{} here"), ("real", "GMM", "{} mixture"), ("real", "k-means", "{} k-means")]),
    ("Public shapes, true k given: mean NMI / ARI with the known classes", "scikit-learn, genieclust", FEATURES,
     [("shapes", "graphens", "{} here"), ("shapes", "Genie", "{} Genie"), ("shapes", "k-means", "{} k-means")]),
    ("Single linkage of 20,000 objects, 50 clusterings", "co-association matrix and SciPy", SHORT,
     [(LINK, "times faster", "{} × faster"), (LINK, "times less memory", "{} × less memory")]),
    ("NMI of all pairs of 20 clusterings, 100,000 objects", "a loop over scikit-learn's function", SHORT,
     [("NMI of all pairs of 20 partitions", "times faster", "{} × faster")]),
    ("Consensus of 1,000,000 objects by `lwgp`", "the same algorithm in SciPy and scikit-learn", SHORT,
     [("LWGP, 1,000,000 objects", "times faster", "{} × faster")]),
]  # fmt: skip


def methods_tables(_: str = "") -> str:
    """Return the registry as Markdown, one section for each family."""
    rows = sorted(ge.methods(), key=attrgetter("family"))
    return "\n\n".join(_family(name, list(kin)) for name, kin in groupby(rows, key=attrgetter("family")))


def _family(name: str, kin: list[Method]) -> str:
    heading, does = (text[0].upper() + text[1:] for text in (name, FAMILIES[name]))
    return f"### {heading}\n\n{does}.\n\n{_table(TITLES, map(_cells, kin), '|---')}"


def _cells(row: Method) -> tuple[str, ...]:
    k = ("given" if row.needs_k else "found or given") + (", balanced" if row.balanced else "")
    papers = "; ".join(map(_linked, row.reference.split("; ")))
    return f"`{row.name}`", (row.function.__doc__ or "").partition("\n")[0], row.graph, k, papers


def _linked(paper: str) -> str:
    return "".join(f"[{paper}](https://doi.org/{one})" for one in doi(paper)) or paper


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _table(head: tuple[str, ...], rows: Iterable[Iterable[str]], rule: str = "") -> str:
    """Return a table of Markdown."""
    below = f"{rule * len(head)}|" if rule else _line(["---"] * len(head))
    return "\n".join([_line(head), below, *map(_line, rows)])


def comparison(_: str) -> str:
    """Return the small table of measured ratios, each with a link to where it was measured."""
    rows = []
    for what, against, (page, heading), figures in COMPARED:
        words = [said.format(rounded(cell(page, heading, row, column))) for row, column, said in figures]
        rows.append((what, against, f"[{', '.join(words)}](docs/{page}#{section(page, heading)[0]})"))
    return _table(("what", "against", "measured"), rows, "|---")


def summaries(kind: str) -> Callable[[str], str]:
    """Return a function that writes a table of names and the first sentence of their docstrings."""

    def table(argument: str) -> str:
        rows = [(f"`{name}`", _sentence(inspect.getdoc(thing) or "")) for name, thing in names(kind, argument).items()]
        return _table(("name", "what it is or does"), rows)

    return table


def _sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", " ".join(text.partition("\n\n")[0].split()))[0].replace("``", "`")


def commands(_: str) -> str:
    """Return a table of the commands and what they do."""
    rows = [(f"`{name}`", described(one.function)[0]) for name, one in parser_of(COMMANDS).commands.items()]
    return _table(("command", "what it does"), rows)


#: what stands below the mark ``<!-- made: name … -->`` on a page, up to ``<!-- end of made -->``
WRITTEN: dict[str, Callable[[str], str]] = {
    "commands": commands,
    "comparison": comparison,
    "everything": summaries("everything"),
    "listed": summaries("listed"),
    "methods": methods_tables,
}
PAGES = [README, *sorted((HERE / "reference").glob("*.md"))]


def renewed(text: str) -> str:
    """Return the text of a page with what stands below its marks written again."""

    def write(mark: re.Match[str]) -> str:
        if mark[1] not in WRITTEN:
            return mark[0]
        head = f"<!-- made: {' '.join(filter(None, mark.groups()))} -->"
        return f"{head}\n\n{WRITTEN[mark[1]](mark[2]).strip()}\n\n<!-- end of made -->"

    return MARK.sub(write, text)


def site(*, quick: bool = False) -> int:
    """Build the site and return 0, or what Sphinx returns where anything is worth a warning."""
    from sphinx.cmd.build import build_main

    live(HERE / "_build" / "extra" / "live")
    left_out = ["-D", "plot_gallery=0"] if quick else []
    return build_main(["-W", "--keep-going", "-q", "-b", "html", *left_out, str(HERE), str(HERE / "_build/html")])


def live(folder: Path) -> None:
    """Write the reports and the pages to explore that the home page links to."""
    import networkx as nx
    from figures import wine  # beside this script

    folder.mkdir(parents=True, exist_ok=True)
    X, cultivar, r = wine()
    r.report(folder / "wine_report.html", X=X, classes=cultivar)
    r.explore(folder / "wine_explore.html", X=X, classes=cultivar)
    communities = ge.communities(nx.les_miserables_graph(), seed=0)
    communities.report(folder / "network_report.html")
    communities.explore(folder / "network_explore.html")


def pictures(pages: list[str]) -> None:
    """Run the Python blocks of pages in a folder of their own, and keep the pictures they leave."""
    for page in map(Path, pages or map(str, sorted(HERE.rglob("*.md")))):
        text = page.read_text("utf-8")
        if "savefig(" in text:
            with TemporaryDirectory() as folder, contextlib.chdir(folder):
                exec("\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), {"__name__": "page"})
                for made in [*Path().glob("*.png"), *Path().glob("*.gif")]:
                    made.replace(HERE / "images" / made.name)


if __name__ == "__main__":
    if sys.argv[1:2] == ["site"]:
        sys.exit(site(quick="quick" in sys.argv[2:]))
    if sys.argv[1:2] == ["pictures"]:
        sys.exit(pictures(sys.argv[2:]))
    if sys.argv[1:2] == ["figures"]:
        import figures  # beside this script

        sys.exit(figures.write(sys.argv[2:]))
    for page in PAGES:
        page.write_text(renewed(page.read_text("utf-8")), "utf-8")
