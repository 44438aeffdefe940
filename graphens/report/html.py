"""Parts of a page: escaped text, sortable tables, and figures with descriptions."""

from __future__ import annotations

import base64
import html
import io
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..choose.choice import RuleTable
from ..export.text_tables import cell_text
from ..plot.colors import color
from ..plot.display import Display, printable, pyplot

#: what pictures are drawn in, and the colors of the page that take their place, by day and by night
_INKS = {
    "#333333": "ink", "#000000": "ink", "#222222": "ink", "#666666": "soft", "#ffffff": "paper", "#dddddd": "line",
    "#f2f2f2": "card", "#f3e6c4": "warn",
}  # fmt: skip


_NOTHING = (None, "", (-1, "none"))  # what a cell of a table has if there is nothing to say


def text(value: object) -> str:
    """Return something as text in which nothing is markup; control characters become visible."""
    return html.escape(printable(value), quote=True)


def section(name: str, *parts: str) -> str:
    """Return a section of the page with a title; nothing if it has no content."""
    inside = "\n".join(part for part in parts if part)
    return f'<section id="{anchor(name)}">\n<h2>{text(name)}</h2>\n{inside}\n</section>' if inside else ""


def anchor(name: str) -> str:
    """Return the id of a section, for links."""
    return re.sub(r"[^a-z]+", "-", name.lower()).strip("-")


def compress(data: bytes) -> str:
    """Return bytes as text that a script of the page unpacks."""
    return base64.b64encode(zlib.compress(data, 9)).decode()


def paragraph(words: str, kind: str = "") -> str:
    """Return a paragraph of plain words."""
    return f"<p{f' class={kind!r}' if kind else ''}>{text(words)}</p>".replace("'", '"') if words else ""


def chip(cluster: int, names: Sequence[str]) -> str:
    """Return the button that selects a cluster everywhere on the page, with its name."""
    if cluster < 0:
        return "none"
    return f'<button class="chip c{cluster}" data-pick="{cluster}">{text(names[cluster])}</button>'


def cluster_colors(k: int) -> str:
    """Return the style of the chips: one color for each cluster."""
    return "".join(f".c{c} {{ --c: {color(c)}; }}\n" for c in range(k))


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    caption: str = "",
    clusters: Sequence[int] | None = None,
    name: str = "",
) -> str:
    """Return a table whose columns can be sorted; numbers are aligned right, names are escaped.

    A cell may be a pair: a value to sort by, and markup to show. `clusters` has the cluster of each row, and `name` is
    the name of the table for scripts. Columns in which no row has anything are left out.
    """
    rows = list(rows)
    full = [j for j in range(len(columns)) if not rows or any(row[j] not in _NOTHING for row in rows)]
    columns, rows = [columns[j] for j in full], [[row[j] for j in full] for row in rows]
    body = []
    for i, row in enumerate(rows):
        attribute = f' data-cluster="{clusters[i]}"' if clusters is not None else ""
        body.append(f"<tr{attribute}>{''.join(_cell(value) for value in row)}</tr>")
    right = [
        bool(rows) and _is_number(rows[0][j][0] if isinstance(rows[0][j], tuple) else rows[0][j])
        for j in range(len(columns))
    ]
    head = "".join(
        f'<th scope="col"{" class=n" if r else ""}><button type="button">{text(word)}</button></th>'
        for word, r in zip(columns, right, strict=True)
    )
    head_line = f"<caption><span>{text(caption)}</span></caption>" if caption else ""
    own_id = f' id="{name}"' if name else ""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{text(caption or columns[0])}">'
        f'<table class="sortable"{own_id}>{head_line}'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def shade_rules(chosen: RuleTable) -> str:
    """Return what the rules say about every number of clusters: a row for each rule, a ring at its choice."""
    cell = "min-width:1.6em;text-align:center;padding:.15em"
    weight = {k: "font-weight:700;text-decoration:underline" if k == chosen.k else "" for k in chosen.ks}
    head = "".join(f"<th scope='col' style='{cell};{weight[k]}'>{k}</th>" for k in chosen.ks)
    lines = []
    for row in chosen.rows:
        marks = [
            f"<td style='{cell};background:rgba(0,114,178,{0.7 * row.shades.get(k, 0.0):.2f})'>"
            f"{'<strong>◯</strong>' if k == row.k else ''}</td>"
            for k in chosen.ks
        ]
        lines.append(f"<tr><th scope='row' style='text-align:left'>{text(row.words)}</th>{''.join(marks)}</tr>")
    said = f"<p><strong>{text(chosen.sentence)}</strong>; darker: better; ring: choice</p>"
    inside = f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(lines)}</tbody>"
    return f"{said}<div style='overflow-x:auto'><table>{inside}</table></div>"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    by, shown = value if isinstance(value, tuple) else (value, digits(value))
    kind = ' class="n"' if _is_number(by) and not isinstance(value, tuple) else ""
    return f'<td{kind} data-value="{text(by)}">{shown}</td>'


