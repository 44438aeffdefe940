"""Community algorithms of igraph: as partitioners, and prepared once for many runs on the same graph.

A partitioner finds the number of parts itself, or searches for the resolution that gives k. For `Runs`, the vertices
are put into an order that depends only on the graph, so that neither their given order nor their names break ties.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray, LabelArray, as_int, canonical, number, one_of
from .._lib.memory import require
from ..errors import InputError
from ..graphs.graph import Graph
from .dendrograms import linkage
from .mending import counted, exactly, n_parts
from .partitioner_registry import Partitioner, PartitionerFunction, find_partitioner, partitioners
from .spectral import normalized_cut

_LOCK = threading.Lock()  # igraph draws from one generator for the whole process
_ROUNDS = 4  # of color refinement: what a vertex sees within that distance tells nearly all apart
_STEPS = 20  # of Leiden at most, one iteration each,
_TINY = 1_000  # or two up to so many edges, where they cost next to nothing
_GAIN = 1e-4  # in modularity: large graphs go on for tens of iterations below that, without an end
_TRIALS = 30  # halvings of the range of resolutions
_CLOSE = 1e-6  # logarithms of resolutions that give the same communities as far as anyone can tell
_EDGE = 200.0  # bytes an edge takes on its way to igraph and there
_MOST = 1000  # trials of infomap
_FEW = 300  # vertices up to which parts are halved by linkage

#: (igraph graph, edge weights or None, resolution) -> one community per vertex
Find = Callable[[Any, Any, float], list[int]]


@dataclass(frozen=True)
class Finder:
    """A community algorithm.

    `shuffled` means that runs differ only if the vertices are in another order. `tau` is the share of runs below which
    an edge is dropped before reclustering, as used for this algorithm in the literature. `merges` means that the
    algorithm has a resolution limit: communities that all of its runs merge may still be two. `resolves` says whether
    it takes a resolution, `steady` whether all runs find the same communities.
    """

    find: Find
    shuffled: bool = False
    tau: float = 0.2
    merges: bool = False
    resolves: bool = True
    steady: bool = False


def _leiden(g: Any, weights: Any, resolution: float) -> list[int]:
    """Leiden until a step gains almost nothing; igraph's own loop never ends at some resolutions."""
    from igraph import GraphBase

    # The method of igraph.Graph also makes a VertexClustering, which takes a fifth of the time of a small graph.
    iterate = partial(GraphBase.community_leiden, g, weights, resolution=resolution, normalize_resolution=True)
    each = 2 if g.ecount() <= _TINY else 1
    labels: Any = None
    quality = -np.inf
    for _ in range(_STEPS):
        labels, better = iterate(n_iterations=each, initial_membership=labels)
        gain, quality = better - quality, better
        if not gain >= _GAIN:  # nothing to gain where there are no edges: not a number
            break
    return cast("list[int]", labels)


def _louvain(g: Any, weights: Any, resolution: float) -> list[int]:
    return g.community_multilevel(weights=weights, resolution=resolution).membership


def _first_level(g: Any, weights: Any, resolution: float) -> list[int]:
    levels = g.community_multilevel(weights=weights, resolution=resolution, return_levels=True)
    return levels[0].membership if levels else list(range(g.vcount()))  # no vertex moved: there is no level


def _label_propagation(g: Any, weights: Any, resolution: float) -> list[int]:
    return g.community_label_propagation(weights=weights).membership


FINDERS: dict[str, Finder] = {
    # runs that maximize modularity err by merging (the resolution limit), hardly by splitting: what most of them merge
    # would be merged for good, so only what nearly all keep together counts (as in FastEnsemble, 2024)
    "leiden": Finder(_leiden, tau=0.8, merges=True),
    "louvain": Finder(_louvain, shuffled=True, merges=True),
    "louvain-1": Finder(_first_level, shuffled=True),
    "label-propagation": Finder(_label_propagation, tau=0.7, resolves=False),
    "infomap": Finder(
        lambda g, weights, _: g.community_infomap(edge_weights=weights, trials=5).membership, tau=0.5, resolves=False
    ),
    "walktrap": Finder(
        lambda g, weights, _: g.community_walktrap(weights=weights).as_clustering().membership,
        resolves=False,
        steady=True,
    ),
    "fast-greedy": Finder(
        lambda g, weights, _: g.community_fastgreedy(weights=weights).as_clustering().membership,
        merges=True,
        resolves=False,
        steady=True,
    ),
}


