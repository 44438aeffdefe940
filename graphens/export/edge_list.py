"""Edge lists as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, warn
from ..graphs.graph import ROLES, Graph
from ._text import clipped, identifiers, loss, parsing
from .annotate import Given, edge_columns, on_graph
from .packages import assembled, edge_weights, vertex_fields
from .table_files import Table, as_number, decimal_mark, is_number, read_table, with_points, write_table

#: what headers call the two ends of an edge
_ENDS = frozenset({("from", "to"), ("src", "dst"), ("u", "v"), ("i", "j"), ("node1", "node2"), ("vertex1", "vertex2")})


def write_edge_list(graph: Graph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write the edges as a table (.csv, .tsv, .parquet): source, target, weight, source_role, target_role.

    With a consensus, the columns source_cluster, target_cluster, source_confidence and target_confidence follow.

    Vertices are given by name or, if several have the same name, by the numbers 0, 1, …, with a warning. Vertex weights
    are not stored, and neither are vertices without edges, which are counted in a warning.
    """
    source, target, _ = graph.edges()
    lonely = graph.n_vertices - np.unique(np.concatenate([source, target])).size
    if lonely:
        loss(f"{lonely} of {graph.n_vertices} vertices have no edge and are left out: an edge list cannot hold them.")
    names = np.array(identifiers(graph.names), dtype=object)
    if names.size and not isinstance(names[0], str):
        loss("Some vertices share a name; the edge list has their numbers (0, 1, …) instead of names.")
    shown = {"role": np.array(ROLES, dtype=object)[graph.roles]}
    if consensus is not None:
        placed = on_graph(graph, consensus).columns(consensus)
        shown |= {key: np.array(values, dtype=object) for key, values in placed.items()}
    ends: dict[str, Any] = {"source": names[source], "target": names[target], **edge_columns(graph)[2]}
    for key, values in shown.items():
        ends |= {f"source_{key}": values[source], f"target_{key}": values[target]}
    write_table(ends, path)


def read_edge_list(path: str | Path, *, weight: str | None = "weight") -> Graph:
    """Read a table with the columns source, target and, if present, weight, source_role and target_role.

    Without those names, the first two columns are the ends and, unless `weight` names another, a third one is the
    weight. The first line is a header if it says "from, to" or the like, has a word above numbers, or two words that no
    other line has, with a warning. Lines at the top that begin with # or % are ignored.
    Vertices are in the order in which they first occur among the sources, then among the targets.
    """
    with parsing(path, "an edge list"):
        table = read_table(path, strip=False, is_header=_headed, comments="#%")
        source, target, weights = _edges(table, weight)
        ends = [*source, *target]
        place = {name: i for i, name in enumerate(dict.fromkeys(ends))}
        index = [place[name] for name in ends]
        m = len(source)
        roles = dict(zip(ends, (*table.get("source_role", ()), *table.get("target_role", ())), strict=False))
        fields = vertex_fields({"role": [roles.get(name) for name in place]}, list(place))
        return assembled(list(zip(index[:m], index[m:], weights, strict=True)), fields, len(place))


def _headed(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first line is a header: usual names for the ends of edges, a word above numbers, or strange names."""
    first = [cell.strip().lower() for cell in rows[0]]
    if {"source", "target"} <= set(first) or tuple(first[:2]) in _ENDS:
        return True
    words = [j for j, cell in enumerate(first[:3]) if not is_number(cell)]
    if len(rows) > 1 and any(all(is_number(row[j]) for row in rows[1:]) for j in words):
        return True
    ends = {cell.strip().lower() for row in rows[1:] for cell in row[:2]}
    if len(rows) < 4 or len(first) < 2 or len(words) < 2 or not ends.isdisjoint(first[:2]):
        return False
    what = f"The first line, {clipped(', '.join(rows[0]))}, was read as a header"
    advice = "If it is an edge, put a header above it: source, target"
    warn(f"{what}, because no other edge has these names. {advice}.")
    return True


def _edges(table: Table, weight: str | None) -> tuple[list[Any], list[Any], list[float]]:
    """Both ends and the weight of every edge; names are kept unchanged only in tables that graphens wrote."""
    columns = list(table)
    if len(columns) < 2:
        raise InputError("it has one column; expected two with the ends of the edges, and a third with weights.")
    usual = {"source", "target"} <= set(table)
    ends = ["source", "target"] if usual else columns[:2]
    mark = decimal_mark(table)
    others = {name: with_points(table[name], mark) for name in columns if name not in ends}
    if weight == "weight" and not usual and others:
        weight = next((name for name in others if name.strip().lower() == "weight"), columns[2])
    source, target = (
        [cell if "source_role" in table else _end(cell, row) for row, cell in enumerate(table[name])] for name in ends
    )
    weights = edge_weights(others, weight, len(source))
    return source, target, [_weight(cell, row) for row, cell in enumerate(weights)]


def _end(cell: Any, row: int) -> Any:
    name = cell.strip() if isinstance(cell, str) else cell
    if name is None or name != name or name == "":
        raise InputError(f"edge {row} has no name at one of its ends; expected two names.")
    return name


def _weight(cell: Any, row: int) -> float:
    try:
        return as_number(cell)
    except (TypeError, ValueError):
        raise InputError(
            f"edge {row} weighs {clipped(str(cell))!r}, which is not a number; expected the ends of the edges in the "
            "first two columns and their weights in the third, or columns called source, target and weight."
        ) from None
