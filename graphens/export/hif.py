"""The Hypergraph Interchange Format, read by XGI, HyperNetX and Hypergraphs.jl."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import FloatArray, of_kind
from .._lib.files import atomic
from ..errors import InputError
from ..graphs.hypergraph import Hypergraph
from ..labels.names import Names
from ._text import identifiers, parsing
from .annotate import Given, on_hypergraph


def to_hif(h: Hypergraph, consensus: Given | None = None) -> dict[str, Any]:
    """Return a hypergraph as a dictionary ready for JSON, see `Hypergraph.to_hif`.

    Weights are in their regular place and again under `attrs`, next to `name` and the `partition` of a hyperedge,
    because XGI keeps only `attrs`.
    """
    nodes, edges = identifiers(h.vertex_names), identifiers(h.hyperedge_names)
    origin: list[dict[str, Any]] = [{"partition": t} if t >= 0 else {} for t in h.partition.tolist()]
    on_nodes: list[dict[str, Any]] = [{}] * h.n_vertices
    on_edges = origin
    if consensus is not None:
        on_nodes, placed = (_rows(one.columns(consensus)) for one in on_hypergraph(h, consensus))
        on_edges = [a | b for a, b in zip(origin, placed, strict=True)]
    cells = h.incidence.tocsc().tocoo()
    counted = bool((cells.data != 1).any())
    return {
        "network-type": "undirected",
        "incidences": [
            {"edge": edges[e], "node": nodes[v]} | ({"weight": count, "attrs": {"weight": count}} if counted else {})
            for e, v, count in zip(cells.col.tolist(), cells.row.tolist(), cells.data.tolist(), strict=True)
        ],
        "nodes": _records("node", nodes, h.vertex_weights, h.vertex_names, on_nodes),
        "edges": _records("edge", edges, h.hyperedge_weights, h.hyperedge_names, on_edges),
    }


def _rows(columns: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _records(
    kind: str, ids: Sequence[Any], weights: FloatArray, names: Names, more: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    return [
        {kind: one, "weight": weight, "attrs": {"weight": weight, "name": name} | attrs}
        for one, weight, name, attrs in zip(ids, weights.tolist(), names.texts(), more, strict=True)
    ]


def from_hif(document: Mapping[str, Any]) -> Hypergraph:
    """Read a document of the Hypergraph Interchange Format, such as `to_hif`, XGI and HyperNetX make.

    Vertices and hyperedges are in the order in which they are listed, followed by those that occur only in incidences.
    Names and weights are those under `attrs`, if there are any. Directions are ignored.
    """
    of_kind("document", document, Mapping, "a document in the Hypergraph Interchange Format")
    cells = document.get("incidences", ())
    nodes = _listed(document.get("nodes", ()), cells, "node")
    edges = _listed(document.get("edges", ()), cells, "edge")
    rows, columns = ([place[cell[kind]] for cell in cells] for kind, place in (("node", nodes[0]), ("edge", edges[0])))
    weights = [float(cell.get("weight", cell.get("attrs", {}).get("weight", 1.0))) for cell in cells]
    shape = len(nodes[0]), len(edges[0])
    return Hypergraph(
        sparse.coo_array((weights, (np.array(rows, dtype=int), np.array(columns, dtype=int))), shape=shape),
        vertex_weights=[float(attrs.get("weight", 1.0)) for attrs in nodes[1]],
        hyperedge_weights=[float(attrs.get("weight", 1.0)) for attrs in edges[1]],
        partition=np.array([attrs.get("partition", -1) for attrs in edges[1]], dtype=np.int64),
        vertex_names=_names(*nodes),
        hyperedge_names=_names(*edges),
    )


Listed = tuple[dict[Any, int], list[dict[str, Any]]]  # the place of every id, and the attributes in that order


def _listed(records: Iterable[Mapping[str, Any]], cells: Iterable[Mapping[str, Any]], kind: str) -> Listed:
    place: dict[Any, int] = {}
    attributes: list[dict[str, Any]] = []
    for record in records:
        if record[kind] in place:
            raise InputError(f"the {kind} {record[kind]!r} is listed twice.")
        place[record[kind]] = len(place)
        weight = {key: record[key] for key in ("weight",) if key in record}
        attributes.append(weight | dict(record.get("attrs", {})))
    for cell in cells:
        if cell[kind] not in place:
            place[cell[kind]] = len(place)
            attributes.append({})
    return place, attributes


def _names(place: dict[Any, int], attributes: list[dict[str, Any]]) -> list[Any]:
    return [attrs.get("name", key) for key, attrs in zip(place, attributes, strict=True)]


def read_hif(path: str | Path) -> Hypergraph:
    """Read a hypergraph from a HIF file (.hif.json)."""
    with parsing(path, "a hypergraph in HIF"):
        return from_hif(json.loads(Path(path).read_text(encoding="utf-8")))


def write_hif(h: Hypergraph, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a hypergraph as HIF (.hif.json)."""
    text = json.dumps(to_hif(h, consensus), ensure_ascii=False, separators=(",", ":"))
    with atomic(path, text=True) as file:
        file.write(text)
