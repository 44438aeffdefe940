"""Read, check and repair the parts that partitioners return."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
from scipy import sparse

from .._lib.arrays import MISSING, AnyArray, FloatArray, LabelArray, as_labels, canonical
from ..errors import InputError, quote
from ..graphs.bipartite import bipartite
from ..graphs.graph import OBJECT, Graph
from ..graphs.hypergraph import Hypergraph
from ..labels.value import Value
from ..trees import link


def read_labels(answer: Any, n: int, what: str, source: str, names: Iterable[Any] | None = None) -> LabelArray:
    """Return the labels that an external function returned; `source` names the function in errors.

    Lists, arrays, and everything that `plain_answer` converts are accepted; with the names of the vertices also a
    mapping from vertices to labels, and the vertices of each community, as networkx returns them.
    """
    if answer is None:
        raise InputError(f"{source} returned nothing; expected one label for each of the {n} {what}.")
    answer = plain_answer(answer)
    if names is not None and isinstance(answer, Iterable) and not isinstance(answer, (str, Mapping, np.ndarray)):
        parts = list(answer)
        if parts and all(isinstance(part, Collection) and not isinstance(part, str) for part in parts):
            answer = {node: c for c, part in enumerate(parts) for node in part}
            if len(answer) < sum(len(set(part)) for part in parts):
                raise InputError(f"{source} returned communities that overlap; expected every vertex in at most one.")
        elif not isinstance(answer, Set):  # whose order says nothing
            answer = parts
    if names is not None and isinstance(answer, Mapping):
        answer = _labels_in_order(answer, list(names), source)
    try:
        return as_labels(answer, n, what)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{source} returned an invalid result. {error}") from error


def plain_answer(answer: Any) -> Any:
    """Return the labels of a `Partition`, a `Consensus`, or igraph's clustering or dendrogram; others unchanged."""
    if isinstance(answer, Value) and hasattr(answer, "labels"):
        return answer.labels
    answer = answer.as_clustering() if hasattr(answer, "as_clustering") else answer
    return getattr(answer, "membership", answer)


def _labels_in_order(label_of: Mapping[Any, Any], names: list[Any], source: str) -> list[Any]:
    """The labels in the order of the vertices, −1 if a vertex has none; vertices may be given by name or by number."""
    keys: Sequence[Any] = names if any(name in label_of for name in names) else range(len(names))
    vertices = set(keys)
    strange = [key for key in label_of if key not in vertices]
    if strange or not label_of:
        problem = f"a label for {quote(strange[0])}, which is not a vertex" if strange else "no label at all"
        raise InputError(f"{source} returned {problem}; expected labels of the vertices of the graph that it got.")
    return [label_of.get(key, MISSING) for key in keys]


def counted(graph: Graph | Hypergraph) -> AnyArray:
    """Return which vertices count in a part: the objects if the graph also has clusters, otherwise all vertices."""
    objects = graph.roles == OBJECT if isinstance(graph, Graph) else np.ones(graph.n_vertices, dtype=bool)
    return objects if objects.any() else ~objects


def pack(weights: FloatArray, k: int) -> LabelArray:
    """Put weighted items into k bins of similar weight: the heaviest first, each into the lightest bin.

    With at least k items, no bin stays empty. O(m log m).
    """
    order = np.argsort(-weights, kind="stable")
    bins = [(0.0, 0, j) for j in range(k)]  # weight, then number of things: zero weights spread out too
    bin_of = np.empty(len(weights), dtype=np.int32)
    for i in order.tolist():
        weight, size, j = bins[0]
        bin_of[i] = j
        heapq.heapreplace(bins, (weight + float(weights[i]), size + 1, j))
    return bin_of


def average_part(weights: FloatArray, k: int) -> float:
    """Return the mean weight of a part if each vertex heavier than that counts as a whole part."""
    # If the i heaviest vertices are parts of their own, the rest shares k − i parts. The first i whose next vertex fits
    # into such a part is the answer.
    falling = np.sort(weights / weights.max())[::-1]
    rest = falling[::-1].cumsum()[::-1]  # rest[i]: all but the i heaviest
    share = rest[:k] / np.arange(k, 0, -1)
    fits = np.flatnonzero(falling[:k] <= share * (1 + 1e-12))
    return float(share[fits[0]] * weights.max()) if fits.size else float(weights.max())


def n_parts(labels: LabelArray, inside: AnyArray) -> int:
    """Number of parts with at least one of the vertices that count."""
    return len(np.unique(labels[inside]))


def exactly(graph: Graph, labels: LabelArray, k: int | None) -> LabelArray:
    """Return the labeling with exactly k parts, each with a vertex that counts; with None, the parts are kept.

    Vertices of parts without such a vertex join their strongest neighbors. Too many parts are merged by average
    link of the edge weights between them; too few are filled with the most loosely attached vertices of the
    largest parts.
    """
    inside = counted(graph)
    parts = _adopt(graph, labels, inside)
    size = int(parts.max(initial=-1)) + 1
    if k is not None and size > k:
        parts = _merge(graph, parts, k)
    elif k is not None and size < k:
        parts = _fill(graph, parts, inside, k)
    return canonical(parts)


def exactly_on(graph: Graph | Hypergraph, labels: LabelArray, k: int | None) -> LabelArray:
    """Do the same for a graph or, through its star expansion, for a hypergraph."""
    if isinstance(graph, Graph):
        return exactly(graph, labels, k)
    nowhere = np.full(graph.n_hyperedges, labels.max() + 1, dtype=np.int32)
    return canonical(exactly(bipartite(graph), np.concatenate([labels, nowhere]), k)[: graph.n_vertices])


def _adopt(graph: Graph, labels: LabelArray, inside: AnyArray) -> LabelArray:
    """Number the parts of the vertices that count; the others join the part with most of their edges."""
    numbers = np.unique(labels[inside])
    rank = np.full(int(labels.max(initial=0)) + 1, -1, dtype=np.int32)
    rank[numbers] = np.arange(len(numbers), dtype=np.int32)
    parts = rank[labels]
    orphans = np.flatnonzero(parts < 0)
    if orphans.size:
        ties = graph._ties(orphans, parts, max(len(numbers), 1))
        parts[orphans] = np.asarray(ties.argmax(axis=1)).ravel()
    return parts


def _merge(graph: Graph, labels: LabelArray, k: int) -> LabelArray:
    """Join parts by the mean edge weight between them until k are left."""
    size = int(labels.max()) + 1
    coarse = graph.contract(labels)
    # Mean weights, so that a large part does not attract all others by its size alone; `link` wants at most 1.
    count = np.bincount(labels, minlength=size).astype(float)
    pairs = coarse.adjacency.tocoo()
    mean = pairs.data / count[pairs.row] / count[pairs.col]
    scaled = sparse.csr_array(
        (mean / max(mean.max(initial=0.0), 1e-300), (pairs.row, pairs.col)), coarse.adjacency.shape
    )
    return link(Graph(scaled, vertex_weights=count), "average").cut(k)[labels]


def _fill(graph: Graph, labels: LabelArray, inside: AnyArray, k: int) -> LabelArray:
    """Give each missing part one vertex: the least attached one of the part with the most vertices."""
    parts = labels.copy()
    for j in range(int(labels.max(initial=-1)) + 1, k):
        largest = int(np.bincount(parts[inside]).argmax())
        members = np.flatnonzero(inside & (parts == largest))
        attached = graph._ties(members, np.where(parts == largest, 0, -1).astype(np.int32), 1)
        parts[members[int(np.argmin(attached.toarray()))]] = j
    return parts
