"""Exports and imports: one module per format, and `write`, which chooses the format by the file ending."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from .._lib.arrays import as_path
from ..errors import InputError, TypeMismatch
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.ensemble import Ensemble
from ..trees.dendrogram import Dendrogram
from .annotate import Given
from .archive import save
from .edge_list import read_edge_list, write_edge_list
from .gexf import read_gexf, write_gexf
from .gml import read_gml, write_gml
from .graphml import read_graphml, write_graphml
from .hif import read_hif, write_hif
from .metis_files import read_hmetis, read_metis, write_hmetis, write_metis
from .newick import write_newick
from .pajek import read_pajek, write_pajek

__all__ = ["READERS", "WRITERS", "read_graph", "write", "writer"]

Writer = Callable[..., None]

#: for each kind of value, the endings it can be written to
WRITERS: Mapping[type, Mapping[str, Writer]] = {
    Graph: {
        ".graphml": write_graphml,
        ".gexf": write_gexf,
        ".gml": write_gml,
        ".net": write_pajek,
        ".graph": write_metis,
        ".csv": write_edge_list,
        ".tsv": write_edge_list,
        ".parquet": write_edge_list,
    },
    Hypergraph: {".hgr": write_hmetis, ".hif.json": write_hif},
    Dendrogram: {".nwk": write_newick, ".newick": write_newick},
    Ensemble: {".npz": save},
}


#: endings of the files that graphs are read from
READERS: Mapping[str, Callable[..., Graph]] = {
    ".graphml": read_graphml,
    ".gexf": read_gexf,
    ".gml": read_gml,
    ".net": read_pajek,
    ".graph": read_metis,
    ".csv": read_edge_list,
    ".tsv": read_edge_list,
    ".txt": read_edge_list,
    ".parquet": read_edge_list,
}
#: endings of the files that hypergraphs are read from
HYPERGRAPH_READERS: Mapping[str, Callable[[str | Path], Hypergraph]] = {".hgr": read_hmetis, ".hif.json": read_hif}
#: formats in which edges may have a direction
DIRECTED = frozenset({".graphml", ".gexf", ".gml", ".net"})
#: formats in which edges have a weight without a name
UNNAMED = frozenset({".net", ".graph"})
#: formats that hold nothing but the graph
BARE = frozenset({".graph", ".hgr", ".nwk", ".newick", ".npz"})


def write(
    value: Graph | Hypergraph | Dendrogram | Ensemble, path: str | Path, *, consensus: Given | None = None
) -> None:
    """Write a value to a file, either completely or not at all; the file ending determines the format.

    Parameters
    ----------
    value
        A graph (.graphml, .gexf, .gml, .net, .graph, .csv, .tsv, .parquet), a hypergraph (.hgr, .hif.json), a
        dendrogram (.nwk, .newick) or an ensemble (.npz).
    path
        The file; an existing file is replaced.
    consensus
        A Consensus, an `Answer`, or one label per object: vertices get its `cluster` and `confidence`, in every
        format of graphs and hypergraphs that holds attributes (not .graph and .hgr).
    """
    put = writer(type(value), path, answers=consensus is not None)
    put(value, path) if consensus is None else put(value, path, consensus=consensus)


def read_graph(path: str | os.PathLike[str], *, weight: str | None = "weight", symmetrize: bool = False) -> Graph:
    """Read a graph from a file; the file ending determines the format. Tables and .graph files are undirected."""
    ending = _ending(READERS, path, "to read a graph from")
    options: dict[str, Any] = {"symmetrize": symmetrize} if ending in DIRECTED else {}
    if ending not in UNNAMED:
        options["weight"] = weight
    elif weight != "weight":
        raise InputError.about("weight", weight, because=f", but {ending} files have no names for weights")
    return READERS[ending](path, **options)


def read_hypergraph(path: str | Path) -> Hypergraph:
    """Read a hypergraph from a file; the file ending determines the format."""
    return HYPERGRAPH_READERS[_ending(HYPERGRAPH_READERS, path, "to read a hypergraph from")](path)


def writer(kind: type, path: str | Path, *, answers: bool = False) -> Writer:
    """Return the writer for this kind of value and file; with `answers`, it must take ``consensus=``."""
    endings = next((endings for known, endings in WRITERS.items() if issubclass(kind, known)), None)
    if endings is None:
        raise TypeMismatch(
            f"A {kind.__name__} was given; expected one of {', '.join(known.__name__ for known in WRITERS)}."
        )
    ending = _ending(endings, path, f"for a {_name(kind)}")
    if answers and ending in BARE:
        able = [other for other in endings if other not in BARE]
        raise InputError(
            f"{str(path)!r} was given, but {ending} files cannot store the consensus; "
            + (f"expected a file ending in {', '.join(able)}." if able else "leave the consensus out.")
        )
    return endings[ending]


def _ending(endings: Mapping[str, Any], path: str | os.PathLike[str], purpose: str) -> str:
    """The longest of the endings that fits."""
    path = as_path(path)
    fitting = [ending for ending in endings if str(path).lower().endswith(ending)]
    if not fitting:
        raise InputError(f"{str(path)!r} was given {purpose}; expected a file ending in {', '.join(endings)}.")
    return max(fitting, key=len)


def _name(kind: type) -> str:
    """The name of a kind of value in WRITERS; a co-association graph is written like any graph."""
    return next(known.__name__.lower() for known in WRITERS if issubclass(kind, known))
