"""How values are shown in a notebook: a small table, with a thumbnail if it helps."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from .._lib.arrays import percent
from ..choose.choice import Choice, rule_table
from ..choose.comparison import Comparison
from ..choose.correspondence import Match
from ..choose.resampling import Monti
from ..choose.stability import Stability
from ..choose.study import Benchmark
from ..cutting.entry import Partition
from ..graphs.clustree import ClusterTree
from ..graphs.coassociation import CoassociationGraph
from ..graphs.graph import ROLES, Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..plot.choosing import ExplanationDisplay
from ..plot.graphs import HYPEREDGES, GraphDisplay, HypergraphDisplay
from ..plot.heatmap import CoassociationDisplay
from ..plot.strips import ClusterTreeDisplay
from ..result.consensus import Consensus
from ..result.explanation import Explanation
from ..trees.dendrogram import Dendrogram
from .findings import Findings
from .html import digits, shade_rules, text

_LISTED = 24  # clusters in a table
_LARGE = 200_000  # vertices beyond which nothing is drawn unasked
_VERTICES = 120  # of a graph drawn beside its figures


@singledispatch
def notebook_view(value: Any) -> str | None:
    """Return a value as a small piece of HTML; None for a type without a notebook view."""
    return None


def _card(head: str, rows: list[tuple[str, str]], picture: str = "") -> str:
    """A heading, facts in two columns, and a picture beside them; only the second column may have markup."""
    facts = "".join(
        (f"<tr><th style='text-align:left;vertical-align:top'>{text(a)}</th><td" if a else "<tr><td colspan=2")
        + f" style='text-align:left;max-width:36em'>{b}</td></tr>"
        for a, b in rows
    )
    inside = f"<strong>{text(head)}</strong><table>{facts}</table>"
    beside = f"<div style='flex:none'>{picture}</div>" if picture else ""
    return f"<div style='display:flex;gap:2em;align-items:center'><div>{inside}</div>{beside}</div>"


def thumbnail(display: Any, size: tuple[float, float] = (4.2, 3.0), **options: Any) -> str:
    """Return a display as a small image; nothing if there is none, or without Matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return ""
    if display is None:
        return ""
    figure, buffer = Figure(figsize=size, layout="constrained"), io.BytesIO()
    display.plot(figure.add_subplot(), **options)
    figure.savefig(buffer, format="png", dpi=90, metadata={"Software": None})
    data = base64.b64encode(buffer.getvalue()).decode()
    return f"<img alt='{text(type(display).__name__)}' style='max-width:100%' src='data:image/png;base64,{data}'>"


def grid(columns: Mapping[str, Sequence[Any]], strong: Any = None) -> str:
    """Return columns as a small table; the cells (row, column) in `strong` are bold."""
    numbers = [
        all(isinstance(v, (int, float, np.number)) for v in column if v is not None) for column in columns.values()
    ]
    sides = [f"style='text-align:{'right' if number else 'left'}'" for number in numbers]
    head = "".join(f"<th {side}>{text(name)}</th>" for name, side in zip(columns, sides, strict=True))
    lines = []
    for i, row in enumerate(zip(*columns.values(), strict=True)):
        marks = [strong is not None and strong(i, j) for j in range(len(row))]
        cells = (f"<strong>{digits(v)}</strong>" if m else digits(v) for v, m in zip(row, marks, strict=True))
        lines.append(f"<tr>{''.join(f'<td {side}>{cell}</td>' for cell, side in zip(cells, sides, strict=True))}</tr>")
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


