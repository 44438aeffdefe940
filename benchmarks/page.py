"""The page docs/benchmarks.md and its charts, from kept rows only: ``python -m benchmarks page`` measures nothing."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from . import charts, parts
from .million import FEW_ROWS
from .networks import by_mixing
from .parts import Part, Row, filled, origin, rows
from .provenance import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
TABLES = ROOT / "docs" / "benchmarks"
CHARTS = ROOT / "docs" / "images" / "benchmarks"
INTRO = """# Benchmarks

How much time and memory graphens needs, compared with other packages and with the code that you would write with NumPy,
SciPy or scikit-learn.

- **Times are CPU seconds** of one thread, which depend little on other work on the machine. Memory is in addition to
  the data.
- **Ratios compare two calls of the same run**, on the same data, one after the other. Above 1, graphens needs less time
  or memory; below 1, it needs more.
- **Each table is a file**, made by [one command](#run-them-yourself) from the raw rows in `benchmarks/results`, which
  have the date, commit, machine and load of every figure. {measured}
"""
BELOW = """The last row is below 1: `consensus(labels, k)` on a million objects takes as long as a few k-means runs."""
END = """## Run them yourself

From a clone of the repository:

```sh
python -m benchmarks --quick              # every part at a small size; nothing is stored
python -m benchmarks                      # all parts that are not measured yet
python -m benchmarks peers core --again   # all parts of two modules, measured again
python -m benchmarks --list               # the parts, what is measured, how long they take
python -m benchmarks page                 # writes the page and its tables, measures nothing
```

`--quick` takes about {quick} minutes of CPU time, all rows shown here take {minutes} minutes, and `--large` adds
cases that take hours. A run that you stop continues where it stopped, and a part that fails does not stop the others.
Packages that are not installed are left out; `benchmarks/peers.py` says how to install them.

How *good* the results are is measured on other pages: [which method](which.md), [the papers'
tables](reproduction.md), [confidence](confidence.md), [networks](networks.md#how-good-the-communities-are), [the number
of clusters](choosing.md#on-real-data).
"""
QUICK = 5  # processor minutes of the quick form, with the study of answers


@dataclass(frozen=True)
class Headline:
    """One ratio that other pages quote: a row of a part, and what it is called."""

    name: str
    against: str
    part: str
    case: dict[str, Any]
    ours: str
    theirs: str
    memory: tuple[str, str] | None = None

    def row(self) -> Row | None:
        """The kept row, if there is one."""
        found = [row for row in rows(parts.parts()[self.part]) if self.case.items() <= row.items()]
        return found[0] if found else None


def _peer(name: str, against: str, peer: str, n: int) -> Headline:
    fields = "seconds", "seconds of peer", ("peak", "peak of peer")
    return Headline(name, against, "peers-calls", {"peer": peer, "n": n}, *fields)


HEADLINES = (
    _peer("Single link, 20,000 objects", "all pairs and SciPy", "SciPy, single link", 20_000),
    _peer("Average link, 20,000 objects", "all pairs and SciPy", "SciPy", 20_000),
    _peer("Average link, 10,000 objects", "all pairs and fastcluster", "fastcluster", 10_000),
    _peer("CSPA, 2,000 objects", "ClusterEnsembles", "ClusterEnsembles, CSPA", 2_000),
    _peer("Monti's panel, 1,000 objects", "consensusclustering", "consensusclustering", 1_000),
    _peer("NMI of all pairs of 20 partitions", "loop over scikit-learn", "scikit-learn, NMI", 100_000),
    _peer("LWGP, 1,000,000 objects", "SciPy and scikit-learn by hand", "SciPy and scikit-learn, LWGP", 1_000_000),
    _peer("Consensus communities, 1,000 vertices", "networkx by hand", "networkx", 1_000),
    Headline(
        "Automatic choice, 1,000,000 objects",
        "one k-means run on the points",
        "million-methods",
        {"method": "auto", "rows": FEW_ROWS},
        "seconds",
        "seconds of k-means",
    ),
)


def headlines() -> list[dict[str, Any]]:
    """Return the ratios that other pages quote, as numbers; what is not measured yet is left out."""
    made = []
    for one in HEADLINES:
        if row := one.row():
            memory = row[one.memory[1]] / row[one.memory[0]] if one.memory else None
            made.append(
                {
                    "work": one.name,
                    "compared with": one.against,
                    "CPU seconds": row[one.ours],
                    "CPU seconds of the other": row[one.theirs],
                    "times faster": row[one.theirs] / row[one.ours],
                    "times less memory": memory,
                }
            )
    return made


def in_short() -> str:
    """The section that other pages quote: one row for each headline, plain numbers."""
    if not (known := headlines()):
        return ""
    lines = ["## In short", "", "<!-- chart: times faster | by: work; compared with | ratio -->"]
    columns = list(known[0])
    lines += ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    lines += ["| " + " | ".join(_plain(row[column]) for column in columns) + " |" for row in known]
    return "\n".join([*lines, "", BELOW])


def _plain(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
    return "" if value is None else str(value)


@dataclass(frozen=True)
class Section:
    """A heading, what it is about, a chart, and the parts whose tables stand behind it."""

    heading: str
    words: str
    names: tuple[str, ...]
    chart: str = ""


COMPARED = "CPU seconds; CPU seconds of the other | by: work; compared with | log"  # the columns of `parts.beside`
SECTIONS = (
    Section(
        "Other packages",
        "Both get the same labels and the same number of clusters. In two rows the other is faster: kemlglearn, since "
        "the estimator of graphens also runs six other algorithms, of which mixtures take most of the time, and "
        "k-means on the incidence matrix, since graphens first counts the distinct rows of labels, and scores the "
        "result. The vote by hand needs less memory, since it keeps neither the distinct rows nor the tables between "
        "clusters.",
        ("peers-calls",),
    ),
    Section(
        "A million objects",
        "Twenty partitions of a million objects are combined into 20 clusters. One k-means run on the same points, "
        "with which the times are compared, is about what it takes to make one of the partitions.",
        ("million-methods",),
    ),
    Section(
        "Costs and their growth",
        "What a call of each method takes, and how that grows with the numbers of objects n, partitions B, and "
        "clusters of a partition k.",
        ("costs",),
    ),
    Section(
        "Many partitions",
        "With 200 objects in 100 to 10,000 partitions, as in posterior samples and bootstraps, time grows about in "
        "proportion to the number of partitions, or more slowly.",
        ("wide-partitions",),
        "wide",
    ),
    Section(
        "Larger than memory",
        "Labels and features stay on disk and are read block by block ([Beyond memory](scale.md)).",
        ("scale-labels", "shapes-on-disk"),
    ),
    Section(
        "Allele profiles",
        "In the typing of microbes, one looks for genomes that differ in few of thousands of loci. graphens finds "
        "them without comparing all pairs ([Allele profiles](howto/profiles.md)).",
        ("profiles-near-pairs", "profiles-levels", "profiles-reading", "wide-profiles"),
    ),
    Section(
        "Posterior samples",
        "What `ge.median` finds for the draws of a Bayesian clustering, under six losses ([Posterior "
        "samples](howto/posterior.md)).",
        ("posterior-public", "posterior-large"),
    ),
    Section(
        "Networks",
        "How well a consensus of 50 Leiden runs agrees with planted communities, from the table in [Communities of a "
        "network](networks.md#how-good-the-communities-are). Mixing is the share of a vertex's edges that leave its "
        "community.",
        (),
        "networks",
    ),
    Section(
        "Single steps",
        "The steps that methods consist of, and the time of a consensus compared with that of the runs it combines.",
        (
            "core-import",
            "core-meta-graph",
            "core-distinct-rows",
            "generation-overhead",
            "networks-large",
            "scale-workers",
        ),
    ),
    Section(
        "First calls",
        "What the first call of a process costs on small inputs, for which nothing is compiled.",
        ("core-first-call",),
    ),
)


def section(one: Section) -> str:
    """A section with its charts and links to its tables; parts that have no rows yet are not named."""
    if not (tables := _tables(one)) and one.chart not in drawn():
        return ""
    lines = [f"## {one.heading}", "", one.words, ""]
    if one.chart in drawn():
        lines += [f"![{one.heading}](images/benchmarks/{one.chart}.svg)", ""]
    for group in tables:
        first = group[0]
        if chart := first.chart or (COMPARED if "compared with" in first.columns else ""):
            lines += [f"<!-- chart: {chart} -->"]  # the site draws it from the file
        title = one.heading if len(group) > 1 else first.title
        said = [part.note for part in group if part.note]
        lines += [
            f"[Table: {title}]({TABLES.name}/{_file(one, group)}.csv)",
            "",
            *([" ".join(said), ""] if said else []),
        ]
    return "\n".join(lines).rstrip() + "\n"


def _tables(one: Section) -> list[list[Part]]:
    """The parts of a section that have rows; those with the same columns make one table."""
    known = [part for name in one.names if rows(part := parts.parts()[name])]
    return [list(group) for _, group in groupby(known, key=lambda part: list(part.columns))]


def files() -> dict[str, list[list[str]]]:
    """Return the tables beside the page by the names of their files, as lines of cells."""
    return {
        _file(one, group): [list(group[0].columns), *(line for part in group for line in parts.cells(part))]
        for one in SECTIONS
        for group in _tables(one)
    }


def _file(one: Section, group: list[Part]) -> str:
    return group[0].name if len(group) == 1 else one.heading.lower().replace(" ", "-")


def wide_chart() -> str:
    """Processor seconds against the number of partitions."""
    wanted = ("consensus(e, 6)", "lwgp", "mcla", "eac", "vote", "choose_k")
    known = {row["call"]: row for row in rows(parts.parts()["wide-partitions"])}
    series = {
        name: list(zip(known[name]["sizes"], known[name]["seconds"], strict=True)) for name in wanted if name in known
    }
    return charts.lines("200 objects, more and more partitions", series, ("partitions", "CPU seconds"))


def networks_chart() -> str:
    """AMI against mixing."""
    found = by_mixing(rows(parts.parts()["networks-lfr"]))
    names = {"single": "single run", "best": "best of 50", "recluster": "recluster", "ecg": "ecg"}
    series = {
        said: [(float(row["mixing"]), max(float(row[name]), 0.0)) for row in found] for name, said in names.items()
    }
    return charts.lines("LFR graphs: AMI with the planted communities", series, ("mixing", "AMI"), logarithmic=False)


DRAWN: dict[str, tuple[str, Callable[[], str]]] = {
    "wide": ("wide-partitions", wide_chart),
    "networks": ("networks-lfr", networks_chart),
}


def drawn() -> dict[str, str]:
    """Return the charts whose rows are there, by name."""
    known = parts.parts()
    made = {name: draw() for name, (part, draw) in DRAWN.items() if rows(known[part])}
    return {name: picture for name, picture in made.items() if picture}


def page() -> str:
    """Return the page."""
    end = END.format(quick=QUICK, minutes=f"{parts.minutes(parts.parts().values()):.0f}")
    shown = [parts.parts()[name] for one in SECTIONS for name in one.names]
    made = [
        INTRO.format(measured=origin(*shown)),
        in_short() + "\n",
        *(text for one in SECTIONS if (text := section(one))),
        end,
    ]
    return "\n".join(made)


def pages() -> list[Path]:
    """The pages that may show a table between marks, which is where it belongs."""
    return sorted([*PAGE.parent.glob("*.md"), *(PAGE.parent / "howto").glob("*.md")])


def write_page() -> None:
    """Write the page, its charts, and the tables that other pages show."""
    from . import costs
    from .papers.page import write_page as write_reproduction
    from .quality_page import write

    CHARTS.mkdir(parents=True, exist_ok=True)
    for name, picture in drawn().items():
        (CHARTS / f"{name}.svg").write_text(picture, "utf-8")
    for name, lines in files().items():
        parts.write_csv(TABLES / f"{name}.csv", lines)
    PAGE.write_text(page(), "utf-8")
    write()
    costs.write()
    write_reproduction()
    for other in pages():
        text = other.read_text("utf-8")
        if (renewed := filled(text)) != text:
            other.write_text(renewed, "utf-8")
