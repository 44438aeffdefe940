"""One page that tells what was found, why, and how to find it again; a single file without anything from outside."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from .._arrays import LabelArray
from ..core.hypergraph import Hypergraph
from ..core.result import Consensus
from ..export._atomic import atomic
from ..plot.choosing import CurveDisplay
from ..plot.colors import through
from ..plot.heatmap import CoassociationDisplay
from ..plot.object_pictures import ConfidenceDisplay, ScatterDisplay
from ..plot.of_consensus import draw_consensus, named
from ..plot.partitions import PartitionsDisplay
from ..plot.strips import TrackingDisplay
from .findings import Findings, code_line, command_line, findings, listed
from .html import chip, figure, paragraph, section, table, tabs, text


def report(
    r: Consensus,
    path: str | Path,
    *,
    title: str | None = None,
    classes: Any = None,
    X: Any = None,
    ks: Iterable[int] | None = None,
    methods: Sequence[str] | None = None,
) -> Path:
    """Write a page about a consensus; see `Consensus.report`."""
    found, why = findings(r), r.why
    body = [
        _alerts(found),
        section(
            "How many clusters",
            *_numbers(r, ks),
            paragraph(f"Why: {why}." if why else f"{r.k} by {r.method}."),
        ),
        section("Clusters", _clusters(found), *_pictures(r, classes, X)),
        section("Graphs and trees", *_graphs(r)),
        section("Clusterings", *_partitions(found)),
        section("Unsure objects", _objects(found)),
        section("Methods compared", _methods(r, methods)),
        section("Repeat it", _repeat(r)),
    ]
    page = Template(_asset("page.html")).substitute(
        title=text(title or f"Consensus of {r.ensemble.n_partitions} clusterings"),
        verdict=paragraph(found.verdict(), "verdict"),
        body="\n".join(part for part in body if part),
        style=_asset("style.css"),
        script=_asset("script.js"),
    )
    target = Path(path)
    with atomic(target) as file:
        file.write(page.encode("utf-8"))
    return target


def _asset(name: str) -> str:
    return (resources.files(__package__) / name).read_text("utf-8")


def _alerts(found: Findings) -> str:
    said = "".join(f"<li>{text(line)}</li>" for line in found.alerts())
    return f'<section aria-label="Alerts"><ul class="alerts">{said}</ul></section>' if said else ""


def _clusters(found: Findings) -> str:
    columns = [
        "cluster",
        "objects",
        "share",
        "mean confidence",
        "unsure",
        "cohesion",
        "nearest",
        "co-association",
    ]
    rows = found.clusters()
    names = found.result.cluster_names
    shown = [
        [(row[0], chip(row[0], names)), *row[1:6], (row[6], chip(row[6], names)), row[7]]
        for row in rows[:200]
    ]
    rest = f" The first 200 of {len(rows)} clusters." if len(rows) > 200 else ""
    note = f"Cohesion: mean co-association of two objects of the cluster.{rest} Click a cluster to see it everywhere."
    return table(columns, shown, caption=note, clusters=[row[0] for row in rows[:200]])


def _partitions(found: Findings) -> list[str]:
    """The agreement of the clusterings with each other, and with the answer."""
    e, agreement = found.result.ensemble, found.agreement
    order = np.argsort(np.nan_to_num(agreement, nan=-1.0), kind="stable")[:100]
    rows = [
        [str(e.partition_names[t]), int(e.n_clusters[t]), float(e.weights[t]),
         int(np.count_nonzero(e.codes[t] == e.absent)), float(agreement[t])]
        for t in order
    ]  # fmt: skip
    rest = (
        f"The 100 of {e.n_partitions:,} clusterings that agree least."
        if e.n_partitions > 100
        else "Least agreement first."
    )
    with_answer = table(
        ["clustering", "clusters", "weight", "missing", "NMI with the answer"], rows, caption=rest
    )
    if e.n_partitions < 2:
        return [with_answer]
    said = "Agreement of the clusterings with each other, those alike side by side."
    return [figure(PartitionsDisplay.from_ensemble(e).plot(), said), with_answer]


def _objects(found: Findings) -> str:
    rows = listed(found)
    if not rows:
        return paragraph("Every object has a confidence of at least 0.6.")
    names = found.result.cluster_names
    shown = [
        [row[0], (row[1], chip(row[1], names)), row[2], (row[3], chip(row[3], names)), row[4]] for row in rows
    ]
    more = len(found.unsure) - len(rows)
    rest = (
        f"The {len(rows)} least sure; {more:,} more have a confidence below 0.6: r.to_frame() has them all."
        if more
        else ""
    )
    return table(
        ["object", "cluster", "confidence", "rival", "margin"],
        shown,
        caption=rest,
        clusters=[row[1] for row in rows],
    )


def _methods(r: Consensus, methods: Sequence[str] | None) -> str:
    if methods is not None:
        from ..choose.comparison import compare

        frame = compare(r.ensemble, r.k, methods=list(methods), seed=r.options.get("seed"))
        kept = [name for name in frame.columns if name != "seconds"]  # the same seed gives the same page
        return table(kept, frame[kept].astype(object).where(frame[kept].notna(), None).values.tolist())
    rows = [trial.row() for trial in r.trials]
    names = [name for name in rows[0] if name != "seconds"] if rows else []
    return table(names, [[row.get(name) for name in names] for row in rows]) if rows else ""


def _repeat(r: Consensus) -> str:
    from .. import __version__  # the package itself, which nothing below it may need to begin with

    code, line = f"import graphens as ge\n\nr = ge.{code_line(r)}", command_line(r)
    e = r.ensemble
    digest = hashlib.blake2b(np.ascontiguousarray(e.codes).view(np.uint8).data, digest_size=12).hexdigest()
    facts = (
        f"graphens {__version__}; {e.n_objects:,} objects × {e.n_partitions:,} clusterings; labels {digest}"
    )
    return f"<pre>{text(code)}</pre><pre>{text(line)}</pre>{paragraph(facts, 'soft')}"


def _pictures(r: Consensus, classes: Any, X: Any) -> list[str]:
    """The co-association in cluster order, the confidences, and the objects themselves where X is given."""
    made = [
        figure(
            named(CoassociationDisplay.from_consensus(r, classes, most=400), r).plot(),
            "How often objects share a cluster, in the order of the clusters: dark squares along the diagonal are "
            "clusters that the clusterings agree on.",
        ),
        figure(
            named(ConfidenceDisplay.from_consensus(r), r).plot(),
            "Confidence of the objects of each cluster, sorted: a long low tail is a cluster with an unclear border.",
        ),
    ]
    if X is not None:
        made.append(
            figure(
                named(ScatterDisplay.from_consensus(r, X), r).plot(),
                "The objects in their first two features.",
            )
        )
    return made


def _graphs(r: Consensus) -> list[str]:
    """What decided: the graph and the tree, where the method has them; and the space of the evidence."""
    made = []
    if r.graph is not None:
        few = {} if isinstance(r.graph, Hypergraph) else {"edges": 500}  # as many as a page can bear
        made.append(
            figure(
                draw_consensus(r, "graph", **few),
                f"The graph that {r.method} worked on, vertices in the color of their cluster.",
            )
        )
    if r.dendrogram is not None:
        made.append(
            figure(
                draw_consensus(r, "tree", most=24),
                "The last merges of the tree, and the band of heights at which it has this many clusters.",
            )
        )
    made.append(figure(draw_consensus(r, "evidence"), "Objects that are often together lie close."))
    return [f'<div class="beside">{"".join(made)}</div>']


def _numbers(r: Consensus, ks: Iterable[int] | None) -> list[str]:
    """How the choice of k was made; with `ks`, every rule's curve and the clusterings across k."""
    if ks is None:
        strengths = None if r.choice is None else r.choice.figures.get("strengths")
        return [_strengths(r.k, dict(strengths))] if strengths else []
    from ..choose.k import choose_k
    from ..front import consensus

    wanted = [int(k) for k in ks]
    seed = r.options.get("seed")
    choice = choose_k(r.ensemble, wanted, seed=seed)
    answers = {
        k: r if k == r.k else consensus(r.ensemble, k, method=r.method, seed=seed)
        for k in sorted({*wanted, r.k})
    }
    labelings = {k: answer.labels for k, answer in answers.items()}
    numbers = through(list(labelings.values()), list(labelings).index(r.k))
    panels = {f"k = {k}": _at(answer, own) for (k, answer), own in zip(answers.items(), numbers, strict=True)}
    return [
        figure(choice.plot(), choice.why),
        figure(
            TrackingDisplay.from_labelings(labelings, first=r.k).plot(),
            "The clusters of the objects for each number of clusters; colors follow the best overlap with the answer.",
        ),
        tabs("Number of clusters", panels, f"k = {r.k}"),
    ]


def _at(r: Consensus, numbers: LabelArray) -> str:
    """What the answer looks like at one number of clusters."""
    said = f"{r.k} clusters: sizes {', '.join(f'{size:,}' for size in r.sizes()[:20])}; ANMI {r.score:.3f}."
    return figure(CoassociationDisplay.from_consensus(r, most=200, numbers=numbers).plot(), said)


def _strengths(k: int, strengths: dict[int, float]) -> str:
    what = "Relative eigengap over the number of clusters"
    shown = CurveDisplay(
        list(strengths), list(strengths.values()), "strength", chosen=k, limit=1.0, what=what
    )
    return figure(
        shown.plot(),
        "How suddenly it becomes easy to leave a group: a strength above 1 speaks for that number of clusters.",
    )
