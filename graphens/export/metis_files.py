"""The file formats of METIS (.graph) and hMETIS (.hgr), which Mt-KaHyPar and KaHIP also read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from .._lib.arrays import AnyArray, FloatArray, IntArray
from .._lib.files import atomic
from ..errors import InputError
from ..graphs.graph import Graph
from ..graphs.hypergraph import Hypergraph
from ._text import loss, parsing
from .packages import assembled

#: programs built with 32-bit integers must be able to add up all weights
LARGEST_TOTAL = 2**31 - 1
_AT_ONCE = 2**20  # numbers turned into text at a time


def write_metis(graph: Graph, path: str | Path) -> None:
    """Write a graph for METIS: a line for each vertex with its weight, its neighbors and the weights of those edges.

    Weights are whole numbers in this format: other weights are multiplied by a power of ten, which a comment line
    states, and edge weights are at least 1. Names and roles are not stored; vertices are numbered from 1.
    """
    a = graph.adjacency
    weights, vertex_factor = to_whole_weights(graph.vertex_weights, 0)
    edges, edge_factor = to_whole_weights(a.data, 1)
    ends = np.column_stack([a.indices.astype(np.int64) + 1, edges]).ravel()
    with atomic(path) as file:
        file.write(_comments(edge=edge_factor, vertex=vertex_factor))
        file.write(f"{graph.n_vertices} {a.nnz // 2} 11\n".encode())
        file.writelines(number_lines(*_led_by(weights, ends, 2 * np.diff(a.indptr).astype(np.int64))))


def read_metis(path: str | Path) -> Graph:
    """Read a METIS graph; weights that `write_metis` multiplied are divided again."""
    with parsing(path, "a METIS graph"):
        text, (head, *lines) = _lines(path)
        n, m, *kind = head.split()
        flags = (kind[0] if kind else "0").zfill(3)
        if len(lines) < int(n) or any(line.strip() for line in lines[int(n) :]):
            raise InputError(f"{len(lines)} vertex lines were found, but the header announces {n}.")
        skipped = (flags[0] == "1") + (int(kind[1]) if len(kind) > 1 else 1) * (flags[1] == "1")
        rows = [np.array(line.split(), dtype=np.int64) for line in lines[: int(n)]]
        ends = [row[skipped:].reshape(-1, 2 if flags[2] == "1" else 1) for row in rows]
        source = np.repeat(np.arange(len(ends)), [len(pairs) for pairs in ends])
        both = np.concatenate([np.empty((0, 1 + (flags[2] == "1")), dtype=np.int64), *ends])
        if len(both) != 2 * int(m) or (len(both) and not 1 <= both[:, 0].min() <= both[:, 0].max() <= int(n)):
            raise InputError(f"{len(both) / 2:g} edges between {n} vertices were found, but the header announces {m}.")
        strength = both[:, 1] / _factor(text, "edge") if flags[2] == "1" else np.ones(len(both))
        once = source < both[:, 0] - 1
        heavy = [row[skipped - 1] / _factor(text, "vertex") for row in rows] if flags[1] == "1" else None
        fields = {"names": None, "vertex_weights": heavy}
        return assembled(np.column_stack([source, both[:, 0] - 1, strength])[once], fields, int(n))


def _lines(path: str | Path) -> tuple[str, list[str]]:
    """A text and its lines without comments; numbers with an underscore, which Python reads over, are refused."""
    text = Path(path).read_text(encoding="ascii")
    lines = [line for line in text.split("\n") if not line.startswith("%")]
    if any("_" in line for line in lines):
        raise InputError("there is a number with an underscore; expected digits.")
    return text, lines


def _factor(text: str, what: str) -> float:
    """The factor by which weights were multiplied, according to a comment."""
    comment = re.search(rf"^% {what} weights were multiplied by (\S+)$", text, re.MULTILINE)
    return float(comment[1]) if comment else 1.0


def write_hmetis(hypergraph: Hypergraph, path: str | Path) -> None:
    """Write a hypergraph for hMETIS: a line for each hyperedge with its weight and vertices, then the vertex weights.

    Weights are whole numbers in this format: other weights are multiplied by a power of ten, which a comment line
    states, and hyperedge weights are at least 1. Names, partitions, counts and empty hyperedges are not stored;
    vertices are numbered from 1.
    """
    members = hypergraph.incidence.tocsc()
    sizes = np.diff(members.indptr).astype(np.int64)
    held = sizes > 0
    if not held.all():
        loss(f"{np.count_nonzero(~held)} hyperedges without vertices are left out: .hgr cannot hold them.")
    if (members.data != 1).any():
        loss("The counts of the incidences are left out: .hgr stores only which vertices a hyperedge contains.")
    edges, edge_factor = to_whole_weights(hypergraph.hyperedge_weights[held], 1)
    weights, vertex_factor = to_whole_weights(hypergraph.vertex_weights, 0)
    with atomic(path) as file:
        file.write(_comments(hyperedge=edge_factor, vertex=vertex_factor))
        file.write(f"{edges.size} {hypergraph.n_vertices} 11\n".encode())
        file.writelines(number_lines(*_led_by(edges, members.indices.astype(np.int64) + 1, sizes[held])))
        file.writelines(number_lines(weights, np.ones_like(weights)))


def read_hmetis(path: str | Path) -> Hypergraph:
    """Read an hMETIS hypergraph; weights that `write_hmetis` multiplied are divided again."""
    with parsing(path, "an hMETIS hypergraph"):
        text, every = _lines(path)
        head, *lines = filter(str.strip, every)
        m, n, *kind = head.split()
        flags = (kind[0] if kind else "0").zfill(2)
        weighted, heavy = flags[-1] == "1", flags[-2] == "1"
        expected = int(m) + int(n) * heavy
        if len(lines) != expected:
            raise InputError(f"{len(lines)} lines were found, but the header announces {expected}.")
        rows = [np.array(line.split(), dtype=np.int64) for line in lines[: int(m)]]
        pins = [row[weighted:] - 1 for row in rows]
        ends = np.concatenate([np.empty(0, dtype=np.int64), *pins])
        if ends.size and not 0 <= ends.min() <= ends.max() < int(n):
            raise InputError(f"a hyperedge has vertex {int(ends.max()) + 1}; expected vertices from 1 to {n}.")
        columns = np.repeat(np.arange(int(m)), [len(each) for each in pins])
        weights = [row[0] / _factor(text, "hyperedge") for row in rows] if weighted else None
        vertex_weights = [int(line) / _factor(text, "vertex") for line in lines[int(m) :]] if heavy else None
        cells = sparse.coo_array((np.ones(ends.size), (ends, columns)), shape=(int(n), int(m)))
        return Hypergraph(cells, vertex_weights=vertex_weights, hyperedge_weights=weights)


def _led_by(first: IntArray, rest: IntArray, lengths: IntArray) -> tuple[IntArray, AnyArray]:
    """Put one number before each line of the rest; return all numbers and the new lengths of the lines."""
    starts = np.cumsum(lengths) - lengths
    return np.insert(rest, starts, first), lengths + 1


def _comments(**factors: float) -> bytes:
    lines = [f"% {what} weights were multiplied by {factor:g}\n" for what, factor in factors.items()]
    return "".join(lines).encode()


def to_whole_weights(weights: FloatArray, lowest: int) -> tuple[IntArray, float]:
    """Turn weights into whole numbers of at least `lowest`; return them and the factor they were multiplied by.

    Whole numbers are unchanged. Others are multiplied by the power of ten that gives the largest of them five digits.
    In both cases, the factor is divided by ten until the total fits in 32 bits.
    """
    largest = float(weights.max(initial=0.0))
    whole = largest == 0 or bool((weights == np.rint(weights)).all())
    power = 0 if whole else min(4 - math.floor(math.log10(largest)), 300)
    allowed = max(LARGEST_TOTAL, lowest * weights.size)
    with np.errstate(over="ignore"):
        while np.maximum(weights * 10.0**power, lowest).sum() > allowed:
            power -= 1
    return np.maximum(np.rint(weights * 10.0**power), lowest).astype(np.int64), 10.0**power


def number_lines(numbers: IntArray, lengths: AnyArray) -> Iterator[bytes]:
    """Yield text with the numbers separated by spaces, in lines of the given lengths; no Python loop per number."""
    ends = np.zeros(numbers.size, dtype=bool)
    filled = np.cumsum(lengths)
    ends[filled[lengths > 0] - 1] = True
    for start in range(0, numbers.size, _AT_ONCE):
        piece = slice(start, start + _AT_ONCE)
        digits = numbers[piece].astype("S20").view(np.uint8).reshape(-1, 20)
        breaks = np.where(ends[piece], ord("\n"), ord(" ")).astype(np.uint8)
        table = np.concatenate([digits, breaks[:, None]], axis=1)
        yield table[table != 0].tobytes()