def digits(value: Any) -> str:
    """Return a value as a cell shows it: numbers with few digits, everything else as text."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    return f"{value:,}" if whole else text(cell_text(value, missing="–"))


def tabs(name: str, panels: Mapping[str, str], first: str) -> str:
    """Return panels of which a script shows one at a time; without a script, and on paper, all are shown."""
    chosen = first if first in panels else next(iter(panels))
    heads, bodies = [], []
    for i, (label, inside) in enumerate(panels.items()):
        begin = ' data-first="1"' if label == chosen else ""
        heads.append(
            f'<button type="button" role="tab" id="tab-{i}" aria-controls="panel-{i}"{begin}>{text(label)}</button>'
        )
        bodies.append(f'<div class="panel" role="tabpanel" id="panel-{i}" aria-labelledby="tab-{i}">{inside}</div>')
    return (
        f'<div class="tabs" role="tablist" aria-label="{text(name)}">{"".join(heads)}</div>'
        f'<div class="panels">{"".join(bodies)}</div>'
    )


def beside(*parts: str, kind: str = "") -> str:
    """Return parts of a page side by side, or below each other if there is no room."""
    inside = "".join(f"<div>{part}</div>" for part in parts if part)
    return f'<div class="beside {kind}">{inside}</div>' if inside else ""


def svg_figure(display: Display, words: str) -> str:
    """Return a drawn display as SVG inside the page, with a description; the same picture gives the same bytes."""
    import matplotlib as mpl

    buffer = io.StringIO()
    plain = {"svg.fonttype": "none", "svg.hashsalt": "graphens", "font.family": "sans-serif"}
    with mpl.rc_context(plain | {"image.composite_image": False}):
        metadata = {"Date": None, "Creator": None}
        display.figure_.savefig(buffer, format="svg", metadata=metadata, transparent=True)
    pyplot().close(display.figure_)
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)  # licenses of nothing, addresses of others
    svg = re.sub(r' xmlns(:xlink)?="[^"]*"', "", svg)  # inside a page the browser knows
    svg = svg.replace("xlink:href", "href")
    svg = re.sub(r' id="(cluster|frame)-(-?\d+)[^"]*"', r' data-\1="\2"', svg)  # several pictures have them
    svg = re.sub(r' id="(shade)-[^"]*"', r' class="\1"', svg)
    svg = re.sub(r' id="(caption|legend|[a-zA-Z0-9.]+_\d+)"', "", svg)
    for shade, name in _INKS.items():
        svg = svg.replace(f": {shade}", f": var(--{name})")
    # a page may shrink a picture, but it must stay readable
    wide = re.search(r'width="([\d.]+pt)"', svg)
    style = f' style="--wide: {wide[1]}"' if wide else ""
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{text(words)}"{style}', 1)
    return f"<figure>{svg}<figcaption><span>{text(words)}</span></figcaption></figure>"
