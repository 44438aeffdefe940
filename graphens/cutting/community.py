"""Communities by igraph: the graph chooses the number of parts, or a resolution is searched for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._arrays import LabelArray, canonical, number, whole
from .._memory import require
from ..core.graph import Graph
from ..errors import InputError
from .dendrograms import linkage
from .finders import igraph_seeded
from .mending import counted, exactly, n_parts
from .spectral import normalized_cut

_TRIALS = 30  # halvings of the range of resolutions
_CLOSE = 1e-6  # logarithms of resolutions that give the same communities as far as anyone can tell
_PASSES = 20  # of the Leiden algorithm over all vertices
_EDGE = 200.0  # bytes an edge takes on its way to igraph and there
_MOST = 1000  # trials of infomap
_FEW = 300  # vertices up to which parts are halved by linkage

#: (igraph graph, edge weights, resolution) -> communities
Finder = Callable[[Any, Any, float], Any]


def leiden(graph: Graph, k: int | None = None, *, seed: int = 0, resolution: float = 1.0) -> LabelArray:
    """Return communities of large modularity by the Leiden algorithm (Traag, Waltman and van Eck 2019).

    A given k is reached by searching the resolution, see `_search`.
    """
    return _search(graph, k, seed, resolution, _leiden)


def _leiden(g: Any, weights: Any, resolution: float) -> Any:
    """Passes until nothing moves, but not more than so many: at high resolutions igraph's own loop may never end."""
    found = None
    for _ in range(_PASSES):
        before = None if found is None else found.membership
        found = g.community_leiden(
            "modularity", weights=weights, resolution=resolution, n_iterations=1, initial_membership=before
        )
        if found.membership == before:
            break
    return found


def multilevel(graph: Graph, k: int | None = None, *, seed: int = 0, resolution: float = 1.0) -> LabelArray:
    """Return communities by the multilevel (Louvain) method (Blondel et al. 2008); a given k as for `leiden`."""
    return _search(
        graph, k, seed, resolution, lambda g, w, r: g.community_multilevel(weights=w, resolution=r)
    )


def label_propagation(graph: Graph, k: int | None = None, *, seed: int = 0) -> LabelArray:
    """Return communities by spreading labels (Raghavan et al. 2007).

    It has no resolution: a given k is reached by merging the communities most alike or halving the largest.
    """
    with _as_igraph(graph, seed) as (g, weights):
        found = canonical(g.community_label_propagation(weights=weights).membership)
    return _forced(graph, found, k, seed)


def infomap(graph: Graph, k: int | None = None, *, seed: int = 0, trials: int = 5) -> LabelArray:
    """Return communities by the map equation (Rosvall and Bergstrom 2008); a given k as for `label_propagation`."""
    trials = whole("trials", trials, 1, _MOST)
    with _as_igraph(graph, seed) as (g, weights):
        found = canonical(g.community_infomap(edge_weights=weights, trials=trials).membership)
    return _forced(graph, found, k, seed)


@contextmanager
def _as_igraph(graph: Graph, seed: int) -> Iterator[tuple[Any, Any]]:
    """The graph as igraph's and its edge weights, with igraph's random numbers drawn from the seed while in use."""
    import igraph

    n_edges = graph.n_edges
    require(_EDGE * n_edges, f"A graph of {n_edges} edges in igraph", "Use the partitioner 'spectral'")
    source, target, weight = graph.edges()
    made = igraph.Graph(n=graph.n_vertices, edges=np.column_stack([source, target]))
    largest = weight.max(initial=0.0)
    with igraph_seeded(seed):
        yield made, (weight / largest if largest > 0 else weight).tolist()


def _search(graph: Graph, k: int | None, seed: int, resolution: float, find: Finder) -> LabelArray:
    """Communities at a resolution, or at the one that gives k of them, found by halving its logarithm.

    The number of communities need not rise evenly: where no resolution gives k, the closest finer answer is merged.
    """
    if number("resolution", resolution) <= 0:
        raise InputError(f"resolution = {resolution!r} was given; expected a positive number, 1 by default.")
    if not graph.adjacency.nnz:
        return _forced(graph, np.arange(graph.n_vertices, dtype=np.int32), k, seed)
    inside = counted(graph)
    with _as_igraph(graph, seed) as (g, weights):
        if k is None:
            return canonical(find(g, weights, resolution).membership)
        low, high = -10.0, 10.0
        finest: LabelArray = np.arange(graph.n_vertices, dtype=np.int32)
        for _ in range(_TRIALS):
            middle = (low + high) / 2
            found = canonical(find(g, weights, float(np.exp(middle))).membership)
            size = n_parts(found, inside)
            if size == k:
                return found
            if size > k:
                high, finest = middle, found
            else:
                low = middle
            if high - low < _CLOSE:
                break
    return _forced(graph, finest, k, seed)


def _halves(graph: Graph, seed: int) -> LabelArray:
    """Two parts: by average link where that is quick, else by the normalized cut."""
    return linkage(graph, 2) if graph.n_vertices <= _FEW else normalized_cut(graph, 2, seed=seed)


def _forced(graph: Graph, labels: LabelArray, k: int | None, seed: int) -> LabelArray:
    """Bring communities to k: halve the largest, or merge those most alike."""
    if k is None:
        return labels
    found, inside = exactly(graph, labels, None), counted(graph)
    while (size := n_parts(found, inside)) < k:
        largest = int(np.bincount(found[inside]).argmax())
        members = np.flatnonzero(found == largest)
        found = found.copy()
        found[members[_halves(graph.subgraph(members), seed) == 1]] = size
        if n_parts(found, inside) == size:  # nothing to halve: leave the rest to single vertices
            break
    return exactly(graph, found, k)
