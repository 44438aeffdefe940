"""The files of METIS (.graph) and hMETIS (.hgr), which Mt-KaHyPar and KaHIP read too."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .._arrays import AnyArray, IntArray
from ..core.graph import Graph
from ..core.hypergraph import Hypergraph
from ._atomic import atomic
from ._text import loss
from ._whole import number_lines, whole_weights


def write_metis(graph: Graph, path: str | Path) -> None:
    """Write a graph for METIS: a line for each vertex with its weight, its neighbours and the weights of those edges.

    Weights are whole numbers there: other weights are multiplied by a power of ten that a comment line names, and
    edge weights are at least 1. The format has no place for names and roles; vertices are numbered from 1.
    """
    a = graph.adjacency
    weights, vertex_factor = whole_weights(graph.vertex_weights, 0)
    edges, edge_factor = whole_weights(a.data, 1)
    ends = np.column_stack([a.indices.astype(np.int64) + 1, edges]).ravel()
    with atomic(path) as file:
        file.write(_comments(edge=edge_factor, vertex=vertex_factor))
        file.write(f"{graph.n_vertices} {a.nnz // 2} 11\n".encode())
        file.writelines(number_lines(*_led_by(weights, ends, 2 * np.diff(a.indptr).astype(np.int64))))


def write_hmetis(hypergraph: Hypergraph, path: str | Path) -> None:
    """Write a hypergraph for hMETIS: a line for each hyperedge with its weight and vertices, then the vertex weights.

    Weights are whole numbers there: other weights are multiplied by a power of ten that a comment line names, and
    hyperedge weights are at least 1. The format has no place for names, partitions, counts and empty hyperedges;
    vertices are numbered from 1.
    """
    members = hypergraph.incidence.tocsc()
    sizes = np.diff(members.indptr).astype(np.int64)
    held = sizes > 0
    if not held.all():
        loss(f"{np.count_nonzero(~held)} hyperedges without vertices are left out: .hgr cannot hold them.")
    if (members.data != 1).any():
        loss("The counts of the incidences are left out: .hgr holds only which vertices a hyperedge has.")
    edges, edge_factor = whole_weights(hypergraph.hyperedge_weights[held], 1)
    weights, vertex_factor = whole_weights(hypergraph.vertex_weights, 0)
    with atomic(path) as file:
        file.write(_comments(hyperedge=edge_factor, vertex=vertex_factor))
        file.write(f"{edges.size} {hypergraph.n_vertices} 11\n".encode())
        file.writelines(number_lines(*_led_by(edges, members.indices.astype(np.int64) + 1, sizes[held])))
        file.writelines(number_lines(weights, np.ones_like(weights)))


def _led_by(first: IntArray, rest: IntArray, lengths: IntArray) -> tuple[IntArray, AnyArray]:
    """Put one number before each line of the rest; return all numbers and the new lengths of the lines."""
    starts = np.cumsum(lengths) - lengths
    return np.insert(rest, starts, first), lengths + 1


def _comments(**factors: float) -> bytes:
    lines = [f"% {what} weights were multiplied by {factor:g}\n" for what, factor in factors.items()]
    return "".join(lines).encode()