def find_finder(base: str | PartitionerFunction) -> Finder | Partitioner:
    """Return a community algorithm by its name, or a partitioner of the user that finds k, by name or as a function."""
    if not isinstance(base, str):
        return find_partitioner(base)
    if base not in FINDERS and base in partitioners and partitioners[base].finds_k:
        return partitioners[base]
    one_of("base", base, FINDERS, more=", a partitioner that finds k, or a function (graph, k, *, seed)")
    return FINDERS[base]


def each_base(base: Any) -> list[Any]:
    """The community algorithms in a list, or the only one."""
    return list(base) if isinstance(base, Sequence) and not isinstance(base, str) else [base]


def takes_resolution(base: Any) -> bool:
    """Whether a resolution changes what an algorithm finds, or one of several; functions of the user do not get it."""
    return any(isinstance(one, str) and one in FINDERS and FINDERS[one].resolves for one in each_base(base))


def is_steady(base: Any) -> bool:
    """Whether all runs find the same communities, because there is only one algorithm, and nothing random in it."""
    first, *others = each_base(base)
    return not others and isinstance(first, str) and first in FINDERS and FINDERS[first].steady


class Runs:
    """A graph prepared for many runs of community algorithms, in O(n + E); isolated vertices are their own communities.

    `loops` has the weight of a loop at each vertex, for vertices that represent several; igraph's Leiden ignores loops.
    A run also takes O(n + E) to shuffle the vertices if the algorithm visits them in their order (Louvain).
    """

    order: IntArray
    made: Any
    weights: Any | None

    def __init__(self, graph: Graph, loops: FloatArray | None = None) -> None:
        import igraph

        at = np.flatnonzero(loops) if loops is not None else np.empty(0, dtype=np.int64)
        source, target, weight = graph.edges()
        weight = np.concatenate([weight, np.empty(0) if loops is None else loops[at]])
        # igraph breaks ties by the order of vertices and edges. Both are given in an order that follows from the graph,
        # so that shuffled or renamed objects get the same communities.
        self.order = refined_order(graph)
        place = np.empty(graph.n_vertices, dtype=np.int64)
        place[self.order] = np.arange(graph.n_vertices)
        one, other = (place[np.concatenate([ends, at])] for ends in (source, target))
        low, high = np.minimum(one, other), np.maximum(one, other)
        by = np.lexsort((high, low))
        self.made = igraph.Graph(graph.n_vertices, zip(low[by].tolist(), high[by].tolist(), strict=True))
        even = not weight.size or bool((weight == weight[0]).all())
        self.weights = None if even else (weight[by] / weight.max()).tolist()
        self.made.vs["place"] = range(graph.n_vertices)  # versions of igraph permute in opposite directions

    def find(self, name: str, seed: int, resolution: float = 1.0) -> LabelArray:
        """Return the communities of one run; the same seed gives the same ones."""
        finder = FINDERS[name]
        labels = np.empty(len(self.order), dtype=np.int32)
        with igraph_seeded(seed):
            if not finder.shuffled:
                labels[self.order] = finder.find(self.made, self.weights, resolution)
                return canonical(labels)
            shuffle = np.random.default_rng(seed).permutation(len(self.order))
            moved = self.made.permute_vertices(shuffle.tolist())
            labels[self.order[moved.vs["place"]]] = finder.find(moved, self.weights, resolution)
        return canonical(labels)


@contextmanager
def igraph_seeded(seed: int) -> Iterator[None]:
    """Let igraph draw its random numbers from a seed, one caller at a time, and restore its own generator."""
    import igraph

    with _LOCK:
        igraph.set_random_number_generator(random.Random(seed))
        try:
            yield
        finally:
            igraph.set_random_number_generator(random)


def refined_order(graph: Graph) -> IntArray:
    """Return the vertices in an order that depends only on the graph: by color refinement, with ties in given order.

    The color of a vertex is updated from the sum of its neighbors' colors, each mixed with the weight of the edge.
    O(E) per round.
    """
    a = graph.adjacency
    edge = _mix(np.ascontiguousarray(a.data).view(np.uint64))
    color = _mix(np.diff(a.indptr).astype(np.uint64))
    for _ in range(_ROUNDS):
        # sums of rows as differences of running sums: exact, since both wrap at 2⁶⁴
        running = np.zeros(a.nnz + 1, dtype=np.uint64)
        np.cumsum(_mix(color[a.indices] ^ edge), out=running[1:])
        color = _mix(color + np.uint64(3) * (running[a.indptr[1:]] - running[a.indptr[:-1]]))
    return np.argsort(color, kind="stable")


