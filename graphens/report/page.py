"""The report: one self-contained page with the result, the reasons for it, and how to repeat it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from .._lib.arrays import LabelArray, of_kind
from .._lib.files import atomic, checked_page
from ..choose.choice import rule_table
from ..graphs.splits import COARSE
from ..plot.cluster_maps import ClusterMapDisplay
from ..plot.colors import through
from ..plot.display import amount, in_plain_style, plural, printable
from ..plot.flows import FlowDisplay
from ..plot.graphs import GraphDisplay
from ..plot.heatmap import CoassociationDisplay
from ..plot.object_pictures import ConfidenceDisplay, MapDisplay, ScatterDisplay
from ..plot.of_consensus import draw_consensus, with_names
from ..plot.partitions import PartitionsDisplay
from ..plot.strips import TrackingDisplay
from ..plot.trees import DendrogramDisplay
from ..result.consensus import Consensus
from .cards import head_pictures
from .findings import LISTED, Findings, code_line, command_line, object_rows, row_groups
from .html import (
    anchor,
    beside,
    chip,
    cluster_colors,
    compress,
    paragraph,
    section,
    shade_rules,
    svg_figure,
    table,
    tabs,
    text,
)

_CHIPS = 200  # clusters that a table lists
_BANDS = 300  # of a flow that a page can bear
_BYTES = 300_000  # of names or confidences in a page
_LABELS = 900_000  # bytes of labels
UNWRITTEN = (
    "The call cannot be written here: it is not recorded, or an option has no short form, such as a function without a "
    "name."
)
_SIGNS = {"good": "✓", "fair": "○", "bad": "!"}
_HEADS: dict[type, str] = {
    MapDisplay: "Objects that are often together are close to each other; lines join those most often together.",
    GraphDisplay: "The network, with vertices in the colors of their communities.",
    ClusterMapDisplay: "The clusters as discs; lines say how often they are together. Dots are unsure objects.",
    ScatterDisplay: "The objects in the colors of their clusters.",
    CoassociationDisplay: "How often two {0} are together, by {1}: solid squares are {2} that the {3} agree on.",
    DendrogramDisplay: "How {2} merge: the higher, the less often their {0} are together.",
}


@in_plain_style
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
    target = checked_page(path)
    page = Page(r, classes, X, ks, methods)
    sections = page.sections()
    names = [name for name, inside in sections.items() if inside]
    usual = f"Consensus of {r.ensemble.n_partitions} clusterings" if r.network is None else "Communities of a network"
    heading = usual if title is None else of_kind("title", title, str, "text")
    html = Template(_asset("page.html")).substitute(
        title=text(heading),
        head=page.head(),
        contents="".join(f'<a href="#{anchor(name)}">{text(name)}</a>' for name in names),
        body="\n".join(sections[name] for name in names),
        style=_asset("style.css") + cluster_colors(min(r.k, _CHIPS)),
        script=_asset("script.js"),
    )
    with atomic(target) as file:
        file.write(html.encode("utf-8"))
    return target


def _asset(name: str) -> str:
    return (resources.files(__package__) / name).read_text("utf-8")


class Page:
    """The parts of a report: its head, which summarizes the result, and its sections."""

    r: Consensus
    found: Findings
    classes: Any
    X: Any
    ks: list[int] | None
    methods: Sequence[str] | None

    def __init__(
        self, r: Consensus, classes: Any, X: Any, ks: Iterable[int] | None, methods: Sequence[str] | None
    ) -> None:
        self.r, self.found, self.classes, self.X, self.methods = r, Findings(r), classes, X, methods
        self.ks = None if ks is None else [int(k) for k in ks]

    def sections(self) -> dict[str, str]:
        """Return the sections by title; those without content are empty."""
        why, (objects, groups, clusterings) = self.r.why, (plural(noun) for noun in self.r._nouns)
        parts = {
            f"How many {groups}": [
                paragraph(f"Why: {why}" if why else f"{self.r.k} by {self.r.method}."), *self.numbers(),
            ],
            groups.capitalize(): [self.clusters(), beside(self.confidence(), *self.graphs())],
            "Flow": ["" if self.found.unanimous and self.classes is None else self.flow()],
            clusterings.capitalize(): [beside(*self.partitions())],
            objects.capitalize(): self.objects(),
            "Methods compared": [self.compared()],
            "Repeat it": [self.repeat()],
        }  # fmt: skip
        return {name: section(name, *inside) for name, inside in parts.items()}

    def head(self) -> str:
        """Return the result in words, the verdict, doubts about clusterings, the pictures of the card, and scores."""
        r, findings = self.r, self.found
        verdict = findings.verdict()
        lines = "".join(
            f'<li class="{one.sign}"><strong aria-label="{one.what}: {one.sign}">{_SIGNS[one.sign]} {one.what}</strong>'
            f"<span>{text(one.words)}</span></li>"
            for one in verdict
        )
        whole = "bad" if any(one.sign == "bad" for one in verdict) else verdict[0].sign
        doubts = "".join(f"<li>{text(line)}</li>" for line in findings.alerts())
        alerts = f'<ul class="alerts" aria-label="Warnings">{doubts}</ul>' if doubts else ""
        figures, (one, group, clustering) = [], r._nouns
        nouns = plural(one), group, plural(group), plural(clustering)
        for picture in head_pictures(r, self.X, self.classes).values():
            plain = {"plain": True} if isinstance(picture, CoassociationDisplay) else {}
            with_names(picture, r).plot(picture._on(None, (5.0, 4.6)), **plain).ax_.set_title("", loc="left")
            figures.append(svg_figure(picture, _HEADS[type(picture)].format(*nouns)))
        note = next((trial.note for trial in r.trials if trial.method == r.method), "")
        inside = r.labels >= 0
        sure = f"; mean confidence {r.confidence[inside].mean():.3f}, mean cohesion {r.cohesion[inside].mean():.3f}"
        scores = f"Mean normalized mutual information with the clusterings (ANMI, 0 to 1) {r.score:.3f}"
        scores += f"{sure if inside.any() else ''}.{f' {note}' if note else ''}"
        return (
            f"{paragraph(findings.summary(), 'summary')}"
            f'<ul class="verdict {whole}" aria-label="Verdict">{lines}</ul>{alerts}{beside(*figures, kind="head")}'
            f"<details><summary>Scores</summary>{paragraph(scores)}</details>"
        )

    def clusters(self) -> str:
        """Return the table of clusters."""
        columns = [
            "cluster", "objects", "share", "confidence", "unsure", "cohesion", "split in", "nearest", "together",
        ]  # fmt: skip
        rows, names = self.found.clusters(), self.r.cluster_names
        shown = [
            [(row[0], chip(row[0], names)), *row[1:7], (row[7], chip(row[7], names)), row[8]] for row in rows[:_CHIPS]
        ]
        rest = f" The first {_CHIPS} of {len(rows)} clusters." if len(rows) > _CHIPS else ""
        note = (
            "Cohesion: how often two objects of the cluster are together; split in: clusterings with at most "
            f"{int(COARSE * self.r.k)} clusters of which none has 90% of it; together: how often its objects are "
            f"with those of the nearest cluster.{rest} Click a cluster, here or in a picture, to see it everywhere."
        )
        return table(columns, shown, caption=note, clusters=[row[0] for row in rows[:_CHIPS]], name="clusters-table")

    def confidence(self) -> str:
        """Return the confidences of each cluster, sorted, unless they are all 1 or there is one cluster."""
        if self.found.unanimous or self.r.k < 2:
            return ""
        words = (
            "Confidence of the objects in each cluster, sorted: a long, low tail means that the cluster has an "
            "unclear border. It ranks the objects of this result and is not a probability: if the clusterings make "
            "the same mistake, the confidence is high all the same."
        )
        return svg_figure(with_names(ConfidenceDisplay.from_consensus(self.r), self.r).plot(), words)

    def graphs(self) -> list[str]:
        """Return the graph of the method, and the map, unless the head shows them."""
        r, figures = self.r, []
        if r.k > 1 and (r.network is None or self.X is not None):
            picture = draw_consensus(r, "graph", edges=500)  # as many as a page can bear
            words = f"The graph used by {r.method}, with vertices in the colors of their clusters."
            words = _HEADS[ClusterMapDisplay] if isinstance(picture, ClusterMapDisplay) else words
            figures.append(svg_figure(picture, words))
        if self.X is not None and np.shape(self.X)[1:] == (2,):
            figures.append(svg_figure(draw_consensus(r, "map"), _HEADS[MapDisplay]))
        elif self.X is not None:
            figures.append(
                svg_figure(draw_consensus(r, "scatter", X=self.X), "The objects by two principal components.")
            )
        return figures

    def flow(self) -> str:
        """Return how the clusterings flow into the result, if the page does not become too large."""
        flow = FlowDisplay.from_consensus(self.r, self.classes)
        if sum(map(len, flow.bands)) > _BANDS:
            return ""
        end = "." if self.classes is None else " to the classes."
        return svg_figure(flow.plot(), f"How the objects flow from the clusterings through the consensus{end}")

    def partitions(self) -> list[str]:
        """Return the agreement of the clusterings with the result, and with each other."""
        e, agreement = self.r.ensemble, self.found.agreement
        if self.found.unanimous:
            return [paragraph(f"All {amount(e.n_partitions, self.r._nouns[2])} are the same as the consensus.")]
        order = np.argsort(np.nan_to_num(agreement, nan=-1.0), kind="stable")[:100]
        weighted = bool((e.weights != e.weights[0]).any())
        rows = [
            [str(e.partition_names[t]), int(e.n_clusters[t]), float(e.weights[t]) if weighted else None,
             int(np.count_nonzero(e.codes[t] == e.absent)) if e.n_missing else None, float(agreement[t])]
            for t in order
        ]  # fmt: skip
        words = "Agreement: adjusted Rand index with the consensus (0 is chance level, 1 is identical). "
        words += (
            f"The 100 of {e.n_partitions:,} clusterings that agree least."
            if e.n_partitions > 100
            else "Least agreement first."
        )
        answer = table(["clustering", "clusters", "weight", "missing", "agreement"], rows, caption=words)
        if e.n_partitions < 2:
            return [answer]
        alike = "Agreement of the clusterings with each other; similar clusterings are next to each other."
        return [answer, svg_figure(PartitionsDisplay.from_ensemble(e).plot(), alike)]

    def objects(self) -> list[str]:
        """Return a search, the table of objects (of label rows if there are many), and the labels to download."""
        r, names, few = self.r, self.r.cluster_names, len(self.r.labels) <= LISTED
        if few and self.found.unanimous:
            called = [str(name)[:80] for name in r.ensemble.vertex_names()]
            columns, at = [plural(self.r._nouns[0]), "cluster"], 1
            rows = [
                [", ".join(called[i] for i in np.flatnonzero(r.labels == c)), c] for c in np.unique(r.labels).tolist()
            ]
            shown: list[list[Any]] = [
                [(row[0], f'<span class="members">{text(row[0])}</span>'), (row[1], chip(row[1], names))]
                for row in rows
            ]
            words = f"All {plural(self.r._nouns[2])} agree on all of them."
        else:
            rows, at = (object_rows(r), 1) if few else (row_groups(r), 2)  # the column of the cluster
            columns = ["object", *([] if few else ["objects"]), "cluster", "rival", "confidence", "cohesion"]
            shown = [
                [str(row[0])[:80], *row[1:at], *((c, chip(c, names)) for c in row[at : at + 2]), *row[at + 2 :]]
                for row in rows
            ]
            words = (
                "The least certain objects come first. Rival: the second-best cluster; cohesion: how often the object "
                "is with the others of its cluster."
            )
            if not few:
                words = (
                    f"Objects with the same labels share a row; {len(rows):,} are here, the least certain and largest."
                )
        rows_table = table(columns, shown, caption=words, clusters=[row[at] for row in rows], name="objects-table")
        search = (
            '<p class="tools"><label>Find an object <input type="search" id="find" autocomplete="off"></label> '
            '<button type="button" id="all">show all rows</button> '
            '<button type="button" id="download">download the labels (CSV)</button> '
            '<output id="told" aria-live="polite"></output></p>'
        )
        return [search, self.data(), rows_table]

    def data(self) -> str:
        """Return the labels for the script of the page, and further columns if they do not take much space."""
        r = self.r
        kind = next(kind for kind in ("<i1", "<i2", "<i4") if r.k < np.iinfo(kind).max)
        parts = {"labels": compress(r.labels.astype(kind).tobytes())}
        if len(parts["labels"]) > _LABELS:
            return paragraph(
                "There are too many objects to list their labels on this page; r.to_frame() returns them.", "soft"
            )
        confidence = compress(np.rint(100 * np.nan_to_num(r.confidence)).astype(np.uint8).tobytes())
        if len(confidence) <= _BYTES:
            parts["confidence"] = confidence
        if r.names is not None:
            names = compress("\n".join(printable(name).replace("\n", " ") for name in r.names).encode("utf-8"))
            if len(names) <= _BYTES:
                parts["names"] = names
        attributes = "".join(f' data-{name}="{value}"' for name, value in parts.items())
        return f'<div id="data" hidden data-bytes="{kind[-1]}"{attributes}></div>'

    def compared(self) -> str:
        """Return the methods that were tried or requested, side by side."""
        r = self.r
        if self.methods is not None:
            from ..choose.comparison import compare

            c = compare(r.ensemble, r.k, methods=self.methods, seed=r.options.get("seed"))
            figures = {name: cells for name, cells in c.figures.items() if name != "seconds"}  # same seed, same page
            return table(list(figures), [list(row) for row in zip(*figures.values(), strict=True)])
        rows = [trial.row() for trial in r.trials]
        names = [name for name in rows[0] if name != "seconds"] if rows else []
        return table(names, [[row.get(name) for name in names] for row in rows]) if rows else ""

    def repeat(self) -> str:
        """Return the code, the command, versions and a hash of the input."""
        from .. import __version__  # the package itself, which nothing below it may need to begin with

        e, line = self.r.ensemble, code_line(self.r)
        lines = [f"import graphens as ge\n\nr = ge.{line}", command_line(self.r)] if line else []
        raw = np.ascontiguousarray(e.codes).view(np.uint8).data
        facts = (
            f"graphens {__version__}; {e.n_objects:,} objects × {e.n_partitions:,} clusterings; "
            f"labels {hashlib.blake2b(raw, digest_size=12).hexdigest()}"
        )
        code = "".join(f"<pre>{text(part)}</pre>" for part in lines if part)
        return (code or paragraph(UNWRITTEN)) + paragraph(facts, "soft")

    def numbers(self) -> list[str]:
        """Return what the rules say about every k; with `ks`, also the clusterings for each."""
        r = self.r
        if self.ks is None:
            chosen = rule_table(self.found.choice)
            return [shade_rules(chosen)] if any(row.shades for row in chosen.rows) else []
        from ..choose.auto import consensus
        from ..choose.k import choose_k

        seed = r.options.get("seed")
        choice = choose_k(r.ensemble, self.ks, seed=seed)
        answers = {
            k: r if k == r.k else consensus(r.ensemble, k, method=r.method, seed=seed) for k in sorted({*self.ks, r.k})
        }
        labelings = {k: answer.labels for k, answer in answers.items()}
        shades = through(list(labelings.values()), list(labelings).index(r.k))
        panels = {
            f"k = {k}": self.at(answer, paint) for (k, answer), paint in zip(answers.items(), shades, strict=True)
        }
        strip = TrackingDisplay.from_labelings(labelings, first=r.k).plot()
        words = "The clusters for each number of clusters; colors follow the best overlap with the result."
        return [
            shade_rules(rule_table(choice)),
            paragraph(choice.why),
            svg_figure(strip, words),
            tabs("Number of clusters", panels, f"k = {r.k}"),
        ]

    def at(self, answer: Consensus, numbers: LabelArray) -> str:
        """Return the result for one number of clusters; that of the report itself is in the head."""
        sizes = ", ".join(f"{size:,}" for size in answer.sizes()[:20])
        words = f"{amount(answer.k, 'cluster')}: sizes {sizes}; ANMI {answer.score:.3f}."
        if answer is self.r:
            return paragraph(f"{words} This is the result; its heat map is at the top.")
        heat = CoassociationDisplay.from_consensus(answer, most=120, numbers=numbers)
        return svg_figure(heat.plot(heat._on(None, (5.0, 4.4)), plain=True), words)
