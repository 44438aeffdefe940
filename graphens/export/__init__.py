"""Exports and imports: one module per format, and `write`, which chooses the format by the file ending."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._lib.arrays import as_path
from ..errors import InputError, TypeMismatch
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..trees.dendrogram import Dendrogram
from .annotate import Given
from .edge_list import read_edge_list, write_edge_list
from .gexf import read_gexf, write_gexf
from .gml import read_gml, write_gml
from .graphml import read_graphml, write_graphml
from .hif import read_hif, write_hif
from .metis_files import read_hmetis, read_metis, write_hmetis, write_metis
from .newick import write_newick
from .pajek import read_pajek, write_pajek

__all__ = ["FORMATS", "read_graph", "write", "writer"]

Writer = Callable[..., None]


@dataclass(frozen=True)
class Format:
    """What writes and what reads a file, and what it can hold.

    `attributes` says whether vertices have attributes such as clusters, `directed` whether edges may have a direction,
    and `named` whether the weights of edges have a name.
    """

    write: Any = None
    read: Any = None
    attributes: bool = True
    directed: bool = False
    named: bool = True


#: for each kind of value, the formats by the ending of the file
FORMATS: Mapping[type, Mapping[str, Format]] = {
    Graph: {
        ".graphml": Format(write_graphml, read_graphml, directed=True),
        ".gexf": Format(write_gexf, read_gexf, directed=True),
        ".gml": Format(write_gml, read_gml, directed=True),
        ".net": Format(write_pajek, read_pajek, directed=True, named=False),
        ".graph": Format(write_metis, read_metis, attributes=False, named=False),
        ".csv": Format(write_edge_list, read_edge_list),
        ".tsv": Format(write_edge_list, read_edge_list),
        ".txt": Format(read=read_edge_list),
        ".parquet": Format(write_edge_list, read_edge_list),
    },
    Hypergraph: {".hgr": Format(write_hmetis, read_hmetis, attributes=False), ".hif.json": Format(write_hif, read_hif)},
    Dendrogram: dict.fromkeys((".nwk", ".newick"), Format(write_newick, attributes=False)),
}


def write(value: Graph | Hypergraph | Dendrogram, path: str | Path, *, consensus: Given | None = None) -> None:
    """Write a graph, a hypergraph or a dendrogram (.nwk, .newick); the file ending determines the format.

    See `Graph.write`; `consensus` is a Consensus, an `Answer`, or one label per object.
    """
    put = writer(type(value), path, answers=consensus is not None)
    put(value, path) if consensus is None else put(value, path, consensus=consensus)


def read_graph(path: str | os.PathLike[str], *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Read a graph from a file; the file ending determines the format. Tables and .graph files are undirected."""
    ending, form = _format(Graph, path, "to read a graph from", "read")
    options: dict[str, Any] = {"symmetrize": symmetrize} if form.directed else {}
    if form.named:
        options["weight"] = weight
    elif weight != "weight":
        because = f", but {ending} files have no names for weights"
        raise InputError.about("weight", weight, because=because, advice="Leave weight out.")
    graph: Graph = form.read(path, **options)
    return graph


def read_hypergraph(path: str | Path) -> Hypergraph:
    """Read a hypergraph from a file; the file ending determines the format."""
    h: Hypergraph = _format(Hypergraph, path, "to read a hypergraph from", "read")[1].read(path)
    return h


def writer(kind: type, path: str | Path, *, answers: bool = False) -> Writer:
    """Return the writer for this kind of value and file; with `answers`, it must take ``consensus=``."""
    base = next((base for base in FORMATS if issubclass(kind, base)), None)
    if base is None:
        names = ", ".join(base.__name__ for base in FORMATS)
        raise TypeMismatch(f"A {kind.__name__} was given; expected one of {names}.")
    ending, form = _format(base, path, f"for a {base.__name__.lower()}", "write")
    if answers and not form.attributes:
        able = [other for other, one in FORMATS[base].items() if one.attributes and one.write]
        advice = f"expected a file ending in {', '.join(able)}" if able else "leave the consensus out"
        raise InputError(f"{str(path)!r} was given, but {ending} files cannot store the consensus; {advice}.")
    put: Writer = form.write
    return put


def _format(kind: type, path: str | os.PathLike[str], purpose: str, job: str) -> tuple[str, Format]:
    """The ending of a file that a kind of value can be read from or written to, and its format."""
    name = str(as_path(path)).lower()
    able = {ending: form for ending, form in FORMATS[kind].items() if getattr(form, job)}
    ending = next((ending for ending in able if name.endswith(ending)), None)
    if ending is None:
        raise InputError(f"{str(path)!r} was given {purpose}; expected a file ending in {', '.join(able)}.")
    return ending, able[ending]