def _mix(x: AnyArray) -> AnyArray:
    """A 64-bit finalizer (splitmix64), which scatters similar numbers; overflow is intended."""
    x = x.astype(np.uint64, copy=True)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return x


# as partitioners ---------------------------------------------------------------------------------------------------


def leiden(graph: Graph, k: int | None = None, *, seed: int = 0, resolution: float = 1.0) -> LabelArray:
    """Return communities of large modularity by the Leiden algorithm (Traag, Waltman and van Eck 2019).

    A given k is reached by searching over the resolution.
    """
    return _search(graph, k, seed, resolution, _leiden)


def multilevel(graph: Graph, k: int | None = None, *, seed: int = 0, resolution: float = 1.0) -> LabelArray:
    """Return communities by the multilevel (Louvain) method (Blondel et al. 2008); a given k as for `leiden`."""
    return _search(graph, k, seed, resolution, _louvain)


def label_propagation(graph: Graph, k: int | None = None, *, seed: int = 0) -> LabelArray:
    """Return communities by label propagation (Raghavan et al. 2007).

    There is no resolution: a given k is reached by merging the most similar communities or splitting the largest.
    """
    with _as_igraph(graph, seed) as (g, weights):
        labels = canonical(_label_propagation(g, weights, 1.0))
    return _force(graph, labels, k, seed)


def infomap(graph: Graph, k: int | None = None, *, seed: int = 0, trials: int = 5) -> LabelArray:
    """Return communities by the map equation (Rosvall and Bergstrom 2008); a given k as for `label_propagation`."""
    trials = as_int("trials", trials, 1, _MOST)
    with _as_igraph(graph, seed) as (g, weights):
        labels = canonical(g.community_infomap(edge_weights=weights, trials=trials).membership)
    return _force(graph, labels, k, seed)


@contextmanager
def _as_igraph(graph: Graph, seed: int) -> Iterator[tuple[Any, Any]]:
    """The graph in igraph and its edge weights; meanwhile, igraph's random numbers come from the seed."""
    import igraph

    n_edges = graph.n_edges
    require(_EDGE * n_edges, f"A graph of {n_edges} edges in igraph", "Use the partitioner 'spectral'")
    source, target, weight = graph.edges()
    converted = igraph.Graph(n=graph.n_vertices, edges=np.column_stack([source, target]))
    largest = weight.max(initial=0.0)
    with igraph_seeded(seed):
        yield converted, (weight / largest if largest > 0 else weight).tolist()


def _search(graph: Graph, k: int | None, seed: int, resolution: float, find: Find) -> LabelArray:
    """Communities at a resolution, or at the one that gives k communities, found by bisection of its logarithm.

    The number of communities may jump: if no resolution gives k, the closest larger number is merged down to k.
    """
    if number("resolution", resolution) <= 0:
        raise InputError.about("resolution", resolution, "a positive number, 1 by default")
    if not graph.adjacency.nnz:
        return _force(graph, np.arange(graph.n_vertices, dtype=np.int32), k, seed)
    inside = counted(graph)
    with _as_igraph(graph, seed) as (g, weights):
        if k is None:
            return canonical(find(g, weights, resolution))
        # More resolution, more communities, nearly always: bisection keeps the smallest resolution with at least k.
        low, high = -10.0, 10.0
        finest: LabelArray = np.arange(graph.n_vertices, dtype=np.int32)
        for _ in range(_TRIALS):
            middle = (low + high) / 2
            labels = canonical(find(g, weights, float(np.exp(middle))))
            size = n_parts(labels, inside)
            if size == k:
                return labels
            if size > k:
                high, finest = middle, labels
            else:
                low = middle
            if high - low < _CLOSE:
                break
    return _force(graph, finest, k, seed)


def _force(graph: Graph, labels: LabelArray, k: int | None, seed: int) -> LabelArray:
    """Change the number of communities to k by splitting the largest, or merging the most similar."""
    if k is None:
        return labels
    parts, inside = exactly(graph, labels, None), counted(graph)
    while (size := n_parts(parts, inside)) < k:
        largest = int(np.bincount(parts[inside]).argmax())
        members = np.flatnonzero(parts == largest)
        parts = parts.copy()
        part = graph.subgraph(members)
        halves = linkage(part, 2) if part.n_vertices <= _FEW else normalized_cut(part, 2, seed=seed)
        parts[members[halves == 1]] = size
        if n_parts(parts, inside) == size:  # nothing to halve: leave the rest to single vertices
            break
    return exactly(graph, parts, k)
