"""What values look like in a notebook: small, plain, a thumbnail where it helps."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from ..choose.choice import Choice
from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.result import Consensus, Partition
from ..plot.colors import color
from .html import text

_BARS = 24


@singledispatch
def shown(value: Any) -> str | None:
    """Return a value as a small piece of HTML, None where nobody has said how."""
    return None


def _card(head: str, rows: list[tuple[str, str]], picture: str = "") -> str:
    """A heading, facts in two columns, and a picture beside them; markup only in the second column."""
    facts = "".join(
        f"<tr><th style='text-align:left'>{text(a)}</th><td style='text-align:left'>{b}</td></tr>"
        for a, b in rows
    )
    inside = f"<strong>{text(head)}</strong><table>{facts}</table>"
    return f"<div style='display:flex;gap:2em;align-items:center'><div>{inside}</div>{picture}</div>"


def bars(sizes: Any, numbers: Any = None) -> str:
    """One bar per part in its color, as long as the part is large."""
    values = np.asarray(sizes, dtype=float)
    most, paint = (
        max(float(values.max(initial=0.0)), 1e-12),
        range(len(values)) if numbers is None else numbers,
    )
    high = 9
    lines = [
        f"<rect x='0' y='{i * (high + 2)}' width='{160 * value / most:.1f}' height='{high}' fill='{color(int(c))}'>"
        f"<title>{int(c)}: {value:g}</title></rect>"
        for i, (value, c) in enumerate(zip(values[:_BARS], paint, strict=False))
    ]
    tall = (high + 2) * min(len(values), _BARS)
    return (
        f"<svg width='160' height='{tall}' role='img' aria-label='sizes of the parts'>{''.join(lines)}</svg>"
    )


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
    why = r.details.get("auto", {}).get("why")
    rows += [("why", text(why))] if why else []
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
    return _card(
        "Graph", [("kind", text(g.kind)), ("vertices", f"{g.n_vertices:,}"), ("said", text(repr(g)))]
    )


@shown.register
def _dendrogram(d: Dendrogram) -> str:
    """Objects and heights, and the longest lifetimes as bars."""
    lengths = d.lifetimes()
    best = sorted(sorted(lengths, key=lambda k: -lengths[k])[:6])
    rows = [("objects", f"{d.n_objects:,}"), ("longest lifetime", f"{d.longest_lifetime()} clusters")]
    rows += [(f"{k} clusters live", f"{lengths[k]:.3f}") for k in best]
    return _card("Dendrogram", rows)


@shown.register
def _choice(c: Choice) -> str:
    """The number, why, and what the rules say."""
    rows = [("k", f"<strong>{c.k}</strong>"), ("rule", text(c.rule)), ("why", text(c.why))]
    rows += [(name, f"{k}") for name, k in c.answers.items()]
    rows += [("also worth a look", ", ".join(map(str, c.optional)))] if c.optional else []
    rows += [("p", f"{c.p:.3g}")] if c.p is not None else []
    return _card("Choice", rows)
