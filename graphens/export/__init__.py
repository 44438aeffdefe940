"""Leaving the library: one small file per outside format, and `write`, which chooses among them by ending."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..core.dendrogram import Dendrogram
from ..core.ensemble import Ensemble
from ..core.graph import Graph
from ..core.hypergraph import Hypergraph
from ..errors import InputError, TypeMismatch
from .archive import save_ensemble
from .edge_list import write_edge_list
from .gexf import write_gexf
from .gml import write_gml
from .graphml import write_graphml
from .hif import write_hif
from .metis import write_hmetis, write_metis
from .pajek import write_pajek
from .trees import write_newick

__all__ = ["WRITERS", "write", "writer"]

Writer = Callable[[Any, str | Path], None]

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
    Ensemble: {".npz": save_ensemble},
}


def write(value: Graph | Hypergraph | Dendrogram | Ensemble, path: str | Path) -> None:
    """Write a value to a file, whole or not at all; the ending chooses the format.

    Parameters
    ----------
    value
        A graph (.graphml, .gexf, .gml, .net, .graph, .csv, .tsv, .parquet), a hypergraph (.hgr, .hif.json), a
        dendrogram (.nwk, .newick) or an ensemble (.npz).
    path
        Where to; an existing file is replaced.
    """
    writer(type(value), path)(value, path)


def writer(kind: type, path: str | Path) -> Writer:
    """Return what writes this kind of value to such a file: the longest ending that fits."""
    endings = next((endings for known, endings in WRITERS.items() if issubclass(kind, known)), None)
    if endings is None:
        raise TypeMismatch(
            f"A {kind.__name__} was given; expected one of {', '.join(known.__name__ for known in WRITERS)}."
        )
    fitting = [ending for ending in endings if str(path).lower().endswith(ending)]
    if not fitting:
        raise InputError(
            f"{str(path)!r} was given for a {_name(kind)}; expected a file ending in {', '.join(endings)}."
        )
    return endings[max(fitting, key=len)]


def _name(kind: type) -> str:
    """What the value is called in WRITERS: a co-association graph is a graph to everybody who writes it."""
    return next(known.__name__.lower() for known in WRITERS if issubclass(kind, known))
