"""Pajek networks, written without networkx, whose writer loses numbers and fails on quotes."""

from __future__ import annotations

import re
from itertools import repeat
from pathlib import Path

import numpy as np

from .._lib.files import atomic
from .._lib.memory import require
from ..errors import InputError
from ..graphs.graph import Graph
from ._text import parsing, without
from .annotate import Given, edge_columns, row_texts, vertex_columns
from .packages import assembled, check_undirected, vertex_fields
from .table_files import as_number

_SHAPES = ("ellipse", "box")
_VERTEX = re.compile(r'\s*(\d+)(?:\s+(?:"([^"]*)"|(\S+)))?(.*)')
_UNHELD = re.compile(r'["\\]|[\x00-\x1f\x7f-\x9f\u2028\u2029]')


def write_pajek(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a graph as a Pajek network (.net), vertices numbered from 1.

    Names are the labels, and edge weights are the edge values. Objects are ellipses and clusters are boxes; `role`,
    `weight`, `bipartite` and, with a consensus, `cluster` and `confidence` are additional parameters of a vertex, and
    `matched` is one of an edge; networkx and igraph read them as text. A label cannot hold double quotes, backslashes
    or line breaks: they become ', / and a space. networkx identifies vertices by label and merges those with the same
    label; Pajek and igraph use numbers.
    """
    columns = vertex_columns(graph, consensus)
    held = {'"': "'", "\\": "/"}
    names = without(_UNHELD, lambda found: held.get(found[0], " "), columns.pop("name"), "a Pajek label")
    further = row_texts(columns, lambda key, value: f" {key} {value}")
    source, target, values = edge_columns(graph)
    weight = values.pop("weight")
    marks = row_texts(values, lambda key, value: f" {key} {value!r}") if values else repeat("", len(weight))
    with atomic(path, text=True) as file:
        file.write(f"*Vertices {graph.n_vertices}\n")
        for i, (name, role, rest) in enumerate(zip(names, graph.roles, further, strict=True), start=1):
            file.write(f'{i} "{name}" 0.0 0.0 {_SHAPES[role]}{rest}\n')
        file.write("*Edges\n")
        for i, j, w, rest in zip(source, target, weight, marks, strict=True):
            file.write(f"{i + 1} {j + 1} {w!r}{rest}\n")


def read_pajek(path: str | Path, *, symmetrize: bool = False) -> Graph:
    """Read the vertices, the edges and, if directions may be ignored, the arcs of a Pajek network."""
    # networkx joins vertices of the same name, igraph rounds weights
    with parsing(path, "a Pajek network"):
        sections = _sections(Path(path).read_text(encoding="utf-8-sig"))
        check_undirected(directed=bool(sections.get("*arcs", [])[1:]), symmetrize=symmetrize)
        strange = set(sections) - {"*vertices", "*edges", "*arcs"}
        if strange or "*vertices" not in sections:
            raise InputError(f"its parts are {', '.join(sections)}; expected *Vertices and *Edges.")
        head, *lines = sections["*vertices"]
        rows = [row for part in ("*edges", "*arcs") for row in sections.get(part, [])[1:]]
        n = as_number(head.split()[0], int)
        require(200.0 * n, f"A graph of {n} vertices", "Correct the number after *Vertices")
        if len(lines) > n:
            raise InputError(f"{len(lines)} vertices are listed, but the header announces {n}.")
        edges = [
            [as_number(a, int) - 1, as_number(b, int) - 1, as_number(w[0]) if w else 1.0]
            for a, b, *w in map(str.split, rows)
        ]
        ends = np.array([row[:2] for row in edges], dtype=np.int64)
        if ends.size and (ends.min() < 0 or ends.max() >= n):
            raise InputError(f"an edge leads to vertex {ends.max() + 1} of {n}.")
        return assembled(edges, vertex_fields(*_vertices(lines, n)), n)


def _sections(text: str) -> dict[str, list[str]]:
    """The lines of each section, beginning with the rest of its heading, without comments and empty lines."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith("*"):
            heading, _, rest = line.strip().partition(" ")
            lines = sections.setdefault(heading.lower(), [rest])
        elif line.strip() and not line.startswith("%"):
            lines.append(line)
    return sections


def _vertices(lines: list[str], n: int) -> tuple[dict[str, list[str | None]], list[str]]:
    """The additional parameters of all vertices by name, and their labels; unlisted vertices are named by number."""
    labels = [str(i + 1) for i in range(n)]
    columns: dict[str, list[str | None]] = {key: [None] * n for key in ("role", "weight", "bipartite")}
    for line in lines:
        number, quoted, bare, rest = _VERTEX.match(line).groups()  # type: ignore[union-attr]
        i = int(number) - 1
        labels[i] = bare or quoted or ""
        words = rest.split()
        for key, values in columns.items():
            if key in words[:-1]:
                values[i] = words[words.index(key) + 1]
    return columns, labels
