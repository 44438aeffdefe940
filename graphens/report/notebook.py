"""What values look like in a notebook: small, plain, a thumbnail where it helps."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from ..choose.choice import Choice
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import ROLES, Graph
from ..core.result import Consensus, Partition
from ..plot.colors import color
from ..views.coassociation import CoassociationGraph
from .html import text

_BARS = 24


@singledispatch
def shown(value: Any) -> str | None:
    """Return a value as a small piece of HTML, None where nobody has said how."""
    return None


def _card(head: str, rows: list[tuple[str, str]], picture: str = "") -> str:
    """A heading, facts in two columns, and a picture beside them; markup only in the second column."""
    facts = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{text(a)}</th>"
        f"<td style='text-align:left;max-width:36em'>{b}</td></tr>"
        for a, b in rows
    )
    inside = f"<strong>{text(head)}</strong><table>{facts}</table>"
    beside = f"<div style='flex:none'>{picture}</div>" if picture else ""
    return f"<div style='display:flex;gap:2em;align-items:center'><div>{inside}</div>{beside}</div>"


def bars(values: Any, numbers: Any = None, names: Any = None, what: str = "sizes of the parts") -> str:
    """One bar per part in its color, as long as its value is large, with its name beside it where names are given."""
    given = np.asarray(values, dtype=float)
    most, paint = max(float(given.max(initial=0.0)), 1e-12), range(len(given)) if numbers is None else numbers
    known = [str(int(c)) for c in paint] if names is None else [str(name) for name in names]
    high, left = (9, 0) if names is None else (12, 26)
    lines = []
    for i, (value, c, name) in enumerate(zip(given[:_BARS], paint, known, strict=False)):
        y = i * (high + 2)
        if names is not None:
            lines.append(
                f"<text x='{left - 5}' y='{y + high - 2}' text-anchor='end' font-size='11' fill='currentColor'>"
                f"{text(name)}</text>"
            )
        lines.append(
            f"<rect x='{left}' y='{y}' width='{160 * max(value, 0.0) / most:.1f}' height='{high}' "
            f"fill='{color(int(c))}'><title>{text(name)}: {value:.3g}</title></rect>"
        )
    tall = (high + 2) * min(len(given), _BARS)
    drawn = "".join(lines)
    return f"<svg width='{left + 160}' height='{tall}' role='img' aria-label='{text(what)}'>{drawn}</svg>"


@shown.register
def _consensus(r: Consensus) -> str:
    """Clusters, confidence, score, and the sizes as bars."""
    kept = r.confidence[r.labels >= 0]
    sure = f"mean {kept.mean():.2f}, lowest {kept.min():.2f}" if kept.size else "–"
    rows = [
        ("objects", f"{len(r.labels):,}"),
        ("clusters", str(r.k)),
        ("confidence", sure),
        ("score", f"{r.score:.3f} (ANMI)"),
    ]
    lost = int(np.count_nonzero(r.labels < 0))
    rows += [("unassigned", f"{lost:,}")] if lost else []
    rows += [("why", text(r.why))] if r.why else []
    return _card(f"Consensus by {r.method}", rows, bars(r.sizes()))


@shown.register
def _partition(p: Partition) -> str:
    """Parts, cut, balance, and the sizes as bars."""
    rows = [
        ("vertices", f"{len(p.labels):,}"),
        ("parts", str(p.k)),
        ("cut", f"{p.cut:.6g}"),
        ("balance", f"{p.balance:.3f}"),
    ]
    return _card(
        f"Partition by {p.partitioner}", rows, bars(np.bincount(p.labels[p.labels >= 0], minlength=p.k))
    )


@shown.register
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


@shown.register
def _graph(g: Graph) -> str:
    """What it is, and how large; edges are not counted where that would build them."""
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
    return _card("Graph", rows)


@shown.register
def _dendrogram(d: Dendrogram) -> str:
    """Objects and heights, and the longest lifetimes as bars."""
    lengths = d.lifetimes()
    best = sorted(sorted(lengths, key=lambda k: -lengths[k])[:8])
    longest = d.longest_lifetime()
    rows = [
        ("objects", f"{d.n_objects:,}"),
        ("heights", f"{d.heights[0]:.3g} to {d.heights[-1]:.3g}" if len(d.heights) else "none"),
        ("longest lifetime", f"{longest} clusters, {lengths[longest]:.3f}"),
    ]
    marked = [0 if k == longest else -1 for k in best]
    return _card("Dendrogram", rows, bars([lengths[k] for k in best], marked, best, "lifetimes by clusters"))


@shown.register
def _choice(c: Choice) -> str:
    """The number, why, what the rules say, and the curve of the rule that decided."""
    rows = [("k", f"<strong>{c.k}</strong>"), ("rule", text(c.rule)), ("why", text(c.why))]
    rows += [("rules", text(", ".join(f"{name} {k}" for name, k in c.answers.items())))] if c.answers else []
    rows += [("also worth a look", ", ".join(map(str, c.optional)))] if c.optional else []
    rows += [("p", f"{c.p:.3g}")] if c.p is not None else []
    curve = sorted(c.curves.get(c.rule, {}).items())
    marked = [0 if k == c.k else -1 for k, _ in curve]
    told = bars([value for _, value in curve], marked, [k for k, _ in curve], f"{c.rule} by clusters")
    return _card("Choice", rows, told if curve else "")