@notebook_view.register
def _consensus(r: Consensus) -> str:
    """The result in a sentence, its clusters, which of them are split, and the heat map; the rest in folds."""
    some = range(min(r.k, _LISTED))
    sure = [float(r.confidence[r.labels == c].mean()) for c in some]
    columns = {
        "cluster": [r.cluster_names[c] for c in some],
        "objects": r.sizes()[some].tolist(),
        "confidence": sure,
        "cohesion": r._evidence.cluster_cohesion()[some].tolist(),
    }
    splits = r._evidence.splits()
    split = splits.sentence(r.cluster_names)
    rows = [("", grid(columns) + (f"and {r.k - _LISTED} more" if r.k > _LISTED else ""))] if r.k else []
    rows += [("split", text(split))] if split else [("", splits.finer_sentence)] if splits.finer_sentence else []
    heat = CoassociationDisplay.from_consensus(r, most=150) if 0 < len(r.labels) <= _LARGE and r.k else None
    trials = [trial.row() for trial in r.trials]
    first = str(r.uncertain(1).index[0]) if r.labels.size else ""
    folds = {
        "Why": text(f"{r.why} ANMI {r.score:.3f}.".strip()),
        "Methods that were tried": trials and grid({name: [row.get(name) for row in trials] for name in trials[0]}),
        "Next": f"<code>r.explain({text(repr(first))})</code>, <code>r.explore()</code>, <code>r.report(path)</code>",
    }
    inside = (f"<details><summary>{name}</summary>{words}</details>" for name, words in folds.items() if words)
    return _card(Findings(r).summary(), rows, thumbnail(heat, (3.2, 2.7), plain=True)) + "".join(inside)


@notebook_view.register
def _partition(p: Partition) -> str:
    """Parts, cut, balance, and the sizes."""
    sizes = np.bincount(p.labels[p.labels >= 0], minlength=p.k)[:_LISTED].tolist()
    rows = [
        ("vertices", f"{len(p.labels):,}"),
        ("parts", str(p.k)),
        ("cut", f"{p.cut:.6g}"),
        ("balance", f"{p.balance:.3f}"),
        ("sizes", ", ".join(map(str, sizes)) + ", …" * (p.k > _LISTED)),
    ]
    return _card(f"Partition by {p.partitioner}", rows)


@notebook_view.register
def _ensemble(e: Ensemble) -> str:
    """Sizes, and the numbers of clusters of the partitions."""
    few, many = (int(e.n_clusters.min()), int(e.n_clusters.max())) if e.n_partitions else (0, 0)
    rows = [
        ("objects", f"{e.n_objects:,}"),
        ("partitions", f"{e.n_partitions:,}"),
        ("clusters in each", f"{few}" if few == many else f"{few} to {many}"),
        ("missing labels", f"{e.n_missing:,}"),
    ]
    return _card("Ensemble", rows)


@notebook_view.register
def _graph(g: Graph) -> str:
    """Kind and size of the graph; edges are not counted if they would have to be computed."""
    sides = [
        f"{many:,} {name}{'' if many == 1 else 's'}"
        for role, name in enumerate(ROLES)
        if (many := int(np.count_nonzero(g.roles == role)))
    ]
    edges = g._n_edges if isinstance(g, CoassociationGraph) else g.n_edges
    rows = [
        ("kind", text(g.kind)),
        ("vertices", text(", ".join(sides) or "none")),
        ("edges", "on demand" if edges is None else f"{edges:,}"),
    ]
    if not 0 < g.n_vertices <= _LARGE:
        return _card("Graph", rows)
    small = (
        ClusterTreeDisplay.from_tree(g) if isinstance(g, ClusterTree) else GraphDisplay.from_graph(g, most=_VERTICES)
    )
    return _card("Graph", rows, thumbnail(small))


@notebook_view.register
def _hypergraph(h: Hypergraph) -> str:
    """Its size, and the hyperedges of some objects."""
    rows = [
        ("vertices", f"{h.n_vertices:,}"),
        ("hyperedges", f"{h.n_hyperedges:,}"),
        ("incidences", f"{h.incidence.nnz:,}"),
    ]
    fits = h.n_vertices and 0 < h.n_hyperedges <= HYPEREDGES
    small = HypergraphDisplay.from_hypergraph(h, most=20) if fits else None
    return _card("Hypergraph", rows, thumbnail(small))


