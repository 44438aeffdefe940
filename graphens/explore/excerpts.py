"""The part of a graph that fits on a page: all of it, or some vertices and edges with exact counts of the rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._lib.arrays import AnyArray, FloatArray, IntArray
from ..graphs.coassociation import CoassociationGraph
from ..graphs.graph import Graph
from ..plot.layouts import backbone, join_edges
from ..trees.dendrogram import Dendrogram
from .thresholds import Levels, feasible, levels_of, levels_of_edges, most_distinct

ALL_EDGES = 120_000  # edges up to which all of them are drawn
SOME_EDGES = 100_000  # edges that are drawn of more
ALL_VERTICES = 50_000  # vertices up to which all of them can be drawn
SOME_VERTICES = 10_000  # vertices that are drawn of more

Edges = tuple[AnyArray, AnyArray, FloatArray]  # sources, targets, weights


@dataclass(frozen=True, eq=False)
class Excerpt:
    """The vertices and edges that are drawn, and exact counts for all that are not."""

    graph: Graph  #: of the drawn vertices
    vertices: IntArray | None  #: their numbers in the whole graph; None if all are drawn
    edges: Edges  #: the strongest first
    levels: Levels  #: edges and components at every threshold, of all vertices if that can be counted
    notes: tuple[str, ...] = ()  #: sentences about what is left out
    faint: bool = False  #: whether edges at or below the threshold are drawn faintly, as for a network


def excerpt_of(graph: Graph, wanted: AnyArray | None = None, network: Graph | None = None) -> Excerpt:
    """Choose the vertices and edges that a page can hold; some vertices may be `wanted` among those drawn.

    The other edges of the network to which the edges of the graph belong are drawn, too, with weight 0.
    """
    n, chosen, notes = graph.n_vertices, None, []
    labeled = isinstance(graph, CoassociationGraph)
    exact = feasible(graph)
    if n > ALL_VERTICES or not exact:
        chosen = some_vertices(graph, n, wanted)
        some = "chosen at random" if wanted is None else f"the {len(wanted):,} least certain and others at random"
        how = some if labeled else "those of the largest degree"
        counts = "the counts refer to all of them" if exact else "edges and components are counted among these only"
        notes.append(f"{len(chosen):,} of {n:,} {'objects' if labeled else 'vertices'} are drawn, {how}; {counts}.")
    part = graph if chosen is None else graph.subgraph(chosen)
    levels = levels_of(graph if exact else part)
    total = levels_of(part) if chosen is not None and exact else levels
    if total.edges.sum() <= ALL_EDGES:
        edges = part.edges()
    elif isinstance(part, CoassociationGraph):
        edges = forest_and_strongest(part)
    else:
        edges = backbone(part, SOME_EDGES)
    if len(edges[0]) < total.edges.sum():
        some = f"Of {int(total.edges.sum()):,} edges {len(edges[0]):,} are drawn"
        notes.append(f"{some}: the spanning forest and the strongest others.")
    if levels.step:
        notes.append(f"Edge counts distinguish weights in steps of {levels.step:.2g}.")
    if network is not None and chosen is None and network.n_edges <= ALL_EDGES:
        source, target, _ = network.edges()
        edges = join_edges(n, edges, (source, target, np.zeros(len(source))))
        if len(edges[0]) > total.edges.sum():
            notes.append(
                "Faint lines are edges of the network at or below the threshold; edges with share 0 are never counted."
            )
    return Excerpt(part, chosen, by_weight(*edges), levels, tuple(notes), network is not None)


def in_tree_order(drawn: Excerpt, most: int = 160) -> tuple[IntArray, IntArray, FloatArray]:
    """Cut the vertices into blocks, in an order in which every component is contiguous.

    Returns the block of every vertex, a vertex in the middle of each block, and the similarities at which these join.
    """
    n = drawn.graph.n_vertices
    last, then = np.arange(n), np.full(n, -1, dtype=np.int64)
    joined, root = np.full(n, -np.inf), list(range(n))

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = i = root[root[i]]
        return i

    for a, b, weight in zip(*(part.tolist() for part in drawn.edges), strict=True):
        left, right = sorted((find(a), find(b)))
        if left != right:  # a root is the first of its stretch
            root[right], then[last[left]], joined[last[left]] = left, right, weight
            last[left] = last[right]
    order: list[int] = []
    for i in (i for i in range(n) if root[i] == i):
        while i >= 0:
            order.append(i)
            i = int(then[i])
    m = min(most, n)
    block = np.empty(n, dtype=np.int64)
    block[order] = np.arange(n) * m // n
    at = (2 * np.arange(m) + 1) * n // (2 * m)
    gaps = np.maximum(joined[order], drawn.levels.lowest)
    similar = np.ones((m, m))
    for i in range(m - 1):
        steps = np.minimum.accumulate(gaps[at[i] : at[-1]])[at[i + 1 :] - at[i] - 1]
        similar[i, i + 1 :] = similar[i + 1 :, i] = steps
    return block, np.array(order, dtype=np.int64)[at], similar


def excerpt_of_tree(d: Dendrogram) -> Excerpt:
    """Choose the part of a tree that fits on a page; its merges become edges of similarity 1 − height."""
    n, edges = d.n_objects, by_weight(*forest_of_tree(d))
    levels = levels_of_edges(n, edges[2], edges[2])
    if n <= ALL_VERTICES:
        graph = Graph._trusted(None, roles=np.zeros(n, dtype=np.uint8), names=d.names)
        return Excerpt(graph, None, edges, levels)
    chosen = np.sort(np.random.default_rng(0).choice(n, SOME_VERTICES, replace=False))
    graph = Graph._trusted(None, roles=np.zeros(len(chosen), dtype=np.uint8), names=d.names.take(chosen))
    note = f"{len(chosen):,} of {n:,} objects are drawn, chosen at random; the counts refer to all of them."
    return Excerpt(graph, chosen, forest_among(edges, chosen, n), levels, (note,))


def some_vertices(graph: Graph, n: int, wanted: AnyArray | None) -> IntArray:
    """Vertices to draw: random objects of a graph of labels, or the vertices with the largest degrees."""
    if isinstance(graph, CoassociationGraph):
        room = min(SOME_VERTICES, n, most_distinct(graph))
        some = np.random.default_rng(0).permutation(n)
        first = np.zeros(0, dtype=np.int64) if wanted is None else wanted[:room]
        return np.sort(np.concatenate([first, some[~np.isin(some, first)]])[:room])
    return np.sort(np.argsort(-graph.degree(), kind="stable")[:SOME_VERTICES])


def forest_and_strongest(graph: CoassociationGraph) -> Edges:
    """Forest and strongest edges of distinct rows; other objects with the same row are attached to the first one."""
    micro, index = graph.collapse()
    n = graph.n_vertices
    first = np.full(micro.n_vertices, n, dtype=np.int64)
    np.minimum.at(first, index, np.arange(n))
    near = int(np.clip(SOME_EDGES // max(n, 1) - 1, 1, 8))
    strong = micro.neighbors(near).edges()
    source, target, weight = join_edges(micro.n_vertices, micro.spanning_forest().edges(), strong)
    likeness = micro.likeness()
    copies = np.flatnonzero((first[index] != np.arange(n)) & (likeness[index] > 0))
    return (
        np.concatenate([first[source], first[index[copies]]]),
        np.concatenate([first[target], copies]),
        np.concatenate([weight, likeness[index[copies]]]),
    )


def by_weight(source: AnyArray, target: AnyArray, weight: FloatArray) -> Edges:
    """Edges by decreasing weight, then by their ends."""
    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((high, low, -weight))
    return low[order], high[order], weight[order]


def forest_among(edges: Edges, chosen: IntArray, n: int) -> Edges:
    """Edges of a forest between some of its vertices; their weight is the weakest edge on the path between two."""
    from ..kernels.linking import number_merges

    source, target, weight = edges
    rows = number_merges(source.astype(np.int64), target.astype(np.int64), n)
    place = np.full(n + len(rows), -1, dtype=np.int64)
    place[chosen] = np.arange(len(chosen))
    pairs = []
    for step, (a, b) in enumerate(rows[:, :2].astype(np.int64).tolist()):
        left, right = int(place[a]), int(place[b])
        place[n + step] = max(left, right) if min(left, right) < 0 else min(left, right)
        if left >= 0 and right >= 0:
            pairs.append((left, right, weight[step]))
    table = np.array(pairs, dtype=np.float64).reshape(-1, 3)
    return by_weight(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2])


def forest_of_tree(d: Dendrogram) -> Edges:
    """A forest of the objects with the given single-link tree: each merge joins the first objects of its two sides."""
    n, leaves = d.n_objects, d.n_leaves
    first = np.full(leaves + len(d.merges), n, dtype=np.int64)
    there = np.flatnonzero(d.index >= 0)
    np.minimum.at(first, d.index[there], there)
    copies = there[first[d.index[there]] != there]
    ends = []
    for step, (a, b) in enumerate(d.merges[:, :2].astype(np.int64).tolist()):
        left, right = int(first[a]), int(first[b])
        first[leaves + step] = min(left, right)
        ends.append((left, right))
    pairs = np.array(ends, dtype=np.int64).reshape(-1, 2)
    real = (pairs < n).all(axis=1)
    source = np.concatenate([pairs[real, 0], first[d.index[copies]]])
    target = np.concatenate([pairs[real, 1], copies])
    return source, target, np.concatenate([1 - d.heights[real], np.ones(len(copies))])
