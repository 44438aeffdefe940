"""The page docs/benchmarks.md and its charts, from kept rows only: ``python -m benchmarks page`` measures nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from . import charts, parts
from .million import FEW_ROWS
from .networks import by_mixing
from .parts import Part, Row, origin, rows, table
from .provenance import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
CHARTS = ROOT / "docs" / "images" / "benchmarks"
INTRO = """# Benchmarks

This page shows how much time and memory graphens needs, compared with other packages and with the code that you would
write with NumPy, SciPy or scikit-learn. `python -m benchmarks` makes all tables ([run it](#run-them-yourself)).

- **Times are CPU seconds** of one thread, which depend little on other work on the machine.
- **Ratios compare two calls of the same run**, on the same data, one after the other. Above 1, graphens needs less time
  or memory; below 1, it needs more.
- **Below every table** are the date, the commit of the package, the machine and its load. The raw rows are in
  `benchmarks/results`.
"""
BELOW = """The last row is below 1: `consensus(labels, k)` on a million objects takes as long as a few k-means
runs. The sections below have all measurements, and show how good the results of both are."""
END = """## Run them yourself

From a clone of the repository:

```sh
python -m benchmarks --quick              # every part at a small size; nothing is stored
python -m benchmarks                      # all parts that are not measured yet
python -m benchmarks wide-profiles        # one part
python -m benchmarks peers core --again   # all parts of two modules, measured again
python -m benchmarks --list               # the parts, what is measured, how long they take
python -m benchmarks page                 # writes this page again; measures nothing
```

`--quick` takes about {quick} minutes of CPU time, all rows shown here take {minutes} minutes, and `--large` adds more
and larger cases, which take hours. Every part runs in its own process, so a part that fails does not stop the others;
the exit code says whether all succeeded. If you stop a run, the next one continues where it stopped. Packages that
are not installed are left out; `benchmarks/peers.py` says how to install them.

`python -m benchmarks` also measures how *good* the results are. These tables are on other pages: [which
method](which.md), [the papers' tables](reproduction.md), [confidence](confidence.md).
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
    lines = ["## In short", "", "<!-- chart: times faster | by: work; compared with | log -->"]
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
        "Both packages get the same labels and the same number of clusters, in the same run. ARI is the agreement of "
        "each result with the true groups; if both use the same algorithm, it differs only by ties and random "
        "starts. In three rows the other is faster: kemlglearn's runs from features, k-means on the incidence "
        "matrix, and a consensus of igraph's runs on a small network.",
        ("peers-calls",),
    ),
    Section(
        "A million objects",
        "The methods combine 20 partitions of a million objects into 20 clusters. The table compares them with one "
        "k-means run on the same points, which is about what it takes to make one of the 20 partitions.",
        ("million-methods",),
    ),
    Section(
        "Many partitions",
        "There are 200 objects in 100 to 10,000 partitions, as in posterior samples and bootstraps. The time grows "
        "about in proportion to the number of partitions, or more slowly.",
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
        "Posterior samples and medians",
        "These tables show the partition that `ge.median` finds for the draws of a Bayesian clustering, under six "
        "losses ([Posterior samples](howto/posterior.md)), and how often a search finds the best of all partitions.",
        ("posterior-public", "posterior-large", "posterior-exact", "median-exact"),
    ),
    Section(
        "Networks",
        "The chart shows how well a consensus of 50 Leiden runs agrees with planted communities. Mixing is the share "
        "of a vertex's edges that leave its community. The table is in [Communities of a "
        "network](networks.md#how-good-the-communities-are); the time of a consensus is under [single "
        "steps](#single-steps).",
        (),
        "networks",
    ),
    Section(
        "The number of clusters",
        "The table has the CPU seconds of a consensus with and without k. How good the answers are on real data is in "
        "[The number of clusters, and the method](choosing.md#on-real-data), and how often `ge.modes` finds the right "
        "number of groups of partitions in [Compare methods](howto/compare.md#two-groups-instead-of-one-outlier).",
        ("real-speed",),
    ),
    Section(
        "Single steps",
        "The table has the steps that methods consist of, and the time of a consensus compared with that of the runs "
        "it combines.",
        (
            "core-import",
            "core-meta-graph",
            "core-distinct-rows",
            "generation-overhead",
            "choosing-panel",
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
    """A section with its chart, its tables behind it; parts that have no rows yet are not named."""
    known = [part for name in one.names if rows(part := parts.parts()[name])]
    if not known and one.chart not in drawn():
        return ""
    lines = [f"## {one.heading}", "", one.words, ""]
    if one.chart in drawn():
        lines += [f"![{one.heading}](images/benchmarks/{one.chart}.svg)", ""]
    tables = [list(group) for _, group in groupby(known, key=lambda part: list(part.columns))]
    for group in tables:
        first, body = group[0], _joined(group)
        if chart := first.chart or (COMPARED if "compared with" in first.columns else ""):
            lines += [] if len(tables) == 1 else [f"**{first.title}**", ""]
            lines += [f"<!-- chart: {chart} -->", *body, ""]  # the site draws it and folds its table away
        else:
            lines += [f"<details><summary>{_summary(first.title)}</summary>", "", *body, "", "</details>", ""]
    return "\n".join(lines).rstrip() + "\n"


def _joined(group: Sequence[Part]) -> list[str]:
    """One table of parts that have the same columns, and what is to be known of their rows."""
    head, *others = (table(part) for part in group)
    body = [head, *(line for more in others for line in more.splitlines()[2:])]
    said = " ".join(part.note for part in group if part.note)
    return [*body, "", f"{said} *{origin(*group)}*".strip()]


def _summary(title: str) -> str:
    """Code in a summary, which is HTML."""
    pieces = title.split("`")
    return "".join(f"<code>{piece}</code>" if i % 2 else piece for i, piece in enumerate(pieces))


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
    made = [INTRO, in_short() + "\n", *(text for one in SECTIONS if (text := section(one))), end]
    return "\n".join(made)


def pages() -> list[Path]:
    """The pages that may show a table between marks, which is where it belongs."""
    return sorted([*PAGE.parent.glob("*.md"), *(PAGE.parent / "howto").glob("*.md")])


def write_page() -> None:
    """Write the page, its charts, and the tables that other pages show."""
    from .harness import filled

    CHARTS.mkdir(parents=True, exist_ok=True)
    for name, picture in drawn().items():
        (CHARTS / f"{name}.svg").write_text(picture, "utf-8")
    PAGE.write_text(page(), "utf-8")
    for other in pages():
        text = other.read_text("utf-8")
        if (renewed := filled(text)) != text:
            other.write_text(renewed, "utf-8")