@notebook_view.register
def _dendrogram(d: Dendrogram) -> str:
    """Objects and heights, and the longest lifetimes, the longest of all in bold."""
    lengths = d.lifetimes()
    best = sorted(sorted(lengths, key=lambda k: -lengths[k])[:8])
    longest = d.longest_lifetime()
    columns: dict[str, list[Any]] = {"clusters": best, "lifetime": [lengths[k] for k in best]}
    rows = [
        ("objects", f"{d.n_objects:,}"),
        ("heights", f"{d.heights[0]:.3g} to {d.heights[-1]:.3g}" if len(d.heights) else "none"),
        ("longest lifetimes", grid(columns, lambda i, _: best[i] == longest)),
    ]
    return _card("Dendrogram", rows)


@notebook_view.register
def _choice(c: Choice) -> str:
    """The number, why, and the table of what the rules say."""
    rows = [("k", f"<strong>{c.k}</strong>"), ("why", text(c.why))]
    rows += [("other candidates", ", ".join(map(str, c.optional)))] if c.optional else []
    rows += [("p", f"{c.p:.3g}")] if c.p is not None else []
    chosen = rule_table(c)
    return _card("Choice", rows) + (shade_rules(chosen) if chosen.rows else "")


@notebook_view.register
def _monti(m: Monti) -> str:
    """The figures for each k, the least ambiguous one in bold."""
    columns = {name: column for name, column in m.columns().items() if name in ("k", "pac", "area", "silhouette")}
    best = int(np.argmin(columns["pac"]))
    return _card(f"Monti: {m.ks[best]} clusters are least ambiguous", [("", grid(columns, lambda i, _: i == best))])


@notebook_view.register
def _stability(s: Stability) -> str:
    """The figures for each k, the chosen one in bold."""
    rows = [
        ("k", f"<strong>{s.k}</strong>"),
        ("stable up to", f"a standard deviation of {s.limit:.3g}"),
        ("figures", grid(s.columns(), lambda i, _: s.ks[i] == s.k)),
    ]
    return _card("Stability", rows)


@notebook_view.register
def _match(m: Match) -> str:
    """The overlaps, those of matched clusters in bold."""
    paired = {(m.names[0].index(a), m.names[1].index(b)) for b, a in m.pairs.items()}
    columns: dict[str, Sequence[Any]] = {"a \\ b": [str(name) for name in m.names[0]]}
    columns |= {f"{name}": column.tolist() for name, column in zip(m.names[1], m.counts.T, strict=True)}
    rows = [
        ("in matched clusters", f"{percent(m.agreed, 1)} of the objects"),
        ("objects shared", grid(columns, lambda i, j: (i, j - 1) in paired)),
    ]
    return _card("Match", rows)


@notebook_view.register
def _explanation(x: Explanation) -> str:
    """The evidence for and against the cluster of an object, and the votes as a picture."""
    first, *rest = repr(x).split("\n")
    rows = [(line[2:14].strip(), text(line[14:])) for line in rest]
    voted = any(vote.label is not None for vote in x.votes)
    return _card(first, rows, thumbnail(ExplanationDisplay(x) if voted and x.cluster >= 0 else None))


@notebook_view.register
def _comparison(c: Comparison) -> str:
    return grid(c.different())


@notebook_view.register
def _benchmark(b: Benchmark) -> str:
    """The table for a paper; the best mean of each column, and ranks not significantly worse, in bold."""
    found, header, rows = b._shown(None, 0.05, 3)
    shown = [[one.text + (f" ± {one.spread}" if one.spread else "") for one in row] for row in rows]
    columns = dict(zip(header, zip(*shown, strict=True), strict=True))
    return f"{grid(columns, lambda i, j: rows[i][j].best)}<p>{text(found.said)}</p>"
